// Reads a list page by page, to its end or to a number of items.

import type { Page } from '../../contract/api.ts'

const PAGE = 100

/** @param list Reads one page. @param most How many items to read. */
export async function listAll<T>(
  list: (query: { limit: number; cursor?: string | undefined }) => Promise<Page<T>>,
  most = Number.POSITIVE_INFINITY,
): Promise<T[]> {
  const all: T[] = []
  let cursor: string | undefined
  do {
    const { data, nextCursor } = await list({ limit: Math.min(PAGE, most - all.length), cursor })
    all.push(...data)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined && all.length < most)
  return all
}
