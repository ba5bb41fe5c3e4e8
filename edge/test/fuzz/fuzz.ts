// Sends requests made from /openapi.json to the built edge (`npm run fuzz:api -- --requests 10000 --seed 7`).

import { parseArgs } from 'node:util'
import { runRequests } from './run-requests.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    engine: { type: 'string', default: 'sqlite' },
    concurrency: { type: 'string', default: '4' },
    only: { type: 'string' },
  },
})
const { engine } = values
if (engine !== 'sqlite' && engine !== 'postgres') throw new Error('--engine: sqlite or postgres.')
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
const print = (line: string) => process.stdout.write(`${line}\n`)

print(`seed ${seed}`)
const { sent, statuses, faults, slowest } = await runRequests({
  ...{ requests: Number(values.requests), seed, engine, print },
  ...{ concurrency: Number(values.concurrency), only: values.only },
})
print(
  `answers: ${[...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status} ${count}`)
    .join(', ')}`,
)
for (const { name, tookMs } of slowest) print(`longest: ${Math.round(tookMs)} ms ${name}`)
for (const { kind, count, round, command, answer } of faults)
  print(`\nfailed ${count} times: ${kind}${round === undefined ? '' : ` (round ${round})`}\n  ${command}\n  ${answer}`)
print(`${sent} requests, ${faults.length} kinds of faults`)
process.exitCode = faults.length === 0 ? 0 : 1
