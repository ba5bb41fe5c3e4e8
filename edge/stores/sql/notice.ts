// Records notices of writes, so that other processes (nodes, or the server during a command) reload what changed.

import type { Notice, Notices } from '../../domain/notice.ts'
import { NOTICE } from '../tables/notice.ts'
import { insertOne, type RawRow, view } from '../tables/table.ts'
import type { Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

const RETENTION_MS = 60 * 60 * 1000

const VIEW = view(NOTICE, '', ['number', 'topic', 'payload'])
const INSERT = insertOne(NOTICE, ['at', 'topic', 'payload'])

/** Records notices in the transaction of their change. */
export async function recordNotices({ sql, now }: Pick<WriteContext, 'sql' | 'now'>, notices: Notice[]): Promise<void> {
  for (const notice of notices) await INSERT(sql, { at: now, ...notice })
}

export const noticeWrites = {
  /** Removes notices that are an hour old: all nodes have read them. */
  async purgeNotices({ sql }: WriteContext, now: number): Promise<void> {
    await sql.run('DELETE FROM notice WHERE at < ?', [now - RETENTION_MS])
  },
}

export function createNotices(sql: Sql, writes: Writes<typeof noticeWrites>): Notices {
  return {
    purge: writes.purgeNotices,
    async lastNumber() {
      const row = await sql.one<{ last: number }>('SELECT COALESCE(MAX(number), 0) AS last FROM notice')
      return row?.last ?? 0
    },
    async listAfter(number) {
      const text = `SELECT ${VIEW.columns} FROM notice WHERE number > ? ORDER BY number`
      return (await sql.all<RawRow>(text, [number])).map(readNumbered)
    },
  }
}

/** The cast is safe: only `recordNotices` writes these rows. */
function readNumbered(row: RawRow): { number: number; notice: Notice } {
  const { number, ...notice } = VIEW.read(row)
  return { number, notice: notice as Notice }
}
