// Runs the same two servers under wrk, where it is installed, to verify our own load generator.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Row, ratio, whole } from '../benchmark.ts'
import { createCustomer } from '../customer.ts'
import type { Edge } from '../edges.ts'
import { median } from '../numbers.ts'

const CONNECTIONS = 64
const ROUND_SECONDS = 3

/** Measures both servers in alternating rounds; returns nothing where wrk is not installed. */
export async function measureByWrk(
  edge: Edge,
  bareUrl: string,
  rounds: number,
  core: number | undefined,
): Promise<Row[]> {
  if (!isInstalled()) return []
  const script = join(edge.dataDir, 'wrk.lua')
  writeScript(script, edge)
  const bare: number[] = []
  const ratios: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const ofBare = await runWrk(script, bareUrl, core)
    const ofEdge = await runWrk(script, `${edge.address}/v1/events/track`, core)
    bare.push(ofBare)
    ratios.push(ofEdge / ofBare)
  }
  return [
    { what: 'Under wrk: bare node:http, requests/s', value: whole(median(bare)) },
    { what: '… single events of bare requests', value: ratio(median(ratios)) },
  ]
}

function isInstalled(): boolean {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'ignore' })
    return true
  } catch (error) {
    // `wrk --version` exits with 1.
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT')
  }
}

/** Writes the Lua script from which wrk takes method, headers and body: one of our requests, with a user for each. */
function writeScript(path: string, edge: Edge): void {
  const [head = '', body = ''] = createCustomer(edge.address, edge.dataDir)
    .track('bench_USER')
    .bytes.toString()
    .split('\r\n\r\n')
  const authorization = /^authorization: (.*)$/im.exec(head)?.[1] ?? ''
  writeFileSync(
    path,
    `wrk.method = 'POST'
wrk.headers['content-type'] = 'application/json'
wrk.headers['authorization'] = '${authorization}'
local body = '${body}'
local at = 0
request = function()
  at = at + 1
  return wrk.format(nil, nil, nil, (body:gsub('USER', tostring(at % 1000))))
end
`,
    { mode: 0o600 },
  )
}

async function runWrk(script: string, url: string, core: number | undefined): Promise<number> {
  const args = ['-t', '1', '-c', String(CONNECTIONS), '-d', `${ROUND_SECONDS}s`, '-s', script, url]
  const [file, all] = core === undefined ? ['wrk', args] : ['taskset', ['-c', String(core), 'wrk', ...args]]
  const child = spawn(file, all, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  await once(child, 'exit')
  if (/Non-2xx/.test(output)) throw new Error(`wrk was refused: ${output}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1])
}
