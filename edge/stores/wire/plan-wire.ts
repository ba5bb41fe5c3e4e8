// Plans on their way to the writer thread: one flat list of values. The names of their fields would cost more to copy than what they name (docs/decisions/0189).

import type { NewMessage, NewRun, NewTrackedEvent, TrackPlan } from '../../domain/plan.ts'
import type { Plan } from '../sql/commit.ts'

/** Values in the order in which they are taken out again. */
export type Values = unknown[]

/** A plan as it is (0), or a tracked event's with its rows as values (1). */
const AS_IS = 0
const TRACKED = 1

/** What of a track plan is uncommon; null where it has none of it. */
type Rest = Omit<TrackPlan, 'kind' | 'environmentId' | 'secretId' | 'now' | 'event' | 'runs' | 'messages'>

export function packPlans(plans: Plan[]): Values {
  const values: Values = []
  for (const plan of plans) {
    if (plan.kind !== 'track' || plan.event === null) values.push(AS_IS, plan)
    else packTracked(values, plan, plan.event)
  }
  return values
}

function packTracked(values: Values, plan: TrackPlan, event: NewTrackedEvent): void {
  const { environmentId, secretId, now, runs, messages } = plan
  values.push(TRACKED, environmentId, secretId, now, restOf(plan), runs.length, messages.length)
  packEvent(values, event)
  for (const run of runs) packRun(values, run)
  for (const message of messages) packMessage(values, message)
}

function restOf(plan: TrackPlan): Rest | null {
  const { idempotency, profile, jobs, gates, waits, waking, completes, continues } = plan
  const isPlain =
    idempotency === null &&
    profile === null &&
    completes === null &&
    continues === null &&
    waking === undefined &&
    jobs.length === 0 &&
    waits.length === 0 &&
    (gates === undefined || gates.length === 0)
  if (isPlain) return null
  const rest: Rest = { idempotency, profile, jobs, waits, completes, continues }
  if (gates !== undefined) rest.gates = gates
  if (waking !== undefined) rest.waking = waking
  return rest
}

export function unpackPlans(values: Values): Plan[] {
  const plans: Plan[] = []
  let at = 0
  while (at < values.length) {
    if (values[at] === AS_IS) {
      plans.push(values[at + 1] as Plan)
      at += 2
      continue
    }
    const [environmentId, secretId, now, rest, runCount, messageCount] = values.slice(at + 1, at + HEAD) as Head
    at += HEAD
    const event = unpackEvent(values, at)
    at += EVENT_VALUES
    const runs: NewRun[] = []
    for (let left = runCount; left > 0; left--, at += RUN_VALUES) runs.push(unpackRun(values, at))
    const messages: NewMessage[] = []
    for (let left = messageCount; left > 0; left--, at += MESSAGE_VALUES) messages.push(unpackMessage(values, at))
    plans.push(toPlan({ kind: 'track', environmentId, secretId, now, event, runs, messages }, rest ?? NO_REST))
  }
  return plans
}

/** Field by field: a spread costs more than the copy between the threads. */
function toPlan(head: Omit<TrackPlan, keyof Rest>, rest: Rest): TrackPlan {
  const plan: TrackPlan = {
    kind: head.kind,
    environmentId: head.environmentId,
    secretId: head.secretId,
    now: head.now,
    event: head.event,
    idempotency: rest.idempotency,
    profile: rest.profile,
    runs: head.runs,
    messages: head.messages,
    jobs: rest.jobs,
    waits: rest.waits,
    completes: rest.completes,
    continues: rest.continues,
  }
  if (rest.gates !== undefined) plan.gates = rest.gates
  if (rest.waking !== undefined) plan.waking = rest.waking
  return plan
}

type Head = [number, number | null, number, Rest | null, number, number]
const HEAD = 7
/** Shared: nobody changes a plan. */
const NO_REST: Rest = { idempotency: null, profile: null, jobs: [], waits: [], completes: null, continues: null }

// Each pair below has the fields in one order. A field that is missing on the way out is a fault of the types; one that is
// missing on the way in, of the test.

const EVENT_VALUES = 13
function packEvent(values: Values, event: NewTrackedEvent): void {
  const { id, environmentId, correlationId, name, userId, userIds, topic } = event
  const { properties, source, occurredAt, receivedAt, outcome, considered } = event
  values.push(id, environmentId, correlationId, name, userId, userIds, topic)
  values.push(properties, source, occurredAt, receivedAt, outcome, considered)
}
function unpackEvent(values: Values, at: number): NewTrackedEvent {
  const event: Record<keyof NewTrackedEvent, unknown> = {
    id: values[at],
    environmentId: values[at + 1],
    correlationId: values[at + 2],
    name: values[at + 3],
    userId: values[at + 4],
    userIds: values[at + 5],
    topic: values[at + 6],
    properties: values[at + 7],
    source: values[at + 8],
    occurredAt: values[at + 9],
    receivedAt: values[at + 10],
    outcome: values[at + 11],
    considered: values[at + 12],
  }
  return event as NewTrackedEvent
}

const RUN_VALUES = 13
function packRun(values: Values, run: NewRun): void {
  const { id, eventId, campaignId, version, branch, userId, state } = run
  const { stateReason, isTest, correlationId, startedAt, endedAt, trace } = run
  values.push(id, eventId, campaignId, version, branch, userId, state)
  values.push(stateReason, isTest, correlationId, startedAt, endedAt, trace)
}
function unpackRun(values: Values, at: number): NewRun {
  const run: Record<keyof NewRun, unknown> = {
    id: values[at],
    eventId: values[at + 1],
    campaignId: values[at + 2],
    version: values[at + 3],
    branch: values[at + 4],
    userId: values[at + 5],
    state: values[at + 6],
    stateReason: values[at + 7],
    isTest: values[at + 8],
    correlationId: values[at + 9],
    startedAt: values[at + 10],
    endedAt: values[at + 11],
    trace: values[at + 12],
  }
  return run as NewRun
}

const MESSAGE_VALUES = 19
function packMessage(values: Values, message: NewMessage): void {
  const { id, runId, eventId, campaignId, version, branch, stepId, userId, channel, status } = message
  const { statusReason, correlationId, category, entity, collapseKey, snapshot } = message
  const { createdAt, expiresAt, isTest } = message
  values.push(id, runId, eventId, campaignId, version, branch, stepId, userId, channel, status)
  values.push(statusReason, correlationId, category, entity, collapseKey, snapshot)
  values.push(createdAt, expiresAt, isTest)
}
function unpackMessage(values: Values, at: number): NewMessage {
  const message: Record<keyof NewMessage, unknown> = {
    id: values[at],
    runId: values[at + 1],
    eventId: values[at + 2],
    campaignId: values[at + 3],
    version: values[at + 4],
    branch: values[at + 5],
    stepId: values[at + 6],
    userId: values[at + 7],
    channel: values[at + 8],
    status: values[at + 9],
    statusReason: values[at + 10],
    correlationId: values[at + 11],
    category: values[at + 12],
    entity: values[at + 13],
    collapseKey: values[at + 14],
    snapshot: values[at + 15],
    createdAt: values[at + 16],
    expiresAt: values[at + 17],
    isTest: values[at + 18],
  }
  return message as NewMessage
}
