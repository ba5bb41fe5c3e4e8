// Notices from processes beside the server, and which writes tell of themselves (contract section 11).

import type { Notice, Notices, NoticeTopic } from '../../domain/notice.ts'
import type { Sql } from './sql.ts'
import type { WriteContext } from './write.ts'

const KEPT_MS = 60 * 60 * 1000

/** In the transaction of the change; those that everyone has read long ago go. */
export async function writeNotices({ sql, now }: WriteContext, notices: readonly Notice[]): Promise<void> {
  if (notices.length === 0) return
  for (const { topic, payload } of notices) {
    await sql.run('INSERT INTO notice (at, topic, payload) VALUES (?, ?, ?)', [now, topic, JSON.stringify(payload)])
  }
  await sql.run('DELETE FROM notice WHERE at < ?', [now - KEPT_MS])
}

export function createNotices(sql: Sql): Notices {
  return {
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

/** Written by `writeNotices` alone: topic and payload belong together. */
function toNotice(topic: NoticeTopic, payload: string): Notice {
  return { topic, payload: JSON.parse(payload) } as Notice
}
