// Keeps mails while no mail server is set: in the store's mailbox, and with one process as files beside it.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MailSender } from '../domain/mail/mail-provider.ts'
import type { Mailbox } from '../domain/mail/mailbox.ts'
import type { Clock } from '../lib/clock.ts'
import { parseId } from '../lib/id.ts'
import { buildMime, messageIdOf, renderErrorOf } from './build-mime.ts'

export interface MailboxSenderDeps {
  mailbox: Pick<Mailbox, 'keep'>
  /** Folder of the files; null: none are written. */
  folder: string | null
  clock: Clock
}

export function createMailboxSender(deps: MailboxSenderDeps, environmentId: number): MailSender {
  return {
    async send(mail) {
      const messageId = parseId('message', mail.messageId)
      if (messageId === undefined) return { outcome: 'refused', error: 'The mail belongs to no message.' }
      try {
        const eml = buildMime(mail)
        const { from, to, subject, html, text } = mail
        const createdAt = deps.clock.now()
        const parts = { messageId, environmentId, from, to, subject, html, text, createdAt }
        // First the file: a mail that the mailbox shows is there.
        if (deps.folder !== null) await writeEml(deps.folder, mail.messageId, eml)
        await deps.mailbox.keep({ ...parts, eml: eml.toString('utf8') })
        return { outcome: 'accepted', providerMessageId: messageIdOf(mail) }
      } catch (error) {
        const unbuilt = renderErrorOf(error)
        if (unbuilt !== undefined) return unbuilt
        return { outcome: 'unavailable', error: error instanceof Error ? error.message : 'The mail was not kept.' }
      }
    },
    async close() {},
  }
}

/** Mails may hold what only their recipients may read. */
async function writeEml(folder: string, name: string, eml: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, `${name}.eml`), eml, { mode: 0o600 })
}
