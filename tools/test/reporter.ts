// Adds the cases of each test file that ends to the file that `--outputFile.cases` names, one line of JSON each.

import { appendFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import type { Case } from './cases.ts'

export default class CasesReporter implements Reporter {
  #file = ''

  onInit({ config }: Vitest): void {
    this.#file = (config.outputFile as { cases: string }).cases
  }

  onTestModuleEnd(module: TestModule): void {
    appendFileSync(
      this.#file,
      casesOf(module)
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
    )
  }
}

function casesOf(module: TestModule): Case[] {
  const { collectDuration, setupDuration, duration } = module.diagnostic()
  const fileMs = Math.round(collectDuration + setupDuration + duration)
  const cases = [...module.children.allTests()].map((test) => ({ ...caseOf(test), fileMs }))
  // A file that cannot be loaded, or whose hooks fail, has no failed case.
  const isFaulty = module.state() === 'failed' && !cases.some(({ outcome }) => outcome === 'failed')
  if (!isFaulty) return cases
  const [error] = [module, ...module.children.allSuites()].flatMap((one) => one.errors())
  return [
    ...cases,
    { group: module.project.name, name: module.relativeModuleId, outcome: 'failed', error: error?.message },
  ]
}

function caseOf(test: TestCase): Case {
  const { state, errors } = test.result()
  return {
    group: test.project.name,
    name: `${test.module.relativeModuleId} › ${test.fullName}`,
    // A case that has not run when the run ends was interrupted.
    outcome: state === 'pending' ? 'failed' : state,
    error: errors?.[0]?.message,
  }
}
