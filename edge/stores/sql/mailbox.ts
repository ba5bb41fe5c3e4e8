// Stores the mails that are kept while no mail server is set.

import { type KeptMail, type KeptMailHead, MAILBOX_SIZE, type Mailbox } from '../../domain/mail/mailbox.ts'
import type { Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

interface HeadRow {
  message_id: number
  environment_id: number
  from_name: string | null
  from_address: string
  to_name: string | null
  to_address: string
  subject: string
  created_at: number
}
interface Row extends HeadRow {
  html: string
  plain: string
  eml: string
}
const HEAD = 'message_id, environment_id, from_name, from_address, to_name, to_address, subject, created_at'

export const mailboxWrites = {
  async keepMail({ sql }: WriteContext, mail: KeptMail): Promise<void> {
    const { messageId, environmentId, from, to, subject, html, text, eml, createdAt } = mail
    // Nothing is kept of a user who was erased, or of a message that retention removed, while the mail was made.
    await sql.run(
      `INSERT INTO kept_mail (${HEAD}, html, plain, eml)
        SELECT id, environment_id, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM message WHERE id = ? AND environment_id = ?
        ON CONFLICT (message_id) DO NOTHING`,
      [
        ...[from.name, from.address, to.name, to.address, subject, createdAt, html, text, eml],
        ...[messageId, environmentId],
      ],
    )
    await sql.run(
      `DELETE FROM kept_mail WHERE environment_id = ? AND message_id <=
        (SELECT message_id FROM kept_mail WHERE environment_id = ? ORDER BY message_id DESC LIMIT 1 OFFSET ?)`,
      [environmentId, environmentId, MAILBOX_SIZE],
    )
  },
}

export function createMailbox(sql: Sql, writes: Writes<typeof mailboxWrites>): Mailbox {
  return {
    keep: writes.keepMail,
    async list(environmentId, before, limit) {
      const rows = await sql.all<HeadRow>(
        `SELECT ${HEAD} FROM kept_mail WHERE environment_id = ? AND message_id < ? ORDER BY message_id DESC LIMIT ?`,
        [environmentId, before ?? Number.MAX_SAFE_INTEGER, limit],
      )
      return rows.map(toHead)
    },
    async find(environmentId, messageId) {
      const row = await sql.one<Row>(
        `SELECT ${HEAD}, html, plain, eml FROM kept_mail WHERE environment_id = ? AND message_id = ?`,
        [environmentId, messageId],
      )
      return row && { ...toHead(row), html: row.html, text: row.plain, eml: row.eml }
    },
  }
}

function toHead(row: HeadRow): KeptMailHead {
  return {
    messageId: row.message_id,
    environmentId: row.environment_id,
    from: { name: row.from_name, address: row.from_address },
    to: { name: row.to_name, address: row.to_address },
    subject: row.subject,
    createdAt: row.created_at,
  }
}
