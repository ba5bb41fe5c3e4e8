// Runs the live suite of all SDKs against one server, and compares the events that the server counts (`npm run sdks`).

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type LiveTarget, startLive } from '../sdk/live/live.ts'
import suite from '../sdk/live/suite.json' with { type: 'json' }
import { installPrograms } from './programs/install-programs.ts'
import { phpunitPath, programPath } from './programs/programs.ts'

const ROOT = resolve(import.meta.dirname, '..')
await installPrograms(['java', 'maven', 'php'], { log: console.log })

const RUNS: Record<string, [program: string, ...args: string[]]> = {
  node: [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', '--project=sdk', 'sdk/node/live.test.ts'],
  java: [programPath('maven'), '--batch-mode', '--quiet', '--file', 'sdk/java/pom.xml', 'test', '-Dtest=LiveSuiteTest'],
  php: [programPath('php'), phpunitPath(), '--configuration', 'sdk/php/phpunit.xml', '--filter', 'LiveTest'],
}

/** All users of the suite, and those of the batch of names. */
const USERS = new Set(
  [...JSON.stringify(suite.cases).matchAll(/"userId":"([^"]+)"/g)]
    .map(([, user]) => user as string)
    .concat('{run}-names'),
)

/** Counts the stored events of a user, page by page. */
async function countEvents({ url, secrets }: LiveTarget, userId: string): Promise<number> {
  let count = 0
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ limit: '100', userId, ...(cursor === '' ? {} : { cursor }) })
    const headers = { authorization: `Bearer ${secrets.sdkSecretKey}` }
    const page = (await (await fetch(`${url}/v1/events?${query}`, { headers })).json()) as Page
    count += page.data.length
    cursor = page.nextCursor
  }
  return count
}

interface Page {
  data: unknown[]
  nextCursor: string | null
}

const room = mkdtempSync(join(tmpdir(), 'nc-sdks-'))
const live = await startLive()
try {
  const target = join(room, 'target.json')
  writeFileSync(target, JSON.stringify(live.target), { mode: 0o600 })
  const env = { ...process.env, NC_LIVE_TARGET: target, JAVA_HOME: programPath('java') }
  const counts: Record<string, Record<string, number>> = {}
  for (const [run, [program, ...args]] of Object.entries(RUNS)) {
    // Beside this process, which serves it meanwhile.
    const [status] = await once(spawn(program, args, { cwd: ROOT, env, stdio: 'inherit' }), 'close')
    if (status !== 0) process.exitCode = 1
    counts[run] = {}
    for (const user of USERS) counts[run][user] = await countEvents(live.target, user.replace('{run}', run))
  }
  console.table(counts)
  const isAlike = new Set(Object.values(counts).map((one) => JSON.stringify(one))).size === 1
  console.log(isAlike ? 'The server counts the same events of each SDK.' : 'The events differ.')
  if (!isAlike) process.exitCode = 1
} finally {
  await live.stop()
  rmSync(room, { recursive: true, force: true })
}
