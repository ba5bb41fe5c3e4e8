// Sends a message again, runs a run or an event again, and sends a message to somebody as a test. Each is one plan, with its
// key and its audit entry: a repeat with the same key does nothing more.

import { UNSENT_STATUSES } from '../../../contract/again.ts'
import type {
  AgainAnswer,
  EventAgainAnswer,
  EventAgainRequest,
  RunAgainRequest,
  SendAgainRequest,
  SendToMeRequest,
} from '../../../contract/resources/again.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import type { DeliveryRecord } from '../../domain/delivery/delivery-record.ts'
import { formatMark, type Mark, markOfJob } from '../../domain/in-hand.ts'
import type { NewTrackedEvent, TrackPlan } from '../../domain/plan.ts'
import { listKnown, type Run, type TrackedEvent } from '../../domain/tracked-event.ts'
import type { HoldingUsers } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import { hashByValue } from '../../lib/canonical-json.ts'
import { formatId, type IdSource, parseId } from '../../lib/id.ts'
import type { ManageGivenUp } from '../resume/manage-given-up.ts'
import type { AcceptEvents } from '../track/accept-events.ts'
import {
  type AgainCaller,
  type CommitsAgain,
  createCommitAgain,
  JOB_KEPT_MS,
  type Made,
  spaceKey,
} from './commit-again.ts'
import {
  type Begins,
  type Former,
  findAgain,
  type LoadsFormer,
  loadFormer,
  refuse,
  type StartsAgain,
  toStart,
} from './load-former.ts'

/** All throw `request/conflict` with the reason why it cannot be done, and the code of what is not there. */
export interface RunAgain {
  message(caller: AgainCaller, messageId: string, request: SendAgainRequest): Promise<AgainAnswer>
  run(caller: AgainCaller, runId: string, request: RunAgainRequest): Promise<AgainAnswer>
  event(caller: AgainCaller, eventId: string, request: EventAgainRequest): Promise<EventAgainAnswer>
  /** Renders the message anew with the profile of that user, marked as a test. */
  toMe(caller: AgainCaller, messageId: string, request: SendToMeRequest): Promise<AgainAnswer>
}

type Taken = LoadsFormer &
  CommitsAgain & {
    acceptBatch: AcceptEvents['acceptBatch']
    givenUps: Pick<ManageGivenUp, 'runAgain'>
    ids: { event: IdSource }
  }

const isUnsent = ({ status }: DeliveryRecord) => UNSENT_STATUSES.some((one) => one === status)

