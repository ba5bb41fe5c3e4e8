// Runs deliveries again: one with the mappings of today, those of a time by the
// job `run-deliveries`, part by part.

import type { RunDeliveryAnswer } from '../../../contract/resources/source-delivery.ts'
import type { DeliveryOutcome } from '../../../contract/tenant.ts'
import type { ChangedBy } from '../../domain/audit.ts'
import type { DeliveredItem } from '../../domain/connector/connector.ts'
import type { KeptBody } from '../../domain/connector/delivery-body.ts'
import type { DeliveryRun } from '../../domain/connector/delivery-run.ts'
import type { Source, SourceDelivery, StoredSource } from '../../domain/connector/source.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import { markOfJob } from '../../domain/in-hand.ts'
import type { Job } from '../../domain/job.ts'
import { ApiError, isUnavailable } from '../../lib/api-error.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import { formatId } from '../../lib/id.ts'
import type { RunDeliveriesPayload } from './begin-run.ts'
import { oneLine, type TrackedItems, type TrackItems } from './track-items.ts'

type Taken = Pick<Core, 'sources' | 'deliveryBodies' | 'connectors' | 'deliveryRuns' | 'audit' | 'clock'> & {
  findEnvironment(id: number): Promise<Environment | undefined>
  trackItems: TrackItems
}

export type RunDeliveries = ReturnType<typeof createRunDeliveries>

/** Bodies of a part; large ones are fewer. */
const PART = 50
const MINUTE_MS = 60_000
const NO_ITEM = 'The body has no item of this id.'
const REPEATED = 'These mappings have run it already: this is the event that they made.'
/** What no event came of: the platform's own next try is a repeat of the run. */
const isUntracked = (outcome: DeliveryOutcome | undefined) => outcome === 'dropped' || outcome === 'refused'

