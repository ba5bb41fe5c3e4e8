// Records what became of deliveries, many in one write, so that a flood costs the store little.

import {
  DELIVERIES_KEPT,
  type DeliveryRecords,
  NO_COUNTS,
  type SourceCounts,
  type SourceDelivery,
  type Sources,
} from '../../domain/connector/source.ts'
import type { Log } from '../../lib/log.ts'

export interface RecordDeliveries {
  /** Never waits and never fails: events do not depend on these records. */
  record(sourceId: number, deliveries: SourceDelivery[]): void
  /** Resolves when all records are written. */
  settle(): Promise<void>
}

const COUNTED: Record<SourceDelivery['outcome'], keyof SourceCounts> = {
  accepted: 'accepted',
  duplicate: 'duplicates',
  refused: 'refused',
  dropped: 'dropped',
  unreadable: 'unreadable',
}

export function createRecordDeliveries({
  sources,
  log,
}: {
  sources: Pick<Sources, 'record'>
  log: Pick<Log, 'warn'>
}): RecordDeliveries {
  let waiting = new Map<number, DeliveryRecords>()
  let writing: Promise<void> | undefined

  /** Writes what has gathered while the write before was under way. */
  async function writeAll(): Promise<void> {
    while (waiting.size > 0) {
      const records = [...waiting.values()]
      waiting = new Map()
      await sources.record(records).catch((error: unknown) => log.warn('deliveries not recorded', { error }))
    }
    writing = undefined
  }

  return {
    record(sourceId, deliveries) {
      const records = waiting.get(sourceId) ?? emptyRecords(sourceId)
      waiting.set(sourceId, records)
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

function emptyRecords(sourceId: number): DeliveryRecords {
  return {
    sourceId,
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
