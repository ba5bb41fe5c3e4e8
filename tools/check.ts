// Runs the rules of the architecture (`npm run check`), prints each finding and exits with 1 when one is an error.
// `npm run check -- --measure` prints sizes of the code base instead.

import { resolve } from 'node:path'
import { measure } from './check/measure.ts'
import { runChecks } from './check/run.ts'

const root = resolve(import.meta.dirname, '..')

if (process.argv.includes('--measure')) {
  for (const { what, value } of await measure(root)) console.log(`${what.padEnd(45)} ${value}`)
} else {
  const findings = await runChecks(root)
  for (const { level, path, line, rule, message } of findings) {
    console.log(`${level.padEnd(7)} ${path}${line === undefined ? '' : `:${line}`}  ${message}  [${rule}]`)
  }
  const errors = findings.filter(({ level }) => level === 'error').length
  console.log(`architecture: ${errors} errors, ${findings.length - errors} warnings`)
  process.exitCode = errors === 0 ? 0 : 1
}
