// Sends due mails: asks the rules again, hands each to a provider under a commit before and a commit after, and plans another attempt.

import type { Core } from '../../domain/core.ts'
import { markOfMail, readMarked } from '../../domain/in-hand.ts'
import type { ClaimedMail, MailChange } from '../../domain/mail/mail.ts'
import { answerOf, type MailAnswer } from '../../domain/mail/mail-attempt.ts'
import type { MailAddress, MailRoute } from '../../domain/mail/mail-provider.ts'
import { type SpanSpec, traced } from '../../domain/traces.ts'
import { isUnavailable } from '../../lib/api-error.ts'
import { formatId } from '../../lib/id.ts'
import type { AttachFiles } from './attach-files.ts'
import { findReasonToStay } from './choose-recipients.ts'
import { chooseRoutes } from './choose-routes.ts'
import { commit, commitSurely, release } from './commit-mail.ts'
import { createContentRoom } from './content-room.ts'
import { ended, endUnloaded, findHopeless, INTERRUPTED, MAX_ATTEMPTS, mayBeLoaded, outcomeUnknown } from './end-mail.ts'
import { type Handed, handOver, prepareMail } from './hand-over.ts'
import { type LoadedMail, loadMails } from './load-mails.ts'
import { lacksPermit, type Sending } from './route-permits.ts'
import { suppressUnknown } from './suppress-address.ts'

type Taken = Parameters<typeof loadMails>[0] &
  Parameters<typeof handOver>[0] &
  Pick<Core, 'sendRules' | 'inHand' | 'bus' | 'traces'> & {
    attachFiles: AttachFiles
    /** By priority; never empty. */
    findRoutes(environmentId: number): Promise<MailRoute[]>
    unknownOutcome: 'stop' | 'retry'
    /** Replaces the usual pauses. */
    pausesMs?: MailPauses | undefined
  }

export interface SendMails {
  /** Calls `onEnd` for each mail at its end. Never rejects: a mail that could not be handled is due again. */
  handle(claimed: ClaimedMail[], onEnd?: (claim: ClaimedMail) => void): Promise<void>
  underWay(): Iterable<ClaimedMail>
  /** Begins no more mails: those that are claimed are due again. */
  onStop(): void
}

const MAX_AGE_MS = 30 * 60_000
/**
 * Pauses in milliseconds: longest ones after the first attempts (the real ones are random below them), and before further
 * attempts to send account mails.
 */
export interface MailPauses {
  attempts: readonly number[]
  accounts?: readonly number[]
}
const PAUSES: MailPauses = { attempts: [30_000, 60_000, 2 * 60_000, 5 * 60_000, 10 * 60_000] }
/** A mail that waits out a pause is looked at so long after it became too late: the clocks of nodes may differ. */
const LATE_LOOK_MS = 1000
const FAULT_MS = 10_000
/** Of contents and files in memory, beside those that are loaded together. */
const HELD_CHARS = 16 * 1024 * 1024

type OnEnd = ((claim: ClaimedMail) => void) | undefined

interface Begun {
  sending: Promise<void>[]
  /** To be begun after these, because of their versions. */
  later: ClaimedMail[]
}

export function createSendMails(deps: Taken): SendMails {
  const underWay = new Set<ClaimedMail>()
  const room = createContentRoom(HELD_CHARS)

  function end(claim: ClaimedMail, onEnd: OnEnd): void {
    underWay.delete(claim)
    onEnd?.(claim)
  }

  async function handleOne(claim: ClaimedMail, loaded: Sending | undefined): Promise<void> {
    try {
      if (loaded !== undefined)
        await traced(
          deps.traces,
          () => spanOf(loaded),
          () => sendOne(deps, loaded),
        )
      else await commit(deps, claim, endUnloaded(claim))
    } catch (error) {
      await postpone(deps, claim, error)
    } finally {
      underWay.delete(claim)
    }
  }

  async function begin(claims: ClaimedMail[], claimedAt: number, onEnd: OnEnd): Promise<Begun> {
    try {
      const readable = claims.filter(mayBeLoaded)
      const read = () => loadMails(deps, readable)
      const { loaded, later } = await readMarked(deps.inHand, readable.map(markOfMail), read)
      const byClaim = new Map(loaded.map((one) => [one.claim, { ...one, claimedAt }]))
      const sending = claims.flatMap((claim) => {
        if (later.includes(claim)) return []
        const one = byClaim.get(claim)
        const handled = handleOne(claim, one)
        return [(one === undefined ? handled : room.hold(one.mail, one.files, handled)).then(() => onEnd?.(claim))]
      })
      return { sending, later }
    } catch (error) {
      deps.log.warn('mails not loaded', { error, count: claims.length })
      // One may have failed all of them, such as by a version that cannot be compiled any more.
      if (claims.length > 1 && !isUnavailable(error)) {
        const sending: Promise<void>[] = []
        for (const claim of claims) sending.push(...(await begin([claim], claimedAt, onEnd)).sending)
        return { sending, later: [] }
      }
      const postponed = claims.map((claim) => postpone(deps, claim, error).finally(() => end(claim, onEnd)))
      return { sending: postponed, later: [] }
    }
  }

  return {
    async handle(claimed, onEnd) {
      const claimedAt = deps.clock.now()
      for (const claim of claimed) underWay.add(claim)
      const sending: Promise<void>[] = []
      const sizes = await deps.mails.weigh(claimed).catch(() => undefined)
      const { left, dueInMs } = await room.readAll(claimed, sizes, async (part) => {
        const begun = await begin(part, claimedAt, onEnd)
        sending.push(...begun.sending)
        return begun.later
      })
      const released = left.map((claim) => release(deps, claim, dueInMs).finally(() => end(claim, onEnd)))
      await Promise.all([...sending, ...released])
    },
    onStop() {
      room.close()
      deps.slots.stop()
    },
    underWay: () => underWay,
  }
}

