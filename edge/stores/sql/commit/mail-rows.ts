// Reads the mails of a batch under the locks of their heads, and writes new and changed ones.

import type { NewMessage } from '../../../domain/plan.ts'
import { MAIL } from '../../tables/mail.ts'
import { INBOX_ITEM, MESSAGE } from '../../tables/message.ts'
import { insertInto, type RawRow, type RowOf, updateRows, view } from '../../tables/table.ts'
import { type Sql, withRows } from '../sql.ts'
import type { MessageKey, WorkingMessage } from './working-rows.ts'

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
const MAIL_VIEW = view(MAIL, 'x', ['environmentId', 'messageId', ...CHANGING])
const STATUS_VIEW = view(INBOX_ITEM, 'i', ['status', 'statusReason'], { acceptedAt: 'deliveredAt' })

/** A mail with the columns of its item that only mails change. */
export type WorkingMail = RowOf<typeof MAIL_VIEW> & RowOf<typeof STATUS_VIEW>

const readMails = (lock: string) =>
  withRows(
    { environment_id: 'int', id: 'int' },
    `SELECT ${MAIL_VIEW.columns}, ${STATUS_VIEW.columns} FROM given CROSS JOIN mail x CROSS JOIN inbox_item i
      WHERE x.environment_id = given.environment_id AND x.message_id = given.id
        AND i.environment_id = x.environment_id AND i.message_id = x.message_id${lock}`,
  )
const READ = readMails('')
const READ_LOCKED = readMails(' ORDER BY x.message_id FOR UPDATE OF x')
const INSERT = insertInto(MAIL)
const UPDATE = updateRows(MAIL, ['environmentId', 'messageId'], CHANGING)
const UPDATE_CONTENTS = updateRows(MESSAGE, ['environmentId', 'id'], ['snapshot'])
const UPDATE_ITEMS = updateRows(INBOX_ITEM, ['environmentId', 'id'], ['status', 'statusReason', 'deliveredAt'])

export interface MailRows {
  /** Reads and locks stored mails, in the order of their messages; call it after the heads are locked. */
  load(sql: Sql, keys: readonly MessageKey[]): Promise<void>
  find(messageId: number): WorkingMail | undefined
  /** Marks a mail as changed. */
  change(mail: WorkingMail): void
  /** Replaces the content of a mail, as JSON. */
  keep(message: MessageKey, snapshot: string): void
  write(sql: Sql): Promise<void>
}

/** Creates an empty collection. */
export function createMailRows(): MailRows {
  const mails = new Map<number, WorkingMail>()
  const changed = new Set<WorkingMail>()
  const contents = new Map<number, { environmentId: number; id: number; snapshot: string }>()
  return {
    async load(sql, keys) {
      const rows = await sql.bulk<RawRow>(
        sql.forUpdate === '' ? READ : READ_LOCKED,
        keys.map((key) => [...key]),
      )
      for (const row of rows) {
        const mail = { ...MAIL_VIEW.read(row), ...STATUS_VIEW.read(row) }
        mails.set(mail.messageId, mail)
      }
    },
    find: (messageId) => mails.get(messageId),
    change: (mail) => void changed.add(mail),
    keep: ([environmentId, id], snapshot) => void contents.set(id, { environmentId, id, snapshot }),
    async write(sql) {
      const rows = [...changed]
      await UPDATE.write(sql, rows)
      await UPDATE_ITEMS.write(
        sql,
        rows.map(({ environmentId, messageId: id, status, statusReason, acceptedAt: deliveredAt }) => {
          return { environmentId, id, status, statusReason, deliveredAt }
        }),
      )
      await UPDATE_CONTENTS.write(sql, [...contents.values()])
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
      environmentId: working.environmentId,
      messageId: row.id,
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
