// Keeps mails while no mail server is set: in the store's mailbox, and with one process as files beside it.

import type { Core } from '../domain/core.ts'
import type { MailSender } from '../domain/mail/mail-provider.ts'
import type { Mailbox } from '../domain/mail/mailbox.ts'
import { parseId } from '../lib/id.ts'
import { buildMime, messageIdOf, renderErrorOf } from './build-mime.ts'
import type { MailFiles } from './mail-files.ts'

export function createMailboxSender(
  {
    mailbox,
    mailFiles,
    clock,
  }: Pick<Core, 'clock'> & {
    mailbox: Pick<Mailbox, 'keep'>
    mailFiles: Pick<MailFiles, 'write' | 'remove'>
  },
  environmentId: number,
): MailSender {
  return {
    async send(mail) {
      const messageId = parseId('message', mail.messageId)
      if (messageId === undefined) return { outcome: 'refused', error: 'The mail belongs to no message.' }
      try {
        const built = await buildMime(mail)
        const { from, to, subject, html, text } = mail
        const createdAt = clock.now()
        const parts = { messageId, environmentId, from, to, subject, html, text, createdAt }
        const { eml, removed } = await mailbox.keep({ ...parts, eml: built.toString('utf8') })
        if (eml !== null) await mailFiles.write(messageId, eml)
        await mailFiles.remove(removed)
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
