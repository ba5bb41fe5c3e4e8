// Stores the layouts of sent mails, each once for all mails that were sent with it.

import { LAYOUT_RENEWAL_MS, type MailLayouts } from '../../domain/mail/mail-layout.ts'
import { MAIL_LAYOUT } from '../tables/mail.ts'
import { insertOne, type RawRow, view } from '../tables/table.ts'
import type { Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

const VIEW = view(MAIL_LAYOUT, 'l', ['content'])
const KEEP = insertOne(
  MAIL_LAYOUT,
  undefined,
  `ON CONFLICT (environment_id, hash) DO UPDATE SET used_at = excluded.used_at
    WHERE mail_layout.used_at < excluded.used_at`,
)

export const mailLayoutWrites = {
  async keepLayout(
    { sql }: WriteContext,
    environmentId: number,
    hash: string,
    content: string,
    usedAt: number,
  ): Promise<void> {
    await KEEP(sql, { environmentId, hash, content, usedAt })
  },
}

export function createMailLayouts(sql: Sql, writes: Writes<typeof mailLayoutWrites>): MailLayouts {
  return {
    keep: (environmentId, hash, layout, usedAt) =>
      writes.keepLayout(environmentId, hash, JSON.stringify(layout), usedAt),
    async findOf(environmentId, messageId) {
      const row = await sql.one<RawRow>(
        `SELECT ${VIEW.columns} FROM mail x JOIN mail_layout l ON l.environment_id = x.environment_id AND l.hash = x.layout_hash
          WHERE x.environment_id = ? AND x.message_id = ?`,
        [environmentId, messageId],
      )
      return row && VIEW.read(row).content
    },
  }
}

/**
 * Removes layouts that no mail has any more, once all messages before that time are removed: a mail was handed over after
 * its message was created.
 * @returns how many were removed
 */
export function purgeLayouts(sql: Sql, environmentId: number, before: number, limit: number): Promise<number> {
  return sql.run(
    `DELETE FROM mail_layout WHERE environment_id = ? AND hash IN
      (SELECT hash FROM mail_layout WHERE environment_id = ? AND used_at < ? ORDER BY hash LIMIT ?)`,
    [environmentId, environmentId, before - 2 * LAYOUT_RENEWAL_MS, limit],
  )
}
