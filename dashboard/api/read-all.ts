// Reads a list of the API to its end, for pages that count, choose from or search in all of it.

import type { Page } from '../../contract/api.ts'

/** @returns The last page with the rows of all pages. */
export async function readAll<Row, P extends Page<Row>>(read: (cursor: string | undefined) => Promise<P>): Promise<P> {
  const data: Row[] = []
  let cursor: string | undefined
  for (;;) {
    const page = await read(cursor)
    data.push(...page.data)
    if (page.nextCursor === null) return { ...page, data }
    cursor = page.nextCursor
  }
}
