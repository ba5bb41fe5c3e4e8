// Measures a backup while the server tracks: its duration, its cost to tracking, and the time to restore it.

import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Bench, type Benchmark, type Finding, millis, pair, type Row, whole } from '../benchmark.ts'
import { createCustomer } from '../customer.ts'
import { type Edge, ROOT } from '../edges.ts'
import { pace, type Request } from '../load.ts'
import { percentile } from '../numbers.ts'
import { seededUser } from '../seed.ts'

const PER_SECOND = 200
const CONNECTIONS = 8
const SLICE_MS = 1000

export const backup: Benchmark = {
  name: 'backup',
  measures: 'Backup, restore, export and import, beside tracking at 200 events/s',
  async run(bench) {
    const folder = mkdtempSync(join(process.env.BENCH_DATA ?? tmpdir(), 'nc-bench-copies-'))
    try {
      return await measure(bench, folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function measure({ pick, edges, log }: Bench, folder: string): Promise<Finding> {
  const stored = pick({ rehearsal: 2000, quick: 50_000, full: 300_000 })
  const edge = await edges.start({ stored })
  const customer = createCustomer(edge.address, edge.dataDir)
  let at = 0
  const next = () => customer.track(seededUser(at++))
  const before = await pace(
    edge.address,
    PER_SECOND,
    pick({ rehearsal: 500, quick: 4000, full: 10_000 }),
    CONNECTIONS,
    next,
  )

  const file = join(folder, 'backup.db')
  const saved = await beside(edge, next, () => nc(edge.dataDir, 'backup', '--to', file))
  log(`backup: ${saved.seconds.toFixed(1)} s`)
  const lines = join(folder, 'export.ndjson')
  const sent = await beside(edge, next, () => nc<{ rows: number }>(edge.dataDir, 'export', '--to', lines))
  log(`export: ${sent.seconds.toFixed(1)} s`)
  await edge.stop()

  const restored = join(folder, 'restored')
  const restore = await timed(() => nc(restored, 'restore', '--from', file, '--yes'))
  log(`restore: ${restore.seconds.toFixed(1)} s`)
  const imported = mkdtempSync(join(folder, 'imported-'))
  copyFileSync(join(edge.dataDir, 'master.key'), join(imported, 'master.key'))
  const arrive = await timed(() => nc(imported, 'import', '--from', lines))
  log(`import: ${arrive.seconds.toFixed(1)} s`)

  const rowOf = (what: string, seconds: number, path: string): Row => {
    const megabytes = statSync(path).size / 1e6
    return { what, value: `${seconds.toFixed(1)} s, ${whole(megabytes)} MB, ${whole(megabytes / seconds)} MB/s` }
  }
  const latency = (all: number[]) => pair(percentile(all, 0.5), percentile(all, 0.99))
  return {
    rows: [
      { what: 'Rows in the store', value: whole(sent.answer.rows) },
      rowOf('Backup beside tracking', saved.seconds, file),
      rowOf('Restore', restore.seconds, file),
      rowOf('Export beside tracking', sent.seconds, lines),
      rowOf('Import, with the file checked first and all rows read back', arrive.seconds, lines),
      { what: 'Import, seconds per million rows', value: ((arrive.seconds / sent.answer.rows) * 1e6).toFixed(0) },
      { what: 'Tracking p50 / p99 before', value: latency(before) },
      { what: 'Tracking p50 / p99 during the backup', value: latency(saved.latencies) },
      { what: 'Tracking p50 / p99 during the export', value: latency(sent.latencies) },
    ],
    notes: [
      `Each command is a process of its own that starts in ${millis((await timed(() => nc(imported, 'org', 'list'))).seconds * 1000)}; that is part of its time.`,
    ],
  }
}

/** Tracks at a fixed rate until the work is done. */
async function beside<T>(edge: Edge, next: () => Request, work: () => Promise<T>) {
  let isDone = false
  const running = timed(work).finally(() => {
    isDone = true
  })
  const latencies: number[] = []
  while (!isDone) latencies.push(...(await pace(edge.address, PER_SECOND, SLICE_MS, CONNECTIONS, next)))
  return { ...(await running), latencies }
}

async function timed<T>(work: () => Promise<T>): Promise<{ seconds: number; answer: T }> {
  const begun = performance.now()
  const answer = await work()
  return { seconds: (performance.now() - begun) / 1000, answer }
}

/** Runs the command line like an operator. @returns the parsed output of `--json` */
async function nc<T>(dataDir: string, ...words: string[]): Promise<T> {
  const args = ['--import', 'tsx', 'edge/cli/nc.ts', ...words, '--json']
  const options = { cwd: ROOT, env: { ...process.env, DATA_DIR: dataDir }, maxBuffer: 16 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(process.execPath, args, options)
  return JSON.parse(stdout) as T
}
