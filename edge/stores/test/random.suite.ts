// Tests of both engines: random plans, many at a time. Counters, heads, pushes and the change log must always agree
// with the rows.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MessagePatch } from '../../../contract/api.ts'
import { REGISTERED_EVENT_TYPES } from '../../../contract/delivery.ts'
import { countsOf, type StoredMessage } from '../../domain/message.ts'
import type { InboxAction, InboxPush } from '../../domain/plan.ts'
import type { User } from '../../domain/user.ts'
import { toIso } from '../../lib/clock.ts'
import {
  act,
  firstMessage,
  type Given,
  givenStore,
  type OpenStores,
  page,
  readAll,
  report,
  trackPlan,
} from './given.ts'

const USERS = ['u0', 'u1', 'u2']

export type Step =
  | { kind: 'track'; user: number; collapse: boolean; isTest: boolean; branch: string | null; key: number }
  | { kind: 'deliver'; user: number; message: number; type: number; automated: boolean; trusted: boolean }
  | { kind: 'act'; user: number; messages: number[]; actions: InboxAction[] }
  | { kind: 'readAll'; user: number; upTo: number }

const user = fc.nat(USERS.length - 1)
const action = fc.oneof(
  fc.constantFrom<InboxAction>(
    ...(['archive', 'unarchive', 'unopen', 'mark-opened', 'remove', 'expire', 'unsnooze', 'end-snooze'] as const).map(
      (name) => ({
        action: name,
      }),
    ),
  ),
  fc.constant<InboxAction>({ action: 'snooze', until: 4e12 }),
)
/** Creates a random step. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('track' as const),
    user,
    collapse: fc.boolean(),
    isTest: fc.boolean(),
    branch: fc.constantFrom(null, 'a', 'a/b'),
    key: fc.nat(5),
  }),
  fc.record({
    kind: fc.constant('deliver' as const),
    user,
    message: fc.nat(20),
    type: fc.nat(2),
    automated: fc.boolean(),
    trusted: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('act' as const),
    user,
    messages: fc.array(fc.nat(20), { maxLength: 4 }),
    actions: fc.array(action, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('readAll' as const), user, upTo: fc.nat(30) }),
)

export function randomSuite(open: OpenStores): void {
  describe('random plans', () => {
    const given = givenStore(open)

    test('counters, heads, pushes and changes agree with the rows', async () => {
      await fc.assert(
        // Steps of one inner list run at once, so that most of them share a batch.
        fc.asyncProperty(fc.array(fc.array(step, { maxLength: 12 }), { maxLength: 8 }), async (rounds) => {
          const state = await createState(given)
          for (const round of rounds) await Promise.all(round.map((one) => perform(given, state, one)))
          for (const one of state.users) await checkInbox(given, one, state.pushes)
          expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })
          expect(await counted(given, state)).toEqual(expected(state))
        }),
        { numRuns: 40 },
      )
    }, 120_000)
  })
}

export interface RandomState {
  environmentId: number
  campaignId: number
  users: User[]
  /** All tracked messages, in the order of the commits. */
  messages: { id: number; isTest: boolean }[]
  delivered: number
  pushes: InboxPush[]
}

/** Creates an environment with three users. */
export async function createState(given: Given): Promise<RandomState> {
  const environmentId = given.environmentId()
  const users = await Promise.all(
    USERS.map((userId) => given.stores.users.upsert(environmentId, userId, {}, given.now())),
  )
  return { environmentId, campaignId: given.id(), users, messages: [], delivered: 0, pushes: [] }
}

