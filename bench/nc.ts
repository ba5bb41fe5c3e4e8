// Calls the command line beside a running edge, like an operator.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './edges.ts'

/** Runs `nc <args> --json` with the settings of an edge. @returns its parsed output @throws with its error text */
export async function callNc<T>(settings: Record<string, string>, ...args: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', join(ROOT, 'edge/cli/nc.ts'), ...args, '--json'],
    { cwd: ROOT, env: { ...process.env, ...settings }, maxBuffer: 2 ** 26 },
  )
  return JSON.parse(stdout) as T
}
