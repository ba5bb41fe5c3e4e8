// Merges the events and the messages of a user into one stream, newest first, with what the user did with the messages.

import type { DeliveryRecordAnswer } from '../../../contract/resources/delivery.ts'
import type { TrackedEventAnswer } from '../../../contract/resources/tracked-event.ts'

/** Rows of one list, newest first; `cursor` undefined: all of them. */
export interface Rows<Row> {
  rows: readonly Row[]
  cursor: string | undefined
}

export interface Life {
  events: Rows<TrackedEventAnswer>
  deliveries: Rows<DeliveryRecordAnswer>
}

export type Moment = { at: string; key: string } & (
  | { kind: 'event'; event: TrackedEventAnswer }
  | { kind: 'message'; delivery: DeliveryRecordAnswer }
  | { kind: 'clicked' | 'opened' | 'read'; delivery: DeliveryRecordAnswer }
)

/** Of equal times, what was caused comes above its cause. */
const ORDER: readonly Moment['kind'][] = ['clicked', 'opened', 'read', 'message', 'event']

/** @returns The moments down to where both lists are complete: below it, one of them may have more. */
export function momentsOf({ events, deliveries }: Life): Moment[] {
  const moments: Moment[] = [
    ...events.rows.map((event) => ({ kind: 'event', at: event.receivedAt, key: event.eventId, event }) as const),
    ...deliveries.rows.flatMap((delivery): Moment[] => {
      const { messageId, createdAt, readAt, openedAt, clickedAt } = delivery
      const did = (
        [
          ['clicked', clickedAt],
          ['opened', openedAt],
          ['read', readAt],
        ] as const
      ).flatMap(([kind, at]) => (at === null ? [] : [{ kind, at, key: `${messageId} ${kind}`, delivery }]))
      return [...did, { kind: 'message', at: createdAt, key: messageId, delivery }]
    }),
  ]
  const floor = Math.max(
    floorOf(events, ({ receivedAt }) => receivedAt),
    floorOf(deliveries, ({ createdAt }) => createdAt),
  )
  return moments
    .filter(({ at }) => Date.parse(at) >= floor)
    .sort(
      (one, other) => Date.parse(other.at) - Date.parse(one.at) || ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind),
    )
}

function floorOf<Row>({ rows, cursor }: Rows<Row>, at: (row: Row) => string): number {
  if (cursor === undefined) return Number.NEGATIVE_INFINITY
  const last = rows.at(-1)
  // A page may have no row and not be the last.
  return last === undefined ? Number.POSITIVE_INFINITY : Date.parse(at(last))
}

/** @returns The rows with those of a newer first page, each once and as it is now; that page alone where rows between may be missing. */
export function withNewest<Row>(before: Rows<Row>, newest: Rows<Row>, idOf: (row: Row) => string): Rows<Row> {
  const known = new Set(before.rows.map(idOf))
  const isApart = newest.rows.length > 0 && !newest.rows.some((row) => known.has(idOf(row)))
  if (isApart && newest.cursor !== undefined) return newest
  const ids = new Set(newest.rows.map(idOf))
  return { ...before, rows: [...newest.rows, ...before.rows.filter((row) => !ids.has(idOf(row)))] }
}
