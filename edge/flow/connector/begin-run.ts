// Begins a run of the kept deliveries of a time as a job, and shows how far the runs of sources are.

import type { DeliveryRange, SourceRunAnswer } from '../../../contract/resources/source-delivery.ts'
import type { ChangedBy } from '../../domain/audit.ts'
import type { DeliveryRun } from '../../domain/connector/delivery-run.ts'
import type { Core } from '../../domain/core.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'

export const RUN_DELIVERIES = 'run-deliveries'

export interface RunDeliveriesPayload {
  /** The public id of the source. */
  sourceId: string
}

/**
 * @returns How many deliveries will be run.
 * @throws ApiError `source/not-found`; `request/invalid-body` for a time that ends before it begins; `request/conflict` while a run of the source is under way
 */
export type BeginRun = (
  environmentId: number,
  publicId: string,
  range: DeliveryRange,
  correlationId: string,
  by: ChangedBy,
) => Promise<number>

export function createBeginRun({
  sources,
  deliveryBodies,
  deliveryRuns,
  ids,
  clock,
  pollJobs,
}: Pick<Core, 'sources' | 'deliveryBodies' | 'deliveryRuns' | 'ids' | 'clock'> & {
  /** Absent beside a running server, which polls for what is due itself. */
  pollJobs?(): void
}): BeginRun {
  return async function beginRun(
    environmentId,
    publicId,
    { from, to, outcome = null, dryRun = false, pace = null },
    correlationId,
    by,
  ) {
    const source = await sources.find(environmentId, publicId)
    if (source === undefined) throw new ApiError('source/not-found')
    if (to < from) {
      const message = 'The end of the time is before its beginning.'
      throw new ApiError('request/invalid-body', { message, details: [{ path: 'to', message }] })
    }
    const now = clock.now()
    // What arrives from now on has the mappings of today anyway.
    const range = { from, to: Math.min(to, now), outcome }
    const deliveries = await deliveryBodies.countItems(environmentId, source.id, range)
    if (dryRun || deliveries === 0) return deliveries
    const { id: sourceId, mappings } = source
    const jobId = ids.job.next()
    const run = { ...range, sourceId, environmentId, jobId, mappings, correlationId, deliveries, pace, startedAt: now }
    const payload = JSON.stringify({ sourceId: publicId } satisfies RunDeliveriesPayload)
    const job = { id: jobId, environmentId, kind: RUN_DELIVERIES, payload, runAt: now, createdAt: now }
    const detail = { from: toIso(from), to: toIso(range.to), deliveries }
    const audit = { at: now, ...by, action: 'source.run', environmentId, subject: publicId, detail }
    if (!(await deliveryRuns.begin(run, job, audit))) {
      throw new ApiError('request/conflict', { message: 'A run of this source is under way: wait until it has ended.' })
    }
    pollJobs?.()
    return deliveries
  }
}

/** @throws ApiError `source/not-found`; `request/conflict` when no run is under way */
export type StopRun = (environmentId: number, publicId: string, by: ChangedBy) => Promise<void>

/** Stops after the part in hand. */
export function createStopRun({
  sources,
  deliveryRuns,
  clock,
}: Pick<Core, 'sources' | 'deliveryRuns' | 'clock'>): StopRun {
  return async function stopRun(environmentId, publicId, by) {
    const source = await sources.find(environmentId, publicId)
    if (source === undefined) throw new ApiError('source/not-found')
    const now = clock.now()
    const audit = { at: now, ...by, action: 'source.stop-run', environmentId, subject: publicId, detail: {} }
    if (!(await deliveryRuns.stop(environmentId, source.id, now, audit))) {
      throw new ApiError('request/conflict', { reason: 'has-ended', message: 'No run of this source is under way.' })
    }
  }
}

/** @returns A run on the wire. */
export function toRunAnswer(run: DeliveryRun): SourceRunAnswer {
  const { state, outcome, deliveries, pace, done, accepted, refused } = run
  const times = {
    from: toIso(run.from),
    to: toIso(run.to),
    startedAt: toIso(run.startedAt),
    endedAt: toIso(run.endedAt ?? run.stoppedAt),
  }
  return { state, outcome, deliveries, pace, done, accepted, refused, ...times }
}
