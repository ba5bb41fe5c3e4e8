// Bounds the pages in which an export reads a table: a version of a campaign has up to 4 MiB, most rows a few hundred bytes.

import type { Columns, Param, Sql } from '../sql/sql.ts'

const PAGE_ROWS = 256
/** Of a page; a larger row is a page alone. */
const PAGE_BYTES = 4 * 1024 * 1024

export type Page = Record<string, Param>[]

/**
 * Reads the next rows of a query that ends with `ORDER BY …`, as many as a page has.
 * @param columns Of the table; all are read
 * @param from The query from `FROM` on
 * @returns An empty page at the end
 */
export async function readPage(sql: Sql, columns: Columns, from: string, params: Param[]): Promise<Page> {
  const texts = Object.keys(columns).filter((name) => columns[name] === 'text')
  const weight = ['0', ...texts.map((name) => `COALESCE(octet_length(${name}), 0)`)].join(' + ')
  const sizes = await sql.all<{ bytes: number }>(`SELECT ${weight} AS bytes ${from} LIMIT ?`, [...params, PAGE_ROWS])
  let count = 0
  for (let bytes = 0; count < sizes.length && bytes < PAGE_BYTES; count++) bytes += Number(sizes[count]?.bytes)
  if (count === 0) return []
  return sql.all(`SELECT ${Object.keys(columns).join(', ')} ${from} LIMIT ?`, [...params, count])
}
