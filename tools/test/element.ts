// Runs the element's tests in a page by web-test-runner; writes each case as a line of JSON to the first argument's file.

import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { startTestRunner } from '@web/test-runner'
import type { Case } from './cases.ts'

interface Suite {
  name: string
  suites?: Suite[]
  tests?: { name: string; passed: boolean; skipped: boolean; error?: { message: string } }[]
}

function casesOf(suite: Suite, path: string): Case[] {
  const own = (suite.tests ?? []).map(({ name, passed, skipped, error }): Case => {
    const outcome = skipped ? 'skipped' : passed ? 'passed' : 'failed'
    return { group: 'element', name: `${path} › ${name}`, outcome, error: error?.message }
  })
  return [...own, ...(suite.suites ?? []).flatMap((inner) => casesOf(inner, `${path} › ${inner.name}`))]
}

const runner = await startTestRunner({ readCliArgs: false, autoExitProcess: false, config: { watch: false } })
if (runner === undefined) throw new Error('web-test-runner did not start')
const isPassed = await new Promise<boolean>((resolve) => runner.on('finished', resolve))

const cases = [...runner.sessions.all()].flatMap(({ testFile = '', testResults, passed, errors }) => {
  const path = relative(process.cwd(), testFile)
  const found = testResults === undefined ? [] : casesOf(testResults, path)
  // A page that does not load, or throws outside of a test, has no failed case.
  if (passed === true || found.some(({ outcome }) => outcome === 'failed')) return found
  const error = errors.map(({ message }) => message).join('; ')
  return [...found, { group: 'element', name: path, outcome: 'failed', error } satisfies Case]
})
writeFileSync(process.argv[2] as string, cases.map((one) => JSON.stringify(one)).join('\n'))
await runner.stop()
process.exit(isPassed ? 0 : 1)
