// Reads the mails of a batch under the locks of their heads, and writes new and changed ones.

import type { NewMessage } from '../../../domain/plan.ts'
import { MAIL } from '../../tables/mail.ts'
import { MESSAGE } from '../../tables/message.ts'
import { insertInto, type RawRow, type RowOf, updateRows, view } from '../../tables/table.ts'
import { type Sql, withRows } from '../sql.ts'
import type { WorkingMessage } from './working-rows.ts'

const CHANGING = [
  'readyAt',
  'claimableAt',
  'fence',
  'attempts',
  'firstAttemptAt',
  'handedTo',
  'integrationId',
  'provider',
  'providerMessageId',
  'lastError',
  'sentAt',
  'deliveredAt',
  'bouncedAt',
  'permitFrom',
  'pausedCampaign',
  'layoutHash',
  'claims',
  'crashes',
  'givenUpAt',
  'attemptLog',
] as const
const MAIL_VIEW = view(MAIL, 'x', ['messageId', ...CHANGING])
const STATUS_VIEW = view(MESSAGE, 'm', ['status', 'statusReason'], { acceptedAt: 'deliveredAt' })

/** A mail with the columns of its message that only mails change. */
export type WorkingMail = RowOf<typeof MAIL_VIEW> & RowOf<typeof STATUS_VIEW>

const readMails = (lock: string) =>
  withRows(
    { id: 'int' },
    `SELECT ${MAIL_VIEW.columns}, ${STATUS_VIEW.columns} FROM given CROSS JOIN mail x CROSS JOIN message m
      WHERE x.message_id = given.id AND m.id = x.message_id${lock}`,
  )
const READ = readMails('')
const READ_LOCKED = readMails(' ORDER BY x.message_id FOR UPDATE OF x')
const INSERT = insertInto(MAIL)
const UPDATE = updateRows(MAIL, 'messageId', CHANGING)
const UPDATE_CONTENTS = updateRows(MESSAGE, 'id', ['snapshot'])
const UPDATE_MESSAGES = updateRows(MESSAGE, 'id', ['status', 'statusReason', 'deliveredAt'])

export interface MailRows {
  /** Reads and locks stored mails, in the order of their messages; call it after the heads are locked. */
  load(sql: Sql, messageIds: number[]): Promise<void>
  find(messageId: number): WorkingMail | undefined
  /** Marks a mail as changed. */
  change(mail: WorkingMail): void
  /** Replaces the content of a mail, as JSON. */
  keep(messageId: number, snapshot: string): void
  write(sql: Sql): Promise<void>
}

/** Creates an empty collection. */
export function createMailRows(): MailRows {
  const mails = new Map<number, WorkingMail>()
  const changed = new Set<WorkingMail>()
  const contents = new Map<number, string>()
  return {
    async load(sql, messageIds) {
      const rows = await sql.bulk<RawRow>(
        sql.forUpdate === '' ? READ : READ_LOCKED,
        messageIds.map((id) => [id]),
      )
      for (const row of rows) {
        const mail = { ...MAIL_VIEW.read(row), ...STATUS_VIEW.read(row) }
        mails.set(mail.messageId, mail)
      }
    },
    find: (messageId) => mails.get(messageId),
    change: (mail) => void changed.add(mail),
    keep: (messageId, snapshot) => void contents.set(messageId, snapshot),
    async write(sql) {
      const rows = [...changed]
      await UPDATE.write(sql, rows)
      await UPDATE_MESSAGES.write(
        sql,
        rows.map(({ messageId: id, status, statusReason, acceptedAt: deliveredAt }) => {
          return { id, status, statusReason, deliveredAt }
        }),
      )
      await UPDATE_CONTENTS.write(
        sql,
        [...contents].map(([id, snapshot]) => ({ id, snapshot })),
      )
    },
  }
}

/** A message row of a plan with its working copy. */
export interface PlacedMessage {
  row: NewMessage
  working: WorkingMessage
}

/** Inserts the mails of queued messages: each is due when its message was created. */
export async function insertMails(sql: Sql, messages: PlacedMessage[]): Promise<void> {
  const queued = messages.filter(({ row }) => row.channel === 'email' && row.status === 'queued')
  if (queued.length === 0) return
  await INSERT.write(
    sql,
    queued.map(({ row, working }) => ({
      messageId: row.id,
      environmentId: working.environmentId,
      readyAt: row.createdAt,
      claimableAt: row.createdAt,
      fence: 0,
      attempts: 0,
      ...NOT_TRIED,
    })),
  )
}

const NOT_TRIED = {
  firstAttemptAt: null,
  handedTo: null,
  integrationId: null,
  provider: null,
  providerMessageId: null,
  lastError: null,
  sentAt: null,
  deliveredAt: null,
  bouncedAt: null,
  permitFrom: null,
  pausedCampaign: null,
  layoutHash: null,
  claims: 0,
  crashes: 0,
  givenUpAt: null,
  fetches: null,
  attemptLog: null,
}
