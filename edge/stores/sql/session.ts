// Stores widget sessions. Ended sessions stay until their tokens expire, so that the tokens are refused until then.

import type { Sessions, WidgetSession } from '../../domain/session.ts'
import { SESSION, SESSION_FIELDS } from '../tables/session.ts'
import { insertOne } from '../tables/table.ts'
import type { Sql } from './sql.ts'
import { raiseIdFloor, type WriteContext, type Writes } from './write.ts'

const INSERT = insertOne(SESSION, SESSION_FIELDS)

export const sessionWrites = {
  async createSession(context: WriteContext, session: WidgetSession): Promise<void> {
    await INSERT(context.sql, session)
    await raiseIdFloor(context, session.id)
  },
  async endSession(context: WriteContext, environmentId: number, id: number, now: number): Promise<boolean> {
    const text = 'UPDATE session SET ended_at = ? WHERE environment_id = ? AND id = ? AND ended_at IS NULL'
    return (await context.sql.run(text, [now, environmentId, id])) > 0
  },
  async endSessionsOfUser(context: WriteContext, userNo: number, now: number): Promise<number[]> {
    return endWhere(context, 'user_no = ?', [userNo], now)
  },
  async endSessionsOfCredential(
    context: WriteContext,
    environmentId: number,
    by: { credential?: string; frontKeyId?: number },
    now: number,
  ): Promise<number[]> {
    const ended: number[] = []
    if (by.credential !== undefined) {
      ended.push(
        ...(await endWhere(context, 'environment_id = ? AND credential = ?', [environmentId, by.credential], now)),
      )
    }
    if (by.frontKeyId !== undefined) {
      ended.push(
        ...(await endWhere(context, 'environment_id = ? AND front_key_id = ?', [environmentId, by.frontKeyId], now)),
      )
    }
    return ended
  },
  async purgeSessions(context: WriteContext, now: number): Promise<void> {
    await context.sql.run('DELETE FROM session WHERE expires_at <= ?', [now])
  },
}

async function endWhere(
  context: WriteContext,
  which: string,
  params: (string | number)[],
  now: number,
): Promise<number[]> {
  const rows = await context.sql.all<{ id: number }>(
    `UPDATE session SET ended_at = ? WHERE ${which} AND ended_at IS NULL AND expires_at > ? RETURNING id`,
    [now, ...params, now],
  )
  return rows.map((row) => row.id)
}

export function createSessions(sql: Sql, writes: Writes<typeof sessionWrites>): Sessions {
  return {
    create: writes.createSession,
    async isStored({ environmentId, id, userNo }) {
      const text = 'SELECT 1 AS one FROM session WHERE environment_id = ? AND id = ? AND user_no = ?'
      return (await sql.one(text, [environmentId, id, userNo])) !== undefined
    },
    end: writes.endSession,
    endAllOfUser: writes.endSessionsOfUser,
    endAllOfCredential: writes.endSessionsOfCredential,
    purgeExpired: writes.purgeSessions,
    async listEnded(now) {
      const text = 'SELECT id FROM session WHERE expires_at > ? AND ended_at IS NOT NULL ORDER BY id'
      return (await sql.all<{ id: number }>(text, [now])).map((row) => row.id)
    },
  }
}
