// Stores mails on their way: claimed under a lease when due, read with all that sending needs, and found for reports.

import type { MessageContent } from '../../../contract/api.ts'
import type { MailParts } from '../../../contract/resources/mail.ts'
import type { ClaimedMail, Mails, MailToSend, SentMail } from '../../domain/mail/mail.ts'
import { groupByWeight } from '../../lib/group-by-weight.ts'
import { createTimeSlices } from '../../lib/time-slices.ts'
import { MAIL } from '../tables/mail.ts'
import { INBOX_ITEM, ITEM_OF_MESSAGE, MESSAGE } from '../tables/message.ts'
import { type RawRow, view, viewBoth } from '../tables/table.ts'
import { createClaimInTurn } from './claims/claim-in-turn.ts'
import { dueInMs, isDue, nextDueAt } from './claims/due.ts'
import { type Sql, withRows } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

type MailContent = MessageContent & { email: MailParts }

const CLAIMED_VIEW = view(MAIL, '', [
  'messageId',
  'fence',
  'environmentId',
  'attempts',
  'firstAttemptAt',
  'handedTo',
  'permitFrom',
  'claims',
  'crashes',
  'readyAt',
])
const claimInTurn = createClaimInTurn({
  table: 'mail',
  key: 'message_id',
  set: 'fence = fence + 1, claims = claims + 1',
  columns: CLAIMED_VIEW.columns,
  // Not those that were claimed before: their providers take long, and other mails would wait for them.
  suspect: 'crashes > 0',
})

const MESSAGE_VIEW = viewBoth(
  view(
    MESSAGE,
    'm',
    ['environmentId', 'campaignId', 'runId', 'eventId', 'version', 'stepId', 'correlationId', 'createdAt'],
    { messageId: 'id', content: 'snapshot' },
  ),
  view(INBOX_ITEM, 'i', ['category', 'isTest']),
)
const MESSAGE_OF_MAIL = `m.environment_id = x.environment_id AND m.id = x.message_id AND ${ITEM_OF_MESSAGE}`
// The join on users excludes users under erasure.
const LOAD = withRows(
  { environment_id: 'int', id: 'int' },
  `SELECT ${MESSAGE_VIEW.columns}, u.user_id AS "userId"
    FROM given CROSS JOIN mail x CROSS JOIN message m CROSS JOIN inbox_item i
    JOIN app_user u ON u.environment_id = m.environment_id AND u.user_no = m.user_no
    WHERE x.environment_id = given.environment_id AND x.message_id = given.id AND ${MESSAGE_OF_MAIL}`,
)
const WEIGH = withRows(
  { environment_id: 'int', id: 'int' },
  `SELECT m.id, octet_length(m.snapshot) AS bytes FROM given CROSS JOIN message m
    WHERE m.environment_id = given.environment_id AND m.id = given.id`,
)
/** Of the contents that are in memory together where little of them is used. */
const READ_TOGETHER_BYTES = 1024 * 1024
const FIND_BY_PROVIDER_IDS = withRows(
  { integration_id: 'int', provider_message_id: 'text' },
  `SELECT x.message_id, x.provider_message_id FROM given CROSS JOIN mail x WHERE x.integration_id = given.integration_id
    AND x.provider_message_id = given.provider_message_id AND x.provider_message_id IS NOT NULL`,
)
const OWN_VIEW = viewBoth(
  view(MESSAGE, 'm', ['userNo'], { messageId: 'id', content: 'snapshot' }),
  view(INBOX_ITEM, 'i', ['category', 'deliveredAt']),
)
const LOG_VIEW = view(MAIL, 'x', ['attemptLog'])
const FIND_OWN = withRows(
  { environment_id: 'int', id: 'int' },
  `SELECT ${OWN_VIEW.columns}, ${LOG_VIEW.columns}, u.user_id AS "userId" FROM given CROSS JOIN mail x CROSS JOIN message m CROSS JOIN inbox_item i
    JOIN app_user u ON u.environment_id = m.environment_id AND u.user_no = m.user_no
    WHERE x.environment_id = given.environment_id AND x.message_id = given.id AND ${MESSAGE_OF_MAIL}`,
)

