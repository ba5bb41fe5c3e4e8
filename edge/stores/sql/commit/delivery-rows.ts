// Collects the delivery events of a batch by message and type. Stored events are read before, all are written at once.

import type { RegisteredEventType } from '../../../../contract/delivery.ts'
import { DELIVERY_EVENT, EVENT_KEY, eventKeysOf } from '../../tables/message.ts'
import { type RawRow, replaceInto, view, type Written } from '../../tables/table.ts'
import { type Sql, withRows } from '../sql.ts'
import type { MessageKey } from './working-rows.ts'

export type DeliveryEventRow = Written<typeof DELIVERY_EVENT.columns>

const STORED = view(DELIVERY_EVENT, 'd', [
  'environmentId',
  'eventType',
  'messageId',
  'occurredAt',
  'recordedAt',
  'implied',
  'automated',
  'source',
  'link',
])
const READ = withRows(
  EVENT_KEY,
  `SELECT ${STORED.columns} FROM given CROSS JOIN delivery_event d
    WHERE d.environment_id = given.environment_id AND d.event_type = given.event_type AND d.message_id = given.message_id`,
)
const WRITE = replaceInto(DELIVERY_EVENT, ['environmentId', 'eventType', 'messageId'])

export interface DeliveryRows {
  /** Reads the stored events of messages. */
  load(sql: Sql, messages: readonly MessageKey[]): Promise<void>
  /** Returns the event of the batch, or else the stored one. */
  find(messageId: number, eventType: RegisteredEventType): DeliveryEventRow | undefined
  /** Sets the event; replaces an earlier event of the same type. */
  set(row: DeliveryEventRow): void
  write(sql: Sql): Promise<void>
}

/** Creates an empty collection. */
export function createDeliveryRows(): DeliveryRows {
  const stored = new Map<string, DeliveryEventRow>()
  const written = new Map<string, DeliveryEventRow>()
  const keyOf = (messageId: number, eventType: string) => `${messageId}:${eventType}`

  return {
    async load(sql, messages) {
      const rows = await sql.bulk<RawRow>(READ, messages.flatMap(eventKeysOf))
      for (const row of rows.map(STORED.read)) stored.set(keyOf(row.messageId, row.eventType), row)
    },
    find(messageId, eventType) {
      const key = keyOf(messageId, eventType)
      return written.get(key) ?? stored.get(key)
    },
    set: (row) => void written.set(keyOf(row.messageId, row.eventType), row),
    async write(sql) {
      await WRITE.write(sql, [...written.values()])
    },
  }
}
