// Describes the machine of a benchmark in each result, because figures of two machines cannot be compared.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cpus, loadavg, release, tmpdir, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findProgram } from '../tools/programs/programs.ts'
import type { Profile } from './benchmark.ts'
import { ROOT } from './edges.ts'

// Above this use of cores by other programs, the figures are disturbed.
const BUSY_CORES = 0.35
const LOOK_MS = 700

export interface Others {
  /** Cores in use by other programs while no benchmark ran. */
  cores: number
  /** Load average of the last minute, which includes the previous benchmark. */
  load: number
}

/** Measures the use by other programs just before a benchmark, because the load average includes the previous one. */
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
  const run = (file: string, ...args: string[]) => execFileSync(file, args, { cwd: ROOT, encoding: 'utf8' }).trim()
  const disk = run('df', '--output=fstype', process.env.BENCH_DATA ?? tmpdir()).split('\n')[1] ?? ''
  const facts = [
    `${new Date().toISOString().slice(0, 10)}, commit ${run('git', 'rev-parse', '--short', 'HEAD')}`,
    `${profile} profile, ${minutes.toFixed(1)} minutes`,
    `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB`,
    `${type()} ${release()}, Node ${process.versions.node}`,
    [...engines].join(' and ') || 'no edge',
    versionsOf(run),
    `data on ${disk}`,
    `at its start others kept ${others.cores.toFixed(1)} cores busy, load ${others.load.toFixed(1)}`,
  ]
  const warning = others.cores > BUSY_CORES ? ' **The machine was busy: take these figures for a rehearsal.**' : ''
  return `${facts.join('; ')}.${warning}`
}

/** Returns the versions of the measured programs, as far as they are installed. */
function versionsOf(run: (file: string, ...args: string[]) => string): string {
  const manifest = join(ROOT, 'node_modules/better-sqlite3/package.json')
  const numberIn = (text: string) => /\d+(\.\d+)+/.exec(text)?.[0] ?? 'of an unknown version'
  const [postgres, redis] = [findProgram('postgres'), findProgram('redis')]
  const versions = [
    ...(existsSync(manifest) ? [`better-sqlite3 ${JSON.parse(readFileSync(manifest, 'utf8')).version}`] : []),
    ...(postgres === undefined ? [] : [`PostgreSQL ${numberIn(run(join(postgres, 'postgres'), '--version'))}`]),
    ...(redis === undefined ? [] : [`Redis ${numberIn(run(redis, '--version'))}`]),
  ]
  return versions.join(', ')
}
