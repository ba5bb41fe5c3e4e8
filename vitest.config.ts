// Defines the test projects of vitest (docs/testing.md). Tests of the element run in a page instead (web-test-runner.config.mjs).

import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

const nothing = ['**/node_modules/**', '**/dist/**']
const deep = '**/*.{deep,release}.*'

type Options = NonNullable<TestProjectInlineConfiguration['test']>

/** A test and a hook that take longer have failed: far longer than any takes on a busy machine, so none has a limit of its own. */
const LIMIT_MS = 20 * 60_000

/** Files run isolated unless `isolate` is false. */
function project(name: string, include: string[], exclude: string[], more: Options = {}) {
  return {
    test: {
      name,
      include,
      exclude: [...nothing, ...exclude],
      testTimeout: LIMIT_MS,
      hookTimeout: LIMIT_MS,
      // What comes by itself is waited for, on a busy machine too: by default a poll gives up after one second.
      expect: { poll: { timeout: 60_000, interval: 20 } },
      ...more,
    },
  }
}

/** Reads all output of the servers and processes of these tests for secrets. */
const readsOutput = { setupFiles: ['edge/test/support/watch-output.ts'] }

/** Tests of what is built. */
const builds = { globalSetup: 'tools/test/build-first.ts' }

// Their modules hold nothing of one test that another could meet, whatever the order (docs/testing.md#how-tests-are-written): loading them anew for
// each file cost more than the tests. What puts something in the place of a global is not among them.
const shared = { isolate: false }
const ownUnits = ['edge/http/limits/load-shedding.test.ts']

/** Kills under load run isolated, one file at a time. */
const crash = 'edge/test/crash*.test.ts'
const notJourneys = [crash, 'edge/test/cluster/**']

/** The tests of `edge/test/` on one engine. A file that names an engine runs on that alone. */
function onEngine(engine: 'sqlite' | 'postgres', suffix: string) {
  const other = `**/*.${engine === 'sqlite' ? 'postgres' : 'sqlite'}.test.ts`
  const on = { ...readsOutput, env: { NC_TEST_ENGINE: engine } }
  const serially = { fileParallelism: false }
  return [
    project(`journeys${suffix}`, ['edge/test/**/*.test.ts'], [deep, other, ...notJourneys], { ...on, ...shared }),
    project(`journeys-deep${suffix}`, ['edge/test/**/*.deep.*test.ts'], [other, ...notJourneys], { ...on, ...shared }),
    project(`crash${suffix}`, [crash], [other], { ...on, ...serially }),
  ]
}

export default defineConfig({
  test: {
    // More files at a time than cores, because many wait for a server, a browser or a timer.
    maxWorkers: Number(process.env.NC_TEST_WORKERS ?? availableParallelism() + 1),
    // What one run has compiled the next one finds.
    experimental: { fsModuleCache: true },
    // PostgreSQL for all projects, started when a test first asks.
    globalSetup: 'edge/test/support/servers-setup.ts',
    projects: [
      project(
        'unit',
        ['{contract,dashboard,edge}/**/*.test.ts'],
        [deep, ...ownUnits, 'edge/stores/**', '{dashboard,edge}/test/**'],
        shared,
      ),
      project(
        'unit-own',
        ['{demo,tools,bench}/**/*.test.ts', 'widget/**/*.node.test.ts', ...ownUnits],
        [deep, 'widget/test/**', '**/*.e2e.test.ts'],
      ),
      project('store', ['edge/stores/**/*.test.ts'], [deep]),
      project('sdk', ['sdk/{node,test}/**/*.test.ts'], [deep], readsOutput),
      ...onEngine('sqlite', ''),
      ...onEngine('postgres', '-postgres'),
      // A tracked event, the message in the widget and the funnel, in a page of the demo.
      project('main-job', ['demo/*.e2e.test.ts'], [deep], { ...readsOutput, ...builds }),
      project('deep', ['**/*.deep.test.ts'], ['edge/test/**', 'sdk/test/**']),
      project('release', ['**/*.release.test.ts'], [], { fileParallelism: false }),
      project('sdk-java', ['sdk/test/maven.deep.test.ts'], []),
      project('sdk-php', ['sdk/test/phpunit.deep.test.ts'], []),
      // The built widget in Chromium.
      project('built-widget', ['widget/test/*.node.test.ts'], [], { ...shared, ...builds }),
      project('browsers', ['{dashboard,widget}/test/browsers/*.node.test.ts'], [], builds),
      project('pages', ['dashboard/test/*.e2e.test.ts', 'demo/*.deep.e2e.test.ts'], [], {
        ...readsOutput,
        ...builds,
        ...shared,
        // Its pages wait for their polls; more browsers than cores would only wait for each other.
        maxWorkers: 2,
        sequence: { groupOrder: 1 },
      }),
      project('cluster', ['edge/test/cluster/**/*.test.ts'], [], { ...readsOutput, fileParallelism: false }),
    ],
  },
})
