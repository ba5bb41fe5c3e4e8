// Finds old values of secrets that end soon, and the people to tell.

import type { EndingSecret, EndingSecrets, SecretAdmin } from '../../domain/tenant/ending-secret.ts'
import type { Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

/** The index `secret_to_settle` has these values alone. */
const ENDING = 'retires_at IS NOT NULL AND settled_at IS NULL AND retires_at > ? AND retires_at <= ?'

const places = (values: readonly unknown[]): string => values.map(() => '?').join(', ')

export const endingSecretWrites = {
  async claimEndingSecrets(
    { sql }: WriteContext,
    now: number,
    until: number,
    limit: number,
  ): Promise<readonly number[]> {
    const text = `SELECT id FROM secret WHERE ${ENDING} AND warned_at IS NULL ORDER BY retires_at LIMIT ? ${sql.skipLocked}`
    const ids = (await sql.all<{ id: number }>(text, [now, until, limit])).map(({ id }) => id)
    if (ids.length > 0) await sql.run(`UPDATE secret SET warned_at = ? WHERE id IN (${places(ids)})`, [now, ...ids])
    return ids
  },
}

export function createEndingSecrets(sql: Sql, writes: Writes<typeof endingSecretWrites>): EndingSecrets {
  return {
    async count(now, until) {
      const text = `SELECT COUNT(*) AS count FROM secret WHERE ${ENDING}`
      return Number((await sql.one<{ count: number }>(text, [now, until]))?.count ?? 0)
    },
    async claim(now, until, limit) {
      const ids = await writes.claimEndingSecrets(now, until, limit)
      if (ids.length === 0) return []
      return sql.all<EndingSecret>(
        `SELECT s.id, s.kind, s.retires_at AS "retiresAt", s.last_used_at AS "lastUsedAt", e.id AS "environmentId",
            e.name AS "environmentName", e.organisation_id AS "organisationId"
          FROM secret s JOIN environment e ON e.id = s.environment_id WHERE s.id IN (${places(ids)}) ORDER BY s.retires_at`,
        [...ids],
      )
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
