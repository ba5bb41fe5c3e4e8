// Defines the mailbox: where mails go while no mail server is set, to be read in the demo and the dashboard.

import type { MailAddress } from './mail-provider.ts'

export interface KeptMail {
  /** Of the message. */
  messageId: number
  environmentId: number
  from: MailAddress
  to: MailAddress
  subject: string
  html: string
  text: string
  /** The whole mail as it would be sent (RFC 5322). */
  eml: string
  /** Epoch ms. */
  createdAt: number
}

export type KeptMailHead = Omit<KeptMail, 'html' | 'text' | 'eml'>

export interface Mailbox {
  /** Does nothing for a message whose mail is kept already. The oldest mails beyond the limit of the environment go. */
  keep(mail: KeptMail): Promise<void>
  /** Newest first; `before` is the id at which the page ends (exclusive). */
  list(environmentId: number, before: number | null, limit: number): Promise<KeptMailHead[]>
  find(environmentId: number, messageId: number): Promise<KeptMail | undefined>
}

/** How many mails an environment's mailbox holds. */
export const MAILBOX_SIZE = 500
