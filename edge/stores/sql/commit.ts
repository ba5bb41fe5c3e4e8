// Commits a batch of plans in one transaction with multi-row statements. All tracked events, deliveries, changes of
// inboxes and of mails are written here.

import type { MailOutcome, MailPlan } from '../../domain/mail/mail.ts'
import type { InboxOwner } from '../../domain/message.ts'
import type {
  DeliveryOutcome,
  DeliveryPlan,
  InboxOutcome,
  InboxPlan,
  TrackOutcome,
  TrackPlan,
  WrittenOutcome,
} from '../../domain/plan.ts'
import { recordAudit } from './audit.ts'
import { findResumedRuns, type ResumedRun, writeArrivals } from './commit/arrivals.ts'
import { changeInbox } from './commit/change-inbox.ts'
import { changeMail } from './commit/change-mail.ts'
import { writeWaits } from './commit/continuations.ts'
import { createTally } from './commit/counters.ts'
import { createDeliveryRows } from './commit/delivery-rows.ts'
import { decideGates } from './commit/gates.ts'
import { createInboxWork } from './commit/inbox-work.ts'
import { createMailFetches } from './commit/mail-fetches.ts'
import { createMailRows, type MailRows } from './commit/mail-rows.ts'
import { checkCachedRows, findCachedHeads } from './commit/optimistic-check.ts'
import { checkPreconditions, sweepKeys } from './commit/preconditions.ts'
import { createUsers, findUsers, getUserNo, isKnown, saveProfiles, type UserKey, usersOf } from './commit/recipients.ts'
import { type DeliveryWork, recordDelivery } from './commit/record-delivery.ts'
import { createStepTally } from './commit/step-tally.ts'
import { placeMessages, type TrackRows, writeTracked } from './commit/track.ts'
import {
  emptyHead,
  lockHeads,
  type MessageKey,
  readCollapsed,
  readMessages,
  readOwners,
  readUnopened,
  type WorkingHead,
} from './commit/working-rows.ts'
import { recordIdLead } from './id-lead.ts'
import { closeWindows } from './purge-runs.ts'
import { raiseIdFloor, type WriteContext } from './write.ts'

export type Plan = TrackPlan | DeliveryPlan | InboxPlan | MailPlan
export type Outcome = TrackOutcome | DeliveryOutcome | InboxOutcome | MailOutcome

interface BatchWork extends DeliveryWork {
  mails: MailRows
  createdUsers: ReadonlySet<number>
  /** Plans whose profile change was left out. */
  leftOut: ReadonlySet<TrackPlan>
}

/**
 * Commits the plans in order, inside the transaction of `context.sql`. Rows that other plans may change are read here,
 * under locks. When it throws, the caller repeats the batch in halves.
 * @returns The outcomes in the order of the plans.
 */
export async function commitBatch(context: WriteContext, plans: Plan[]): Promise<Outcome[]> {
  const tracked = plans.filter((plan) => plan.kind === 'track')
  const work: BatchWork = {
    inboxes: createInboxWork(context.storeEpoch),
    events: createDeliveryRows(),
    fetches: createMailFetches(),
    tally: createTally(),
    steps: createStepTally(context.now),
    mails: createMailRows(),
    createdUsers: new Set(),
    leftOut: new Set(),
  }
  const named = tracked.flatMap(usersOf)
  const locksAtOnce = tracked.every(locksHeadsOnly) && named.every((key) => isKnown(context, key))
  const cachedHeads = locksAtOnce && tracked.length === plans.length ? findCachedHeads(context, tracked) : undefined
  const refused =
    cachedHeads === undefined
      ? await checkAndLock(context, work, plans, tracked, named, locksAtOnce)
      : await useCachedHeads(context, work, tracked, cachedHeads)
  refuseErased(context, tracked, refused)
  const admitted = tracked.filter((plan) => !refused.has(plan))
  const resumed = locksAtOnce ? [] : await lockInOrder(context, work, plans, admitted)
  const gates = await decideGates(context, admitted)
  const written = admitted.map(gates.planOf)
  const rows: TrackRows = { messages: [] }
  const outcomes = plans.map((plan): Outcome => {
    if (plan.kind === 'deliver') return recordDelivery(work, plan)
    if (plan.kind === 'change') return changeInbox(work.inboxes, plan)
    if (plan.kind === 'mail') return changeMail(work, work.mails, plan)
    const refusal = refused.get(plan)
    if (refusal !== undefined) return refusal
    placeMessages(context, work, gates.planOf(plan), rows)
    return toWritten(context, work, plan, gates.makesRunDue(plan))
  })

  await writeTracked(context, written, rows)
  await writeWaits(context, admitted, gates.planOf, work.steps)
  await writeArrivals(context, written, resumed)
  await gates.finish(context.sql)
  await closeWindows(context.sql, written.flatMap(stoppedRun))
  await work.inboxes.write(context.sql)
  context.cache?.learnHeads(work.inboxes.heads())
  await work.mails.write(context.sql)
  await work.fetches.write(context.sql)
  await work.events.write(context.sql)
  await work.tally.write(context)
  await work.steps.write(context)
  const newest = newestId(written)
  if (newest > 0) await raiseIdFloor(context, newest)
  for (const { audit } of written) if (audit !== undefined) await recordAudit(context, audit)
  await sweepKeys(context)
  // All nodes take this lock last.
  await recordIdLead(context, written.flatMap(datedRows))
  return outcomes
}

