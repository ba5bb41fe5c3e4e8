// Reads the first rows of the history while the session loads: on a slow line the page waits for one round trip less.

import type { Page } from '../../../contract/api.ts'
import type { DeliveryRecordAnswer } from '../../../contract/management-schemas.ts'
import type { EnvironmentApi } from '../../api/environment.ts'
import { PAGE_ROWS } from './delivery-list.ts'
import { type Filters, parseFilters, toQuery } from './filters.ts'

type RecordPage = Page<DeliveryRecordAnswer>

/** Rows that a page has not taken by then are stale. */
const FRESH_MS = 10_000

let early: { key: string; readAt: number; rows: Promise<RecordPage> } | undefined

const keyOf = (environmentId: string | null, filters: Filters) => JSON.stringify([environmentId, filters])

/** @param query That of the page's address. */
export function readEarlyRows(api: EnvironmentApi, query: URLSearchParams): void {
  const filters = parseFilters(query)
  const rows = api.deliveries({ ...toQuery(filters), limit: PAGE_ROWS })
  const read = { key: keyOf(query.get('env'), filters), readAt: Date.now(), rows }
  early = read
  // The page reads again by itself: there may be a session by then.
  rows.catch(() => {
    if (early === read) early = undefined
  })
}

/** @returns The rows that were read for this environment and these filters, once; undefined when there are none. */
export function takeEarlyRows(environmentId: string, filters: Filters): Promise<RecordPage> | undefined {
  const taken = early
  early = undefined
  if (taken === undefined || Date.now() - taken.readAt > FRESH_MS) return undefined
  return taken.key === keyOf(environmentId, filters) ? taken.rows : undefined
}
