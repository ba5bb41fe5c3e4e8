// The room inside a SQLite file: pages whose rows were removed (issue part 2, "Disk full").

import type { Sql } from '../sql/sql.ts'

/** Bytes that new rows can take without the file growing. */
export async function readReusableBytes(sql: Sql): Promise<number> {
  const free = await sql.one<{ freelist_count: number }>('PRAGMA freelist_count')
  const page = await sql.one<{ page_size: number }>('PRAGMA page_size')
  return (free?.freelist_count ?? 0) * (page?.page_size ?? 0)
}
