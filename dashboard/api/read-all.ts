// Reads a list to its end, page by page.

import type { Page } from '../../contract/api.ts'
import type { Query } from './addresses.ts'
import type { ApiClient } from './client.ts'

/** @returns The last page, with the rows of all pages. */
export async function readAll<P extends Page<unknown>>(
  client: Pick<ApiClient, 'get'>,
  path: string,
  query: Query,
  signal?: AbortSignal,
): Promise<P> {
  const rows: unknown[] = []
  let cursor: string | undefined
  for (;;) {
    const page: P = await client.get<P>(path, { ...query, cursor }, signal)
    rows.push(...page.data)
    if (page.nextCursor === null) return { ...page, data: rows }
    cursor = page.nextCursor
  }
}
