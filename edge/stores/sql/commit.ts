// The only writer of the journey: commits a batch of plans together, in one transaction with multi-row statements (house section 3).

import type {
  DeliveryOutcome,
  DeliveryPlan,
  InboxOutcome,
  InboxPlan,
  TrackOutcome,
  TrackPlan,
} from '../../domain/plan.ts'
import { refuse, sweepKeys } from './commit/admission.ts'
import { findWoken, type Woken, writeArrivals } from './commit/arrivals.ts'
import { changeInbox } from './commit/change-inbox.ts'
import { writeWaits } from './commit/continuations.ts'
import { createTally } from './commit/counters.ts'
import { createDeliveryRows } from './commit/delivery-rows.ts'
import { passGates } from './commit/gates.ts'
import { createInboxWork } from './commit/inbox-work.ts'
import { createUsers, findUsers, getUserNo, isKnown, saveProfiles, type UserKey, usersOf } from './commit/recipients.ts'
import { type DeliveryWork, recordDelivery } from './commit/record-delivery.ts'
import { placeMessages, type TrackRows, writeTracked } from './commit/track.ts'
import {
  emptyHead,
  lockHeads,
  readCollapsed,
  readMessages,
  readOwners,
  readUnopened,
  type WorkingHead,
} from './commit/working-rows.ts'
import { noteLead } from './history/id-lead.ts'
import { checkRecalled, recallHeads } from './memory/assumed.ts'
import { closeWindows } from './purge/purge-runs.ts'
import { raiseIdFloor, type WriteContext } from './write.ts'

export type Plan = TrackPlan | DeliveryPlan | InboxPlan
export type Outcome = TrackOutcome | DeliveryOutcome | InboxOutcome

/**
 * Commits the plans in their order; outcomes are in that order too. Runs inside the transaction of `context.sql`, whose
 * caller retries in halves when it throws. What another plan may have changed is read here, under locks, never before.
 */
export async function commitBatch(context: WriteContext, plans: Plan[]): Promise<Outcome[]> {
  const tracked = plans.filter((plan) => plan.kind === 'track')
  const work: DeliveryWork = {
    inboxes: createInboxWork(context.storeEpoch),
    events: createDeliveryRows(),
    tally: createTally(),
  }
  const named = tracked.flatMap(usersOf)
  const holdsAtOnce = tracked.every(locksHeadsAlone) && named.every((key) => isKnown(context, key))
  const recalled = holdsAtOnce && tracked.length === plans.length ? recallHeads(context, tracked) : undefined
  const refused =
    recalled === undefined
      ? await ask(context, work, plans, tracked, named, holdsAtOnce)
      : await assume(context, work, tracked, recalled)
  const admitted = tracked.filter((plan) => !refused.has(plan))
  const woken = holdsAtOnce ? [] : await holdInOrder(context, work, plans, admitted)
  const passed = await passGates(context, admitted)
  const written = admitted.map(passed.planOf)
  const rows: TrackRows = { messages: [] }
  const outcomes = plans.map((plan): Outcome => {
    if (plan.kind === 'deliver') return recordDelivery(work, plan)
    if (plan.kind === 'change') return changeInbox(work.inboxes, plan)
    const refusal = refused.get(plan)
    if (refusal !== undefined) return refusal
    placeMessages(context, work, passed.planOf(plan), rows)
    const pushes = work.inboxes.takePushes()
    return passed.hurries(plan) ? { result: 'written', pushes, hurries: true } : { result: 'written', pushes }
  })

  await writeTracked(context, written, rows)
  await writeWaits(context, admitted, passed.planOf)
  await writeArrivals(context, written, woken)
  await passed.finish(context.sql)
  await closeWindows(context.sql, written.flatMap(stoppedRun))
  await work.inboxes.write(context.sql)
  context.remembered?.learnHeads(work.inboxes.heads())
  await work.events.write(context.sql)
  await work.tally.write(context)
  const newest = newestId(written)
  if (newest > 0) await raiseIdFloor(context, newest)
  await sweepKeys(context)
  // The last lock of all: it is taken in one order by all nodes.
  await noteLead(context, written.flatMap(datedRows))
  return outcomes
}

/** In one breath: each answer that is waited for costs PostgreSQL a pause. Answers what must not be written. */
async function ask(
  context: WriteContext,
  work: DeliveryWork,
  plans: Plan[],
  tracked: TrackPlan[],
  named: UserKey[],
  holdsAtOnce: boolean,
): Promise<Map<TrackPlan, TrackOutcome>> {
  const [refused] = await Promise.all([
    tracked.length === 0 ? new Map<TrackPlan, TrackOutcome>() : refuse(context, tracked),
    findUsers(context, named),
    holdsAtOnce && hold(context, work, plans, tracked),
  ])
  return refused
}

