// Bounds the contents and files of mails in memory: a mail may have half a million characters, and hundreds are claimed together.

import type { StepFile } from '../../domain/mail/attachment.ts'
import type { MailToSend } from '../../domain/mail/mail.ts'

export interface ContentRoom {
  /** Resolves when more contents may be loaded. */
  hasRoom(): Promise<void>
  /** Counts the content until `work` ends, and the files, which mails of one version share, until the last of these has ended. */
  hold<T>(mail: MailToSend, files: readonly StepFile[], work: Promise<T>): Promise<T>
}

export function createContentRoom(maxChars: number): ContentRoom {
  let held = 0
  let waiting: (() => void)[] = []
  const users = new Map<readonly StepFile[], number>()

  function change(chars: number): void {
    held += chars
    if (held >= maxChars) return
    for (const resume of waiting) resume()
    waiting = []
  }

  function changeUsers(files: readonly StepFile[], by: 1 | -1): void {
    const before = users.get(files) ?? 0
    if (before + by === 0) users.delete(files)
    else users.set(files, before + by)
    if (before === 0 || before + by === 0) change(by * charsOfFiles(files))
  }

  return {
    async hasRoom() {
      while (held >= maxChars) await new Promise<void>((resolve) => waiting.push(resolve))
    },
    async hold(mail, files, work) {
      const chars = charsOfContent(mail)
      change(chars)
      changeUsers(files, 1)
      try {
        return await work
      } finally {
        changeUsers(files, -1)
        change(-chars)
      }
    },
  }
}

function charsOfContent({ content: { email } }: MailToSend): number {
  return (email.html?.length ?? 0) + (email.markdown?.length ?? 0) + (email.text?.length ?? 0)
}

const charsOfFiles = (files: readonly StepFile[]): number =>
  files.reduce((sum, { content }) => sum + (content?.length ?? 0), 0)
