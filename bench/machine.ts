// On what a benchmark ran: said with each result, because figures of two machines cannot be compared.

import { execFileSync } from 'node:child_process'
import { cpus, release, tmpdir, totalmem, type } from 'node:os'
import { ROOT } from './edges.ts'

// More than this many programs wanted a core already: what is measured is then mostly they.
const BUSY = 0.7

/** `loadBefore`: the load average of the last minute before it began. */
export function describeMachine(engines: Iterable<string>, loadBefore: number, isFull: boolean): string {
  const said = (file: string, ...args: string[]) => execFileSync(file, args, { cwd: ROOT, encoding: 'utf8' }).trim()
  const disk = said('df', '--output=fstype', process.env.BENCH_DATA ?? tmpdir()).split('\n')[1] ?? ''
  const facts = [
    `${new Date().toISOString().slice(0, 10)}, commit ${said('git', 'rev-parse', '--short', 'HEAD')}`,
    `${isFull ? 'full' : 'quick'} profile`,
    `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB`,
    `${type()} ${release()}, Node ${process.versions.node}`,
    [...engines].join(' and ') || 'no edge',
    `data on ${disk}`,
    `load before the run ${loadBefore.toFixed(1)}`,
  ]
  const warning = loadBefore > BUSY ? ' **The machine was busy: take these figures for a rehearsal.**' : ''
  return `${facts.join('; ')}.${warning}`
}