export function createRunAgain(deps: Taken): RunAgain {
  const { events, deliveries, clock } = deps
  const commits = createCommitAgain(deps)
  const { tell, getRun } = commits

  async function getMessage({ environment }: AgainCaller, messageId: string): Promise<[DeliveryRecord, Run]> {
    const id = parseId('message', messageId)
    const detail = id === undefined ? undefined : await deliveries.find(environment.id, id)
    if (detail === undefined) throw new ApiError('message/not-found')
    return [detail.record, await getRun(environment.id, detail.record.runId)]
  }

  /** @throws `request/conflict` when the one user of an event is there no more */
  async function findUserOf({ environmentId, userId }: TrackedEvent): Promise<Pick<TrackPlan, 'ofUser'>> {
    if (userId === null) return {}
    const user = (await deps.users.findManyBare(environmentId, [userId])).get(userId)
    if (user === undefined) refuse('user-gone', 'There is no such user any more.')
    return { ofUser: { userId, userNo: user.userNo } }
  }

  /** What was given up has its state still: then it goes on by itself, and nothing new is made. */
  async function revive({ environment, by }: AgainCaller, mark: Mark): Promise<boolean> {
    const found = deps.givenUps.runAgain(environment.id, formatMark(mark), by).then(() => true)
    return found.catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return false
      throw error
    })
  }

  const auditOf = (caller: AgainCaller, action: string, subject: string, detail: AuditEntry['detail'] = {}) =>
    caller.isAudited
      ? { audit: { at: clock.now(), ...caller.by, action, environmentId: caller.environment.id, subject, detail } }
      : {}

  async function again(caller: AgainCaller, former: Former, begins: Begins, made: Pick<Made, 'key' | 'audit'>) {
    const { run } = former
    const { stepId, isOnly } = begins
    const again = await findAgain(deps, former, begins)
    const { userId, eventId, isTest } = run
    const { correlationId } = caller
    // Without the version: a repeat after a publication is a repeat.
    const what = { again: run.id, stepId, isOnly }
    return begin(caller, former, { again, userId, eventId, isTest, correlationId }, { ...made, what })
  }

  /** The few items of a job are bounded by their number. */
  function begin(caller: AgainCaller, former: Former, of: StartsAgain, made: Made): Promise<AgainAnswer> {
    const { environment, jobId } = caller
    const beginBy = async (users: Pick<HoldingUsers, 'find'>) => {
      const { start, ...user } = await toStart({ ...deps, users }, environment, former, of)
      return commits.commit(caller, start, { ...made, ...user })
    }
    return jobId === undefined ? deps.users.holding(beginBy) : beginBy(deps.users)
  }

  return {
    async message(caller, messageId, { version, idempotencyKey: key }) {
      const [record, run] = await getMessage(caller, messageId)
      if (!isUnsent(record)) {
        refuse('was-sent', `This message is ${record.status}: only one that failed or was held back is sent again.`)
      }
      const isMail = record.mail !== null && record.status === 'failed'
      if (isMail) {
        if (await revive(caller, { kind: 'mail', id: record.id })) return tell(caller.environment.id, run.id, false)
        // Another call may have revived it since it was read: it would go out twice.
        const [newest] = await getMessage(caller, messageId)
        if (!isUnsent(newest)) return tell(caller.environment.id, run.id, true)
      }
      const former = await loadFormer(deps, caller.environment.id, run, version)
      const used = former.campaign.version
      const reason = `${messageId} sent again by ${caller.by.who}, with version ${used}`
      const audit = auditOf(caller, 'message.again', messageId, { version: used })
      return again(caller, former, { stepId: record.stepId, isOnly: true, reason }, { key, ...audit })
    },

    async run(caller, runId, { from, version, idempotencyKey: key }) {
      const run = await getRun(caller.environment.id, parseId('run', runId))
      const stepId = findFailedStep(run, from)
      const former = await loadFormer(deps, caller.environment.id, run, version)
      const used = former.campaign.version
      if (stepId !== null && used === run.version) {
        if (await revive(caller, { kind: 'run', id: run.id })) return tell(caller.environment.id, run.id, false)
        // As of a message.
        const newest = await getRun(caller.environment.id, run.id)
        if (newest.state !== 'failed') return tell(caller.environment.id, run.id, true)
      }
      const place = stepId === null ? 'its start' : `step "${stepId}"`
      const reason = `${runId} run again by ${caller.by.who} from ${place}, with version ${used}`
      const audit = auditOf(caller, 'run.again', runId, { from, version: used })
      return again(caller, former, { stepId, isOnly: false, reason }, { key, ...audit })
    },

    async event(caller, eventId, { idempotencyKey }) {
      const { environment, secretId, correlationId, jobId } = caller
      const event = await events.find(environment.id, parseId('event', eventId) ?? 0)
      if (event === undefined) throw new ApiError('event/not-found')
      const ofUser = await findUserOf(event)
      if (event.source === 'test') refuse('is-test', 'This is the event of a test: send the test again.')
      const bodyHash = hashByValue({ again: event.id })
      const input = toInput(event, spaceKey(idempotencyKey))
      const [result] = await deps.acceptBatch(environment, secretId, [input], correlationId, {
        source: 'again',
        repeats: {
          space: environment.id,
          keptMs: jobId === undefined ? deps.idempotencyKeptMs : JOB_KEPT_MS,
          bodyHash,
        },
        ...(jobId !== undefined && { mark: markOfJob(environment.id, jobId) }),
        ...auditOf(caller, 'event.again', eventId),
        ...ofUser,
      })
      if (result === undefined || result instanceof ApiError) throw result ?? new Error('event without a result')
      return result
    },

    async toMe(caller, messageId, { userId, version }) {
      const [record, run] = await getMessage(caller, messageId)
      const { environment, correlationId } = caller
      const former = await loadFormer(deps, environment.id, run, version)
      const reason = `${messageId} sent as a test by ${caller.by.who}, with version ${former.campaign.version}`
      const again = await findAgain(deps, former, { stepId: record.stepId, isOnly: true, reason })
      const event = toTestEvent(former.event, { id: deps.ids.event.next(), userId, correlationId, now: clock.now() })
      const of = { again, userId, eventId: event.id, isTest: true, correlationId }
      return begin(caller, former, of, { event })
    },
  }
}

/** @returns Null for the start of the run. @throws `request/conflict` for a run that may not run again from there */
function findFailedStep(run: Run, from: RunAgainRequest['from']): string | null {
  if (run.state !== 'failed' && (from !== 'start' || run.state !== 'cancelled')) {
    const message = `This run is ${run.state}: only one that failed runs again, or one that was cancelled from its start.`
    refuse('not-failed', message)
  }
  if (from === 'start') return null
  const failed = run.steps.findLast(({ outcome }) => outcome === 'failed')
  if (failed === undefined) refuse('no-failed-step', 'No step of this run has failed: run it again from its start.')
  return failed.stepId
}

/** The event as it was sent; its change of the profile is done already. */
function toInput({ id, name, userId, userIds, topic, properties, occurredAt }: TrackedEvent, idempotencyKey: string) {
  const known = listKnown(userIds) ?? undefined
  const to = { userId: userId ?? undefined, userIds: known, topic: topic ?? undefined }
  return { name, ...to, properties, occurredAt, idempotencyKey, raw: { again: formatId('event', id) } }
}

/** A test has an event of its own, so that it goes with the user to whom it was sent. */
function toTestEvent(
  { environmentId, name, properties, occurredAt, id: former }: TrackedEvent,
  { id, userId, correlationId, now }: { id: number; userId: string; correlationId: string; now: number },
): NewTrackedEvent {
  return {
    ...{ id, environmentId, correlationId, name, userId, userIds: null, topic: null },
    properties: JSON.stringify(properties),
    ...{ source: 'test', occurredAt, receivedAt: now, outcome: 'matched', considered: null },
    raw: JSON.stringify({ again: formatId('event', former) }),
  }
}
