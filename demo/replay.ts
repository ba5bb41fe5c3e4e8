// Sends GitHub's real webhook payloads through a running server and compares the sums
// (`npm run demo:replay [-- --run=<id> --per-second=<n>]`).

import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type DemoFile, findDemoFile } from './backend/demo-file.ts'
import { type ReplayOutcome, replay } from './replay/replay.ts'

const { values } = parseArgs({ options: { run: { type: 'string' }, 'per-second': { type: 'string', default: '60' } } })

async function main(env: Record<string, string | undefined>): Promise<number> {
  const dataDir = resolve(env.DATA_DIR || 'data')
  const edgeUrl = env.PUBLIC_URL || `http://${hostInUrl(env.HOST || '127.0.0.1')}:${env.PORT || '3000'}`
  const demo = await findDemoFile(dataDir)
  if (demo === undefined)
    return complain(`There is no ${dataDir}/demo.json. Start the server with \`npm start\` in another window first.`)
  if (!(await isReady(edgeUrl))) {
    return complain(
      `No server answers at ${edgeUrl}. Start it with \`npm start\`, or set PORT or PUBLIC_URL to where it listens.`,
    )
  }
  return run(edgeUrl, demo)
}

/** A server that listens everywhere is reached at this machine: a call to `localhost` tries both families. */
function hostInUrl(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  if (/^(0\.0\.0\.0|::)$/.test(bare)) return 'localhost'
  return bare.includes(':') ? `[${bare}]` : bare
}

async function run(edgeUrl: string, demo: DemoFile): Promise<number> {
  const perSecond = Number(values['per-second'])
  if (!(perSecond > 0)) return complain('--per-second must be a number above 0.')
  const runId = values.run ?? randomBytes(4).toString('hex')
  console.log(`Replay ${runId} to ${edgeUrl}`)
  const outcome = await replay({ edgeUrl, demo, runId, perSecond, log: (line) => console.log(`  ${line}`) })
  return report(runId, outcome)
}

function report(runId: string, outcome: ReplayOutcome): number {
  const { payloads, accepted, duplicates, notifications, notifiedTypes, outcomes, users, unmatchedNames } = outcome
  console.log(`\nPayloads       ${payloads}`)
  console.log(`Accepted       ${accepted}${duplicates > 0 ? `, of these ${duplicates} were known already` : ''}`)
  console.log(
    `Traces         ${Object.entries(outcomes)
      .map(([word, count]) => `${count} ${word}`)
      .join(', ')}`,
  )
  console.log(`Notifications  ${notifications} of ${notifiedTypes.length} types`)
  console.log(`No campaign    ${unmatchedNames.length} names, such as ${unmatchedNames.slice(0, 4).join(', ')}`)
  console.log('\nUser     this run  in inbox   unread: server = counted   unopened: server = counted')
  for (const { userId, promised, found, head, counted } of users) {
    const cells = [userId.padEnd(8), String(promised).padStart(8), String(found).padStart(9)]
    const unread = `${head.unread} = ${counted.unread}`.padStart(26)
    console.log(`${cells.join(' ')} ${unread} ${`${head.unopened} = ${counted.unopened}`.padStart(28)}`)
  }
  const faults = [
    ...outcome.refusals.map((refusal) => `refused: ${refusal}`),
    ...outcome.failures.map((failure) => `failed run: ${failure}`),
    ...users.flatMap((user) => user.differences.map((difference) => `${user.userId}: ${difference}`)),
  ]
  for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`)
  if (faults.length > 0) return complain(`${faults.length} differences.`)
  console.log(
    `\nAll accepted, each traced, all counts equal. Again with the same keys: npm run demo:replay -- --run=${runId}`,
  )
  return 0
}

async function isReady(edgeUrl: string): Promise<boolean> {
  const response = await fetch(`${edgeUrl}/readyz`, { signal: AbortSignal.timeout(3000) }).catch(() => undefined)
  return response?.ok === true
}

function complain(message: string): number {
  console.error(message)
  return 1
}

main(process.env).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  },
)
