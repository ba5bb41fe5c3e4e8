// Commits a run that runs again as one plan with its key and its audit entry, and tells what became of it.

import { randomUUID } from 'node:crypto'
import type { AgainAnswer } from '../../../contract/resources/again.ts'
import type { RunStart } from '../../campaign/compiled.ts'
import type { Evaluator } from '../../campaign/evaluator.ts'
import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import { evaluateFor, markOfJob } from '../../domain/in-hand.ts'
import type { NewTrackedEvent, TrackPlan } from '../../domain/plan.ts'
import { closedError } from '../../domain/tenant/closed.ts'
import type { Run } from '../../domain/tracked-event.ts'
import { ApiError } from '../../lib/api-error.ts'
import { hashByValue } from '../../lib/canonical-json.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import { formatId } from '../../lib/id.ts'
import { refuse } from './load-former.ts'

/** Who runs something again, and where. */
export interface AgainCaller {
  environment: Environment
  /** The key that is checked at the commit; null for a person and for the service. */
  secretId: number | null
  correlationId: string
  by: ChangedBy
  /** Whether each has its own entry in the audit log; those of a bulk job have one together. */
  isAudited: boolean
  /** The job that does it: it is marked while it evaluates, and its keys are known as long as it may run. */
  jobId?: number
}

/** What is committed with a run. */
export interface Made {
  /** Of a run that may be asked for again, with what it is a key for. */
  key?: string | undefined
  what?: object
  audit?: AuditEntry
  ofUser?: TrackPlan['ofUser']
  /** The event of a test. */
  event?: NewTrackedEvent
}

export type CommitsAgain = Pick<Core, 'events' | 'deliveries' | 'commitPlan' | 'inHand' | 'clock'> & {
  begin: Evaluator['begin']
  /** How long a key is known. */
  idempotencyKeptMs: number
}

/** Of the items of a job: at the slowest pace the longest job takes fourteen days. */
export const JOB_KEPT_MS = 30 * 24 * 3_600_000
/** Of the newest messages of an event, among which those of a new run are. */
const MESSAGES_READ = 100

/** Keys of callers are their own: none is the key of a tracked event by chance. */
export const spaceKey = (key: string = randomUUID()) => `again:${sha256Hex(key)}`

export function createCommitAgain({
  events,
  deliveries,
  begin,
  commitPlan,
  inHand,
  clock,
  idempotencyKeptMs,
}: CommitsAgain) {
  /** @throws `run/not-found` */
  async function getRun(environmentId: number, runId: number | undefined): Promise<Run> {
    const run = runId === undefined ? undefined : await events.findRun(environmentId, runId)
    if (run === undefined) throw new ApiError('run/not-found')
    return run
  }

  async function tell(environmentId: number, runId: number, duplicate: boolean): Promise<AgainAnswer> {
    const run = await getRun(environmentId, runId)
    const { records } = await deliveries.step(environmentId, { eventId: run.eventId }, null, MESSAGES_READ)
    const messages = records.filter((record) => record.runId === runId).sort((one, other) => one.id - other.id)
    return {
      runId: formatId('run', runId),
      duplicate,
      state: run.state,
      stateReason: run.stateReason,
      messages: messages.map(({ id, stepId, status, statusReason }) => ({
        messageId: formatId('message', id),
        stepId,
        status,
        statusReason,
      })),
    }
  }

  return {
    getRun,
    tell,
    /** @throws `request/conflict` for a run that cannot be evaluated, and for a key of something else */
    async commit(
      caller: AgainCaller,
      start: RunStart,
      { key, what, audit, ofUser, event }: Made,
    ): Promise<AgainAnswer> {
      const { environment, secretId, jobId } = caller
      const mark = jobId === undefined ? undefined : markOfJob(environment.id, jobId)
      const { result, verdict } = await evaluateFor(inHand, mark, () => begin(start))
      if (result === null) {
        refuse('cannot-be-evaluated', verdict?.holds === false ? verdict.reason : 'The run cannot be evaluated.')
      }
      const { run, messages, gates, wait } = result
      const now = clock.now()
      const expiresAt = now + (jobId === undefined ? idempotencyKeptMs : JOB_KEPT_MS)
      const idempotency = what === undefined ? null : { key: spaceKey(key), bodyHash: hashByValue(what), expiresAt }
      const outcome = await commitPlan({
        ...{ kind: 'track', environmentId: environment.id, secretId, now, event: event ?? null, idempotency },
        ...{ profile: null, runs: [run], messages, gates, jobs: [], waits: wait === null ? [] : [wait] },
        ...{ completes: null, continues: null },
        ...(audit !== undefined && { audit }),
        ...(ofUser !== undefined && { ofUser }),
      })
      if (outcome.result === 'written') return tell(environment.id, run.id, false)
      if (outcome.result === 'duplicate') return tell(environment.id, outcome.eventId, true)
      if (outcome.result === 'user-gone') refuse('user-gone', 'There is no such user any more.')
      if (outcome.result === 'revoked') throw new ApiError('auth/invalid-authorization')
      if (outcome.result === 'closed') throw closedError(environment)
      throw new ApiError('request/conflict', { message: 'This idempotency key was used with another body.' })
    },
  }
}
