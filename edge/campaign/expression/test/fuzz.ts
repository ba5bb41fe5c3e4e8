// Looks for templates and conditions that end the process or take too long (`npm run fuzz -- --seed 7 --seconds 20`).

import { parseArgs } from 'node:util'
import { runFuzz } from './run-fuzz.ts'

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    seed: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    runs: { type: 'string' },
  },
})
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(values.seed)
const engines = (['templates', 'conditions'] as const).filter(
  (name) => values.engine === undefined || values.engine === name,
)

const print = (line: string) => process.stdout.write(`${line}\n`)

let passed = 0
let failed = 0
print(`seed ${seed}`)
for (const engine of engines) {
  const options = { engine, seed, seconds: Number(values.seconds), ...(values.runs && { runs: Number(values.runs) }) }
  const { runs, faults, slowest } = await runFuzz(options)
  passed += runs - faults.length
  failed += faults.length
  print(
    `${engine}: ${runs} evaluations, the slowest ${slowest.ms.toFixed(0)} ms (seed ${slowest.seed}): ${JSON.stringify(slowest.source)}`,
  )
  for (const fault of faults)
    print(
      `${engine}: ${fault.seed === undefined ? 'failed' : `failed with seed ${fault.seed}`}: ${fault.message}: ${JSON.stringify(fault.source)}`,
    )
}
print(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
