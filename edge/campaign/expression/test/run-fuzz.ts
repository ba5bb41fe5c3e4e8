// Runs the fuzz of templates or conditions in a process of its own, and reports also when that process ends early.

import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { FuzzOrder, FuzzReport } from './fuzz-process.ts'

/** A service has more; what needs more than this grows without a bound. */
const HEAP = '--max-old-space-size=256'
const PROCESS = join(import.meta.dirname, 'fuzz-process.ts')
const ROOT = resolve(import.meta.dirname, '../../../..')
/** How long one case may last before the process is ended; a busy machine takes a hundred times its processor time. */
const STUCK_MS = 60_000

/** Processor time of one evaluation with its compilation, in milliseconds: three times the slowest found. */
export const DEADLINE_MS = 600

export type FuzzRun = Pick<FuzzOrder, 'engine' | 'seed' | 'seconds'> & { runs?: number }

/** Evaluates generated sources. @returns what failed; an early end of the process is a fault with its case */
export async function runFuzz({ engine, seed, seconds, runs = Number.MAX_SAFE_INTEGER }: FuzzRun): Promise<FuzzReport> {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-'))
  const progress = join(folder, 'case')
  const order: FuzzOrder = { engine, seed, seconds, runs, deadlineMs: DEADLINE_MS, progress }
  try {
    const child = spawn(process.execPath, [HEAP, '--import', 'tsx', PROCESS, JSON.stringify(order)], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output: string[] = []
    child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text))
    const errors: string[] = []
    child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text))
    let last = ''
    const timer = setInterval(() => {
      const now = existsSync(progress) ? readFileSync(progress, 'utf8') : ''
      if (now !== '' && now === last) child.kill('SIGKILL')
      last = now
    }, STUCK_MS)
    const end = await new Promise<string>((done) =>
      child.on('close', (code, signal) => done(signal ?? `exit code ${code}`)),
    )
    clearInterval(timer)
    const line = output.join('').trim()
    if (line.startsWith('{')) return JSON.parse(line) as FuzzReport
    const at = existsSync(progress) ? readFileSync(progress, 'utf8').trim() : 'its start'
    const reason = /FATAL ERROR.*|\w*Error: .*/.exec(errors.join(''))?.[0] ?? ''
    const fault = { message: `the process ended at ${at}: ${end} ${reason}`, source: '' }
    return { runs: 1, faults: [fault], slowest: { ms: 0, seed, source: '' } }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
