// Finds the names behind ids: one query for each kind of a page.

import type { Named, NamedKind, NameOf, Names } from '../../domain/names.ts'
import { type ColumnType, type RowsStatement, type Sql, withRows } from './sql.ts'

const named = (id: ColumnType, tables: string, name = 'x.name') =>
  withRows(
    { scope: 'int', id },
    `SELECT given.scope, given.id, ${name} AS name FROM given CROSS JOIN ${tables} AND ${name} IS NOT NULL`,
  )

const STATEMENTS: Readonly<Record<NamedKind, RowsStatement>> = {
  user: named('text', 'app_user x WHERE x.environment_id = given.scope AND x.user_id = given.id'),
  campaign: named('int', 'campaign x WHERE x.environment_id = given.scope AND x.id = given.id'),
  'campaign-key': named('text', 'campaign x WHERE x.environment_id = given.scope AND x.campaign_key = given.id'),
  source: named('text', 'source x WHERE x.environment_id = given.scope AND x.public_id = given.id'),
  integration: named('int', 'mail_integration x WHERE x.environment_id = given.scope AND x.id = given.id'),
  layout: named(
    'int',
    `environment e JOIN notification_config x ON x.organisation_id = e.organisation_id
      WHERE e.id = given.scope AND x.id = given.id`,
  ),
  config: named('int', 'notification_config x WHERE x.organisation_id = given.scope AND x.id = given.id'),
}

interface NamedRow {
  scope: number
  id: string | number
  name: string
}

const keyOf = (kind: NamedKind, scope: number, id: string | number) => `${kind} ${scope} ${id}`

export function createNames(sql: Sql): Names {
  return {
    async find(wanted): Promise<NameOf> {
      const byKind = new Map<NamedKind, Map<string, Named>>()
      for (const one of wanted) {
        const ofKind = byKind.get(one.kind) ?? new Map<string, Named>()
        byKind.set(one.kind, ofKind.set(keyOf(one.kind, one.scope, one.id), one))
      }
      const found = await Promise.all(
        [...byKind].map(async ([kind, ofKind]) => {
          const rows = [...ofKind.values()].map(({ scope, id }) => [scope, id])
          const named = await sql.bulk<NamedRow>(STATEMENTS[kind], rows)
          return named.map(({ scope, id, name }) => [keyOf(kind, scope, id), name] as const)
        }),
      )
      const names = new Map(found.flat())
      return ({ kind, scope, id }) => names.get(keyOf(kind, scope, id)) ?? null
    },
  }
}
