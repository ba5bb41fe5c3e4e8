// Defines the attempts of a mail, as its record shows them: each hand-over to a provider, with its answer.

import type { MailProviderName } from '../../../contract/tenant.ts'
import type { SendOutcome } from './mail-provider.ts'

/** What became of an attempt. */
export interface MailAnswer {
  outcome: SendOutcome['outcome']
  /** The provider's own words in one line, without secrets; null where it gave none. */
  answer: string | null
}

export interface MailAttempt extends MailAnswer {
  /** Epoch ms. */
  at: number
  /** `OWN_SENDER` without one; null when nobody was asked. */
  integrationId: number | null
  provider: MailProviderName | 'mailbox' | null
  /** The address of the sandbox, which got the mail in place of its user; absent: its user got it. */
  redirectedTo?: string
}

/** @returns what the record says of the answer */
export function answerOf(outcome: SendOutcome): MailAnswer {
  const answer = outcome.outcome === 'accepted' ? (outcome.answer ?? null) : outcome.error
  return { outcome: outcome.outcome, answer }
}

/** A mail has fewer attempts, unless people send it again. */
const MAX_LOGGED = 20

/** @returns the log with one attempt more. Its outcome is not known before `withAnswer` */
export function withAttempt(log: readonly MailAttempt[] | null, attempt: MailAttempt): MailAttempt[] {
  return [...(log ?? []), attempt].slice(-MAX_LOGGED)
}

/** @returns the log with the answer to its last attempt */
export function withAnswer(log: readonly MailAttempt[] | null, answer: MailAnswer): MailAttempt[] | null {
  const last = log?.at(-1)
  return log === null || last === undefined ? null : [...log.slice(0, -1), { ...last, ...answer }]
}