/** The users were looked for before; a new user of the same id has another number. */
function refuseErased(context: WriteContext, tracked: TrackPlan[], refused: Map<TrackPlan, TrackOutcome>): void {
  for (const plan of tracked) {
    if (plan.ofUser === undefined || refused.has(plan)) continue
    const { userId, userNo } = plan.ofUser
    const key = { environmentId: plan.environmentId, userId }
    const isThere = isKnown(context, key) && getUserNo(context, plan.environmentId, userId) === userNo
    if (!isThere) refused.set(plan, { result: 'user-gone' })
  }
}

function toWritten(context: WriteContext, work: BatchWork, plan: TrackPlan, makesRunDue: boolean): TrackOutcome {
  const outcome: WrittenOutcome = { result: 'written', pushes: work.inboxes.takePushes() }
  if (makesRunDue) outcome.makesRunDue = true
  if (work.leftOut.has(plan)) outcome.leavesProfileOut = true
  const { event } = plan
  if (work.createdUsers.size > 0 && event?.source.startsWith('connector:') && event.userId !== null) {
    if (work.createdUsers.has(getUserNo(context, plan.environmentId, event.userId))) outcome.isNewUser = true
  }
  return outcome
}

/**
 * Checks preconditions, finds users and locks inboxes. The statements are sent together, because PostgreSQL is idle
 * during each awaited round trip.
 * @returns The outcomes of the plans that must not be written.
 */
async function checkAndLock(
  context: WriteContext,
  work: BatchWork,
  plans: Plan[],
  tracked: TrackPlan[],
  named: UserKey[],
  locksAtOnce: boolean,
): Promise<Map<TrackPlan, TrackOutcome>> {
  const [refused] = await Promise.all([
    tracked.length === 0 ? new Map<TrackPlan, TrackOutcome>() : checkPreconditions(context, tracked),
    findUsers(context, named),
    locksAtOnce && lockAndRead(context, work, plans, tracked),
  ])
  return refused
}

/** Uses cached heads and assumes that all keys are live. One statement checks both without reading rows. */
async function useCachedHeads(
  context: WriteContext,
  work: BatchWork,
  tracked: TrackPlan[],
  heads: WorkingHead[],
): Promise<Map<TrackPlan, TrackOutcome>> {
  await checkCachedRows(context, heads, tracked)
  for (const head of heads) work.inboxes.addHead(head)
  return new Map()
}

/** Returns whether the plan locks heads only. All nodes lock in this order: keys, jobs, waits, users, heads, mails. */
function locksHeadsOnly({ idempotency, completes, continues, awaitedEvent, profile }: TrackPlan): boolean {
  return (
    idempotency === null && completes === null && continues === null && awaitedEvent === undefined && profile === null
  )
}

