// Defines what mails of the same look share, kept so that each can be shown as its recipient got it.

import type { EmailLook } from '../../../contract/resources/notification-config.ts'
import type { LinkRules } from '../tenant/link-rules.ts'
import type { MailAddress } from './mail-provider.ts'

export interface MailLayout {
  /** Of the notification config; null: the standard one. */
  look: EmailLook | null
  /** The sender where the look names none. */
  from: MailAddress
  /** Without a link for unsubscribing. */
  isCritical: boolean
  /** Absent in layouts of earlier versions. */
  links?: LinkRules
}

/** The time of use is renewed so often (ms), and retention removes a layout so long after its last mails. */
export const LAYOUT_RENEWAL_MS = 24 * 60 * 60 * 1000

export interface MailLayouts {
  /** Stores the layout under its hash, or renews the time of its use (epoch ms). */
  keep(environmentId: number, hash: string, layout: MailLayout, usedAt: number): Promise<void>
  /** Finds the layout of the mail's last hand-over; undefined: it was never handed over, or by an earlier version. */
  findOf(environmentId: number, messageId: number): Promise<MailLayout | undefined>
}
