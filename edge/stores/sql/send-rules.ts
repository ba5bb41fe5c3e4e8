// Stores preferences and suppressions. A whole plan reads them in one query, if the environment has any.

import { createHash } from 'node:crypto'
import type { SuppressionReason } from '../../../contract/resources/suppression.ts'
import {
  mayPass,
  mergePreferences,
  NO_PREFERENCES,
  type Preferences,
  type PreferencesChange,
  type SendRules,
  type SendRulesOfUser,
  type SuppressedSubject,
  type Suppression,
} from '../../domain/sending/send-rules.ts'
import { spellingsOf } from '../../lib/mail-address.ts'
import { SEND_RULES_USED, SUPPRESSION, USER_PREFERENCE } from '../tables/send-rules.ts'
import { insertOne, type RawRow, setExcluded, view } from '../tables/table.ts'
import { wakeQuietMails } from './commit/wake-mails.ts'
import { type Sql, withRows } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

const PREFERENCE = view(USER_PREFERENCE, 'p', ['content'])
const SUPPRESSION_VIEW = view(SUPPRESSION, 's', ['channel', 'reason', 'createdAt'])
const SAVE_PREFERENCE = insertOne(
  USER_PREFERENCE,
  undefined,
  `ON CONFLICT (environment_id, user_no) DO UPDATE SET ${setExcluded(USER_PREFERENCE, ['content', 'updatedAt'])}`,
)
const SUPPRESS = insertOne(SUPPRESSION, undefined, 'ON CONFLICT (environment_id, subject, channel) DO NOTHING')
const MARK_USED = insertOne(SEND_RULES_USED, undefined, 'ON CONFLICT (environment_id) DO NOTHING')

/** No id of a user: a former spelling of an address has a row of its own, without the rules of its user. */
const NOBODY = ''

/** Selects a row for each suppression of a recipient, or one row without; users and addresses may be unknown. */
const FIND_MANY = withRows(
  { place: 'int', environment_id: 'int', user_id: 'text', user_subject: 'text', address_subject: 'text' },
  `SELECT given.place, ${PREFERENCE.columns}, ${SUPPRESSION_VIEW.columns} FROM given
    LEFT JOIN app_user u ON u.environment_id = given.environment_id AND u.user_id = given.user_id
    LEFT JOIN user_preference p ON p.environment_id = u.environment_id AND p.user_no = u.user_no
    LEFT JOIN suppression s ON s.environment_id = given.environment_id AND s.subject IN (given.user_subject, given.address_subject)`,
)

export const sendRulesWrites = {
  async changePreferences(
    context: WriteContext,
    environmentId: number,
    userNo: number,
    change: PreferencesChange,
    now: number,
  ): Promise<{ preferences: Preferences; first: boolean } | undefined> {
    const { sql } = context
    // Concurrent changes and erasures wait for the lock on the user's row.
    const user = await sql.one(
      `SELECT user_no FROM app_user WHERE environment_id = ? AND user_no = ?${sql.forUpdate}`,
      [environmentId, userNo],
    )
    if (user === undefined) return undefined
    const stored = (await readPreferences(sql, environmentId, userNo)) ?? NO_PREFERENCES
    const preferences = mergePreferences(stored, change, now)
    await SAVE_PREFERENCE(sql, { environmentId, userNo, content: preferences, updatedAt: now })
    if (change.quietHours !== undefined) await wakeQuietMails(sql, [userNo], now)
    return { preferences, first: await markUsed(sql, environmentId, now) }
  },
  async suppress(
    { sql }: WriteContext,
    subject: SuppressedSubject,
    reason: SuppressionReason,
    now: number,
  ): Promise<{ added: boolean; first: boolean }> {
    const { environmentId, channel } = subject
    const [own, ...formerly] = subjectsOf(subject)
    const added = (await isSuppressed(sql, subject, formerly))
      ? 0
      : await SUPPRESS(sql, { environmentId, subject: own, channel, reason, createdAt: now })
    return { added: added > 0, first: await markUsed(sql, environmentId, now) }
  },
  async releaseSuppressed({ sql }: WriteContext, subject: SuppressedSubject): Promise<boolean> {
    const subjects = subjectsOf(subject)
    const text = `DELETE FROM suppression WHERE environment_id = ? AND channel = ? AND subject IN (${placesOf(subjects)})`
    return (await sql.run(text, [subject.environmentId, subject.channel, ...subjects])) > 0
  },
}

