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

/** What is in the mailbox after a mail was to be kept. */
export interface Keeping {
  /** The mail as it is kept: of a repeat the first one; null when its message is gone. */
  eml: string | null
  /** Messages whose mails went because the environment had more than its mailbox holds. */
  removed: number[]
}

export interface Mailbox {
  /** Changes nothing for a message whose mail is kept already. The oldest mails beyond the limit of the environment go. */
  keep(mail: KeptMail): Promise<Keeping>
  /** @returns those of these messages whose mails are kept, in any environment */
  findKept(messageIds: readonly number[]): Promise<Set<number>>
  /** Newest first; `before` is the id at which the page ends (exclusive). */
  list(environmentId: number, before: number | null, limit: number): Promise<KeptMailHead[]>
  find(environmentId: number, messageId: number): Promise<KeptMail | undefined>
}

/** How many mails an environment's mailbox holds. */
export const MAILBOX_SIZE = 500
