// Records the delivery events that delivery plans report, and counts deliveries.

import { REGISTERED_EVENT_TYPES, type RegisteredEventType } from '../../../../contract/delivery.ts'
import type { InboxState } from '../../../domain/message.ts'
import type { DeliveryOutcome, DeliveryPlan } from '../../../domain/plan.ts'
import type { Tally } from './counters.ts'
import type { DeliveryRows } from './delivery-rows.ts'
import { type InboxWork, stateOf } from './inbox-work.ts'
import type { MailFetches } from './mail-fetches.ts'
import type { StepTally } from './step-tally.ts'
import type { WorkingMessage } from './working-rows.ts'

export interface DeliveryWork {
  inboxes: InboxWork
  events: DeliveryRows
  fetches: MailFetches
  tally: Tally
  steps: StepTally
}

/** Counts the delivery of a message unless it is a test. */
export function countDelivery(work: Pick<DeliveryWork, 'tally'>, message: WorkingMessage, at: number): void {
  if (!message.isTest) work.tally.count(message, at, 'delivery')
}

type Item = DeliveryPlan['items'][number]
type ItemResult = DeliveryOutcome['results'][number]

/** Applies the items in order. `work` contains all messages and heads. */
export function recordDelivery(work: DeliveryWork, plan: DeliveryPlan): DeliveryOutcome {
  const results = plan.items.map((item): ItemResult => {
    const message = work.inboxes.find(item.messageId)
    // Without its lock, another node has written the message since its user was read: it was not there yet.
    if (message === undefined || !work.inboxes.hasHead(message.userNo)) return 'missing'
    // A caller's clock may be wrong, so its time is limited to between the message's creation and now.
    const at = Math.max(message.createdAt, Math.min(item.occurredAt, plan.now))
    if (!mayReport(plan, message, at)) return 'missing'
    const isAutomated = item.automated || isOfProgram(work, item, message, at)
    return isAutomated ? recordAutomated(work, plan, item, at) : recordReal(work, plan, item, message, at)
  })
  return { results, pushes: work.inboxes.takePushes() }
}

/**
 * Returns whether the report is allowed: users report on their own inbox messages, a trusted backend on any delivered
 * message. Events from before a removal count in history and funnel, because the message was visible then.
 */
function mayReport(plan: DeliveryPlan, message: WorkingMessage, at: number): boolean {
  if (message.environmentId !== plan.environmentId || message.deliveredAt === null) return false
  if (plan.userNo === null) return true
  const wasListed = message.removedAt === null || at < message.removedAt
  return wasListed && message.userNo === plan.userNo && message.seq > 0
}

/** Judges the fetch of a mail. Where a program made it, the earlier fetches of its series no longer count either. */
function isOfProgram(work: DeliveryWork, item: Item, message: WorkingMessage, at: number): boolean {
  if (item.fetchedFrom === undefined || message.deliveredAt === null) return false
  const scan = work.fetches.add(item, at, message.deliveredAt)
  if (scan !== undefined) takeBack(work, message, scan)
  return scan !== undefined
}

const STATE_OF = { read: 'readAt', opened: 'openedAt', clicked: 'clickedAt' } as const

/** Turns the events that were first recorded within a series into automated ones. A step of a person keeps those before it. */
function takeBack(work: DeliveryWork, message: WorkingMessage, { from, to }: { from: number; to: number }): void {
  const next = stateOf(message)
  for (const step of REGISTERED_EVENT_TYPES.toReversed()) {
    const firstAt = next[STATE_OF[step]]
    if (firstAt === null) continue
    const event = work.events.find(message.id, step)
    if (event === undefined || firstAt < from || firstAt > to) break
    work.events.set({ ...event, automated: true })
    next[STATE_OF[step]] = null
    count(work, message, step, -1)
  }
  work.inboxes.change(message, next)
}

/** Records an automated event once, without counting it. */
function recordAutomated(work: DeliveryWork, plan: DeliveryPlan, item: Item, at: number): ItemResult {
  if (work.events.find(item.messageId, item.eventType) !== undefined) return 'repeated'
  work.events.set({ ...item, environmentId: plan.environmentId, occurredAt: at, recordedAt: plan.now, implied: false })
  return 'recorded'
}

function recordReal(
  work: DeliveryWork,
  plan: DeliveryPlan,
  item: Item,
  message: WorkingMessage,
  at: number,
): ItemResult {
  const { environmentId } = plan
  const earlier = work.events.find(item.messageId, item.eventType)
  const repeated = earlier !== undefined && !earlier.implied && !earlier.automated
  if (!repeated) {
    for (const step of REGISTERED_EVENT_TYPES.slice(0, REGISTERED_EVENT_TYPES.indexOf(item.eventType))) {
      const known = work.events.find(item.messageId, step)
      if (known !== undefined && !known.automated) continue
      const implied = { eventType: step, implied: true, link: null }
      work.events.set({ ...item, environmentId, occurredAt: at, recordedAt: plan.now, ...implied })
      count(work, message, step)
    }
    work.events.set({ ...item, environmentId, occurredAt: at, recordedAt: plan.now, implied: false })
    if (earlier === undefined || earlier.automated) count(work, message, item.eventType)
  }
  // Also for a repeated event: a message that was marked as unopened becomes opened again.
  work.inboxes.change(message, stateAfter(message, item.eventType, at))
  return repeated ? 'repeated' : 'recorded'
}

function count(work: DeliveryWork, message: WorkingMessage, step: RegisteredEventType, by: 1 | -1 = 1): void {
  if (!message.isTest && message.deliveredAt !== null) work.tally.count(message, message.deliveredAt, step, by)
}

function stateAfter(message: WorkingMessage, eventType: RegisteredEventType, at: number): InboxState {
  const next = stateOf(message)
  next.readAt ??= at
  if (eventType === 'read') return next
  next.openedAt ??= at
  next.unopened = false
  if (eventType === 'clicked') next.clickedAt ??= at
  return next
}
