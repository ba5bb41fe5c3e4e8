// Sets up the tests of moving a deployment: servers of each engine under load, compared afterwards by the ledger.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { DemoFile } from '../../seed/demo-file.ts'
import type { ExportHead, TableDigest } from '../../stores/portable/export-format.ts'
import { buildEdge, type EdgeProcess, startEdgeProcess } from '../support/edge-process.ts'
import { engineSettings } from '../support/engine.ts'
import { type GivenLedger, givenLedger, type LedgerOptions } from '../support/given-ledger.ts'
import { givenNc } from '../support/given-nc.ts'
import { acknowledged } from '../support/read-snapshot.ts'

export type Engine = Parameters<typeof engineSettings>[0]
/** Pairs within one engine, and in both directions between the engines. */
export const PAIRS: [Engine, Engine][] = [
  ['sqlite', 'sqlite'],
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
  ['postgres', 'postgres'],
]

/** Output of `export` and `import`. */
export type Summary = ExportHead & { rows: number; tables: Record<string, TableDigest>; epoch?: string }

export interface Deployment {
  dataDir: string
  /** Settings of its engine, without `DATA_DIR`. */
  env: Record<string, string>
}

export interface GivenMoving {
  /** Folder for exported files. */
  folder: string
  /** Creates a deployment whose store has no tables. */
  createDeployment(engine: Engine): Promise<Deployment>
  start(deployment: Deployment): Promise<EdgeProcess>
  /** Starts a server with signed-in users on its own store. */
  source(
    engine: Engine,
    options: LedgerOptions,
  ): Promise<{ deployment: Deployment; edge: EdgeProcess; ledger: GivenLedger }>
  /** Stops all servers. */
  stopServers(): Promise<void>
  close(): Promise<void>
}

/** Builds the edge and returns the tools of these tests. */
export async function givenMoving(): Promise<GivenMoving> {
  await buildEdge()
  const folder = mkdtempSync(join(tmpdir(), 'nc-moving-'))
  const masterKey = randomBytes(32).toString('base64')
  const edges: EdgeProcess[] = []
  const ledgers: GivenLedger[] = []
  async function createDeployment(engine: Engine): Promise<Deployment> {
    const { env } = await engineSettings(engine, { withTables: false })
    return { dataDir: mkdtempSync(join(folder, 'data-')), env: { ...env, MASTER_KEY: masterKey } }
  }
  async function start({ dataDir, env }: Deployment): Promise<EdgeProcess> {
    const edge = await startEdgeProcess(dataDir, env)
    edges.push(edge)
    return edge
  }
  async function stopServers(): Promise<void> {
    for (const edge of edges.splice(0)) await edge.kill()
  }
  return {
    folder,
    createDeployment,
    start,
    async source(engine, options) {
      const deployment = await createDeployment(engine)
      const edge = await start(deployment)
      const demo = JSON.parse(readFileSync(join(deployment.dataDir, 'demo.json'), 'utf8')) as DemoFile
      const ledger = await givenLedger(edge.url, demo, options)
      ledgers.push(ledger)
      return { deployment, edge, ledger }
    },
    stopServers,
    async close() {
      for (const ledger of ledgers) ledger.close()
      await stopServers()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const cliOf = ({ dataDir, env }: Deployment) => givenNc({ DATA_DIR: dataDir, ...env })

/** Runs the load until `until` resolves, then settles it. */
export async function loadFor(ledger: GivenLedger, url: string, until: () => Promise<unknown>): Promise<void> {
  let isOver = false
  await ledger.startClicks(url)
  const running = ledger.load.run(url, () => isOver)
  await until()
  isOver = true
  await running
  ledger.stopClicks()
  await ledger.settle(url)
}

/** Returns a function that resolves when more than `than` events are acknowledged. */
export const acknowledgedMore = (ledger: GivenLedger, than: number) => async () =>
  expect.poll(() => acknowledged(ledger).size, { interval: 20 }).toBeGreaterThan(than)