export function createSendRules(sql: Sql, writes: Writes<typeof sendRulesWrites>): SendRules {
  return {
    async isUsed(environmentId) {
      return (
        (await sql.one('SELECT since FROM send_rules_used WHERE environment_id = ?', [environmentId])) !== undefined
      )
    },
    async findMany(environmentId, recipients) {
      const rows = await sql.bulk<RawRow>(
        FIND_MANY,
        recipients.flatMap(({ userId, email }, place) => {
          const [user] = subjectsOf({ environmentId, userId })
          const [own = '', ...formerly] = email === null ? [] : subjectsOf({ environmentId, address: email })
          return [
            [place, environmentId, userId, user, own],
            ...formerly.map((subject) => [place, environmentId, NOBODY, '', subject]),
          ]
        }),
      )
      return toRules(rows, recipients.length)
    },
    findPreferences: (environmentId, userNo) => readPreferences(sql, environmentId, userNo),
    changePreferences: writes.changePreferences,
    suppress: writes.suppress,
    release: writes.releaseSuppressed,
    async listOf(subject) {
      const subjects = subjectsOf(subject)
      const rows = await sql.all<RawRow>(
        `SELECT ${SUPPRESSION_VIEW.columns} FROM suppression s WHERE environment_id = ? AND subject IN (${placesOf(subjects)}) ORDER BY channel`,
        [subject.environmentId, ...subjects],
      )
      return rows.map(readSuppression)
    },
  }
}

/** Erases preferences and suppressions of a user. A suppressed address stays suppressed: only its hash is stored. */
export async function eraseSendRules(sql: Sql, environmentId: number, userId: string, userNo: number): Promise<void> {
  await sql.run('DELETE FROM user_preference WHERE environment_id = ? AND user_no = ?', [environmentId, userNo])
  const [subject] = subjectsOf({ environmentId, userId })
  await sql.run('DELETE FROM suppression WHERE environment_id = ? AND subject = ?', [environmentId, subject])
}

/** Returns whether this was the first preference or suppression of the environment. */
async function markUsed(sql: Sql, environmentId: number, now: number): Promise<boolean> {
  return (await MARK_USED(sql, { environmentId, since: now })) > 0
}

async function readPreferences(sql: Sql, environmentId: number, userNo: number): Promise<Preferences | undefined> {
  const text = `SELECT ${PREFERENCE.columns} FROM user_preference p WHERE p.environment_id = ? AND p.user_no = ?`
  const row = await sql.one<RawRow>(text, [environmentId, userNo])
  return row && PREFERENCE.read(row).content
}

/**
 * Returns the key of the subject, and those that earlier versions gave another spelling of its address. The hash includes
 * the environment, so that an address has different hashes in two environments.
 */
function subjectsOf({ environmentId, userId, address }: Omit<SuppressedSubject, 'channel'>): [string, ...string[]] {
  if (address === undefined) return [`user:${userId ?? ''}`]
  const hashOf = (spelling: string) => createHash('sha256').update(`${environmentId}\n${spelling}`).digest('hex')
  const [compared, ...formerly] = spellingsOf(address)
  return [`address:${hashOf(compared)}`, ...formerly.map((spelling) => `address:${hashOf(spelling)}`)]
}

async function isSuppressed(
  sql: Sql,
  { environmentId, channel }: SuppressedSubject,
  subjects: string[],
): Promise<boolean> {
  if (subjects.length === 0) return false
  const text = `SELECT channel FROM suppression WHERE environment_id = ? AND channel = ? AND subject IN (${placesOf(subjects)})`
  return (await sql.one(text, [environmentId, channel, ...subjects])) !== undefined
}

const placesOf = (values: string[]) => values.map(() => '?').join(', ')

/** A row of the LEFT JOINs has null for the content, or for the suppression, of a recipient without one. */
function toRules(rows: RawRow[], recipients: number): (SendRulesOfUser | undefined)[] {
  const found = Array.from<SendRulesOfUser | undefined>({ length: recipients })
  for (const row of rows) {
    if (row.content === null && row.channel === null) continue
    const place = Number(row.place)
    const preferences = row.content === null ? NO_PREFERENCES : PREFERENCE.read(row).content
    const rules = found[place] ?? { ...preferences, suppressions: [] }
    if (row.channel !== null) rules.suppressions.push(readSuppression(row))
    found[place] = rules
  }
  return found
}

function readSuppression(row: RawRow): Suppression {
  const suppression = SUPPRESSION_VIEW.read(row)
  return { ...suppression, mayPass: mayPass(suppression.reason) }
}
