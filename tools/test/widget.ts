// Runs the widget's tests in a real browser by web-test-runner; writes its counts as JSON to the first argument's file.

import { writeFileSync } from 'node:fs'
import { startTestRunner } from '@web/test-runner'
import { type Counts, describeFailure } from './counts.ts'

interface Suite {
  name: string
  suites?: Suite[]
  tests?: { name: string; passed: boolean; skipped: boolean; error?: { message: string } }[]
}

const resultFile = process.argv[2]
if (resultFile === undefined) throw new Error('the file for the counts must be named')

const runner = await startTestRunner({ readCliArgs: false, autoExitProcess: false, config: { watch: false } })
if (runner === undefined) throw new Error('web-test-runner did not start')
const isPassed = await new Promise<boolean>((resolve) => runner.on('finished', resolve))

const counts: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] }
for (const session of runner.sessions.all()) {
  const before = counts.failed
  if (session.testResults !== undefined) countSuite(session.testResults, session.testFile ?? '')
  // A page that does not load, or throws outside of a test, has no failed case.
  if (session.passed !== true && counts.failed === before) {
    counts.failed += 1
    counts.failures.push(`${session.testFile}: ${session.errors.map(({ message }) => message).join('; ') || 'failed'}`)
  }
}
writeFileSync(resultFile, JSON.stringify(counts))
await runner.stop()
process.exit(isPassed ? 0 : 1)

function countSuite(suite: Suite, path: string): void {
  for (const { name, passed, skipped, error } of suite.tests ?? []) {
    if (skipped) counts.skipped += 1
    else if (passed) counts.passed += 1
    else {
      counts.failed += 1
      counts.failures.push(describeFailure(`${path} › ${name}`, error?.message))
    }
  }
  for (const inner of suite.suites ?? []) countSuite(inner, `${path} › ${inner.name}`)
}
