// Packs and unpacks plans for the writer thread as one flat list of values. Copying the field names would cost more
// than the values (docs/decisions/0002-sqlite-writer-thread.md).

import type { NewMessage, NewRun, NewTrackedEvent, TrackPlan } from '../../domain/plan.ts'
import type { Plan } from '../sql/commit.ts'
import { unpackMessage } from '../tables/message.ts'
import { unpackRun } from '../tables/run.ts'
import { unpackEvent } from '../tables/tracked-event.ts'
import { createRecordCodec, type Values } from './record-codec.ts'

const EVENT = createRecordCodec<NewTrackedEvent>(unpackEvent)
const RUN = createRecordCodec<NewRun>(unpackRun)
const MESSAGE = createRecordCodec<NewMessage>(unpackMessage)

/** Kinds: a plan unchanged (0), or a tracked event's plan with its rows as values (1). */
const AS_IS = 0
const TRACKED = 1

/** The uncommon fields of a track plan; null when it has none of them. */
type Rest = Omit<TrackPlan, 'kind' | 'environmentId' | 'secretId' | 'now' | 'event' | 'runs' | 'messages'>

/** @returns The plans as one flat list of values, in their order. */
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
  EVENT.pack(values, event)
  for (const run of runs) RUN.pack(values, run)
  for (const message of messages) MESSAGE.pack(values, message)
}

function restOf(plan: TrackPlan): Rest | null {
  const { idempotency, profile, jobs, gates, waits, awaitedEvent, completes, continues, audit, ofUser } = plan
  const isPlain =
    idempotency === null &&
    profile === null &&
    completes === null &&
    continues === null &&
    awaitedEvent === undefined &&
    audit === undefined &&
    ofUser === undefined &&
    jobs.length === 0 &&
    waits.length === 0 &&
    (gates === undefined || gates.length === 0)
  if (isPlain) return null
  const rest: Rest = { idempotency, profile, jobs, waits, completes, continues }
  if (gates !== undefined) rest.gates = gates
  if (awaitedEvent !== undefined) rest.awaitedEvent = awaitedEvent
  if (audit !== undefined) rest.audit = audit
  if (ofUser !== undefined) rest.ofUser = ofUser
  return rest
}

/** @returns The plans whose values `packPlans` returned. */
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
    const event = EVENT.unpack(values, at)
    at += EVENT.size
    const runs: NewRun[] = []
    for (let left = runCount; left > 0; left--, at += RUN.size) runs.push(RUN.unpack(values, at))
    const messages: NewMessage[] = []
    for (let left = messageCount; left > 0; left--, at += MESSAGE.size) messages.push(MESSAGE.unpack(values, at))
    plans.push(toPlan({ kind: 'track', environmentId, secretId, now, event, runs, messages }, rest ?? NO_REST))
  }
  return plans
}

/** Copied field by field: a spread costs more than the copy between the threads. */
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
  if (rest.awaitedEvent !== undefined) plan.awaitedEvent = rest.awaitedEvent
  if (rest.audit !== undefined) plan.audit = rest.audit
  if (rest.ofUser !== undefined) plan.ofUser = rest.ofUser
  return plan
}

type Head = [number, number | null, number, Rest | null, number, number]
const HEAD = 7
/** Shared by many plans, because no code changes a plan. */
const NO_REST: Rest = { idempotency: null, profile: null, jobs: [], waits: [], completes: null, continues: null }
