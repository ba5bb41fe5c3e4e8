// The delivery events that a batch holds: unique by (message, type), read before it decides and written once.

import type { DeliveryEventType } from '../../../../contract/delivery.ts'
import { type Columns, insertRows, type Param, type Sql, toFlag, withRows } from '../sql.ts'

export interface DeliveryEventRow {
  messageId: number
  eventType: DeliveryEventType
  occurredAt: number
  recordedAt: number
  implied: boolean
  automated: boolean
  source: string
  link: string | null
}

const READ = withRows(
  { message_id: 'int' },
  `SELECT d.message_id, d.event_type, d.implied, d.automated FROM given CROSS JOIN delivery_event d WHERE d.message_id = given.message_id`,
)
const COLUMNS: Columns = {
  message_id: 'int',
  event_type: 'text',
  occurred_at: 'int',
  recorded_at: 'int',
  implied: 'int',
  automated: 'int',
  source: 'text',
  link: 'text',
}
/** Of messages that this batch creates: nobody else can have written one, and PostgreSQL does a third less for it. */
const INSERT = insertRows('delivery_event', COLUMNS)
const WRITE = insertRows(
  'delivery_event',
  COLUMNS,
  `ON CONFLICT (message_id, event_type) DO UPDATE SET occurred_at = excluded.occurred_at, recorded_at = excluded.recorded_at,
    implied = excluded.implied, automated = excluded.automated, source = excluded.source, link = excluded.link`,
)

export interface DeliveryRows {
  load(sql: Sql, messageIds: number[]): Promise<void>
  find(messageId: number, eventType: DeliveryEventType): Pick<DeliveryEventRow, 'implied' | 'automated'> | undefined
  /** Sets the event, in place of an earlier one of that type. */
  set(row: DeliveryEventRow): void
  /** The first event of a message that the batch creates. */
  begin(row: DeliveryEventRow): void
  write(sql: Sql): Promise<void>
}

export function createDeliveryRows(): DeliveryRows {
  const stored = new Map<string, Pick<DeliveryEventRow, 'implied' | 'automated'>>()
  const written = new Map<string, DeliveryEventRow>()
  const begun = new Set<string>()
  const keyOf = (messageId: number, eventType: string) => `${messageId}:${eventType}`

  return {
    async load(sql, messageIds) {
      const rows = await sql.bulk<{ message_id: number; event_type: string; implied: number; automated: number }>(
        READ,
        messageIds.map((id) => [id]),
      )
      for (const row of rows) {
        stored.set(keyOf(row.message_id, row.event_type), {
          implied: row.implied === 1,
          automated: row.automated === 1,
        })
      }
    },
    find(messageId, eventType) {
      const key = keyOf(messageId, eventType)
      return written.get(key) ?? stored.get(key)
    },
    set: (row) => void written.set(keyOf(row.messageId, row.eventType), row),
    begin(row) {
      const key = keyOf(row.messageId, row.eventType)
      written.set(key, row)
      begun.add(key)
    },
    async write(sql) {
      const entries = [...written]
      await sql.bulk(INSERT, entries.filter(([key]) => begun.has(key)).map(toRow))
      await sql.bulk(WRITE, entries.filter(([key]) => !begun.has(key)).map(toRow))
    },
  }
}

function toRow([, row]: [string, DeliveryEventRow]): Param[] {
  const { messageId, eventType, occurredAt, recordedAt, implied, automated, source, link } = row
  return [messageId, eventType, occurredAt, recordedAt, toFlag(implied), toFlag(automated), source, link]
}
