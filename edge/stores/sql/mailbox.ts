// Stores the mails that are kept while no mail server is set.

import {
  type Keeping,
  type KeptMail,
  type KeptMailHead,
  MAILBOX_SIZE,
  type Mailbox,
} from '../../domain/mail/mailbox.ts'
import { KEPT_MAIL } from '../tables/mailbox.ts'
import { type RawRow, view } from '../tables/table.ts'
import { type Sql, withRows } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

const HEAD = view(KEPT_MAIL, '', [
  'environmentId',
  'messageId',
  'subject',
  'createdAt',
  'fromName',
  'fromAddress',
  'toName',
  'toAddress',
])
const CONTENT = view(KEPT_MAIL, '', ['html', 'text', 'eml'])
const FIND_KEPT = withRows(
  { id: 'int' },
  // A file of a mail names no environment: an index has the messages alone.
  'SELECT k.message_id FROM given CROSS JOIN kept_mail k WHERE k.message_id = given.id',
)
const FIND_EML = 'SELECT eml FROM kept_mail WHERE environment_id = ? AND message_id = ?'

export const mailboxWrites = {
  async keepMail({ sql }: WriteContext, mail: KeptMail): Promise<Keeping> {
    const { messageId, environmentId, from, to, subject, html, text, eml, createdAt } = mail
    // Nothing is kept of a user who was erased, or of a message that retention removed, while the mail was made.
    const [kept] = await sql.all<{ eml: string }>(
      `INSERT INTO kept_mail (environment_id, message_id, from_name, from_address, to_name, to_address, subject, created_at,
          html, plain, eml)
        SELECT environment_id, id, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM message WHERE environment_id = ? AND id = ?
        ON CONFLICT DO NOTHING RETURNING eml`,
      [
        ...[from.name, from.address, to.name, to.address, subject, createdAt, html, text, eml],
        ...[environmentId, messageId],
      ],
    )
    const earlier =
      kept === undefined ? await sql.one<{ eml: string }>(FIND_EML, [environmentId, messageId]) : undefined
    const removed = await sql.all<{ message_id: number }>(
      `DELETE FROM kept_mail WHERE environment_id = ? AND message_id <=
        (SELECT message_id FROM kept_mail WHERE environment_id = ? ORDER BY message_id DESC LIMIT 1 OFFSET ?) RETURNING message_id`,
      [environmentId, environmentId, MAILBOX_SIZE],
    )
    return { eml: (kept ?? earlier)?.eml ?? null, removed: removed.map((row) => row.message_id) }
  },
}

export function createMailbox(sql: Sql, writes: Writes<typeof mailboxWrites>): Mailbox {
  return {
    keep: writes.keepMail,
    async findKept(messageIds) {
      const rows = await sql.bulk<{ message_id: number }>(
        FIND_KEPT,
        messageIds.map((id) => [id]),
      )
      return new Set(rows.map((row) => row.message_id))
    },
    async list(environmentId, before, limit) {
      const rows = await sql.all<RawRow>(
        `SELECT ${HEAD.columns} FROM kept_mail WHERE environment_id = ? AND message_id < ? ORDER BY message_id DESC LIMIT ?`,
        [environmentId, before ?? Number.MAX_SAFE_INTEGER, limit],
      )
      return rows.map(readHead)
    },
    async find(environmentId, messageId) {
      const row = await sql.one<RawRow>(
        `SELECT ${HEAD.columns}, ${CONTENT.columns} FROM kept_mail WHERE environment_id = ? AND message_id = ?`,
        [environmentId, messageId],
      )
      return row && { ...readHead(row), ...CONTENT.read(row) }
    },
  }
}

function readHead(row: RawRow): KeptMailHead {
  const { fromName, fromAddress, toName, toAddress, ...head } = HEAD.read(row)
  return { ...head, from: { name: fromName, address: fromAddress }, to: { name: toName, address: toAddress } }
}
