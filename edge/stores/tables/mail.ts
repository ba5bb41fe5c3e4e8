// Describes the tables of mails on their way, and of their layouts.

import type { MailProviderName } from '../../../contract/tenant.ts'
import type { MailAttempt } from '../../domain/mail/mail-attempt.ts'
import type { MailLayout } from '../../domain/mail/mail-layout.ts'
import type { MailFetch } from '../../domain/mail/mail-scan.ts'
import { integer, json, jsonText, orNull, table, text, textOf } from './table.ts'

export const MAIL = table('mail', {
  environmentId: integer(),
  messageId: integer(),
  /** When it became due; a claim does not change it. */
  readyAt: integer(),
  /** Null when nothing is left to do, and while it waits for a permit. */
  claimableAt: orNull(integer('due_at')),
  fence: integer(),
  attempts: integer(),
  firstAttemptAt: orNull(integer()),
  handedTo: orNull(integer()),
  integrationId: orNull(integer()),
  provider: orNull(textOf<MailProviderName | 'mailbox'>()),
  providerMessageId: orNull(text()),
  lastError: orNull(text()),
  sentAt: orNull(integer()),
  deliveredAt: orNull(integer()),
  bouncedAt: orNull(integer()),
  /** The integration from which it has a permit, or waits for one while `claimableAt` is null. */
  permitFrom: orNull(integer()),
  /** The campaign whose pause it waits out. */
  pausedCampaign: orNull(integer()),
  /** Of the last hand-over (`mail_layout`). */
  layoutHash: orNull(text()),
  /** Claims since the last recorded change. */
  claims: integer(),
  /** How often a process ended while it handled the mail. */
  crashes: integer(),
  givenUpAt: orNull(integer()),
  /** The latest of its pixel and links. */
  fetches: orNull(json<MailFetch[]>()),
  /** Oldest first; the outcome of the last one is `unknown` while its answer is awaited. */
  attemptLog: orNull(json<MailAttempt[]>()),
})

/** Has each layout once, for all mails that were sent with it. */
export const MAIL_LAYOUT = table('mail_layout', {
  environmentId: integer(),
  hash: text(),
  content: jsonText<MailLayout>(),
  /** At most a day before the last mail that was handed over with it. */
  usedAt: integer(),
})
