// Declares account mails: those of the service itself to people of the dashboard.

import type { MailSender, OutgoingMail } from './mail-provider.ts'

export interface AccountMail {
  to: string
  /** The language of the texts, for the words around them. */
  locale: string
  subject: string
  preheader: string
  /** Values in it are escaped. */
  markdown: string
  text: string
}

/** Lays the mail out like those of campaigns, without tracking and without a way to unsubscribe. */
export type ComposeAccountMail = (mail: AccountMail) => Promise<OutgoingMail>

/** What sends account mails of a server. */
export interface AccountMailPorts {
  compose: ComposeAccountMail
  sender: MailSender
}