/** Locks in order: users, the runs that wait for these events, profiles, and then the heads. */
async function lockInOrder(
  context: WriteContext,
  work: BatchWork,
  plans: Plan[],
  admitted: TrackPlan[],
): Promise<ResumedRun[]> {
  const created = await createUsers(context, admitted.flatMap(usersOf), context.now)
  const resumed = await findResumedRuns(context, admitted)
  work.createdUsers = new Set(created.map(({ userNo }) => userNo))
  work.leftOut = await saveProfiles(context, admitted)
  for (const owner of created) work.inboxes.addHead(emptyHead(owner))
  await lockAndRead(context, work, plans, admitted)
  return resumed
}

/**
 * Reads all rows that the plans depend on. The heads are locked first: no other transaction changes a locked inbox.
 */
async function lockAndRead(
  context: WriteContext,
  work: BatchWork,
  plans: Plan[],
  admitted: TrackPlan[],
): Promise<void> {
  const { sql } = context
  const delivered = plans.filter((plan) => plan.kind === 'deliver')
  const changed = plans.filter((plan) => plan.kind === 'change')
  const reported = keysOf(delivered)
  const fetched = keysOf(
    delivered.map((plan) => ({ ...plan, items: plan.items.filter(({ fetchedFrom }) => fetchedFrom !== undefined) })),
  )
  const mailed = keysOf(
    plans.flatMap((plan) => (plan.kind === 'mail' ? { ...plan, items: [{ messageId: plan.messageId }] } : [])),
  )
  const named = new Map([...reported, ...mailed, ...keysOf(changed)])

  const owners = new Map<number, InboxOwner>()
  const addOwner = ({ environmentId, userNo }: InboxOwner) => void owners.set(userNo, { environmentId, userNo })
  for (const plan of changed) addOwner(plan)
  for (const { environmentId, userNo } of delivered) if (userNo !== null) addOwner({ environmentId, userNo })
  const ofUnknownUsers = keysOf(delivered.filter((plan) => plan.userNo === null))
  const owned = new Map([...ofUnknownUsers, ...mailed])
  for (const owner of await readOwners(sql, [...owned.values()])) addOwner(owner)
  const collapsed = new Map<string, [number, string]>()
  for (const plan of admitted) {
    for (const message of plan.messages) {
      const userNo = getUserNo(context, plan.environmentId, message.userId)
      addOwner({ environmentId: plan.environmentId, userNo })
      if (message.collapseKey !== null) collapsed.set(`${userNo}:${message.collapseKey}`, [userNo, message.collapseKey])
    }
  }
  const stored = [...owners.values()].filter(({ userNo }) => !work.inboxes.hasHead(userNo))
  // The statements run in this order: each one sees the rows that the statement before it has locked.
  const [heads, messages, earlier, unopened] = await Promise.all([
    lockHeads(sql, stored),
    readMessages(sql, [...named.values()]),
    readCollapsed(sql, [...collapsed.values()]),
    Promise.all(
      changed.map(({ userNo, readAllUpTo }) => (readAllUpTo === null ? [] : readUnopened(sql, userNo, readAllUpTo))),
    ),
    work.events.load(sql, [...reported.values()]),
    work.fetches.load(sql, [...fetched.values()]),
    work.mails.load(sql, [...mailed.values()]),
  ])
  for (const head of heads) work.inboxes.addHead(head)
  for (const message of [messages, earlier, ...unopened].flat()) work.inboxes.addMessage(message)
}

/** Returns the keys of the messages that plans name, each once. */
function keysOf(plans: { environmentId: number; items: { messageId: number }[] }[]): Map<string, MessageKey> {
  const keys = new Map<string, MessageKey>()
  for (const { environmentId, items } of plans) {
    for (const { messageId } of items) keys.set(`${environmentId}:${messageId}`, [environmentId, messageId])
  }
  return keys
}

/** Returns the run when it was cancelled or failed, because its digest window must close. */
function stoppedRun({ environmentId, continues }: TrackPlan): [environmentId: number, runId: number][] {
  const isStopped = continues?.state === 'cancelled' || continues?.state === 'failed'
  return isStopped ? [[environmentId, continues.claim.runId]] : []
}

/** Returns the rows that queries find by time: the event and its messages. */
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
