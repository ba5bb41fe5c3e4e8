// `npm run check`: the rules of the architecture. Prints each finding; exits 1 when one is an error.

import { resolve } from 'node:path'
import { runChecks } from './check/run.ts'

const findings = await runChecks(resolve(import.meta.dirname, '..'))
for (const { level, path, line, rule, message } of findings) {
  console.log(`${level.padEnd(7)} ${path}${line === undefined ? '' : `:${line}`}  ${message}  [${rule}]`)
}
const errors = findings.filter(({ level }) => level === 'error').length
console.log(`architecture: ${errors} errors, ${findings.length - errors} warnings`)
process.exitCode = errors === 0 ? 0 : 1
