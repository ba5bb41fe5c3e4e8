// Builds what is stale before tests of built pages and programs, and before each run of a watch.

import type { TestProject } from 'vitest/node'
import { runBuild } from '../build/run-build.mjs'

export default async function setup(project: TestProject): Promise<void> {
  const build = async (): Promise<void> => {
    const status = await runBuild([], new AbortController().signal)
    if (status !== 0) throw new Error(`The build ended with exit ${status}.`)
  }
  await build()
  project.onTestsRerun(build)
}
