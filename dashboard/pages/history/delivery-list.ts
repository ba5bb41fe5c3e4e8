// Keeps the loaded records of the delivery history: pages at the end, new records at the beginning, changed ones in place.

import type { Page } from '../../../contract/api.ts'
import type { DeliveryRecordAnswer } from '../../../contract/resources/delivery.ts'

/** Chromium limits the height of a scroller: this many rows fit, and a filter finds what is beyond. */
export const MAX_ROWS = 500_000

type RecordPage = Page<DeliveryRecordAnswer>

export interface DeliveryList {
  readonly records: readonly DeliveryRecordAnswer[]
  readonly hasMore: boolean
  readonly cursor: string | undefined
  /** Records that have arrived and are not shown yet. */
  readonly waiting: number
}

const EMPTY: DeliveryList = { records: [], hasMore: false, cursor: undefined, waiting: 0 }

export const emptyList = (): DeliveryList => EMPTY

export function firstPage({ data, nextCursor }: RecordPage): DeliveryList {
  return { records: data, hasMore: nextCursor !== null, cursor: nextCursor ?? undefined, waiting: 0 }
}

/** Adds the page after the last record. */
export function withNextPage(list: DeliveryList, { data, nextCursor }: RecordPage): DeliveryList {
  const records = [...list.records, ...data]
  const isFull = records.length >= MAX_ROWS
  return { ...list, records, hasMore: nextCursor !== null && !isFull, cursor: nextCursor ?? undefined }
}

/**
 * Merges the newest page, which was read again.
 * @param isAtTop Whether new records are shown at once; else they wait, so that no row moves under the reader.
 * @returns The same list when nothing has changed.
 */
export function withNewest(list: DeliveryList, page: RecordPage, isAtTop: boolean): DeliveryList {
  const known = new Set(list.records.map(({ messageId }) => messageId))
  const added = page.data.filter(({ messageId }) => !known.has(messageId))
  const isConnected = added.length < page.data.length || page.data.length === 0 || list.records.length === 0
  // More came at once than a page has: what is between is unknown, so the list begins anew.
  if (!isConnected && isAtTop) return firstPage(page)
  const newest = new Map(page.data.map((record) => [record.messageId, record]))
  let hasChanged = false
  const records = list.records.map((record) => {
    const again = newest.get(record.messageId)
    if (again === undefined || isSame(record, again)) return record
    hasChanged = true
    return again
  })
  if (added.length > 0 && isAtTop) return { ...list, records: [...added, ...records], waiting: 0 }
  if (!hasChanged && list.waiting === added.length) return list
  return { ...list, records: hasChanged ? records : list.records, waiting: added.length }
}

function isSame(one: DeliveryRecordAnswer, other: DeliveryRecordAnswer): boolean {
  return one.status === other.status && one.engagement === other.engagement
}
