// Writes the rows of track plans: events, runs, messages with their items, mails, and jobs.

import type { NewMessage, TrackPlan } from '../../../domain/plan.ts'
import { INBOX_ITEM, MESSAGE } from '../../tables/message.ts'
import { RUN } from '../../tables/run.ts'
import { insertInto, insertPlanned } from '../../tables/table.ts'
import { TRACKED_EVENT } from '../../tables/tracked-event.ts'
import { insertJobs } from '../job.ts'
import type { WriteContext } from '../write.ts'
import { writeRecipients } from './event-recipient.ts'
import { stateOf } from './inbox-work.ts'
import { SECTION } from './list-section.ts'
import { insertMails, type PlacedMessage } from './mail-rows.ts'
import { getUserNo } from './recipients.ts'
import { countDelivery, type DeliveryWork } from './record-delivery.ts'
import type { WorkingMessage } from './working-rows.ts'

const INSERT_EVENTS = insertInto(TRACKED_EVENT)
const INSERT_RUNS = insertPlanned(RUN)
const INSERT_MESSAGES = insertPlanned(MESSAGE)
const INSERT_ITEMS = insertPlanned(INBOX_ITEM)

/** The message rows of a batch's track plans, in order. */
export interface TrackRows {
  messages: PlacedMessage[]
}

/** Adds the plan's messages to their inboxes and to `rows`, and counts deliveries and steps. */
export function placeMessages(context: WriteContext, work: DeliveryWork, plan: TrackPlan, rows: TrackRows): void {
  const { environmentId } = plan
  for (const run of plan.runs) work.steps.countRun(environmentId, run, 1)
  for (const row of plan.messages) {
    const working = toWorking(row, environmentId, getUserNo(context, environmentId, row.userId))
    if (working.channel === 'inbox' && working.deliveredAt !== null) {
      replaceEarlier(work, working, plan.now)
      work.inboxes.addToInbox(working)
    }
    work.inboxes.addMessage(working)
    rows.messages.push({ row, working })
    if (working.deliveredAt !== null) countDelivery(work, working, working.deliveredAt)
    else work.steps.countReason(working, row.status, row.statusReason, 1)
  }
}

/** Removes earlier messages with the same collapse key. */
function replaceEarlier(work: DeliveryWork, message: WorkingMessage, now: number): void {
  if (message.collapseKey === null) return
  for (const earlier of work.inboxes.listOf(message.userNo)) {
    if (earlier.collapseKey !== message.collapseKey || earlier.seq === 0) continue
    work.inboxes.change(earlier, { ...stateOf(earlier), removedAt: now })
  }
}

/** Uses a literal, because a spread would cost ten times more and each message needs one. */
function toWorking(row: NewMessage, environmentId: number, userNo: number): WorkingMessage {
  return {
    id: row.id,
    environmentId,
    userNo,
    seq: 0,
    campaignId: row.campaignId,
    version: row.version,
    branch: row.branch,
    stepId: row.stepId,
    channel: row.channel,
    isTest: row.isTest,
    createdAt: row.createdAt,
    collapseKey: row.collapseKey,
    section: SECTION.none,
    // An inbox message is delivered by this write; an e-mail when the provider has accepted it.
    deliveredAt: row.status === 'delivered' || row.status === 'sent' ? row.createdAt : null,
    expiresAt: row.expiresAt,
    dueAt: null,
    unopened: true,
    readAt: null,
    openedAt: null,
    clickedAt: null,
    archivedAt: null,
    snoozedUntil: null,
    removedAt: null,
    rowState: 'new',
  }
}

/** Inserts all rows of the admitted plans. */
export async function writeTracked(context: WriteContext, plans: TrackPlan[], rows: TrackRows): Promise<void> {
  const { sql } = context
  const events = plans.flatMap(({ event }) => event ?? [])
  await INSERT_EVENTS.write(sql, events)
  await writeRecipients(sql, events)
  await INSERT_RUNS.write(
    sql,
    plans.flatMap((plan) => runRows(context, plan)),
  )
  const messages = rows.messages.map(({ row, working }) => [row, working] as const)
  await INSERT_MESSAGES.write(sql, messages)
  await INSERT_ITEMS.write(sql, messages)
  await insertMails(sql, rows.messages)
  await insertJobs(
    sql,
    plans.flatMap(({ jobs }) => jobs),
  )
}

function runRows(context: WriteContext, { environmentId, runs, messages }: TrackPlan) {
  const withMessage = new Set(messages.map((message) => message.runId))
  return runs.map((run) => {
    const userNo = getUserNo(context, environmentId, run.userId)
    return [run, { environmentId, userNo, hasMessage: withMessage.has(run.id) }] as const
  })
}
