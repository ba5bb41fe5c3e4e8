// Stores secrets of one-time codes and hashes of recovery codes. A code is used up in the transaction that it permits.

import type { AuditEntry } from '../../../domain/audit.ts'
import {
  type FactorChange,
  type FactorProof,
  type FactorResult,
  type SecondFactors,
  type Totp,
  waitAfter,
} from '../../../domain/people/second-factor.ts'
import { RECOVERY_CODE, TOTP, TOTP_FIELDS } from '../../tables/people.ts'
import { insertOne, type RawRow, view } from '../../tables/table.ts'
import { recordAudit } from '../audit.ts'
import type { Sql } from '../sql.ts'
import type { WriteContext, Writes } from '../write.ts'

const VIEW = view(TOTP, '', TOTP_FIELDS)
const INSERT_CODE = insertOne(RECOVERY_CODE)

const NO_ATTEMPTS = 'attempts = 0, retry_at = 0, known_attempts = 0, known_retry_at = 0'

/** Locks the person, so that sign-ins and changes of one person follow each other. @returns Whether the hash is stored. */
export async function lockPerson({ sql }: WriteContext, personId: number, passwordHash: string): Promise<boolean> {
  const text = `SELECT id FROM person WHERE id = ? AND password_hash = ?${sql.forUpdate}`
  return (await sql.one(text, [personId, passwordHash])) !== undefined
}

/** Whether the person has a confirmed second factor. */
export async function hasFactor({ sql }: WriteContext, personId: number): Promise<boolean> {
  const text = 'SELECT person_id FROM totp WHERE person_id = ? AND confirmed_at IS NOT NULL'
  return (await sql.one(text, [personId])) !== undefined
}

/** Uses a verified code up. @returns False when it, or a later one, was accepted before. */
export async function useFactor({ sql }: WriteContext, personId: number, factor: FactorProof): Promise<boolean> {
  if (factor.kind === 'totp') {
    const used = await sql.run(
      `UPDATE totp SET last_step = ?, ${NO_ATTEMPTS}
        WHERE person_id = ? AND created_at = ? AND confirmed_at IS NOT NULL AND last_step < ?`,
      [factor.step, personId, factor.createdAt, factor.step],
    )
    return used > 0
  }
  const text = 'DELETE FROM recovery_code WHERE person_id = ? AND code_hash = ?'
  if ((await sql.run(text, [personId, factor.codeHash])) === 0) return false
  await sql.run(`UPDATE totp SET ${NO_ATTEMPTS} WHERE person_id = ?`, [personId])
  return true
}

async function deleteFactor({ sql }: WriteContext, personId: number): Promise<boolean> {
  await sql.run('DELETE FROM recovery_code WHERE person_id = ?', [personId])
  return (await sql.run('DELETE FROM totp WHERE person_id = ?', [personId])) > 0
}

async function replaceCodes({ sql }: WriteContext, personId: number, codeHashes: string[]): Promise<void> {
  await sql.run('DELETE FROM recovery_code WHERE person_id = ?', [personId])
  for (const codeHash of codeHashes) await INSERT_CODE(sql, { personId, codeHash })
}

/** Makes a change that password and code permit. */
async function changeFactor(
  context: WriteContext,
  personId: number,
  { passwordHash, factor }: FactorChange,
  audit: AuditEntry,
  change: () => Promise<unknown>,
): Promise<FactorResult> {
  if (!(await lockPerson(context, personId, passwordHash))) return 'changed'
  if (!(await useFactor(context, personId, factor))) return 'code-used'
  await change()
  await recordAudit(context, audit)
  return 'done'
}

