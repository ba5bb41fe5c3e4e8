// Reads the free space inside a SQLite file: pages whose rows were removed.

import type { Sql } from '../sql/sql.ts'

/** @returns The bytes that new rows can use without the file growing. */
export async function readReusableBytes(sql: Sql): Promise<number> {
  const free = await sql.one<{ freelist_count: number }>('PRAGMA freelist_count')
  const page = await sql.one<{ page_size: number }>('PRAGMA page_size')
  return (free?.freelist_count ?? 0) * (page?.page_size ?? 0)
}
