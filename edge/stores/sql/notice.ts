// Records notices of writes, so that other processes (nodes, or the server during a command) reload what changed.

import type { Notice, Notices, NoticeTopic } from '../../domain/notice.ts'
import type { Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

const RETENTION_MS = 60 * 60 * 1000

/** Records notices in the transaction of their change. */
export async function recordNotices({ sql, now }: WriteContext, notices: Notice[]): Promise<void> {
  for (const { topic, payload } of notices) {
    await sql.run('INSERT INTO notice (at, topic, payload) VALUES (?, ?, ?)', [now, topic, JSON.stringify(payload)])
  }
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
      const rows = await sql.all<{ number: number; topic: NoticeTopic; payload: string }>(
        'SELECT number, topic, payload FROM notice WHERE number > ? ORDER BY number',
        [number],
      )
      return rows.map((row) => ({ number: row.number, notice: toNotice(row.topic, row.payload) }))
    },
  }
}

/** The cast is safe: only `recordNotices` writes these rows. */
function toNotice(topic: NoticeTopic, payload: string): Notice {
  return { topic, payload: JSON.parse(payload) } as Notice
}
