// Tests that packed plans and outcomes are unpacked unchanged: every field of every row, in random mixtures.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { InboxPush, NewMessage, NewRun, NewTrackedEvent, TrackPlan } from '../../domain/plan.ts'
import type { Outcome, Plan } from '../sql/commit.ts'
import { type Packed, packOutcomes, unpackOutcomes } from './outcome-codec.ts'
import { packPlans, unpackPlans } from './plan-codec.ts'
import { createRecordCodec, type Values } from './record-codec.ts'

const number = fc.nat(Number.MAX_SAFE_INTEGER)
const text = fc.string({ unit: 'grapheme', maxLength: 5 })
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

// `Required` makes the compiler report a field that is added to the type and missing here.
const event: fc.Arbitrary<NewTrackedEvent> = fc.record<Required<NewTrackedEvent>>({
  id: number,
  environmentId: number,
  correlationId: text,
  name: text,
  userId: orNull(text),
  userIds: orNull(text),
  topic: orNull(text),
  properties: text,
  source: text,
  occurredAt: number,
  receivedAt: number,
  outcome: fc.constantFrom('matched', 'unmatched', 'no-user', 'fanned-out'),
  considered: orNull(text),
  raw: orNull(text),
})
const run: fc.Arbitrary<NewRun> = fc.record<Required<NewRun>>({
  id: number,
  eventId: number,
  campaignId: number,
  version: number,
  branch: orNull(text),
  userId: text,
  state: fc.constantFrom('running', 'waiting', 'completed', 'failed'),
  stateReason: orNull(text),
  isTest: fc.boolean(),
  correlationId: text,
  startedAt: number,
  endedAt: orNull(number),
  trace: text,
})
const message: fc.Arbitrary<NewMessage> = fc.record<Required<NewMessage>>({
  id: number,
  runId: number,
  eventId: number,
  campaignId: number,
  version: number,
  branch: orNull(text),
  stepId: text,
  userId: text,
  channel: fc.constantFrom('inbox', 'email'),
  status: fc.constantFrom('delivered', 'queued', 'skipped'),
  statusReason: orNull(text),
  correlationId: text,
  category: orNull(text),
  entity: orNull(text),
  collapseKey: orNull(text),
  snapshot: text,
  createdAt: number,
  expiresAt: orNull(number),
  isTest: fc.boolean(),
})
const wait = { campaignId: 1, userId: 'u', number: 1, stepId: 's', awaits: null, runState: '{}' }
const uncommon: fc.Arbitrary<Partial<TrackPlan>> = fc.constantFrom<Partial<TrackPlan>>(
  {},
  {},
  { idempotency: { key: 'k', bodyHash: 'h', expiresAt: 5 } },
  { profile: { userId: 'u', change: { email: null } } },
  { jobs: [{ id: 1, environmentId: 2, kind: 'fan-out', payload: '{}', runAt: 3, createdAt: 4 }] },
  { waits: [{ ...wait, runId: 7, dueAt: 8 }] },
  { awaitedEvent: { eventId: 1, name: 'n', userIds: ['u'] } },
  { completes: { environmentId: 3, id: 1, fence: 2 } },
)
const tracked: fc.Arbitrary<Plan> = fc
  .record({
    environmentId: number,
    secretId: orNull(number),
    now: number,
    event: orNull(event),
    runs: fc.array(run, { maxLength: 3 }),
    messages: fc.array(message, { maxLength: 3 }),
    uncommon,
  })
  .map(({ uncommon: rest, ...head }) => ({
    kind: 'track',
    ...head,
    ...{ idempotency: null, profile: null, jobs: [], waits: [], completes: null, continues: null },
    ...rest,
  }))
const other: fc.Arbitrary<Plan> = fc.constantFrom<Plan>(
  { kind: 'deliver', environmentId: 1, userNo: null, now: 2, items: [] },
  { kind: 'change', environmentId: 1, userNo: 3, now: 2, items: [], readAllUpTo: 4 },
  { kind: 'mail', environmentId: 1, messageId: 3, fence: 4, now: 2, change: { does: 'retry', at: 5, error: 'busy' } },
)

test('plans are unpacked as they were packed', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(tracked, other), { maxLength: 6 }), (plans) => {
      expect(unpackPlans(structuredClone(packPlans(plans)))).toEqual(plans)
    }),
    { numRuns: 300, seed: 189 },
  )
})

test('a row with fields in another order, or with more fields, is packed in the same way', () => {
  const fields = { a: 1, b: 'x', c: null }
  const codec = createRecordCodec<typeof fields>((values, at) => ({
    a: values[at++],
    b: values[at++],
    c: values[at++],
  }))
  const rows = [
    fields,
    { c: null, a: 1, b: 'x' },
    { ...fields, d: 4 },
    { d: 4, ...fields },
    { a: 1, d: 4, b: 'x', c: null },
  ]
  for (const row of rows) {
    const values: Values = ['before']
    codec.pack(values, row)
    expect(values).toEqual(['before', 1, 'x', null])
    expect(codec.unpack(values, 1)).toEqual(fields)
  }
})

const push: fc.Arbitrary<InboxPush> = fc.record<Required<InboxPush>>({
  userNo: number,
  epoch: text,
  from: number,
  seq: number,
  unread: number,
  unopened: number,
  reset: fc.boolean(),
  changes: fc.array(
    fc.oneof(
      fc.record({ seq: number, op: fc.constant('add' as const), messageId: number }),
      fc.record({ seq: number, op: fc.constant('remove' as const), messageId: number }),
      fc.record({
        seq: number,
        op: fc.constant('update' as const),
        messageId: number,
        patch: fc.constant({ unopened: false }),
      }),
    ),
    { maxLength: 3 },
  ),
})
const written = fc.array(push, { maxLength: 3 }).map((pushes): Outcome => ({ result: 'written', pushes }))
const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  written,
  written.map((one): Outcome => ({ ...one, makesRunDue: true }) as Outcome),
  fc.constantFrom<Outcome>(
    { result: 'conflict' },
    { result: 'duplicate', eventId: 1, correlationId: 'c', receivedAt: 2 },
    { results: ['recorded'], pushes: [] },
    { found: [true], changed: 1, pushes: [] },
    { mail: 'changed' },
  ),
)
const packed: fc.Arbitrary<Packed<Outcome>> = fc.oneof(
  outcome.map((value) => ({ value })),
  fc.record({ message: text, unavailable: fc.boolean() }),
)

test('outcomes are unpacked as they were packed', () => {
  fc.assert(
    fc.property(fc.array(packed, { maxLength: 6 }), (all) => {
      expect(unpackOutcomes(structuredClone(packOutcomes(all)))).toEqual(all)
    }),
    { numRuns: 300, seed: 189 },
  )
})
