// Tests backup and restore under load with a ledger. SQLite alone: PostgreSQL is backed up by its own tools.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DemoFile } from '../../seed/demo-file.ts'
import { buildEdge, type EdgeProcess, rebuildStats, startEdgeProcess } from '../support/edge-process.ts'
import { type GivenLedger, givenLedger } from '../support/given-ledger.ts'
import { givenNc, ncProcess } from '../support/given-nc.ts'
import { acknowledged, expectSnapshot } from '../support/read-snapshot.ts'
import { reportCounts } from '../support/report-counts.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'nc-backup-'))
const file = join(dataDir, 'backup.db')
let edge: EdgeProcess | undefined
let given: GivenLedger | undefined
beforeAll(buildEdge)
afterAll(async () => {
  given?.close()
  await edge?.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a backup under load contains every event that was acknowledged before it, and the server loses nothing', async () => {
  edge = await startEdgeProcess(dataDir)
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile
  const ledger = await givenLedger(edge.url, demo, { seed: 3, users: 60 })
  given = ledger
  const grows = (by: number) => {
    const target = acknowledged(ledger).size + by
    return expect.poll(() => acknowledged(ledger).size, { interval: 20 }).toBeGreaterThan(target)
  }
  let isOver = false
  const running = ledger.load.run(edge.url, () => isOver)
  await grows(800)
  const before = acknowledged(ledger)
  await ncProcess({ DATA_DIR: dataDir }, `backup --to ${file}`)
  const during = acknowledged(ledger).size - before.size
  await grows(300)
  await edge.kill()
  isOver = true
  await running

  // The server that was backed up and killed has lost nothing.
  edge = await startEdgeProcess(dataDir)
  await ledger.settle(edge.url)
  const kept = await ledger.expectLedger(edge.url)
  expect(await edge.stop()).toBe(0)

  const { nc } = givenNc({ DATA_DIR: dataDir })
  expect(await nc(`restore --from ${file} --yes`)).toMatchObject({ code: 0 })
  edge = await startEdgeProcess(dataDir)
  const counts = await expectSnapshot(ledger, edge.url, before)
  reportCounts('restored from a backup under load', { ...counts, duringBackup: during, onServer: kept.events })
  expect(counts.events).toBeLessThan(kept.events)
  expect(during).toBeGreaterThan(0)

  // The restored server accepts new events, and its counters are correct.
  await edge.stop()
  expect(await rebuildStats(dataDir)).toMatchObject({ differed: 0 })
})
