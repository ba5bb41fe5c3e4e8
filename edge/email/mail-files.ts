// Keeps the mails of the mailbox as files beside the store, and removes files whose mails are gone.

import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mailbox } from '../domain/mail/mailbox.ts'
import { formatId, parseId } from '../lib/id.ts'

/** One query of a sweep. */
const ASKED_TOGETHER = 500

export interface MailFiles {
  /** Writes the file of a mail whose row is kept already: a sweep takes a file without a row for one that is left. */
  write(messageId: number, eml: string): Promise<void>
  remove(messageIds: readonly number[]): Promise<void>
  /** Removes all files without a row; never a file of a row, also while other processes keep mails. */
  sweep(): Promise<void>
}

/** @returns what keeps no files with a database: its nodes share the mailbox, and may share no folder */
export function createMailFiles(
  { databaseUrl, dataDir }: { databaseUrl: string | null; dataDir: string },
  mailbox: Pick<Mailbox, 'findKept'>,
): MailFiles {
  if (databaseUrl !== null) return { async write() {}, async remove() {}, async sweep() {} }
  const folder = join(dataDir, 'mails')

  async function remove(messageIds: readonly number[]): Promise<void> {
    for (const id of messageIds) await rm(join(folder, nameOf(id)), { force: true })
  }

  async function sweepNow(): Promise<void> {
    // First the files, then their rows: the row of each listed file was kept before it.
    const found = await listFiles(folder)
    for (let from = 0; from < found.length; from += ASKED_TOGETHER) {
      const asked = found.slice(from, from + ASKED_TOGETHER)
      const kept = await mailbox.findKept(asked)
      await remove(asked.filter((id) => !kept.has(id)))
    }
  }

  let current: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  return {
    async write(messageId, eml) {
      // Mails may hold what only their recipients may read.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(join(folder, nameOf(messageId)), eml, { mode: 0o600 })
      // The row may have gone before the file was there for a sweep.
      if (!(await mailbox.findKept([messageId])).has(messageId)) await remove([messageId])
    },
    remove,
    sweep() {
      // A sweep under way may have passed what its callers have removed: they share the next one.
      next ??= current
        .catch(() => {})
        .then(() => {
          next = undefined
          current = sweepNow()
          return current
        })
      return next
    },
  }
}

const nameOf = (messageId: number) => `${formatId('message', messageId)}.eml`

/** @returns the messages of our files; others may lie in the folder, too */
async function listFiles(folder: string): Promise<number[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return entries.flatMap((entry) => {
    const id = parseId('message', entry.name.replace(/\.eml$/, ''))
    return id !== undefined && entry.isFile() && entry.name === nameOf(id) ? [id] : []
  })
}