/** Takes what is remembered for so, and all keys for live: nothing is waited for. */
async function assume(
  context: WriteContext,
  work: DeliveryWork,
  tracked: TrackPlan[],
  heads: WorkingHead[],
): Promise<Map<TrackPlan, TrackOutcome>> {
  await checkRecalled(context, heads, tracked)
  for (const head of heads) work.inboxes.hold(head)
  return new Map()
}

/** Whether nothing of the plan is locked or created before the heads, in the order that all nodes keep: keys, jobs, waits, users, heads. */
function locksHeadsAlone({ idempotency, completes, continues, waking, profile }: TrackPlan): boolean {
  return idempotency === null && completes === null && continues === null && waking === undefined && profile === null
}

/** Users, the runs that wait for these events, profiles, and then the heads. */
async function holdInOrder(
  context: WriteContext,
  work: DeliveryWork,
  plans: Plan[],
  admitted: TrackPlan[],
): Promise<Woken[]> {
  const born = await createUsers(context, admitted.flatMap(usersOf), context.now)
  const woken = await findWoken(context, admitted)
  await saveProfiles(context, admitted)
  for (const userNo of born) work.inboxes.hold(emptyHead(userNo))
  await hold(context, work, plans, admitted)
  return woken
}

/** Reads all that the plans are going to decide on. The heads come first: who holds a head decides alone about its inbox. */
async function hold(context: WriteContext, work: DeliveryWork, plans: Plan[], admitted: TrackPlan[]): Promise<void> {
  const { sql } = context
  const delivered = plans.filter((plan) => plan.kind === 'deliver')
  const changed = plans.filter((plan) => plan.kind === 'change')
  const reported = new Set(delivered.flatMap((plan) => plan.items.map((item) => item.messageId)))
  const named = new Set([...reported, ...changed.flatMap((plan) => plan.items.map((item) => item.messageId))])

  const userNos = new Set<number>(changed.map((plan) => plan.userNo))
  for (const plan of delivered) if (plan.userNo !== null) userNos.add(plan.userNo)
  const foreign = delivered
    .filter((plan) => plan.userNo === null)
    .flatMap((plan) => plan.items.map((item) => item.messageId))
  for (const userNo of await readOwners(sql, foreign)) userNos.add(userNo)
  const collapsed = new Map<string, [number, string]>()
  for (const plan of admitted) {
    for (const message of plan.messages) {
      const userNo = getUserNo(context, plan.environmentId, message.userId)
      userNos.add(userNo)
      if (message.collapseKey !== null) collapsed.set(`${userNo}:${message.collapseKey}`, [userNo, message.collapseKey])
    }
  }
  const stored = [...userNos].filter((userNo) => !work.inboxes.holds(userNo))
  // Sent in this order, and each sees what the one before has locked.
  const [heads, messages, earlier, unopened] = await Promise.all([
    lockHeads(sql, stored),
    readMessages(sql, [...named]),
    readCollapsed(sql, [...collapsed.values()]),
    Promise.all(
      changed.map(({ userNo, readAllUpTo }) => (readAllUpTo === null ? [] : readUnopened(sql, userNo, readAllUpTo))),
    ),
    work.events.load(sql, [...reported]),
  ])
  for (const head of heads) work.inboxes.hold(head)
  for (const message of [messages, earlier, ...unopened].flat()) work.inboxes.take(message)
}

/** A run that ends before its time leaves no window that others could join. */
function stoppedRun({ continues }: TrackPlan): number[] {
  return continues?.state === 'cancelled' || continues?.state === 'failed' ? [continues.claim.runId] : []
}

/** What is read by time: the event and its messages. */
function datedRows({ event, messages }: TrackPlan): { id: number; at: number }[] {
  const rows = messages.map(({ id, createdAt }) => ({ id, at: createdAt }))
  return event === null ? rows : [...rows, { id: event.id, at: event.receivedAt }]
}

function newestId(plans: TrackPlan[]): number {
  let newest = 0
  for (const plan of plans) {
    if (plan.event !== null) newest = Math.max(newest, plan.event.id)
    for (const list of [plan.runs, plan.messages, plan.jobs]) for (const { id } of list) newest = Math.max(newest, id)
  }
  return newest
}