export function createRunDeliveries(deps: Taken) {
  async function getSource(environmentId: number, publicId: string): Promise<StoredSource> {
    const source = await deps.sources.find(environmentId, publicId)
    if (source === undefined) throw new ApiError('source/not-found')
    return source
  }

  /** @throws ApiError of the first event that could not be stored, and of a body that cannot be read today either */
  async function run(
    environment: Environment,
    source: Source,
    kept: KeptBody,
    { correlationId, jobId }: { correlationId: string; jobId?: number },
  ): Promise<TrackedItems> {
    const outcomes = new Map(kept.items.map(({ deliveryId, outcome }) => [deliveryId, outcome]))
    const items = readItems(deps, source, kept).filter(({ deliveryId }) => outcomes.has(oneLine(deliveryId)))
    if (items.length === 0) throw new ApiError('request/invalid-body', { message: NO_ITEM })
    // The same mappings run an item once, however often they are asked to.
    const mappings = sha256Hex(JSON.stringify(source.mappings))
    return deps.trackItems(
      { source, environment },
      {
        items,
        unsigned: 0,
        secretId: null,
        isRun: true,
        correlationId,
        ...(jobId !== undefined && { mark: markOfJob(environment.id, jobId) }),
        now: deps.clock.now(),
        repeatKeyOf({ deliveryId }) {
          const outcome = outcomes.get(oneLine(deliveryId))
          return isUntracked(outcome) ? deliveryId : `run:${mappings}:${deliveryId}`
        },
      },
    )
  }

  /** Runs a part of a run. Bodies that cannot be stored are counted. @returns the bodies of the part; 0 at the end @throws ApiError `service/unavailable` */
  async function runPart(environment: Environment, source: StoredSource, former: DeliveryRun): Promise<number> {
    const { from, to, outcome, after, mappings, pace } = former
    const part = await deps.deliveryBodies.listPage(environment.id, source.id, {
      from,
      to,
      outcome,
      after,
      limit: pace === null ? PART : Math.min(PART, Math.max(1, Math.round(pace / 60))),
    })
    let { done, accepted, refused } = former
    for (const kept of part) {
      done += kept.items.length
      try {
        accepted += (await run(environment, { ...source, mappings }, kept, former)).accepted
      } catch (error) {
        if (!(error instanceof ApiError) || isUnavailable(error)) throw error
        refused += kept.items.length
      }
    }
    const last = part.at(-1)
    const endedAt = last === undefined ? deps.clock.now() : null
    await deps.deliveryRuns.advance(former, { done, accepted, refused, after: last ?? after, endedAt })
    return part.length
  }

  /** What a repeat ran before has its entry as well: somebody asked for it. */
  function recordRun(environmentId: number, subject: string, delivery: string, by: ChangedBy): Promise<void> {
    const detail = { delivery: oneLine(delivery) }
    return deps.audit.record({
      at: deps.clock.now(),
      ...by,
      action: 'source.run-delivery',
      environmentId,
      subject,
      detail,
    })
  }

  return {
    /**
     * @throws ApiError `source/not-found`, `request/not-found` without a kept body, `service/unavailable`
     */
    async one(
      environment: Environment,
      publicId: string,
      deliveryId: string,
      correlationId: string,
      by: ChangedBy,
    ): Promise<RunDeliveryAnswer> {
      const source = await getSource(environment.id, publicId)
      const kept = await deps.deliveryBodies.find(environment.id, source.id, deliveryId)
      if (kept === undefined) throw new ApiError('request/not-found', { message: 'This delivery is kept no more.' })
      try {
        const { accepted, deliveries } = await run(environment, source, kept, { correlationId })
        await recordRun(environment.id, publicId, deliveryId, by)
        return toAnswer(accepted, deliveries[0])
      } catch (error) {
        const reason = error instanceof ApiError ? oneLine(error.message) : undefined
        if (reason === undefined || isUnavailable(error)) throw error
        return { accepted: 0, outcome: 'refused', eventId: null, reason }
      }
    },

    /** Handles the job `run-deliveries`. A part that runs twice gives the same events, because its mappings are the same. */
    async part({ id, environmentId, payload }: Job): Promise<'complete' | { goOnAt: number }> {
      const begunAt = deps.clock.now()
      const { sourceId } = JSON.parse(payload) as RunDeliveriesPayload
      const environment = await deps.findEnvironment(environmentId)
      const source = await deps.sources.find(environmentId, sourceId)
      const [run] = source === undefined ? [] : await deps.deliveryRuns.listOf(environmentId, [source.id])
      // It was removed or stopped meanwhile, or another run has begun after this one was given up.
      if (environment === undefined || source === undefined || run?.jobId !== id || run.stoppedAt !== null)
        return 'complete'
      if (environment.disabledAt !== null) throw new Error('the environment is disabled')
      const bodies = await runPart(environment, source, run)
      if (bodies === 0) return 'complete'
      return { goOnAt: begunAt + (run.pace === null ? 0 : (bodies * MINUTE_MS) / run.pace) }
    },
  }
}

/** A kept body has the item alone that is run. */
function toAnswer(accepted: number, delivery: SourceDelivery | undefined): RunDeliveryAnswer {
  const { outcome = 'refused', eventId = null, reason = NO_ITEM } = delivery ?? {}
  const said = outcome === 'duplicate' ? REPEATED : reason
  return { accepted, outcome, eventId: eventId === null ? null : formatId('event', eventId), reason: said }
}

/** @throws ApiError for a body that cannot be read today either */
function readItems({ connectors, clock }: Taken, source: Source, { body, headers, items }: KeptBody): DeliveredItem[] {
  const call = { method: 'POST', url: '', headers: headers ?? {}, body: Buffer.from(body), now: clock.now() }
  const read = connectors[source.provider].read(call, source).items
  // A body that could not be read when it came has itself as its only item.
  const [item] = items.length === 1 ? items : []
  const [one] = read.length === 1 ? read : []
  if (one === undefined || item === undefined || oneLine(one.deliveryId) === item.deliveryId) return read
  return [{ ...one, deliveryId: item.deliveryId }]
}
