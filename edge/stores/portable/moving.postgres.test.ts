// Tests export and import between the engines, and the maintenance store beside nodes of PostgreSQL.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Stores } from '../../domain/stores.ts'
import { freshDatabase, runSql } from '../../test/support/servers.ts'
import { openPostgresStores } from '../postgres.ts'
import { openPostgresExternal } from '../postgres-external.ts'
import { openSqliteStores } from '../sqlite.ts'
import { givenStore, report, trackPlan, userWithMessages, write } from '../suite/given.ts'
import { checkExport, type ExportSource } from './check-export.ts'
import { exportStore } from './export-store.ts'
import { importStore } from './import-store.ts'
import type { MaintenanceStore } from './maintenance-store.ts'
import { openMaintenancePostgres } from './postgres-maintenance.ts'
import { openMaintenanceSqlite } from './sqlite-maintenance.ts'

const folder = mkdtempSync(join(tmpdir(), 'moving-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const newFolder = () => mkdtempSync(join(folder, 'data-'))
const clock = { now: () => Date.UTC(2026, 6, 1) }

type Open = (options: { alone: boolean }) => Promise<MaintenanceStore>
const sqliteAt =
  (dataDir: string): Open =>
  (options) =>
    openMaintenanceSqlite(dataDir, options)
const postgresAt =
  (url: string): Open =>
  (options) =>
    openMaintenancePostgres(url, options)
const sourceOf = (lines: string[]): ExportSource => ({
  async *lines() {
    yield* lines
  },
})

async function linesOf(open: Open): Promise<string[]> {
  const lines: string[] = []
  const store = await open({ alone: false })
  await exportStore(store, { write: (line) => void lines.push(line) }, 'then').finally(() => store.close())
  return lines
}

async function importInto(open: Open, lines: string[], source = sourceOf(lines)): Promise<void> {
  const checked = await checkExport(sourceOf(lines))
  const store = await open({ alone: true })
  await importStore(store, source, checked, { now: 5000, newEpoch: null }).finally(() => store.close())
}

/** Tables with rows of which the planner knows nothing. */
const unknownTables = (url: string) =>
  runSql(
    url,
    `SELECT string_agg(c.relname, ' ') FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
      AND pg_relation_size(c.oid) > 0 AND c.reltuples < 0`,
  )

/** The head tells of the engine and of the time; all other lines must agree. */
const rowsOf = (lines: string[]) => lines.slice(1).sort()

const dataDirs: string[] = []
const given = givenStore((options) => {
  dataDirs.push(options.dataDir)
  return openSqliteStores(options)
})

async function fill(stores: Stores): Promise<void> {
  const campaignId = given.id()
  const { user, environmentId, messageIds } = await userWithMessages(given, 600, { campaignId })
  await report(given, user, messageIds[0] ?? 0, ['clicked'])
  for (const text of ['\u{1f600} "quoted" \\back', "it's", '{"a":[null]}', ' ', 'ä\u2028ö', 'x,y{}']) {
    await stores.users.upsert(environmentId, text, { name: text, attributes: { text } }, given.now())
  }
  await write(
    given,
    trackPlan(given, { environmentId, userIds: ['u1', "it's"], idempotency: { key: 'k"\\', bodyHash: 'h' } }),
  )
  await stores.users.upsert(environmentId, 'last', {}, given.now())
  await stores.users.erase(environmentId, 'last', given.now())
  await stores.topics.change(environmentId, 'news', ['u1', 'ä\u2028ö'], [], given.now())
}

describe('between the engines', () => {
  test('SQLite to PostgreSQL and back: every row, and a number that was given is not given again', async () => {
    await fill(given.stores)
    const [dataDir = ''] = dataDirs
    const first = await linesOf(sqliteAt(dataDir))
    const url = await freshDatabase()
    await importInto(postgresAt(url), first)
    expect(await unknownTables(url)).toBe('')
    const second = await linesOf(postgresAt(url))
    expect(rowsOf(second)).toEqual(rowsOf(first))
    const back = newFolder()
    await importInto(sqliteAt(back), second)
    expect(rowsOf(await linesOf(sqliteAt(back)))).toEqual(rowsOf(first))

    const node = await openPostgresStores({ url, clock })
    const same = await given.stores.users.upsert(1, 'next', {}, 7)
    expect((await node.users.upsert(1, 'next', {}, 7)).userNo).toBe(same.userNo)
    expect(await node.funnels.rebuild()).toMatchObject({ differed: 0 })
    await node.close()
  }, 60_000)

  test('broken off midway nobody serves from it, and it is repeated', async () => {
    const [dataDir = ''] = dataDirs
    const lines = await linesOf(sqliteAt(dataDir))
    const url = await freshDatabase()
    const broken: ExportSource = {
      async *lines() {
        let left = 700
        for (const line of lines) {
          if (line.startsWith('[') && left-- === 0) throw new Error('killed')
          yield line
        }
      },
    }
    await expect(importInto(postgresAt(url), lines, broken)).rejects.toThrow('killed')
    const open = () => openPostgresStores({ url, clock })
    await expect(open()).rejects.toThrow('An import into this store was begun')
    await expect(openPostgresExternal({ url, clock })).rejects.toThrow('An import into this store was begun')
    await importInto(postgresAt(url), lines)
    const node = await open()
    // A node is at work, and then the store is not empty.
    await expect(importInto(postgresAt(url), lines)).rejects.toThrow('Stop it first')
    await node.close()
    await expect(importInto(postgresAt(url), lines)).rejects.toThrow('not empty')
  }, 60_000)

  test('while another import is at work there is none beside it', async () => {
    const url = await freshDatabase()
    const first = await openMaintenancePostgres(url, { alone: true })
    await expect(openMaintenancePostgres(url, { alone: true })).rejects.toThrow('Another import')
    await first.close()
    await expect
      .poll(async () =>
        (await openMaintenancePostgres(url, { alone: true }).catch(() => undefined))?.close().then(() => 'open'),
      )
      .toBe('open')
  })
})

describe('beside nodes', () => {
  test('a snapshot is one moment, whatever nodes write meanwhile', async () => {
    const url = await freshDatabase()
    const node = await openPostgresStores({ url, clock })
    await node.users.upsert(1, 'a', {}, 1)
    const lines: string[] = []
    const store = await openMaintenancePostgres(url, { alone: false })
    await exportStore(
      store,
      {
        write(line) {
          lines.push(line)
          // After the first row of the first table everybody else goes on.
          return lines.length === 2 ? node.users.upsert(1, 'b', {}, 2).then(() => undefined) : undefined
        },
      },
      'then',
    )
    expect(lines.filter((line) => line.startsWith('[1,1,"a"'))).toHaveLength(1)
    expect(lines.filter((line) => line.includes('"b"'))).toHaveLength(0)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ live: true, engine: 'PostgreSQL' })
    await store.close()
    await node.close()
  })

  test('what is written beside is seen by the nodes, with notices, counters of its own, and no number', async () => {
    const url = await freshDatabase()
    const node = await openPostgresStores({ url, clock })
    const beside = await openPostgresExternal({ url, clock })
    const last = await node.notices.lastNumber()
    await beside.organisations.create({
      id: 9,
      name: 'O',
      region: 'eu',
      onboardedAt: null,
      retentionDays: 7,
      createdAt: 1,
    })
    await beside.users.upsert(1, 'a', { name: 'A' }, 5)
    expect((await node.organisations.find(9))?.name).toBe('O')
    expect((await node.users.find(1, 'a'))?.name).toBe('A')
    expect(await beside.users.erase(1, 'a', 6)).toBe(true)
    expect(await node.users.find(1, 'a')).toBeUndefined()
    const { userNo } = await node.users.upsert(1, 'a', {}, 7)
    // The node that has just made the user finds the number dead, and makes another.
    expect(await beside.users.erase(1, 'a', 8)).toBe(true)
    expect((await node.users.upsert(1, 'a', {}, 9)).userNo).toBeGreaterThan(userNo)
    expect((await beside.users.find(1, 'a'))?.userNo).toBeGreaterThan(1)
    await beside.sessions.create({
      id: 3,
      environmentId: 1,
      userNo: 2,
      userId: 'a',
      credential: 'c',
      frontKeyId: 1,
      createdAt: 1,
      expiresAt: clock.now() + 9,
    })
    await beside.sessions.endAllOfUser(2, clock.now())
    expect((await node.notices.listAfter(last)).map(({ notice }) => notice.topic)).toContain('sessions-ended')
    expect((await runSql(url, 'SELECT count(*) FROM nodes WHERE leased_until > 0')).trim()).toBe('1')
    await beside.close()
    await node.close()
  })

  test('without a store there is nothing to work beside', async () => {
    await expect(openPostgresExternal({ url: await freshDatabase(), clock })).rejects.toThrow('There is no store')
  })
})
