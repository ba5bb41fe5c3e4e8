// Cuts a page out of a list that is bounded by itself, also by the bytes of its items.

import type { Page } from '../../contract/api.ts'
import { encodeCursor, type ListName, parseCursor } from './cursor.ts'

/** Of the items of one page; one that is larger is a page alone. */
const PAGE_BYTES = 1024 * 1024

export interface PageQuery {
  /** Absent: as many as there are. */
  limit?: number | undefined
  cursor?: string | undefined
}

/**
 * @param positionOf The number of an item, by which the next page is found: the later in the list, the lower. An item that
 * was removed meanwhile is followed by those with lower numbers. Default: the distance to the end, which new items leave as
 * it is.
 * @throws ApiError `request/invalid-query` for a cursor of another list
 */
export function cutPage<T>(
  name: ListName,
  items: readonly T[],
  { limit = Number.POSITIVE_INFINITY, cursor }: PageQuery,
  positionOf: (item: T, place: number) => number = (_item, place) => items.length - place,
): Page<T> {
  const last = parseCursor(name, cursor)
  const next = last === null ? 0 : items.findIndex((item, place) => positionOf(item, place) < last)
  const rest = next < 0 ? [] : items.slice(next)
  const data: T[] = []
  let bytes = 0
  for (const item of rest) {
    if (data.length >= limit || bytes >= PAGE_BYTES) break
    data.push(item)
    bytes += Buffer.byteLength(JSON.stringify(item))
  }
  const end = data.at(-1)
  return {
    data,
    nextCursor:
      end === undefined || data.length === rest.length
        ? null
        : encodeCursor(name, positionOf(end, next + data.length - 1)),
  }
}
