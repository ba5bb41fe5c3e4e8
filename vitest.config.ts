// Defines the test projects of vitest. Widget tests run in a real browser instead (web-test-runner.config.mjs).

import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tools/test/longest-first.ts'

const nothing = ['**/node_modules/**', '**/dist/**']

// Reads all output of the servers and processes of these tests for secrets.
const readsOutput = 'edge/test/support/watch-output.ts'

// What the test run sets (tools/test/phases.ts). A file that names an engine runs on that alone; without a word, on SQLite.
const engine = process.env.NC_TEST_ENGINE ?? 'sqlite'
const otherEngine = `**/*.${engine === 'sqlite' ? 'postgres' : 'sqlite'}.test.ts`
// The store's tests each know their engine.
const postgresStore = ['edge/stores/**/postgres*.test.ts', 'edge/stores/**/*.postgres.test.ts']
const storeFiles = {
  sqlite: { include: ['edge/stores/**/*.test.ts'], exclude: [...nothing, ...postgresStore] },
  postgres: { include: postgresStore, exclude: nothing },
  both: { include: ['edge/stores/**/*.test.ts'], exclude: nothing },
}
const storeEngine = (process.env.NC_TEST_ENGINE ?? 'both') as keyof typeof storeFiles

// What comes by itself is waited for, on a busy machine too: by default a poll gives up after one second, a test after
// five.
const longPolls = { poll: { timeout: 20_000, interval: 20 } }

// Their modules hold nothing of one test that another could meet, whatever the order (docs/testing.md#how-tests-are-written): loading them anew for
// each file cost more than the tests. What puts something in the place of a global is not among them.
const sharedUnits = ['{contract,dashboard,edge}/**/*.test.ts']
const ownUnits = ['edge/http/limits/load-shedding.test.ts']

// Journeys that measure the memory of their process have it for themselves; so do those that harm servers or measure milliseconds.
// Others may run beside (docs/testing.md).
const apart = [
  'edge/test/limits/{slow-clients,stalled-socket,fair-commits,wire-abuse}.test.ts',
  'edge/test/postgres/{outage,start}.postgres.test.ts',
  'edge/test/redis/{flood,keys,outage,tls,two-edges}.postgres.test.ts',
  'edge/test/connectors/{flood,rotation}.test.ts',
  'edge/test/secrets/rotation.test.ts',
  'edge/test/history-export.test.ts',
]
const otherPhases = ['edge/test/crash*.test.ts', 'edge/test/cluster/**']

export default defineConfig({
  test: {
    maxWorkers: Number(process.env.NC_TEST_WORKERS ?? 2),
    sequence: { sequencer: LongestFirst },
    // What one phase has compiled the next one finds.
    experimental: { fsModuleCache: true },
    // PostgreSQL for all projects, started when a test first asks.
    globalSetup: 'edge/test/support/servers-setup.ts',
    projects: [
      {
        test: {
          name: 'unit',
          expect: longPolls,
          testTimeout: 30_000,
          hookTimeout: 30_000,
          include: sharedUnits,
          exclude: [...nothing, ...ownUnits, 'edge/stores/**', '{dashboard,edge}/test/**'],
          isolate: false,
        },
      },
      {
        test: {
          name: 'unit-own',
          expect: longPolls,
          testTimeout: 30_000,
          hookTimeout: 30_000,
          include: ['{demo,tools,bench}/**/*.test.ts', 'widget/**/*.node.test.ts', ...ownUnits],
          exclude: [...nothing, 'widget/test/**', '**/*.e2e.test.ts'],
        },
      },
      {
        test: {
          // The built widget in a browser. Four at a time share two cores: an animation may take seconds there.
          name: 'unit-chromium',
          expect: longPolls,
          include: ['widget/test/*.node.test.ts'],
          exclude: nothing,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'sdk',
          expect: longPolls,
          setupFiles: [readsOutput],
          include: ['sdk/node/**/*.test.ts'],
          exclude: nothing,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'packages',
          include: ['examples/*.test.ts', 'dashboard/test/*.test.ts'],
          exclude: [...nothing, '**/*.e2e.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'store',
          expect: longPolls,
          ...storeFiles[storeEngine],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'journeys',
          expect: longPolls,
          setupFiles: [readsOutput],
          include: ['edge/test/**/*.test.ts'],
          exclude: [...nothing, otherEngine, ...apart, ...otherPhases],
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'journeys-apart',
          expect: longPolls,
          setupFiles: [readsOutput],
          include: apart,
          exclude: [...nothing, otherEngine],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'end-to-end',
          expect: longPolls,
          setupFiles: [readsOutput],
          include: ['{dashboard,demo}/**/*.e2e.test.ts'],
          exclude: nothing,
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'browsers',
          expect: longPolls,
          include: ['widget/test/browsers/*.node.test.ts'],
          exclude: nothing,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'cluster',
          expect: longPolls,
          setupFiles: [readsOutput],
          include: ['edge/test/cluster/**/*.test.ts'],
          exclude: nothing,
          testTimeout: 240_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'crash',
          expect: longPolls,
          setupFiles: [readsOutput],
          include: ['edge/test/crash*.test.ts'],
          exclude: [...nothing, otherEngine],
          testTimeout: 240_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
