// Compares the exported tables and columns with those of a migrated store, so that none is missing.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { knownTables, migrate } from '../migrate.ts'
import { loadDriver, type SqliteConnection } from '../sqlite/driver.ts'
import { createSqliteEngine, createSqliteSql, SQLITE } from '../sqlite/sql.ts'
import { NOT_EXPORTED, portableTables } from './portable-tables.ts'

let connection: SqliteConnection
beforeAll(async () => {
  connection = (await loadDriver()).open(':memory:', 0)
  await migrate(createSqliteEngine(connection, createSqliteSql(connection)), SQLITE, 0)
})
afterAll(() => connection.close())

interface Info {
  name: string
  type: string
  pk: number
}
const infoOf = (table: string) => connection.prepare(`PRAGMA table_info(${table})`).all([]) as Info[]
/** Tables of the engine, and `migration`: the head of the export contains its number. */
const IGNORED = /^(sqlite_.*|migration)$/

test('every table of a store is exported, or listed as not exported', () => {
  const rows = connection.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all([]) as { name: string }[]
  const stored = rows.map(({ name }) => name).filter((name) => !IGNORED.test(name))
  const listed = portableTables(knownTables()).map(({ name }) => name)
  expect(stored.filter((name) => NOT_EXPORTED[name] === undefined).sort()).toEqual([...listed].sort())
})

describe('each table', () => {
  test.each(portableTables(knownTables()).map((table) => [table.name, table] as const))('%s', (name, table) => {
    const stored = infoOf(name)
    const types = Object.fromEntries(stored.map((column) => [column.name, column.type === 'TEXT' ? 'text' : 'int']))
    expect(table.columns).toEqual(types)
    const keys = stored.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
    const names = keys.map((column) => column.name)
    // SQLite stores such rows by their number, with the key as an index (sqlite/sql.ts).
    const isByRowid = table.key.length === 2 && table.key[0] === 'environment_id' && names[0] === table.key[1]
    expect(isByRowid ? ['environment_id', ...names] : names).toEqual(table.key)
    const [{ sql }] = connection.prepare('SELECT sql FROM sqlite_master WHERE name = ?').all([name]) as [
      { sql: string },
    ]
    expect(table.identity !== null).toBe(sql.includes('AUTOINCREMENT'))
  })
})

/** Tables of the installation, of people and of organisations. */
const OF_NO_ENVIRONMENT = [
  ...['meta', 'id_floor', 'nodes', 'notice', 'person', 'dashboard_session', 'password_reset', 'totp', 'recovery_code'],
  ...['passkey', 'sign_in_challenge', 'organisation', 'environment', 'notification_config', 'membership', 'invitation'],
  ...['single_sign_on', 'proved_domain', 'linked_identity', 'audit_entry'],
]

test('the key of each table of a tenant begins with the environment', () => {
  const others = portableTables(knownTables()).filter(({ key }) => key[0] !== 'environment_id')
  expect(others.map(({ name }) => name).filter((name) => !OF_NO_ENVIRONMENT.includes(name))).toEqual([])
})

test('an older version has the columns of that version', () => {
  const migrations = [
    { number: 100, oldestBinary: 100, statements: ['CREATE TABLE topic (id INTEGER PRIMARY KEY)'] },
    { number: 101, oldestBinary: 100, statements: ['ALTER TABLE topic ADD COLUMN colour TEXT'] },
  ]
  const columnsOf = (version: number) => Object.keys(portableTables(version, migrations)[0]?.columns ?? {})
  expect(columnsOf(100)).toEqual(['id'])
  expect(columnsOf(101)).toEqual(['id', 'colour'])
})

test('a statement that the export cannot read is an error', () => {
  const odd = (statement: string) => () => portableTables(1, [{ number: 1, oldestBinary: 1, statements: [statement] }])
  expect(odd('ALTER TABLE a RENAME TO b')).toThrow('statement unknown')
  expect(odd('CREATE TABLE a (id INTEGER PRIMARY KEY, x BLOB)')).toThrow('column type unknown')
  expect(odd('CREATE TABLE a (x TEXT)')).toThrow('primary key')
})
