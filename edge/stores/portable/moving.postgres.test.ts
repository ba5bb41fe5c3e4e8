// Tests export and import between the engines, and writes of other processes while nodes of PostgreSQL run.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Stores } from '../../domain/stores.ts'
import { freshDatabase, runSql } from '../../test/support/servers.ts'
import { openPostgresStores } from '../postgres.ts'
import { openPostgresExternal } from '../postgres-external.ts'
import { openSqliteStores } from '../sqlite/stores.ts'
import { givenStore, report, trackPlan, userWithMessages, write } from '../test/given.ts'
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

type Open = (options: { exclusive: boolean }) => Promise<MaintenanceStore>
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
  const store = await open({ exclusive: false })
  await exportStore(store, { write: (line) => void lines.push(line) }, 'then').finally(() => store.close())
  return lines
}

async function importInto(open: Open, lines: string[], source = sourceOf(lines)): Promise<void> {
  const checked = await checkExport(sourceOf(lines))
  const store = await open({ exclusive: true })
  await importStore(store, source, checked, { now: 5000, newEpoch: null }).finally(() => store.close())
}

/** Returns the tables with rows but without planner statistics. */
const listUnanalyzed = (url: string) =>
  runSql(
    url,
    `SELECT string_agg(c.relname, ' ') FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
      AND pg_relation_size(c.oid) > 0 AND c.reltuples < 0`,
  )

/** Returns all lines without the head, which contains engine and time; these lines must be equal. */
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
  test('SQLite to PostgreSQL and back: every row, and a number that was generated is not generated again', async () => {
    await fill(given.stores)
    const [dataDir = ''] = dataDirs
    const first = await linesOf(sqliteAt(dataDir))
    const url = await freshDatabase()
    await importInto(postgresAt(url), first)
    expect(await listUnanalyzed(url)).toBe('')
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
  })

  test('interrupted midway leaves a store that no server opens, and can be repeated', async () => {
    const [dataDir = ''] = dataDirs
    const lines = await linesOf(sqliteAt(dataDir))
    const url = await freshDatabase()
    const interrupted: ExportSource = {
      async *lines() {
        let left = 700
        for (const line of lines) {
          if (line.startsWith('[') && left-- === 0) throw new Error('killed')
          yield line
        }
      },
    }
    await expect(importInto(postgresAt(url), lines, interrupted)).rejects.toThrow('killed')
    const open = () => openPostgresStores({ url, clock })
    await expect(open()).rejects.toThrow('An import into this store was begun')
    await expect(openPostgresExternal({ url, clock })).rejects.toThrow('An import into this store was begun')
    await importInto(postgresAt(url), lines)
    const node = await open()
    // First a node is running; after its end the store is not empty.
    await expect(importInto(postgresAt(url), lines)).rejects.toThrow('Stop it first')
    await node.close()
    await expect(importInto(postgresAt(url), lines)).rejects.toThrow('not empty')
  })

  test('is refused while another import runs', async () => {
    const url = await freshDatabase()
    const first = await openMaintenancePostgres(url, { exclusive: true })
    await expect(openMaintenancePostgres(url, { exclusive: true })).rejects.toThrow('Another import')
    await first.close()
    await expect
      .poll(async () =>
        (await openMaintenancePostgres(url, { exclusive: true }).catch(() => undefined))?.close().then(() => 'open'),
      )
      .toBe('open')
  })
})

describe('while nodes run', () => {
  test('a snapshot shows one state, whatever nodes write meanwhile', async () => {
    const url = await freshDatabase()
    const node = await openPostgresStores({ url, clock })
    await node.users.upsert(1, 'a', {}, 1)
    const lines: string[] = []
    const store = await openMaintenancePostgres(url, { exclusive: false })
    await exportStore(
      store,
      {
        write(line) {
          lines.push(line)
          // A node writes after the first row of the first table.
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

  test('nodes see the writes of an external process, which has its own counters, sends notices and takes no node number', async () => {
    const url = await freshDatabase()
    const node = await openPostgresStores({ url, clock })
    const external = await openPostgresExternal({ url, clock })
    const last = await node.notices.lastNumber()
    await external.organisations.create({
      id: 9,
      name: 'O',
      region: 'eu',
      onboardedAt: null,
      retentionDays: 7,
      createdAt: 1,
    })
    await external.users.upsert(1, 'a', { name: 'A' }, 5)
    expect((await node.organisations.find(9))?.name).toBe('O')
    expect((await node.users.find(1, 'a'))?.name).toBe('A')
    expect(await external.users.erase(1, 'a', 6)).toBe(true)
    expect(await node.users.find(1, 'a')).toBeUndefined()
    const { userNo } = await node.users.upsert(1, 'a', {}, 7)
    // The node has the erased number in its cache, and must create the user again under a new one.
    expect(await external.users.erase(1, 'a', 8)).toBe(true)
    expect((await node.users.upsert(1, 'a', {}, 9)).userNo).toBeGreaterThan(userNo)
    expect((await external.users.find(1, 'a'))?.userNo).toBeGreaterThan(1)
    await external.sessions.create({
      id: 3,
      environmentId: 1,
      userNo: 2,
      userId: 'a',
      credential: 'c',
      frontKeyId: 1,
      createdAt: 1,
      expiresAt: clock.now() + 9,
    })
    await external.sessions.endAllOfUser(2, clock.now())
    expect((await node.notices.listAfter(last)).map(({ notice }) => notice.topic)).toContain('sessions-ended')
    expect((await runSql(url, 'SELECT count(*) FROM nodes WHERE leased_until > 0')).trim()).toBe('1')
    await external.close()
    await node.close()
  })

  test('without a store an external process is refused', async () => {
    await expect(openPostgresExternal({ url: await freshDatabase(), clock })).rejects.toThrow('There is no store')
  })
})
