// Tests export and import with damaged files, stores that are not empty, killed imports and older versions.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { knownTables } from '../migrate.ts'
import { openSqliteStores } from '../sqlite/stores.ts'
import { checkExport, type ExportSource } from './check-export.ts'
import { exportStore } from './export-store.ts'
import { importStore } from './import-store.ts'
import type { MaintenanceStore } from './maintenance-store.ts'
import { openMaintenanceSqlite } from './sqlite-maintenance.ts'

const folder = mkdtempSync(join(tmpdir(), 'portable-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const clock = { now: () => 1000 }
const newFolder = () => mkdtempSync(join(folder, 'data-'))
const sourceOf = (lines: string[]): ExportSource => ({
  async *lines() {
    yield* lines
  },
})

async function withStore<T>(
  dataDir: string,
  exclusive: boolean,
  work: (store: MaintenanceStore) => Promise<T>,
): Promise<T> {
  const store = await openMaintenanceSqlite(dataDir, { exclusive })
  return work(store).finally(() => store.close())
}

async function linesOf(dataDir: string): Promise<string[]> {
  const lines: string[] = []
  await withStore(dataDir, false, (store) =>
    exportStore(store, { write: (line) => void lines.push(line) }, '2026-01-01T00:00:00.000Z'),
  )
  return lines
}

async function importLines(dataDir: string, lines: string[], source = sourceOf(lines)): Promise<void> {
  const checked = await checkExport(sourceOf(lines))
  await withStore(dataDir, true, (store) => importStore(store, source, checked, { now: 2000, newEpoch: null }))
}

let lines: string[]
beforeAll(async () => {
  const dataDir = newFolder()
  const stores = await openSqliteStores({ dataDir, clock })
  await stores.organisations.create({
    id: 9,
    name: 'A\nB\u2028"',
    region: 'eu',
    onboardedAt: null,
    retentionDays: 7,
    createdAt: 1,
  })
  for (let n = 0; n < 700; n++) await stores.users.upsert(1, `u${n}`, { name: `N${n}` }, 5)
  // The highest number was generated, and its row is removed.
  await stores.users.erase(1, 'u699', 6)
  await stores.close()
  lines = await linesOf(dataDir)
})

describe('an export', () => {
  test('is the same line by line after an import, and a number that was generated is not generated again', async () => {
    const dataDir = newFolder()
    await importLines(dataDir, lines)
    const again = await linesOf(dataDir)
    expect(again.slice(1).sort()).toEqual(lines.slice(1).sort())
    const stores = await openSqliteStores({ dataDir, clock })
    expect((await stores.organisations.find(9))?.name).toBe('A\nB\u2028"')
    expect((await stores.users.upsert(1, 'new', {}, 7)).userNo).toBe(701)
    await stores.close()
  })

  test('reads large rows a few at a time, each once', async () => {
    const dataDir = newFolder()
    const stores = await openSqliteStores({ dataDir, clock })
    for (let n = 0; n < 7; n++) await stores.users.upsert(1, `u${n}`, { name: 'x'.repeat(1_500_000) }, 5)
    await stores.close()
    const counts: number[] = []
    const progress = (table: string, rows: number) => void (table === 'app_user' && counts.push(rows))
    const write = () => {}
    await withStore(dataDir, false, (store) => exportStore(store, { write, progress }, '2026-01-01T00:00:00.000Z'))
    expect(counts).toEqual([2, 4, 6, 7])
    await importLines(newFolder(), await linesOf(dataDir))
  })

  test('is refused when a byte of it differs, a line is missing, or it is cut off', async () => {
    const row = lines.findIndex((line) => line.includes('"N500"'))
    const changed = lines.with(row, (lines[row] ?? '').replace('N500', 'N501'))
    await expect(checkExport(sourceOf(changed))).rejects.toThrow('app_user: the rows have another hash')
    await expect(checkExport(sourceOf(lines.toSpliced(row, 1)))).rejects.toThrow('699 rows expected, 698 found')
    await expect(checkExport(sourceOf(lines.slice(0, -1)))).rejects.toThrow('cut off')
    await expect(checkExport(sourceOf(lines.slice(0, row)))).rejects.toThrow('cut off')
    const amid = lines.slice(0, row + 1).with(row, (lines[row] ?? '').slice(0, -9))
    await expect(checkExport(sourceOf(amid))).rejects.toThrow('cut off amid a line')
    await expect(checkExport(sourceOf([...lines, '[1]']))).rejects.toThrow('after its end')
    await expect(checkExport(sourceOf(['{"a":1}']))).rejects.toThrow('no export')
    await expect(checkExport(sourceOf([]))).rejects.toThrow('empty')
    const newer = (lines[0] ?? '').replace(`"schemaVersion":${knownTables()}`, '"schemaVersion":999')
    await expect(checkExport(sourceOf(lines.with(0, newer)))).rejects.toThrow('Install the version')
  })
})

describe('an import', () => {
  test('needs an empty store without a server', async () => {
    const dataDir = newFolder()
    const stores = await openSqliteStores({ dataDir, clock })
    await expect(importLines(dataDir, lines)).rejects.toThrow('Another process')
    await stores.close()
    // A store on which a server only started is empty.
    await importLines(dataDir, lines)
    await expect(importLines(dataDir, lines)).rejects.toThrow('not empty')
  })

  test.each([0, 3, 300, 690])(
    'interrupted after %s rows leaves a store that no server opens, and can be repeated',
    async (rows) => {
      const dataDir = newFolder()
      const interrupted: ExportSource = {
        async *lines() {
          let left = rows
          for (const line of lines) {
            if (line.startsWith('[') && left-- === 0) throw new Error('killed')
            yield line
          }
        },
      }
      await expect(importLines(dataDir, lines, interrupted)).rejects.toThrow('killed')
      const open = () => openSqliteStores({ dataDir, clock })
      await expect(open()).rejects.toThrow('An import into this store was begun at 1970-01-01T00:00:02.000Z')
      await expect(linesOf(dataDir)).rejects.toThrow('has not finished')
      await importLines(dataDir, lines)
      await (await open()).close()
      expect((await linesOf(dataDir)).slice(1).sort()).toEqual(lines.slice(1).sort())
    },
  )

  test('of before the first release is refused with one sentence', async () => {
    const former = (lines[0] ?? '').replace(`"schemaVersion":${knownTables()}`, '"schemaVersion":54')
    await expect(importLines(newFolder(), [former, ...lines.slice(1)])).rejects.toThrow(
      /^The export was made before the first release, and this version cannot use it\./,
    )
  })
})
