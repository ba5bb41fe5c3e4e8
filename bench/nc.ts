// The command line beside a running edge, as an operator calls it.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './edges.ts'

/** `settings`: of the edge. What `npm run nc -- <args> --json` answers. Throws what it complains of. */
export async function callNc<T>(settings: Record<string, string>, ...args: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', join(ROOT, 'edge/cli/nc.ts'), ...args, '--json'],
    { cwd: ROOT, env: { ...process.env, ...settings }, maxBuffer: 2 ** 26 },
  )
  return JSON.parse(stdout) as T
}