/** Performs a step on the store, and records its messages and pushes in the state. */
export async function perform(given: Given, state: RandomState, one: Step): Promise<void> {
  const owner = state.users[one.user]
  if (owner === undefined) return
  const messageAt = (index: number) => state.messages[index % Math.max(1, state.messages.length)]?.id ?? 0
  if (one.kind === 'track') {
    const { environmentId, campaignId } = state
    const idempotency = { key: `k${one.key}-${one.user}`, bodyHash: 'h' }
    const message = { collapseKey: one.collapse ? 'c' : null }
    const plan = trackPlan(given, {
      environmentId,
      campaignId,
      userIds: [owner.userId],
      isTest: one.isTest,
      branch: one.branch,
      idempotency,
      message,
    })
    const outcome = await given.stores.commit.track(plan)
    if (outcome.result !== 'written') return
    state.messages.push({ id: firstMessage(plan).id, isTest: one.isTest })
    if (!one.isTest) state.delivered++
    state.pushes.push(...outcome.pushes)
  } else if (one.kind === 'deliver') {
    const type = REGISTERED_EVENT_TYPES[one.type] ?? 'read'
    const over = one.trusted ? { userNo: null } : {}
    state.pushes.push(
      ...(await report(given, owner, messageAt(one.message), [{ type, automated: one.automated }], over)).pushes,
    )
  } else if (one.kind === 'act') {
    state.pushes.push(...(await act(given, owner, one.messages.map(messageAt), one.actions)).pushes)
  } else {
    state.pushes.push(...(await readAll(given, owner, one.upTo)).pushes)
  }
}

/** Checks that the head equals the counts of the rows, and that pushes and the replayed change log equal the pages. */
async function checkInbox(given: Given, owner: User, allPushes: InboxPush[]): Promise<void> {
  const filters = ['all', 'archived', 'snoozed'] as const
  const pages = await Promise.all(filters.map((filter) => page(given, owner, filter)))
  const rows = pages.flatMap((one) => one.messages)
  const head = await given.stores.inboxes.head(owner)
  const sum = { unread: 0, unopened: 0 }
  for (const row of rows) {
    sum.unread += countsOf(row).unread
    sum.unopened += countsOf(row).unopened
  }
  expect({ unread: head.unread, unopened: head.unopened }).toEqual(sum)
  const unopened = (await page(given, owner, 'unopened')).messages
  expect(unopened.length).toBe(head.unopened)

  const pushes = allPushes.filter((push) => push.userNo === owner.userNo).sort((a, b) => a.from - b.from)
  let seq = 0
  for (const push of pushes) {
    expect(push.from).toBe(seq)
    expect(push.changes.map((change) => change.seq)).toEqual(
      Array.from({ length: push.seq - push.from }, (_, i) => push.from + i + 1),
    )
    seq = push.seq
  }
  expect(seq).toBe(head.seq)
  const last = pushes.at(-1)
  if (last !== undefined) expect(last).toMatchObject({ unread: head.unread, unopened: head.unopened })

  const { changes, reset } = await given.stores.inboxes.changes(owner, 0, head.epoch)
  expect(reset).toBe(false)
  const [missed] = await given.stores.catchUps.missed([{ ...owner, since: 0, count: head.seq }])
  expect(missed).toEqual({ head, changes, reset })
  expect(changes.map((change) => change.seq)).toEqual(Array.from({ length: head.seq }, (_, i) => i + 1))
  const replayed = new Map<number, MessagePatch>()
  for (const change of changes) {
    if (change.op === 'add') replayed.set(change.message.id, wireState(change.message))
    else if (change.op === 'remove') replayed.delete(change.messageId)
    else Object.assign(replayed.get(change.messageId) ?? {}, change.patch)
  }
  expect(replayed).toEqual(new Map(rows.map((row) => [row.id, wireState(row)])))
}

function wireState(state: StoredMessage): MessagePatch {
  const { unopened, readAt, openedAt, clickedAt, archivedAt, snoozedUntil } = state
  return {
    unopened,
    readAt: toIso(readAt),
    openedAt: toIso(openedAt),
    clickedAt: toIso(clickedAt),
    archivedAt: toIso(archivedAt),
    snoozedUntil: toIso(snoozedUntil),
  }
}

async function counted(
  given: Given,
  { environmentId, campaignId }: RandomState,
): Promise<{ delivery: number; descends: boolean }> {
  const slices = await given.stores.funnels.slices(environmentId, campaignId, 'inbox', null)
  const delivery = slices.reduce((sum, slice) => sum + slice.delivery, 0)
  const descends = slices.every(
    (slice) => slice.delivery >= slice.read && slice.read >= slice.opened && slice.opened >= slice.clicked,
  )
  return { delivery, descends }
}

function expected(state: RandomState): { delivery: number; descends: boolean } {
  return { delivery: state.delivered, descends: true }
}
