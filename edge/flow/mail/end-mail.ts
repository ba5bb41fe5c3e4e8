// Names the changes that end a mail, and decides when it is given up before it is composed.

import { findReasonToGiveUp } from '../../domain/given-up.ts'
import type { ClaimedMail, MailChange } from '../../domain/mail/mail.ts'

/** All attempts lie within half an hour; their pauses are random, so that a provider that was away is not asked by all at once. */
export const MAX_ATTEMPTS = 6
export const INTERRUPTED = 'the process ended before the answer of the provider was recorded'

export function ended(status: 'failed' | 'skipped' | 'cancelled', reason: string, error: string | null = null) {
  return { does: 'end', status, reason, error } as const satisfies MailChange
}

export const outcomeUnknown = (error: string) => ended('failed', 'outcome-unknown', error)

const toTried = ({ claims, crashes }: ClaimedMail) => ({ attempts: claims, crashes })

/** One that is given up is not even loaded: that may be what fails, or what ends the process. */
export const mayBeLoaded = (claim: ClaimedMail): boolean => findReasonToGiveUp(toTried(claim)) === undefined

/** What gives the mail up before it is composed: a process would end again, or no attempt is left. */
export function findHopeless(claim: ClaimedMail): MailChange | undefined {
  const { attempts, handedTo } = claim
  const reason = findReasonToGiveUp(toTried(claim))
  if (reason !== undefined) return { ...ended('failed', 'retries-exhausted', reason), isGivenUp: true }
  if (attempts < MAX_ATTEMPTS) return undefined
  // Each hand-over was interrupted: the mail may have arrived.
  return handedTo === null ? ended('failed', 'retries-exhausted') : outcomeUnknown(INTERRUPTED)
}

/** Ends a mail that was not loaded: it must not be, or was removed with its user or campaign. */
export function endUnloaded(claim: ClaimedMail): MailChange {
  if (mayBeLoaded(claim)) return ended('cancelled', 'campaign-gone')
  // It may have arrived.
  return (claim.handedTo === null && findHopeless(claim)) || outcomeUnknown(INTERRUPTED)
}
