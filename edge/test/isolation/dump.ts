// Reads all rows of one tenant by table, so that a comparison shows whether another caller changed any.

import { openMaintenanceStore } from '../../cli/open-store.ts'
import { parseSettings } from '../../config.ts'
import { exportStore } from '../../stores/portable/export-store.ts'
import type { GivenEdge } from '../support/given.ts'

type Row = Record<string, unknown>
type Tables = Map<string, Row[]>

/** Ids of the owner by owner column. */
export type Owned = Record<string, Set<unknown>>

/** Reads all tables of the edge's store, like an export. */
export async function readTables(given: GivenEdge): Promise<Tables> {
  const store = await openMaintenanceStore(parseSettings(given.settings), { exclusive: false })
  const tables: Tables = new Map()
  let rows: Row[] = []
  let columns: string[] = []
  try {
    const write = (line: string) => {
      const parsed: unknown = JSON.parse(line)
      if (Array.isArray(parsed)) rows.push(Object.fromEntries(columns.map((column, index) => [column, parsed[index]])))
      else if (typeof parsed === 'object' && parsed !== null && 'table' in parsed && 'columns' in parsed) {
        rows = []
        columns = parsed.columns as string[]
        tables.set(String(parsed.table), rows)
      }
    }
    await exportStore(store, { write }, new Date(0).toISOString())
  } finally {
    await store.close()
  }
  return tables
}

/** Returns the owner columns of one environment, by its rows in `tables`. */
export function ownedByEnvironment(tables: Tables, environmentId: number): Owned {
  const idsOf = (table: string, column: string) =>
    new Set((tables.get(table) ?? []).filter((row) => row.environment_id === environmentId).map((row) => row[column]))
  return {
    environment_id: new Set([environmentId]),
    user_no: idsOf('app_user', 'user_no'),
    topic_no: idsOf('topic', 'topic_no'),
    campaign_id: idsOf('campaign', 'id'),
    message_id: idsOf('message', 'id'),
    organisation_id: new Set(
      (tables.get('environment') ?? []).filter(({ id }) => id === environmentId).map((row) => row.organisation_id),
    ),
  }
}

/** Returns the owner columns of one user. */
export function ownedByUser(tables: Tables, userNo: number, userId: string): Owned {
  const messages = (tables.get('message') ?? []).filter((row) => row.user_no === userNo)
  return {
    user_no: new Set([userNo]),
    user_id: new Set([userId]),
    message_id: new Set(messages.map(({ id }) => id)),
  }
}

/** Returns the owner's rows as comparable text, including the rows of the environment and its organisation. */
export function rowsOf(tables: Tables, owned: Owned): Record<string, string[]> {
  const result: Record<string, string[]> = {}
  for (const [table, rows] of tables) {
    const ownedRows = rows.filter((row) => {
      if (table === 'environment') return owned.environment_id?.has(row.id)
      if (table === 'organisation') return owned.organisation_id?.has(row.id)
      return Object.entries(owned).some(
        // The organisation also stands in rows of its other environments.
        ([column, values]) =>
          values.has(row[column]) && (column !== 'organisation_id' || (row.environment_id ?? null) === null),
      )
    })
    result[table] = ownedRows.map((row) => JSON.stringify(row))
  }
  return result
}
