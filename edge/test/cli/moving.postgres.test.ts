// Moving a deployment: exported, imported elsewhere, served on; the ledger compares (issue: moving up). Each pair of engines. Both engines in one run: the one that starts PostgreSQL.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { InboxChanges, InboxPage } from '../../../contract/api.ts'
import type { DemoFile } from '../../flow/seed-demo.ts'
import type { ExportHead, TableDigest } from '../../stores/portable/portable-file.ts'
import { buildEdge, type EdgeProcess, startEdgeProcess } from '../support/edge-process.ts'
import { engineSettings } from '../support/engine.ts'
import { type GivenLedger, givenLedger } from '../support/given-ledger.ts'
import { givenNc, ncProcess } from '../support/given-nc.ts'
import { acknowledged, expectSnapshot } from '../support/read-snapshot.ts'
import { tell } from '../support/tell.ts'

type Engine = Parameters<typeof engineSettings>[0]
type Summary = ExportHead & { rows: number; tables: Record<string, TableDigest>; epoch?: string }
interface Place {
  dataDir: string
  env: Record<string, string>
}
/** Within each engine, up and back. */
const PAIRS: [Engine, Engine][] = [
  ['sqlite', 'sqlite'],
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
  ['postgres', 'postgres'],
]
const MASTER_KEY = randomBytes(32).toString('base64')

const folder = mkdtempSync(join(tmpdir(), 'nc-moving-'))
const edges: EdgeProcess[] = []
let given: GivenLedger | undefined
beforeAll(buildEdge, 120_000)
afterEach(async () => {
  given?.close()
  for (const edge of edges.splice(0)) await edge.kill()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function placeOf(engine: Engine): Promise<Place> {
  const { env } = await engineSettings(engine, { withTables: false })
  return { dataDir: mkdtempSync(join(folder, 'data-')), env: { ...env, MASTER_KEY } }
}

async function start({ dataDir, env }: Place): Promise<EdgeProcess> {
  const edge = await startEdgeProcess(dataDir, env)
  edges.push(edge)
  return edge
}

const cliOf = ({ dataDir, env }: Place) => givenNc({ DATA_DIR: dataDir, ...env })

async function loadFor(ledger: GivenLedger, url: string, until: () => Promise<unknown>): Promise<void> {
  let isOver = false
  await ledger.offerClicks(url)
  const running = ledger.load.run(url, () => isOver)
  await until()
  isOver = true
  await running
  ledger.endClicks()
  await ledger.settle(url)
}

const acknowledgedMore = (ledger: GivenLedger, than: number) => async () =>
  expect.poll(() => acknowledged(ledger).size, { timeout: 60_000, interval: 20 }).toBeGreaterThan(than)

describe.each(PAIRS)('from %s to %s', (from, to) => {
  test('all arrives, and widgets go on where they were', async () => {
    const [source, target] = [await placeOf(from), await placeOf(to)]
    const first = await start(source)
    const demo = JSON.parse(readFileSync(join(source.dataDir, 'demo.json'), 'utf8')) as DemoFile
    const ledger = await givenLedger(first.url, demo, { seed: 7, users: 60 })
    given = ledger
    await loadFor(ledger, first.url, acknowledgedMore(ledger, 1500))
    const before = await ledger.expectLedger(first.url)
    const heads = new Map<string, InboxPage['inbox']>()
    for (const [userId, { sessionToken: key }] of ledger.sessions) {
      const { body } = await ledger.client.ask(first.url, 'GET', '/v1/inbox/messages?limit=1', { key })
      heads.set(userId, (body as InboxPage).inbox)
    }
    await first.stop()

    const file = join(folder, `${from}-${to}.ndjson.gz`)
    const sent = await cliOf(source).json<Summary>(`export --to ${file}`)
    expect(sent).toMatchObject({ live: false, rows: expect.any(Number) })
    expect(await cliOf(target).json<Summary>(`import --from ${file}`)).toMatchObject({ epoch: 'kept', rows: sent.rows })
    const again = await cliOf(target).json<Summary>(`export --to ${file}.again.gz`)
    expect(again.tables).toEqual(sent.tables)

    const second = await start(target)
    expect(await ledger.expectLedger(second.url)).toEqual(before)
    await loadFor(ledger, second.url, acknowledgedMore(ledger, before.events + 500))
    const after = await ledger.expectLedger(second.url)
    tell(`moved from ${from} to ${to}`, { rows: sent.rows, before, after })
    for (const [userId, head] of heads) {
      const key = ledger.sessions.get(userId)?.sessionToken ?? ''
      const path = `/v1/inbox/changes?since=${head.seq}&epoch=${head.epoch}`
      const { body } = await ledger.client.ask(second.url, 'GET', path, { key })
      const changes = body as InboxChanges
      // More than the log keeps is a reset of its own; none of the users got so many.
      expect(changes).toMatchObject({ reset: false, epoch: head.epoch })
      expect(changes.changes.length).toBeGreaterThan(0)
    }
    await second.stop()
    expect(await cliOf(target).json('stats rebuild')).toMatchObject({ differed: 0 })
  }, 240_000)

  test('taken under load it is one moment, whole; the server loses nothing', async () => {
    const [source, target] = [await placeOf(from), await placeOf(to)]
    const first = await start(source)
    const demo = JSON.parse(readFileSync(join(source.dataDir, 'demo.json'), 'utf8')) as DemoFile
    const ledger = await givenLedger(first.url, demo, { seed: 8, users: 60 })
    given = ledger
    const file = join(folder, `${from}-${to}.live.ndjson`)
    let before = new Set<number>()
    let sent: Summary | undefined
    await loadFor(ledger, first.url, async () => {
      await acknowledgedMore(ledger, 500)()
      before = acknowledged(ledger)
      // A process of its own, as an operator's: the load goes on meanwhile.
      sent = await ncProcess<Summary>({ DATA_DIR: source.dataDir, ...source.env }, `export --to ${file}`)
      await acknowledgedMore(ledger, acknowledged(ledger).size + 200)()
    })
    const kept = await ledger.expectLedger(first.url)
    await first.stop()
    expect(sent).toMatchObject({ live: true })
    expect(await cliOf(target).json<Summary>(`import --from ${file}`)).toMatchObject({ epoch: 'new' })
    const second = await start(target)
    const counts = await expectSnapshot(ledger, second.url, before)
    tell(`exported from ${from} to ${to} under load`, { ...counts, onSource: kept.events })
    expect(counts.events).toBeLessThan(kept.events)
    await second.stop()
    expect(await cliOf(target).json('stats rebuild')).toMatchObject({ differed: 0 })
  }, 240_000)
})
