// On what a benchmark ran: said with each result, because figures of two machines cannot be compared.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cpus, loadavg, release, tmpdir, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findPostgres, findRedis } from '../tools/servers/programs.ts'
import type { Profile } from './benchmark.ts'
import { ROOT } from './edges.ts'

// With more than this taken by other programs, what is measured is partly they.
const BUSY_CORES = 0.35
const LOOK_MS = 700

export interface Others {
  /** Cores that others kept busy while nothing of the benchmarks ran. */
  cores: number
  /** Of the last minute; the benchmarks before this one are in it. */
  load: number
}

/** Asked just before a benchmark begins: the load average alone would count the benchmark before it. */
export async function measureOthers(): Promise<Others> {
  const before = busyMs()
  const begun = performance.now()
  await delay(LOOK_MS)
  return { cores: (busyMs() - before) / (performance.now() - begun), load: loadavg()[0] ?? 0 }
}

function busyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
}

export function describeMachine(engines: Iterable<string>, others: Others, profile: Profile, minutes: number): string {
  const said = (file: string, ...args: string[]) => execFileSync(file, args, { cwd: ROOT, encoding: 'utf8' }).trim()
  const disk = said('df', '--output=fstype', process.env.BENCH_DATA ?? tmpdir()).split('\n')[1] ?? ''
  const facts = [
    `${new Date().toISOString().slice(0, 10)}, commit ${said('git', 'rev-parse', '--short', 'HEAD')}`,
    `${profile} profile, ${minutes.toFixed(1)} minutes`,
    `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB`,
    `${type()} ${release()}, Node ${process.versions.node}`,
    [...engines].join(' and ') || 'no edge',
    versionsOf(said),
    `data on ${disk}`,
    `at its start others kept ${others.cores.toFixed(1)} cores busy, load ${others.load.toFixed(1)}`,
  ]
  const warning = others.cores > BUSY_CORES ? ' **The machine was busy: take these figures for a rehearsal.**' : ''
  return `${facts.join('; ')}.${warning}`
}

/** Of what is measured beside Node, as far as it is installed. */
function versionsOf(said: (file: string, ...args: string[]) => string): string {
  const manifest = join(ROOT, 'node_modules/better-sqlite3/package.json')
  const numberIn = (text: string) => /\d+(\.\d+)+/.exec(text)?.[0] ?? 'of an unknown version'
  const [postgres, redis] = [findPostgres(), findRedis()]
  const versions = [
    ...(existsSync(manifest) ? [`better-sqlite3 ${JSON.parse(readFileSync(manifest, 'utf8')).version}`] : []),
    ...(postgres === undefined ? [] : [`PostgreSQL ${numberIn(said(join(postgres, 'postgres'), '--version'))}`]),
    ...(redis === undefined ? [] : [`Redis ${numberIn(said(redis, '--version'))}`]),
  ]
  return versions.join(', ')
}
