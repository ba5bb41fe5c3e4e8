// Tests an export under load that is imported elsewhere: it is a consistent snapshot. Each pair of engines,
// in the run that starts PostgreSQL.

import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { GivenLedger } from '../support/given-ledger.ts'
import { ncProcess } from '../support/given-nc.ts'
import type { LedgerCounts } from '../support/read-ledger.ts'
import { acknowledged, expectSnapshot } from '../support/read-snapshot.ts'
import { reportCounts } from '../support/report-counts.ts'
import {
  acknowledgedMore,
  cliOf,
  type Engine,
  type GivenMoving,
  givenMoving,
  loadFor,
  PAIRS,
  type Summary,
} from './given-moving.ts'

/** The load lasts as long as the export; more workers would only lengthen the ledger. */
const WORKERS = 4

let moving: GivenMoving
beforeAll(async () => {
  moving = await givenMoving()
})
afterEach(() => moving.stopServers())
afterAll(() => moving?.close())

interface LiveExport {
  file: string
  ledger: GivenLedger
  /** Events answered before the export began. */
  before: Set<number>
  /** Final content of the source. */
  kept: LedgerCounts
}

const exports = new Map<Engine, Promise<LiveExport>>()

/** Exports once per engine, because the file may be imported anywhere. */
function exportLive(from: Engine): Promise<LiveExport> {
  const known = exports.get(from) ?? exportLiveOnce(from)
  exports.set(from, known)
  return known
}

async function exportLiveOnce(from: Engine): Promise<LiveExport> {
  const { deployment, edge, ledger } = await moving.source(from, { seed: 8, users: 60, workers: WORKERS })
  const file = join(moving.folder, `${from}.live.ndjson`)
  let before = new Set<number>()
  let sent: Summary | undefined
  await loadFor(ledger, edge.url, async () => {
    await acknowledgedMore(ledger, 500)()
    before = acknowledged(ledger)
    // Runs as a process of its own, like an operator's, so that the load continues.
    sent = await ncProcess<Summary>({ DATA_DIR: deployment.dataDir, ...deployment.env }, `export --to ${file}`)
    await acknowledgedMore(ledger, acknowledged(ledger).size + 200)()
  })
  const kept = await ledger.expectLedger(edge.url)
  await edge.stop()
  expect(sent).toMatchObject({ live: true })
  return { file, ledger, before, kept }
}

describe.each(PAIRS)('from %s to %s', (from, to) => {
  test('an export under load is a consistent snapshot, and the server loses nothing', async () => {
    const { file, ledger, before, kept } = await exportLive(from)
    const target = await moving.createDeployment(to)
    expect(await cliOf(target).json<Summary>(`import --from ${file}`)).toMatchObject({ epoch: 'new' })
    const second = await moving.start(target)
    const counts = await expectSnapshot(ledger, second.url, before)
    reportCounts(`exported from ${from} to ${to} under load`, { ...counts, onSource: kept.events })
    expect(counts.events).toBeLessThan(kept.events)
    await second.stop()
    expect(await cliOf(target).json('stats rebuild')).toMatchObject({ differed: 0 })
  })
})