/** When this fails, too, the lease ends and the mail is due again. */
async function postpone(deps: Taken, claim: ClaimedMail, error: unknown): Promise<void> {
  deps.log.warn('mail postponed', { error, attempt: claim.attempts })
  const at = deps.clock.now() + FAULT_MS
  const fault = isUnavailable(error) ? {} : { error: error instanceof Error ? error.message : String(error) }
  await commit(deps, claim, { does: 'release', at, ...fault }, { putOff: 'fault' }).catch(() => {})
}

function spanOf({ mail, claim }: LoadedMail): SpanSpec {
  const attributes = { 'nc.message.id': formatId('message', mail.messageId), 'nc.attempts': claim.attempts }
  return { name: 'handle mail', correlationId: mail.correlationId, attributes }
}

async function sendOne(deps: Taken, loaded: Sending): Promise<void> {
  const { claim, mail } = loaded
  const before = findChangeBefore(deps, loaded, deps.clock.now())
  if (before !== undefined) {
    await commit(deps, claim, before, { content: mail.content })
    return
  }
  const found = await deps.findRoutes(mail.environmentId)
  const stays = claim.handedTo === null ? await findReasonToStay(deps, loaded, found) : undefined
  if (stays !== undefined) {
    await commit(deps, claim, ended('skipped', stays), { content: mail.content })
    return
  }
  const routes = chooseRoutes(deps, claim, found)
  if (routes === 'unknown') {
    await commit(deps, claim, outcomeUnknown(INTERRUPTED), { content: mail.content })
    return
  }
  const hopeless = findHopeless(claim)
  if (hopeless !== undefined) {
    await commit(deps, claim, hopeless, { content: mail.content })
    return
  }
  const senders = found.map(({ from }) => from)
  await askInTurn(deps, loaded, routes, senders)
}

/** Asks one provider after the other until one has decided. The answer of a former one is committed with the next change. */
async function askInTurn(
  deps: Taken,
  loaded: Sending,
  routes: readonly MailRoute[],
  senders: readonly MailAddress[],
): Promise<void> {
  const { claim, mail } = loaded
  const { content } = mail
  let attempts = claim.attempts
  let error: string | null = null
  let answered: MailAnswer | undefined
  for (const [place, route] of routes.entries()) {
    const { integrationId } = route
    let handed: Handed | undefined
    try {
      handed = lacksPermit(deps, loaded, route) ? 'no-permit' : await handInTurn(deps, loaded, route, senders, answered)
    } catch (fault) {
      if (answered === undefined || error === null) throw fault
      // The record learns the answer of the former route, which only this process knows.
      deps.log.warn('mail postponed between two providers', { error: fault, attempt: attempts })
      const at = deps.clock.now() + FAULT_MS
      await commitSurely(deps, claim, { does: 'retry', at, error }, answered, content)
      return
    }
    const outcome = handed ?? 'busy'
    if (outcome === 'lost') return
    if (outcome === 'no-permit') {
      await commitSurely(deps, claim, { does: 'await-permit', integrationId, error }, answered, content)
      return
    }
    if (outcome === 'busy') {
      if (place < routes.length - 1) continue
      const at = deps.slots.retryAt(integrationId)
      const change: MailChange = error === null ? { does: 'release', at } : { does: 'retry', at, error }
      await commitSurely(deps, claim, change, answered, content)
      return
    }
    attempts++
    if (outcome.outcome !== 'not-composed' && outcome.outcome !== 'no-files') answered = answerOf(outcome)
    // The next route takes over for reasons of the provider alone.
    const isLast = place === routes.length - 1 || attempts >= MAX_ATTEMPTS
    if (outcome.outcome === 'unavailable' && !isLast) {
      error = outcome.error
      continue
    }
    // Before the outcome is committed: a process that ends in between asks again, and is refused again.
    await suppressUnknown(deps, mail.environmentId, outcome, deps.clock.now())
    await commitSurely(deps, claim, findChangeAfter(deps, loaded, route, outcome, attempts), answered, content)
    return
  }
}

