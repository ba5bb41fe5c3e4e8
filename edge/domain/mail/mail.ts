// Defines a mail on its way: the row beside its message, from the plan that creates it to the provider's last report.
// The commit writes a row for each message of a plan with the channel `email` and the status `queued`, due when the
// message was created. The recipient is in the message's content (`email.to`).

import type { MessageContent } from '../../../contract/api.ts'
import type { MailParts } from '../../../contract/resources/mail.ts'
import type { MailProviderName } from '../../../contract/tenant.ts'
import type { MailAnswer } from './mail-attempt.ts'

/** The sender of mails without an integration: SMTP_URL, or the mailbox of a server without one. */
export const OWN_SENDER = 0

/** Names the claim under which a mail is being sent. */
export interface MailClaim {
  environmentId: number
  messageId: number
  fence: number
}

/** A due mail under a claim. */
export interface ClaimedMail extends MailClaim {
  /** Hand-overs to a provider so far. */
  attempts: number
  /** Claims since the last recorded change, this one included. */
  claims: number
  /** How often a process ended while it composed the mail. */
  crashes: number
  /** When the first hand-over was (epoch ms); null before any. */
  firstAttemptAt: number | null
  /**
   * Set when a hand-over began whose outcome is not known: the process ended before it was recorded. The integration
   * that had it (`OWN_SENDER` without one).
   */
  handedTo: number | null
  /** The integration from which it has a permit; null without one. */
  permitFrom: number | null
}

/** Everything that sending one mail needs, read after the claim. */
export interface MailToSend {
  messageId: number
  environmentId: number
  campaignId: number
  runId: number
  eventId: number
  version: number
  stepId: string
  userId: string
  correlationId: string
  category: string | null
  /** Its `email.to` is the recipient. */
  content: MessageContent & { email: MailParts }
  createdAt: number
  isTest: boolean
}

/** A change of one mail and its message, committed like any plan. */
export type MailChange =
  /** Before the provider is asked: the message is `sending`, and one attempt more is counted. */
  | {
      does: 'hand-over'
      integrationId: number
      provider: MailProviderName | 'mailbox'
      layoutHash: string
      /** The address that gets it in place of its user, by the sandbox. */
      redirectedTo?: string
    }
  /** The provider has accepted it: the message is `sent`, with its `send` event and its counter. */
  | { does: 'accept'; providerMessageId: string | null }
  /** Due again at `at`. `error` is the last answer, in words. */
  | { does: 'retry'; at: number; error: string }
  /**
   * Due again at `at`; nothing was handed over. With the `error` of a fault of ours, the claim counts as one that failed.
   * `isAttempt`: it was tried, and counts as an attempt.
   */
  | { does: 'release'; at: number; error?: string; isAttempt?: boolean }
  /**
   * Waits for a permit of the integration (`HeldMails`). `error` is the answer of another one that was asked before; null
   * when nobody was asked.
   */
  | { does: 'await-permit'; integrationId: number; error: string | null }
  /** Due again when the campaign is no longer paused, at `until` in any case; nothing was handed over. */
  | { does: 'await-resume'; campaignId: number; until: number }
  /** Due again at `at`, the end of its user's quiet hours. Then its half hour of attempts begins anew. */
  | { does: 'await-quiet-end'; at: number }
  /**
   * Nothing more is tried. `isGivenUp`: it was not tried to the end, and can be sent again. `isAttempt`: it failed before
   * a hand-over, and counts as one.
   */
  | {
      does: 'end'
      status: 'failed' | 'skipped' | 'cancelled'
      reason: string
      error: string | null
      isGivenUp?: boolean
      isAttempt?: boolean
    }
  /**
   * A report of the provider. `accepted` alone proves the acceptance; `delivered` and `bounced` prove it as well, and
   * the status only moves forward.
   */
  | {
      does: 'report'
      status: 'accepted' | 'delivered' | 'bounced'
      /** Epoch ms, of the provider's clock. */
      at: number
      providerMessageId: string | null
      /** Of a bounce. */
      error: string | null
    }

export interface MailPlan {
  kind: 'mail'
  environmentId: number
  messageId: number
  /** Changes under a claim take effect while the claim lasts. Null for reports, which need none. */
  fence: number | null
  now: number
  change: MailChange
  /** To the last hand-over, for the record; absent: none, or written already. */
  answered?: MailAnswer
  /** As JSON; takes the place of the stored content with the change, which is the last one under a claim. */
  snapshot?: string
}

/** `lost`: the claim has ended, the message is gone, or its status is beyond the change. */
export interface MailOutcome {
  mail: 'changed' | 'lost'
}

export interface Mails {
  /**
   * Claims due mails, oldest first, with environments in turn: one with a million due mails does not delay others.
   * Until the lease ends nobody else claims them.
   */
  claim(now: number, leaseMs: number, limit: number): Promise<ClaimedMail[]>
  /** Milliseconds until the next mail is due; null when none is. */
  nextDueInMs(now: number): Promise<number | null>
  /** Renews the leases of these claims, except those that have ended. */
  renew(claims: MailClaim[], now: number, leaseMs: number): Promise<void>
  /** @returns The bytes of their contents by message. Mails that are gone are absent. */
  weigh(mails: readonly Pick<MailClaim, 'environmentId' | 'messageId'>[]): Promise<Map<number, number>>
  /** Reads many in one query. Mails whose user is being erased are absent. */
  load(mails: readonly Pick<MailClaim, 'environmentId' | 'messageId'>[]): Promise<Map<number, MailToSend>>
  /** Finds mails by the ids of a provider, in one query. Only of that integration. */
  findByProviderIds(integrationId: number, providerMessageIds: string[]): Promise<Map<string, number>>
  /** Of these messages (ids), those that are mails of the environment, with their category and address. */
  findOwn(environmentId: number, messageIds: number[]): Promise<Map<number, SentMail>>
}

/** A mail as a report about it needs it. */
export interface SentMail {
  messageId: number
  userNo: number
  userId: string
  category: string | null
  /** To which it went: its user's, or that of the sandbox. */
  address: string
  /** Addresses that got a copy; absent: none. */
  copies?: readonly string[]
  /** The provider has accepted it, as far as is recorded. */
  isAccepted: boolean
}
