// Commits changes of claimed mails, and counts those that put a mail off.

import { setTimeout as delay } from 'node:timers/promises'
import type { ClaimedMail, MailChange, MailOutcome, MailPlan } from '../../domain/mail/mail.ts'
import type { MailAnswer } from '../../domain/mail/mail-attempt.ts'
import type { Clock } from '../../lib/clock.ts'

/** `fault`: by an error of ours, or because the service is busy. */
export const PUT_OFF_REASONS = ['provider', 'busy', 'permit', 'pause', 'quiet-hours', 'fault'] as const
export type PutOffReason = (typeof PUT_OFF_REASONS)[number]

/** By the change that puts a mail off; absent ones do not. */
const PUT_OFF: Partial<Record<MailChange['does'], PutOffReason>> = {
  retry: 'provider',
  release: 'busy',
  'await-permit': 'permit',
  'await-resume': 'pause',
  'await-quiet-end': 'quiet-hours',
}

export interface CommitMailDeps {
  commitPlan(plan: MailPlan): Promise<MailOutcome>
  clock: Clock
  /** Receives why a mail is put off, for the metrics. */
  onPutOff?(reason: PutOffReason): void
}

/** How often the outcome of a hand-over is written again while the store is away. */
const COMMIT_TRIES = 60
const COMMIT_PAUSE_MS = 500

/** Commits a change under a claim, and counts when it puts the mail off. */
export async function commit(
  { commitPlan, clock, onPutOff }: CommitMailDeps,
  claim: ClaimedMail,
  change: MailChange,
  {
    putOff = PUT_OFF[change.does],
    answered,
  }: { putOff?: PutOffReason | undefined; answered?: MailAnswer | undefined } = {},
): Promise<MailOutcome> {
  const { environmentId, messageId, fence } = claim
  const plan = { kind: 'mail', environmentId, messageId, fence, now: clock.now(), change } as const
  const outcome = await commitPlan(answered === undefined ? plan : { ...plan, answered })
  if (putOff !== undefined && outcome.mail === 'changed') onPutOff?.(putOff)
  return outcome
}

/** The provider has answered: its answer is lost when it is not written, so an outage of the store is waited for. */
export async function commitSurely(
  deps: CommitMailDeps,
  claim: ClaimedMail,
  change: MailChange,
  answered: MailAnswer | undefined,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await commit(deps, claim, change, { answered })
      return
    } catch (error) {
      if (tries === COMMIT_TRIES) throw error
      await delay(COMMIT_PAUSE_MS)
    }
  }
}
