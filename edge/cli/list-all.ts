// Reads a list to its end, page by page.

import type { Page } from '../../contract/api.ts'

const PAGE = 100

/** @param list Reads one page. */
export async function listAll<T>(
  list: (query: { limit: number; cursor?: string | undefined }) => Promise<Page<T>>,
): Promise<T[]> {
  const all: T[] = []
  let cursor: string | undefined
  do {
    const { data, nextCursor } = await list({ limit: PAGE, cursor })
    all.push(...data)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
  return all
}