export const mailWrites = {
  /** Claims due mails. `after` is the environment of the last turn; the result contains it for the next claim. */
  async claimMails(
    context: WriteContext,
    now: number,
    leaseMs: number,
    limit: number,
    after: number,
  ): Promise<{ mails: ClaimedMail[]; after: number }> {
    const claimed = await claimInTurn(context, now, leaseMs, limit, after)
    const mails = claimed.rows.map(CLAIMED_VIEW.read)
    mails.sort((a, b) => a.readyAt - b.readyAt || a.messageId - b.messageId)
    return { mails: mails.map(({ readyAt: _, ...mail }) => mail), after: claimed.after }
  },
}

export function createMails(
  sql: Sql,
  writes: Writes<typeof mailWrites> & { renewMails: Mails['renew'] },
  readNow?: WriteContext['readNow'],
): Mails {
  const readShared = readNow && (() => readNow(sql))
  /** The environment of this node's last turn. */
  let lastTurn = 0
  const weigh: Mails['weigh'] = async (mails) => {
    const rows = await sql.bulk<{ id: number; bytes: number }>(
      WEIGH,
      mails.map(({ environmentId, messageId }) => [environmentId, messageId]),
    )
    return new Map(rows.map(({ id, bytes }) => [id, Number(bytes)]))
  }
  return {
    async claim(now, leaseMs, limit) {
      // Read first, so that nothing is written while nothing is due.
      if (!(await isDue(await nextDueAt(sql, 'mail'), now, readShared))) return []
      const { mails, after } = await writes.claimMails(now, leaseMs, limit, lastTurn)
      lastTurn = after
      return mails
    },
    nextDueInMs: async (now) => dueInMs(await nextDueAt(sql, 'mail'), now, readShared),
    renew: writes.renewMails,
    weigh,
    async load(mails) {
      const rows = await sql.bulk<RawRow>(
        LOAD,
        mails.map(({ environmentId, messageId }) => [environmentId, messageId]),
      )
      return new Map(rows.map(toMail).map((mail) => [mail.messageId, mail]))
    },
    async findByProviderIds(integrationId, providerMessageIds) {
      const rows = await sql.bulk<{ message_id: number; provider_message_id: string }>(
        FIND_BY_PROVIDER_IDS,
        [...new Set(providerMessageIds)].map((id) => [integrationId, id]),
      )
      return new Map(rows.map((row) => [row.provider_message_id, row.message_id]))
    },
    async findOwn(environmentId, messageIds) {
      const keys = [...new Set(messageIds)].map((messageId) => ({ environmentId, messageId }))
      const sizes = await weigh(keys)
      const found = new Map<number, SentMail>()
      const endSlice = createTimeSlices()
      for (const part of groupByWeight([...sizes], ([, bytes]) => bytes, READ_TOGETHER_BYTES)) {
        const rows = await sql.bulk<RawRow>(
          FIND_OWN,
          part.map(([id]) => [environmentId, id]),
        )
        for (const mail of rows.map(toSentMail)) found.set(mail.messageId, mail)
        await endSlice()
      }
      return found
    },
  }
}

function toMail(row: RawRow): MailToSend {
  const { content, ...message } = MESSAGE_VIEW.read(row)
  return { ...message, content: content as MailContent, userId: row.userId as string }
}

function toSentMail(row: RawRow): SentMail {
  const { content, deliveredAt, ...message } = OWN_VIEW.read(row)
  const { to, cc = [], bcc = [] } = (content as MailContent).email
  const redirectedTo = LOG_VIEW.read(row).attemptLog?.at(-1)?.redirectedTo
  const went =
    redirectedTo === undefined
      ? { address: to?.address ?? '', copies: [...cc, ...bcc] }
      : { address: redirectedTo, copies: [] }
  const of = { userId: row.userId as string, ...went }
  return { ...message, ...of, isAccepted: deliveredAt !== null }
}
