// Records what became of deliveries, many in one write, so that a flood costs the store little.

import { type DeliveryBody, MAX_BODY_BYTES } from '../../domain/connector/delivery-body.ts'
import {
  DELIVERIES_KEPT,
  type DeliveryRecords,
  NO_COUNTS,
  type Source,
  type SourceCounts,
  type SourceDelivery,
} from '../../domain/connector/source.ts'
import type { Core } from '../../domain/core.ts'

export interface RecordDeliveries {
  /** Never waits and never fails: events do not depend on these records. */
  record(source: Pick<Source, 'id' | 'environmentId'>, deliveries: SourceDelivery[]): void
  /** Keeps the body as it came; while too much waits to be written, it is left out. */
  keepBody(body: DeliveryBody): void
  /** Resolves when all records are written. */
  settle(): Promise<void>
}

/** Bodies in memory that are not written yet. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024
/** An environment may have this much more than it keeps. */
const TRIM_EVERY_BYTES = 4 * 1024 * 1024

const COUNTED: Record<SourceDelivery['outcome'], keyof SourceCounts> = {
  accepted: 'accepted',
  duplicate: 'duplicates',
  refused: 'refused',
  dropped: 'dropped',
  unreadable: 'unreadable',
}

export function createRecordDeliveries({
  sources,
  deliveryBodies,
  log,
}: Pick<Core, 'sources' | 'deliveryBodies' | 'log'>): RecordDeliveries {
  let waiting = new Map<number, DeliveryRecords>()
  let writing: Promise<void> | undefined
  let waitingBodies: DeliveryBody[] = []
  let waitingBytes = 0
  /** Bytes that were kept since the last trim, by environment. */
  const grown = new Map<number, number>()

  /** Writes what has gathered while the write before was under way. */
  async function writeAll(): Promise<void> {
    while (waiting.size > 0 || waitingBodies.length > 0) {
      const records = [...waiting.values()]
      const kept = waitingBodies
      waiting = new Map()
      waitingBodies = []
      // A delivery that is counted can be run again.
      if (kept.length > 0) {
        await keepAll(kept).catch((error: unknown) => log.warn('bodies of deliveries not kept', { error }))
      }
      if (records.length > 0) {
        await sources.record(records).catch((error: unknown) => log.warn('deliveries not recorded', { error }))
      }
      waitingBytes -= kept.reduce((sum, body) => sum + sizeOf(body), 0)
    }
    writing = undefined
  }

  async function keepAll(kept: DeliveryBody[]): Promise<void> {
    await deliveryBodies.keep(kept)
    for (const body of kept) {
      grown.set(body.environmentId, (grown.get(body.environmentId) ?? 0) + sizeOf(body))
    }
    for (const [environmentId, bytes] of grown) {
      if (bytes < TRIM_EVERY_BYTES) continue
      grown.delete(environmentId)
      await deliveryBodies.trim(environmentId, MAX_BODY_BYTES)
    }
  }

  return {
    keepBody(body) {
      if (waitingBytes + sizeOf(body) > MAX_WAITING_BYTES) return
      waitingBytes += sizeOf(body)
      waitingBodies.push(body)
      writing ??= writeAll()
    },
    record(source, deliveries) {
      const records = waiting.get(source.id) ?? emptyRecords(source)
      waiting.set(source.id, records)
      for (const delivery of deliveries) add(records, delivery)
      // Only the last ones are kept anyway.
      records.deliveries.splice(0, records.deliveries.length - DELIVERIES_KEPT)
      writing ??= writeAll()
    },
    async settle() {
      await writing
    },
  }
}

const sizeOf = ({ body, headers }: DeliveryBody) =>
  Object.entries(headers ?? {}).reduce((sum, [name, value]) => sum + name.length + value.length, body.length)

function emptyRecords({ id, environmentId }: Pick<Source, 'id' | 'environmentId'>): DeliveryRecords {
  return {
    environmentId,
    sourceId: id,
    lastReceivedAt: null,
    lastErrorAt: null,
    lastError: null,
    counts: { ...NO_COUNTS },
    deliveries: [],
  }
}

function add(records: DeliveryRecords, delivery: SourceDelivery): void {
  const { outcome, at, reason } = delivery
  records.counts[COUNTED[outcome]]++
  records.deliveries.push(delivery)
  if (outcome === 'refused' || outcome === 'unreadable') {
    records.lastErrorAt = at
    records.lastError = reason
  }
  if (outcome !== 'refused') records.lastReceivedAt = at
}