/** Hands a mail over in its slots. @returns undefined when too many mails wait for one already */
async function handInTurn(
  deps: Taken,
  loaded: Sending,
  route: MailRoute,
  senders: readonly MailAddress[],
  answered: MailAnswer | undefined,
): Promise<Handed | undefined> {
  const { environmentId, content } = loaded.mail
  const begunAt = deps.clock.now()
  // The slot of a route comes last: other environments may share the route, and a file may take long.
  return deps.attachFiles.with(environmentId, content.email.attachments ?? [], loaded.files, (load) => {
    const sending = { ...loaded, claimedAt: loaded.claimedAt + deps.clock.now() - begunAt }
    return deps.slots.run(
      route.integrationId,
      () => prepareMail(deps, sending, route, senders),
      (prepared) => handOver(deps, sending, route, prepared, load, answered),
    )
  })
}

/** What ends or delays the mail before anybody is asked. */
function findChangeBefore({ unknownOutcome }: Taken, loaded: LoadedMail, now: number): MailChange | undefined {
  const { claim, mail, campaign, maxLatenessMs } = loaded
  // An unknown outcome comes first: the mail may have arrived, so no other reason may be recorded.
  if (claim.handedTo !== null && unknownOutcome === 'stop') return undefined
  if (campaign.status === 'archived' && !campaign.drains) return ended('cancelled', 'archived')
  if (campaign.status === 'paused' && !mail.isTest) {
    if (now - mail.createdAt > maxLatenessMs) return ended('cancelled', 'paused')
    const until = Math.max(mail.createdAt + maxLatenessMs, now) + LATE_LOOK_MS
    return { does: 'await-resume', campaignId: mail.campaignId, until }
  }
  const kept = loaded.findReasonToKeep(now)
  if (kept !== undefined) return ended('skipped', kept.statusReason)
  // A mail that may have arrived is no new disturbance, and its provider recognises a repeat for some time alone.
  const at = claim.handedTo === null ? loaded.findDelay(now) : undefined
  return at === undefined ? undefined : { does: 'await-quiet-end', at }
}

function findChangeAfter(
  deps: Taken,
  { claim }: LoadedMail,
  route: MailRoute,
  outcome: Exclude<Handed, 'lost' | 'no-permit'>,
  attempts: number,
): MailChange {
  const now = deps.clock.now()
  if (outcome.outcome === 'accepted') return { does: 'accept', providerMessageId: outcome.providerMessageId }
  if (outcome.outcome === 'render-error') return ended('failed', 'render-error', outcome.error)
  if (outcome.outcome === 'not-composed') {
    return { ...ended('failed', 'render-error', outcome.error), isAttempt: true }
  }
  if (outcome.outcome === 'refused') return ended('failed', 'provider-error', outcome.error)
  if (outcome.outcome === 'unknown' && !route.takesIdempotencyKeys && deps.unknownOutcome === 'stop') {
    return outcomeUnknown(outcome.error)
  }
  const { error } = outcome
  const pauseMs = Math.random() * ((deps.pausesMs ?? PAUSES).attempts[attempts - 1] ?? 0)
  const retryAfterMs = outcome.outcome === 'unavailable' ? (outcome.retryAfterMs ?? 0) : 0
  const at = now + Math.ceil(Math.max(pauseMs, retryAfterMs))
  const isWithoutHandOver = outcome.outcome === 'no-files' && { isAttempt: true }
  if (attempts >= MAX_ATTEMPTS || at - (claim.firstAttemptAt ?? now) > MAX_AGE_MS) {
    return { ...ended('failed', 'retries-exhausted', error), ...isWithoutHandOver }
  }
  if (outcome.outcome === 'no-files') return { does: 'release', at, error, isAttempt: true }
  // The integration that had it stays recorded where it must be the one that is asked again.
  return outcome.outcome === 'unknown' && route.takesIdempotencyKeys
    ? { does: 'release', at }
    : { does: 'retry', at, error }
}