export const secondFactorWrites = {
  async beginTotp({ sql }: WriteContext, { personId, sealed, createdAt }: Totp): Promise<boolean> {
    const changed = await sql.run(
      `INSERT INTO totp (person_id, sealed, last_step, attempts, retry_at, created_at) VALUES (?, ?, 0, 0, 0, ?)
        ON CONFLICT (person_id) DO UPDATE SET sealed = excluded.sealed, created_at = excluded.created_at
          WHERE totp.confirmed_at IS NULL`,
      [personId, sealed, createdAt],
    )
    return changed > 0
  },
  async confirmTotp(
    context: WriteContext,
    { personId, createdAt }: Pick<Totp, 'personId' | 'createdAt'>,
    {
      step,
      codeHashes,
      keptSessionId,
      now,
    }: { step: number; codeHashes: string[]; keptSessionId: number; now: number },
    audit: AuditEntry,
  ): Promise<boolean> {
    const { sql } = context
    // Sign-ins that began before lock the person too, and then miss the factor.
    await sql.one(`SELECT id FROM person WHERE id = ?${sql.forUpdate}`, [personId])
    const confirmed = await sql.run(
      'UPDATE totp SET confirmed_at = ?, last_step = ? WHERE person_id = ? AND created_at = ? AND confirmed_at IS NULL',
      [now, step, personId, createdAt],
    )
    if (confirmed === 0) return false
    await replaceCodes(context, personId, codeHashes)
    await sql.run('DELETE FROM dashboard_session WHERE person_id = ? AND id <> ?', [personId, keptSessionId])
    await recordAudit(context, audit)
    return true
  },
  async takeFactorAttempt(
    { sql }: WriteContext,
    personId: number,
    now: number,
    isKnown: boolean,
  ): Promise<number | null> {
    const [attemptsColumn, retryColumn] = isKnown ? ['known_attempts', 'known_retry_at'] : ['attempts', 'retry_at']
    const text = `SELECT ${attemptsColumn} AS attempts, ${retryColumn} AS retry_at FROM totp WHERE person_id = ?${sql.forUpdate}`
    const row = await sql.one<{ attempts: number; retry_at: number }>(text, [personId])
    if (row === undefined) return null
    if (row.retry_at > now) return row.retry_at
    const attempts = row.attempts + 1
    const waitMs = waitAfter(attempts)
    // Not `now`: a simultaneous attempt may have an earlier time, because it waited or is of a node whose clock is behind.
    const retryAt = waitMs === 0 ? 0 : now + waitMs
    const counted = `UPDATE totp SET ${attemptsColumn} = ?, ${retryColumn} = ? WHERE person_id = ?`
    await sql.run(counted, [attempts, retryAt, personId])
    return null
  },
  removeTotp: (
    context: WriteContext,
    personId: number,
    change: FactorChange,
    audit: AuditEntry,
  ): Promise<FactorResult> => changeFactor(context, personId, change, audit, () => deleteFactor(context, personId)),
  replaceRecoveryCodes: (
    context: WriteContext,
    personId: number,
    change: FactorChange & { codeHashes: string[] },
    audit: AuditEntry,
  ): Promise<FactorResult> =>
    changeFactor(context, personId, change, audit, () => replaceCodes(context, personId, change.codeHashes)),
  async resetTotp(context: WriteContext, personId: number, audit: AuditEntry): Promise<boolean> {
    const isReset = await deleteFactor(context, personId)
    if (isReset) await recordAudit(context, audit)
    return isReset
  },
}

export function createSecondFactors(sql: Sql, writes: Writes<typeof secondFactorWrites>): SecondFactors {
  return {
    begin: writes.beginTotp,
    confirm: writes.confirmTotp,
    takeAttempt: writes.takeFactorAttempt,
    remove: writes.removeTotp,
    replaceRecoveryCodes: writes.replaceRecoveryCodes,
    reset: writes.resetTotp,
    async find(personId) {
      const row = await sql.one<RawRow>(`SELECT ${VIEW.columns} FROM totp WHERE person_id = ?`, [personId])
      return row && VIEW.read(row)
    },
    async countRecoveryCodes(personId) {
      const text = 'SELECT COUNT(*) AS count FROM recovery_code WHERE person_id = ?'
      return Number((await sql.one<{ count: number }>(text, [personId]))?.count ?? 0)
    },
  }
}
