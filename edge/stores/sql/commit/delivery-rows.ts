// Collects the delivery events of a batch by message and type. Stored events are read before, all are written at once.

import type { DeliveryEventType } from '../../../../contract/delivery.ts'
import { DELIVERY_EVENT } from '../../tables/message.ts'
import { insertInto, type RawRow, replaceInto, view, type Written } from '../../tables/table.ts'
import { type Sql, withRows } from '../sql.ts'

export type DeliveryEventRow = Written<typeof DELIVERY_EVENT.columns>

const STORED = view(DELIVERY_EVENT, 'd', [
  'messageId',
  'eventType',
  'occurredAt',
  'recordedAt',
  'implied',
  'automated',
  'source',
  'link',
])
const READ = withRows(
  { message_id: 'int' },
  `SELECT ${STORED.columns} FROM given CROSS JOIN delivery_event d WHERE d.message_id = given.message_id`,
)
/** For new messages: no other row can exist, and PostgreSQL does a third less work without the conflict check. */
const INSERT = insertInto(DELIVERY_EVENT)
const WRITE = replaceInto(DELIVERY_EVENT, ['messageId', 'eventType'])

export interface DeliveryRows {
  /** Reads the stored events of messages. */
  load(sql: Sql, messageIds: number[]): Promise<void>
  /** Returns the event of the batch, or else the stored one. */
  find(messageId: number, eventType: DeliveryEventType): DeliveryEventRow | undefined
  /** Sets the event; replaces an earlier event of the same type. */
  set(row: DeliveryEventRow): void
  /** Sets the first event of a message that the batch creates. */
  setFirst(row: DeliveryEventRow): void
  write(sql: Sql): Promise<void>
}

/** Creates an empty collection. */
export function createDeliveryRows(): DeliveryRows {
  const stored = new Map<string, DeliveryEventRow>()
  const written = new Map<string, DeliveryEventRow>()
  const firstKeys = new Set<string>()
  const keyOf = (messageId: number, eventType: string) => `${messageId}:${eventType}`

  return {
    async load(sql, messageIds) {
      const rows = await sql.bulk<RawRow>(
        READ,
        messageIds.map((id) => [id]),
      )
      for (const row of rows.map(STORED.read)) stored.set(keyOf(row.messageId, row.eventType), row)
    },
    find(messageId, eventType) {
      const key = keyOf(messageId, eventType)
      return written.get(key) ?? stored.get(key)
    },
    set: (row) => void written.set(keyOf(row.messageId, row.eventType), row),
    setFirst(row) {
      const key = keyOf(row.messageId, row.eventType)
      written.set(key, row)
      firstKeys.add(key)
    },
    async write(sql) {
      const entries = [...written]
      const rows = (isFirst: boolean) => entries.filter(([key]) => firstKeys.has(key) === isFirst).map(([, row]) => row)
      await INSERT.write(sql, rows(true))
      await WRITE.write(sql, rows(false))
    },
  }
}
