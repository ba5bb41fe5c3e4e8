// Track plans: events, runs, messages, their `send` events and jobs (specification sections 2.3 to 2.5, contract section 3).

import type { NewMessage, TrackPlan } from '../../../domain/plan.ts'
import { insertRows, type Param, type Sql, toFlag } from '../sql.ts'
import type { WriteContext } from '../write.ts'
import { writeRecipients } from './event-recipient.ts'
import { stateOf } from './inbox-work.ts'
import { getUserNo } from './recipients.ts'
import type { DeliveryWork } from './record-delivery.ts'
import { stateParams, type WorkingMessage } from './working-rows.ts'

const INSERT_EVENTS = insertRows('tracked_event', {
  id: 'int',
  environment_id: 'int',
  correlation_id: 'text',
  name: 'text',
  user_id: 'text',
  user_ids: 'text',
  topic: 'text',
  source: 'text',
  occurred_at: 'int',
  received_at: 'int',
  outcome: 'text',
  considered: 'text',
  properties: 'text',
})
const INSERT_RUNS = insertRows('run', {
  id: 'int',
  environment_id: 'int',
  event_id: 'int',
  campaign_id: 'int',
  version: 'int',
  branch: 'text',
  user_no: 'int',
  user_id: 'text',
  state: 'text',
  state_reason: 'text',
  is_test: 'int',
  correlation_id: 'text',
  started_at: 'int',
  ended_at: 'int',
  has_message: 'int',
  trace: 'text',
})
const INSERT_MESSAGES = insertRows('message', {
  id: 'int',
  environment_id: 'int',
  user_no: 'int',
  seq: 'int',
  run_id: 'int',
  event_id: 'int',
  campaign_id: 'int',
  version: 'int',
  branch: 'text',
  step_id: 'text',
  channel: 'text',
  status: 'text',
  status_reason: 'text',
  correlation_id: 'text',
  category: 'text',
  entity: 'text',
  collapse_key: 'text',
  is_test: 'int',
  created_at: 'int',
  delivered_at: 'int',
  expires_at: 'int',
  snapshot: 'text',
  shelf: 'int',
  unopened: 'int',
  read_at: 'int',
  opened_at: 'int',
  clicked_at: 'int',
  archived_at: 'int',
  snoozed_until: 'int',
  removed_at: 'int',
})
const INSERT_JOBS = insertRows('job', {
  id: 'int',
  environment_id: 'int',
  kind: 'text',
  payload: 'text',
  run_at: 'int',
  created_at: 'int',
  due_at: 'int',
  attempts: 'int',
  fence: 'int',
})

/** The rows of a batch's track plans, gathered in order. */
export interface TrackRows {
  messages: { row: NewMessage; working: WorkingMessage }[]
}

/** Puts the plan's messages into their inboxes, and counts what was delivered. */
export function placeMessages(context: WriteContext, work: DeliveryWork, plan: TrackPlan, rows: TrackRows): void {
  for (const row of plan.messages) {
    const working = toWorking(row, plan.environmentId, getUserNo(context, plan.environmentId, row.userId))
    if (working.channel === 'inbox' && working.deliveredAt !== null) {
      replaceEarlier(work, working, plan.now)
      work.inboxes.add(working)
    }
    work.inboxes.take(working)
    rows.messages.push({ row, working })
    if (working.deliveredAt === null) continue
    work.events.begin({
      messageId: row.id,
      eventType: 'send',
      occurredAt: working.deliveredAt,
      recordedAt: plan.now,
      implied: false,
      automated: false,
      source: 'service',
      link: null,
    })
    if (!row.isTest) work.tally.count(working, working.deliveredAt, 'delivery')
  }
}

/** A collapse key replaces what the user still has under it. */
function replaceEarlier(work: DeliveryWork, message: WorkingMessage, now: number): void {
  if (message.collapseKey === null) return
  for (const earlier of work.inboxes.listOf(message.userNo)) {
    if (earlier.collapseKey !== message.collapseKey || earlier.seq === 0) continue
    work.inboxes.change(earlier, { ...stateOf(earlier), removedAt: now })
  }
}

function toWorking(row: NewMessage, environmentId: number, userNo: number): WorkingMessage {
  return {
    id: row.id,
    environmentId,
    userNo,
    seq: 0,
    campaignId: row.campaignId,
    version: row.version,
    branch: row.branch,
    channel: row.channel,
    isTest: row.isTest,
    createdAt: row.createdAt,
    // The inbox is delivered with its write; e-mail counts from the provider's acceptance.
    deliveredAt: row.status === 'delivered' || row.status === 'sent' ? row.createdAt : null,
    collapseKey: row.collapseKey,
    unopened: true,
    readAt: null,
    openedAt: null,
    clickedAt: null,
    archivedAt: null,
    snoozedUntil: null,
    removedAt: null,
    standing: 'new',
  }
}

/** Inserts all that the admitted plans hold. */
export async function writeTracked(context: WriteContext, plans: TrackPlan[], rows: TrackRows): Promise<void> {
  const { sql } = context
  await sql.bulk(INSERT_EVENTS, plans.flatMap(eventRows))
  await writeRecipients(
    sql,
    plans.flatMap(({ event }) => event ?? []),
  )
  await sql.bulk(
    INSERT_RUNS,
    plans.flatMap((plan) => runRows(context, plan)),
  )
  await sql.bulk(INSERT_MESSAGES, rows.messages.map(messageRow))
  await writeJobs(sql, plans)
}

function eventRows({ event }: TrackPlan): Param[][] {
  if (event === null) return []
  const { id, environmentId, correlationId, name, userId, userIds, topic, source, occurredAt, receivedAt } = event
  const times = [occurredAt, receivedAt]
  return [
    [
      id,
      environmentId,
      correlationId,
      name,
      userId,
      userIds,
      topic,
      source,
      ...times,
      event.outcome,
      event.considered,
      event.properties,
    ],
  ]
}

function runRows(context: WriteContext, plan: TrackPlan): Param[][] {
  const withMessage = new Set(plan.messages.map((message) => message.runId))
  return plan.runs.map((run) => [
    run.id,
    plan.environmentId,
    run.eventId,
    run.campaignId,
    run.version,
    run.branch,
    getUserNo(context, plan.environmentId, run.userId),
    run.userId,
    run.state,
    run.stateReason,
    toFlag(run.isTest),
    run.correlationId,
    run.startedAt,
    run.endedAt,
    toFlag(withMessage.has(run.id)),
    run.trace,
  ])
}

function messageRow({ row, working }: TrackRows['messages'][number]): Param[] {
  return [
    row.id,
    working.environmentId,
    working.userNo,
    working.seq,
    row.runId,
    row.eventId,
    row.campaignId,
    row.version,
    row.branch,
    row.stepId,
    row.channel,
    row.status,
    row.statusReason,
    row.correlationId,
    row.category,
    row.entity,
    row.collapseKey,
    toFlag(row.isTest),
    row.createdAt,
    working.deliveredAt,
    row.expiresAt,
    row.snapshot,
    ...stateParams(working),
  ]
}

async function writeJobs(sql: Sql, plans: TrackPlan[]): Promise<void> {
  const jobs = plans.flatMap((plan) => plan.jobs)
  await sql.bulk(
    INSERT_JOBS,
    jobs.map((job) => [job.id, job.environmentId, job.kind, job.payload, job.runAt, job.createdAt, job.runAt, 0, 0]),
  )
}
