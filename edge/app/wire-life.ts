// Wires the writing of the demo's month: the flows of the service, with clocks of the past and nobody who listens.

import type { Json } from '../../contract/json.ts'
import { createMemoryBus } from '../bus/memory.ts'
import type { CommitPlan } from '../domain/commit-plan.ts'
import type { Enrichers } from '../domain/enricher.ts'
import type { NewMessage, TrackOutcome, TrackPlan } from '../domain/plan.ts'
import { defaultFrom } from '../email/account-mail.ts'
import { createCommitPlan } from '../flow/commit.ts'
import { createKeepLayout } from '../flow/mail/keep-layout.ts'
import { suppressAddress } from '../flow/mail/suppress-address.ts'
import { createAcceptEvents } from '../flow/track/accept-events.ts'
import { createPlanEvent } from '../flow/track/plan-event.ts'
import { createStartRuns } from '../flow/track/start-runs.ts'
import { createEvaluator } from '../sandbox/evaluator.ts'
import { momentAt } from '../seed/life/moment.ts'
import { answerAsShop } from '../seed/life/shop.ts'
import { createWriteLife, type Turn, type WriteLife } from '../seed/life/write-life.ts'
import { type AppCore, createIds } from './core.ts'
import { type Flows, wireFlows } from './wire-flows.ts'
import { wireRuns } from './wire-runs.ts'

/** What is read or claimed together. */
const CLAIMED = 500
/** Nobody else works yet, and what an interrupted start has claimed must be due for the next one. */
const LEASE_MS = 0
/** What continues a run lies between the times of events. */
const AFTER_WAIT_MS = 1

export interface Life {
  /** A core whose clock stands where `moveTo` puts it; what is made by it signals nobody. */
  core: AppCore
  flows: Flows
  moveTo(at: number): void
  write: WriteLife
}

/** @param at Where the clock stands first (epoch ms). */
export function wireLife(core: AppCore, at: number): Life {
  const { stores, sandbox } = core
  let now = at
  const clock = { now: () => now }
  const bus = createMemoryBus()
  const commitPlan = createCommitPlan({ ...stores, bus, pollJobs() {}, scheduleTimers() {} })
  const ids = createIds(clock, { ...stores, idFloor: 0 })
  const past: AppCore = { ...core, clock, bus, commitPlan, ids, recordDoubt() {} }
  const enrichers: Enrichers = {
    call: async (call) => toSuccess(answerAsShop(call.params)),
    findCached: () => undefined,
  }
  const flows = wireFlows(past, enrichers, { pollJobs() {}, scheduleTimers() {}, scheduleMails() {} })
  const keepLayout = createKeepLayout(core)
  const from = defaultFrom(core.settings, core.publicUrl())

  /** Commits as always, unless the event is known, and tells the messages of the plan. */
  function tap(messages: NewMessage[], known: ReadonlySet<number> = new Set(), turn?: Turn): CommitPlan {
    const tapped = async (plan: TrackPlan): Promise<TrackOutcome> => {
      messages.push(...plan.messages)
      await turn?.before
      turn?.leave()
      const { event } = plan
      if (event === null || !known.has(event.id)) return commitPlan(plan)
      const { id: eventId, correlationId, receivedAt } = event
      return { result: 'duplicate', eventId, correlationId, receivedAt }
    }
    return tapped as CommitPlan
  }

  const write = createWriteLife({
    async listKnown(environmentId) {
      const known = new Set<number>()
      for (let before: number | null = null; ; ) {
        const { events, next } = await core.events.list(environmentId, {}, before, CLAIMED)
        for (const { id } of events) known.add(id)
        if (next === null) return known
        before = next
      }
    },
    async accept(environment, { at: then, input, correlationId }, known, turn) {
      const moment = momentAt(then)
      const messages: NewMessage[] = []
      const { begin } = createEvaluator({ ...moment, findCached: enrichers.findCached }, sandbox)
      const { accept } = createAcceptEvents({
        ...{ users: past.users, topics: past.topics, live: flows.live, sendPolicies: flows.sendPolicies },
        activeTenants: { record() {} },
        planEvent: createPlanEvent({ ...moment, startRuns: createStartRuns(begin), idempotencyKeptMs: 0 }),
        inHand: core.inHand,
        commitPlan: tap(messages, known, turn),
        recordDoubt: past.recordDoubt,
        learnEvent: past.learnEvent,
      })
      await accept(environment, null, input, correlationId)
      return messages
    },
    async continueRuns(until) {
      const claimed = await core.waits.claim(until, LEASE_MS, CLAIMED)
      const messages: NewMessage[] = []
      await Promise.all(
        claimed.map((wait) => {
          const moment = momentAt(wait.dueAt + AFTER_WAIT_MS)
          const own: AppCore = {
            ...past,
            clock: moment.clock,
            ids: { ...ids, ...moment.ids },
            commitPlan: tap(messages),
          }
          const evaluator = createEvaluator({ ...moment, findCached: enrichers.findCached }, sandbox)
          const parts = {
            evaluator,
            live: flows.live,
            sendPolicies: flows.sendPolicies,
            enricherCalls: enrichers,
            scheduleTimers() {},
          }
          const { resume, settled } = wireRuns(own, parts).resumeRuns
          return resume([wait]).then(settled)
        }),
      )
      return messages
    },
    async claimMails(environmentId) {
      const claims = await core.mails.claim(core.clock.now(), LEASE_MS, CLAIMED)
      const own = new Map(
        claims.filter((one) => one.environmentId === environmentId).map((one) => [one.messageId, one]),
      )
      const mails = await core.mails.load([...own.values()])
      return [...mails.values()].map(({ messageId: id, content, ...mail }) => {
        const sent = { id, snapshot: JSON.stringify(content), channel: 'email', status: 'queued' } as const
        return { ...mail, ...sent, fence: own.get(id)?.fence ?? 0 }
      })
    },
    commitPlan,
    introduce: core.users.upsert,
    suppress: (environmentId, address, then) =>
      suppressAddress(past, { environmentId, address, reason: 'bounce' }, then),
    async keepLayout(environmentId) {
      const { links } = (await flows.live.load(environmentId)).mailFrameOf(null)
      return keepLayout(environmentId, { look: null, from, isCritical: false, links })
    },
  })
  return {
    core: past,
    flows,
    moveTo(to) {
      now = to
    },
    write,
  }
}

const toSuccess = (data: Json) =>
  ({ ok: true, data, bytes: JSON.stringify(data).length, cached: false, attempts: 1, durationMs: 38 }) as const
