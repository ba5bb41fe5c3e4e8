// Bounds the contents and files of mails in memory: a mail may have a million characters, and hundreds are claimed together.

import type { StepFile } from '../../domain/mail/attachment.ts'
import type { ClaimedMail, MailToSend } from '../../domain/mail/mail.ts'
import { groupByWeight } from '../../lib/group-by-weight.ts'
import { createTimeSlices } from '../../lib/time-slices.ts'

/** Mails that are read together. */
const PART_MAILS = 100
/** Bytes of their contents; a larger one is read alone. */
const PART_BYTES = 1024 * 1024
/** Claims that wait for room: the mails of an environment whose provider hangs must not take the places of others. */
const MAX_WAITING = 200
/** After which those beyond them try again. */
const NO_ROOM_MS = 5000

export interface ContentRoom {
  /**
   * Reads mails in parts while there is room, those first whose environments have some. This node reads one part at a time.
   * @param sizes Bytes by message; undefined: not known, so each is read alone
   * @param read Returns the mails of its part that come after all others. Never rejects
   * @returns `left`: those that are not read, as the room was closed or too many wait for it already
   */
  readAll(
    claims: readonly ClaimedMail[],
    sizes: ReadonlyMap<number, number> | undefined,
    read: (part: ClaimedMail[]) => Promise<ClaimedMail[]>,
  ): Promise<{ left: readonly ClaimedMail[]; dueInMs: number }>
  /** Counts the content until `work` ends, and the files, which mails of one version share, until the last of these has ended. */
  hold<T>(mail: MailToSend, files: readonly StepFile[], work: Promise<T>): Promise<T>
  /** Reads nothing more. */
  close(): void
}

export function createContentRoom(maxChars: number): ContentRoom {
  let held = 0
  const heldBy = new Map<number, number>()
  let waiting: (() => void)[] = []
  let waitingClaims = 0
  const users = new Map<readonly StepFile[], number>()
  let lastPart: Promise<unknown> = Promise.resolve()
  let isClosed = false

  function resumeAll(): void {
    for (const resume of waiting) resume()
    waiting = []
  }

  function waitForRoom(claims: number): Promise<void> {
    waitingClaims += claims
    return new Promise((resolve) => {
      waiting.push(() => {
        waitingClaims -= claims
        resolve()
      })
    })
  }

  function change(environmentId: number, chars: number): void {
    held += chars
    const own = (heldBy.get(environmentId) ?? 0) + chars
    if (own === 0) heldBy.delete(environmentId)
    else heldBy.set(environmentId, own)
    if (chars < 0) resumeAll()
  }

  function changeUsers(environmentId: number, files: readonly StepFile[], by: 1 | -1): void {
    const before = users.get(files) ?? 0
    if (before + by === 0) users.delete(files)
    else users.set(files, before + by)
    if (before === 0 || before + by === 0) change(environmentId, by * charsOfFiles(files))
  }

  /** An environment holds at most as much as it leaves free: one whose provider hangs delays no other. */
  const hasRoom = ({ environmentId }: ClaimedMail) => (heldBy.get(environmentId) ?? 0) < maxChars - held

  return {
    async readAll(claims, sizes, read) {
      let left = claims
      const endSlice = createTimeSlices()
      const readPart = async () => {
        if (isClosed) return undefined
        const sizeOf = ({ messageId }: ClaimedMail) => (sizes === undefined ? PART_BYTES : (sizes.get(messageId) ?? 0))
        const [part] = groupByWeight(left.filter(hasRoom).slice(0, PART_MAILS), sizeOf, PART_BYTES)
        if (part === undefined && waitingClaims + left.length > MAX_WAITING) return 'full'
        // Returned within an object, as the next turn must not wait for it.
        if (part === undefined) return { room: waitForRoom(left.length) }
        const later = await read(part)
        const isRead = new Set(part)
        left = [...left.filter((claim) => !isRead.has(claim)), ...later]
        await endSlice()
        return undefined
      }
      while (left.length > 0 && !isClosed) {
        const turn = lastPart.then(readPart)
        lastPart = turn.catch(() => {})
        const outcome = await turn
        if (outcome === 'full') break
        await outcome?.room
      }
      return { left, dueInMs: isClosed ? 0 : NO_ROOM_MS }
    },
    async hold(mail, files, work) {
      const { environmentId } = mail
      const chars = charsOfContent(mail)
      change(environmentId, chars)
      changeUsers(environmentId, files, 1)
      try {
        return await work
      } finally {
        changeUsers(environmentId, files, -1)
        change(environmentId, -chars)
      }
    },
    close() {
      isClosed = true
      resumeAll()
    },
  }
}

function charsOfContent({ content: { email } }: MailToSend): number {
  return (email.html?.length ?? 0) + (email.markdown?.length ?? 0) + (email.text?.length ?? 0)
}

const charsOfFiles = (files: readonly StepFile[]): number =>
  files.reduce((sum, { content }) => sum + (content?.length ?? 0), 0)
