// Keeps the latest fetches of mails, and finds those that a program made. The locks of the heads guard them.

import { createHash } from 'node:crypto'
import { findScan, KEPT_FETCHES, type MailFetch } from '../../../domain/mail/mail-scan.ts'
import type { DeliveryPlan } from '../../../domain/plan.ts'
import { MAIL } from '../../tables/mail.ts'
import { type RawRow, type RowOf, updateRows, view } from '../../tables/table.ts'
import { type Sql, withRows } from '../sql.ts'
import type { MessageKey } from './working-rows.ts'

const VIEW = view(MAIL, 'x', ['environmentId', 'messageId', 'deliveredAt', 'fetches'])
const READ = withRows(
  { environment_id: 'int', id: 'int' },
  `SELECT ${VIEW.columns} FROM given CROSS JOIN mail x
    WHERE x.environment_id = given.environment_id AND x.message_id = given.id`,
)
const UPDATE = updateRows(MAIL, ['environmentId', 'messageId'], ['fetches'])

type Item = DeliveryPlan['items'][number]

export interface MailFetches {
  /** Reads the fetches of mails; call it after the heads are locked. */
  load(sql: Sql, keys: readonly MessageKey[]): Promise<void>
  /**
   * Adds the fetch of an item, at `at`, of a mail that was accepted at `acceptedAt` (epoch ms).
   * @returns the times of the series that it belongs to, where a program made it
   */
  add(item: Item, at: number, acceptedAt: number): { from: number; to: number } | undefined
  write(sql: Sql): Promise<void>
}

/** Creates an empty collection. */
export function createMailFetches(): MailFetches {
  const mails = new Map<number, RowOf<typeof VIEW>>()
  const changed = new Set<RowOf<typeof VIEW>>()
  return {
    async load(sql, keys) {
      const rows = await sql.bulk<RawRow>(
        READ,
        keys.map((key) => [...key]),
      )
      for (const row of rows.map(VIEW.read)) mails.set(row.messageId, row)
    },
    add(item, at, acceptedAt) {
      const mail = mails.get(item.messageId)
      if (mail === undefined) return undefined
      const fetch = toFetch(item, at)
      const fetches = [...(mail.fetches ?? []), fetch].sort((one, other) => one.at - other.at)
      mail.fetches = fetches.slice(-KEPT_FETCHES)
      changed.add(mail)
      return findScan(fetches, fetch, Math.max(acceptedAt, mail.deliveredAt ?? 0))
    },
    async write(sql) {
      await UPDATE.write(sql, [...changed])
    },
  }
}

function toFetch({ messageId, eventType, link, fetchedFrom }: Item, at: number): MailFetch {
  return {
    at,
    link: eventType === 'clicked' ? shortHash(link ?? '', 8) : null,
    // Too short to find the network by trying all of them, and another one for each mail.
    network: fetchedFrom == null ? null : shortHash(`${messageId} ${fetchedFrom}`, 2),
  }
}

const shortHash = (text: string, chars: number) => createHash('sha256').update(text).digest('base64url').slice(0, chars)
