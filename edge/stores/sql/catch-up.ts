// Reads the missed changes of many sockets in one statement, with the heads of the same snapshot.

import type { CatchUps, MissedQuery } from '../../domain/delivery/catch-up.ts'
import type { ReadChanges } from '../../domain/delivery/inbox-change.ts'
import { MESSAGE_OF_ITEM } from '../tables/message.ts'
import { LOG_KEEPS } from './commit/inbox-work.ts'
import {
  addedAfter,
  type ChangeRow,
  FEW_MESSAGES,
  HEAD_COLUMNS,
  MESSAGE_VIEW,
  oldestKnown,
  READ_BYTES,
  toChange,
  toHead,
} from './inbox.ts'
import { type Sql, withRows } from './sql.ts'

type MissedRow = ChangeRow & { place: number }

const ASKED = { place: 'int', environment_id: 'int', user_no: 'int', since: 'int' } as const
const IS_HEAD = 'h.environment_id = given.environment_id AND h.user_no = given.user_no'
/** Only users whose changes are all in the log are read. */
const IS_KNOWN = `given.since >= h.floor AND given.since >= h.seq - ${LOG_KEEPS}`
/** The first part sets the column types. Each head has a row of its own, because it may have no changes. */
const READ_MISSED = withRows(
  ASKED,
  `SELECT given.place, ${HEAD_COLUMNS}, i.seq AS change_seq, m.id AS message_id, 'add' AS op, NULL AS patch, ${MESSAGE_VIEW.columns}
      FROM given CROSS JOIN inbox_head h CROSS JOIN inbox_item i CROSS JOIN message m
      WHERE ${IS_HEAD} AND ${IS_KNOWN} AND ${addedAfter('given.user_no', 'given.since')} AND ${MESSAGE_OF_ITEM}
    UNION ALL SELECT given.place, ${HEAD_COLUMNS}, c.seq, c.message_id, 'logged', c.patch, ${MESSAGE_VIEW.nulls}
      FROM given CROSS JOIN inbox_head h CROSS JOIN inbox_change c
      WHERE ${IS_HEAD} AND ${IS_KNOWN}
        AND c.environment_id = given.environment_id AND c.user_no = given.user_no AND c.seq > given.since
    UNION ALL SELECT given.place, ${HEAD_COLUMNS}, NULL, NULL, 'head', NULL, ${MESSAGE_VIEW.nulls}
      FROM given CROSS JOIN inbox_head h WHERE ${IS_HEAD}`,
)

/** Weighs the messages that were added. */
const WEIGH = withRows(
  ASKED,
  `SELECT given.place, SUM(octet_length(m.snapshot)) AS bytes
    FROM given CROSS JOIN inbox_head h CROSS JOIN inbox_item i CROSS JOIN message m
    WHERE ${IS_HEAD} AND ${IS_KNOWN} AND ${addedAfter('given.user_no', 'given.since')} AND ${MESSAGE_OF_ITEM}
    GROUP BY given.place`,
)

export function createCatchUps(sql: Sql, storeEpoch: string): CatchUps {
  return {
    async missed(positions) {
      const tooMuch = await findTooMuch(sql, positions)
      // Asked from the future, an inbox has no changes: its client reads the pages again.
      const asked = positions.map(({ environmentId, userNo, since }, place) => [
        place,
        environmentId,
        userNo,
        tooMuch.has(place) ? Number.MAX_SAFE_INTEGER : since,
      ])
      const rows = await sql.bulk<MissedRow>(READ_MISSED, asked)
      const places: MissedRow[][] = positions.map(() => [])
      for (const row of rows) places[row.place]?.push(row)
      return positions.map((position, place) => toRead(storeEpoch, position, places[place] ?? [], tooMuch.has(place)))
    },
  }
}

/** @returns The places of positions after which too much was added to be read at once. */
async function findTooMuch(sql: Sql, positions: MissedQuery[]): Promise<Set<number>> {
  const many = positions.flatMap(({ environmentId, userNo, since, count }, place) =>
    count > FEW_MESSAGES ? [[place, environmentId, userNo, since]] : [],
  )
  if (many.length === 0) return new Set()
  const weights = await sql.bulk<{ place: number; bytes: number }>(WEIGH, many)
  return new Set(weights.filter(({ bytes }) => Number(bytes) > READ_BYTES).map(({ place }) => place))
}

function toRead(
  storeEpoch: string,
  { userNo, since }: MissedQuery,
  rows: MissedRow[],
  isTooMuch: boolean,
): ReadChanges {
  const [first] = rows
  const head = toHead(storeEpoch, userNo, first)
  if (isTooMuch || since > head.seq || (first !== undefined && since < oldestKnown(first)))
    return { head, changes: [], reset: true }
  const changes = rows.flatMap(toChange).sort((a, b) => a.seq - b.seq)
  return { head, changes, reset: false }
}
