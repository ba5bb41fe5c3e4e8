// Commits changes of claimed mails, and counts those that put a mail off.

import { setTimeout as delay } from 'node:timers/promises'
import type { Core } from '../../domain/core.ts'
import type { ClaimedMail, MailChange, MailOutcome, MailToSend } from '../../domain/mail/mail.ts'
import type { MailAnswer } from '../../domain/mail/mail-attempt.ts'
import { hideQueries } from './hide-queries.ts'

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

type Taken = Pick<Core, 'commitPlan' | 'clock'> & {
  /** Receives why a mail is put off, for the metrics. */
  onPutOff?(reason: PutOffReason): void
}

/** How often the outcome of a hand-over is written again while the store is away. */
const COMMIT_TRIES = 60
const COMMIT_PAUSE_MS = 500

type Content = MailToSend['content']

/** A mail that was given up can be sent again, as it is. */
const isLast = (change: MailChange) => change.does === 'accept' || (change.does === 'end' && change.isGivenUp !== true)

/** @returns what is kept of a mail that is sent or ended; undefined where that is all of it */
function findKept(content: Content): string | undefined {
  const kept = hideQueries(content)
  return kept === content ? undefined : JSON.stringify(kept)
}

/**
 * Commits a change under a claim, and counts when it puts the mail off.
 * @param content Of the mail: with its last change, the queries of untracked links leave the store
 */
export async function commit(
  { commitPlan, clock, onPutOff }: Taken,
  claim: ClaimedMail,
  change: MailChange,
  {
    putOff = PUT_OFF[change.does],
    answered,
    content,
  }: { putOff?: PutOffReason | undefined; answered?: MailAnswer | undefined; content?: Content | undefined } = {},
): Promise<MailOutcome> {
  const { environmentId, messageId, fence } = claim
  const plan = { kind: 'mail', environmentId, messageId, fence, now: clock.now(), change } as const
  const kept = content !== undefined && isLast(change) ? findKept(content) : undefined
  const more = { ...(answered !== undefined && { answered }), ...(kept !== undefined && { snapshot: kept }) }
  const outcome = await commitPlan({ ...plan, ...more })
  if (putOff !== undefined && outcome.mail === 'changed') onPutOff?.(putOff)
  return outcome
}

/** Lets any process take the mail after so long. When this fails, the lease ends and the mail is due again. */
export async function release(deps: Taken, claim: ClaimedMail, inMs: number): Promise<void> {
  await commit(deps, claim, { does: 'release', at: deps.clock.now() + inMs }).catch(() => {})
}

/** The provider has answered: its answer is lost when it is not written, so an outage of the store is waited for. */
export async function commitSurely(
  deps: Taken,
  claim: ClaimedMail,
  change: MailChange,
  answered: MailAnswer | undefined,
  content: Content,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await commit(deps, claim, change, { answered, content })
      return
    } catch (error) {
      if (tries === COMMIT_TRIES) throw error
      await delay(COMMIT_PAUSE_MS)
    }
  }
}
