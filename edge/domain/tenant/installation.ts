// Declares what a server tells commands about itself, whose shells have settings of their own.

import type { MailAddress } from '../mail/mail-provider.ts'

/** Settings as the last server that started has them; none of them is secret. */
export interface Installation {
  /** The address for browsers, and of webhooks. */
  publicUrl: string
  emailFrom: MailAddress | null
  outboundAllow: string[]
  /** Whether the server sends mails of environments without an integration; absent as `region`. */
  hasOwnSender?: boolean
  /** Whether it serves the demo; absent as `region`. */
  hasDemo?: boolean
  /** Part of all keys of the store; absent: written by a release before. */
  region?: string
}

export interface Installations {
  save(installation: Installation): Promise<void>
  /** @returns undefined while no server has started on the store */
  find(): Promise<Installation | undefined>
  /** Remembers when a backup was made (epoch ms). */
  saveBackupAt(at: number): Promise<void>
  /** @returns null without a backup */
  findBackupAt(): Promise<number | null>
}
