// Calls the command line in this process, on the data folder of a running edge.

import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { FindTexts } from '../../auth/find-texts.ts'
import { createCommandContext } from '../../cli/command-context.ts'
import { COMMANDS } from '../../cli/commands.ts'
import { dispatch } from '../../cli/dispatch.ts'
import { buildEdge } from './edge-process.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
/** The built command line. Loading its sources would take two seconds of processor time at each start. */
export const BUILT_NC = 'edge/dist/nc.js'

/** Runs the command line as a process. @returns the parsed `--json` output. Rejects when the command fails. */
export async function ncProcess<T>(env: Record<string, string>, command: string): Promise<T> {
  await buildEdge()
  const args = [BUILT_NC, ...command.split(' '), '--json']
  const options = { cwd: ROOT, env: { ...process.env, ...env }, maxBuffer: 16 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(process.execPath, args, options)
  return JSON.parse(stdout) as T
}

export interface NcResult {
  code: number
  out: string
  err: string
}

/**
 * Returns functions that run a command line as typed, such as `nc('secret list --env env_…')`.
 * A list of arguments is for those that contain a space.
 */
export function givenNc(env: Record<string, string | undefined>, findTexts?: FindTexts) {
  const controls = { progress() {}, lowerPriority() {}, ...(findTexts && { findTexts }) }

  async function nc(command: string | string[]): Promise<NcResult> {
    const output = { out: '', err: '' }
    const add = (stream: 'out' | 'err') => (text: string) => {
      output[stream] += text
    }
    const terminal = { out: add('out'), err: add('err') }
    const args = typeof command === 'string' ? command.split(' ').filter((part) => part !== '') : command
    const code = await dispatch(COMMANDS, args, terminal, () => createCommandContext(env, controls))
    return { code, ...output }
  }
  return {
    nc,
    /** Returns the parsed `--json` output. @throws when the command fails */
    async json<T = Record<string, unknown>>(command: string | string[]): Promise<T> {
      const { code, out, err } = await nc(typeof command === 'string' ? `${command} --json` : [...command, '--json'])
      if (code !== 0) throw new Error(`exit ${code}: ${err}`)
      return JSON.parse(out) as T
    },
  }
}
