// Reads the windows that throttles and digests have open for a user; `commit/` fills them.

import type { GateWindows } from '../../domain/run/gate-windows.ts'
import { DIGEST_WINDOW, THROTTLE_WINDOW } from '../tables/gates.ts'
import { type RawRow, view } from '../tables/table.ts'
import type { Sql } from './sql.ts'

const THROTTLE = view(THROTTLE_WINDOW, '', ['stepId', 'endsAt', 'taken'])
const DIGEST = view(DIGEST_WINDOW, '', ['stepId', 'version', 'openedAt', 'closesAt', 'events'], { key: 'digestKey' })
const OF_USER = 'WHERE environment_id = ? AND user_no = ? AND campaign_id = ?'

export function createGateWindows(sql: Sql): GateWindows {
  return {
    async listOf(...of) {
      const [throttles, digests] = await Promise.all([
        sql.all<RawRow>(`SELECT ${THROTTLE.columns} FROM throttle_window ${OF_USER}`, of),
        sql.all<RawRow>(`SELECT ${DIGEST.columns} FROM digest_window ${OF_USER}`, of),
      ])
      return { throttles: throttles.map(THROTTLE.read), digests: digests.map(DIGEST.read) }
    },
  }
}
