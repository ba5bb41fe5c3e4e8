// Finds old values of secrets that end soon, and the people to tell.

import type { EndingSecret, EndingSecrets, SecretAdmin } from '../../domain/tenant/ending-secret.ts'
import { SECRET } from '../tables/secret.ts'
import { updateRows } from '../tables/table.ts'
import { isOpen } from './closed.ts'
import { type Sql, withRows } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

/** The index `secret_to_settle` has these values alone. */
const ENDING = `retires_at IS NOT NULL AND settled_at IS NULL AND retires_at > ? AND retires_at <= ? AND ${isOpen('environment_id')}`

/** The primary key of a secret. */
type SecretKey = readonly [environmentId: number, id: number]

const WARNED = updateRows(SECRET, ['environmentId', 'id'], ['warnedAt'])
const READ = withRows(
  { environment_id: 'int', id: 'int' },
  `SELECT s.id, s.kind, s.retires_at AS "retiresAt", s.last_used_at AS "lastUsedAt", e.id AS "environmentId",
      e.name AS "environmentName", e.organisation_id AS "organisationId"
    FROM given CROSS JOIN secret s JOIN environment e ON e.id = s.environment_id
    WHERE s.environment_id = given.environment_id AND s.id = given.id`,
)

const places = (values: readonly unknown[]): string => values.map(() => '?').join(', ')

export const endingSecretWrites = {
  async claimEndingSecrets(
    { sql }: WriteContext,
    now: number,
    until: number,
    limit: number,
  ): Promise<readonly SecretKey[]> {
    const text = `SELECT environment_id, id FROM secret WHERE ${ENDING} AND warned_at IS NULL ORDER BY retires_at LIMIT ? ${sql.skipLocked}`
    const rows = await sql.all<{ environment_id: number; id: number }>(text, [now, until, limit])
    const keys = rows.map((row): SecretKey => [row.environment_id, row.id])
    if (keys.length > 0)
      await WARNED.write(
        sql,
        keys.map(([environmentId, id]) => ({ environmentId, id, warnedAt: now })),
      )
    return keys
  },
}

export function createEndingSecrets(sql: Sql, writes: Writes<typeof endingSecretWrites>): EndingSecrets {
  return {
    async count(now, until) {
      const text = `SELECT COUNT(*) AS count FROM secret WHERE ${ENDING}`
      return Number((await sql.one<{ count: number }>(text, [now, until]))?.count ?? 0)
    },
    async claim(now, until, limit) {
      const keys = await writes.claimEndingSecrets(now, until, limit)
      if (keys.length === 0) return []
      const found = await sql.bulk<EndingSecret>(
        READ,
        keys.map((key) => [...key]),
      )
      return found.sort((one, other) => one.retiresAt - other.retiresAt)
    },
    async listAdmins(organisationIds) {
      if (organisationIds.length === 0) return []
      const rows = await sql.all<Omit<SecretAdmin, 'locale'> & { settings: string | null }>(
        `SELECT m.organisation_id AS "organisationId", p.email, o.settings FROM membership m
          JOIN person p ON p.id = m.person_id JOIN organisation o ON o.id = m.organisation_id
          WHERE m.organisation_id IN (${places(organisationIds)}) AND m.role IN ('admin', 'owner') ORDER BY p.email`,
        [...organisationIds],
      )
      return rows.map(({ settings, ...admin }) => ({ ...admin, locale: localeOf(settings) }))
    },
  }
}

const localeOf = (settings: string | null): string | null =>
  settings === null ? null : ((JSON.parse(settings) as { locale?: string }).locale ?? null)
