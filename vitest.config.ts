// The test projects of vitest. Widget tests run in a real browser instead (web-test-runner.config.mjs).

import { defineConfig } from 'vitest/config'

// Two cores: two files at a time; what starts servers and browsers runs alone.
const nothing = ['**/node_modules/**', '**/dist/**']

export default defineConfig({
  test: {
    maxWorkers: 2,
    // PostgreSQL for all projects, started when a test first asks.
    globalSetup: 'edge/test/support/servers-setup.ts',
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{contract,edge,demo,tools,bench}/**/*.test.ts', 'widget/**/*.node.test.ts'],
          exclude: [...nothing, 'edge/stores/**', 'edge/test/**', '**/*.e2e.test.ts'],
        },
      },
      {
        test: { name: 'store', include: ['edge/stores/**/*.test.ts'], exclude: nothing, testTimeout: 30_000 },
      },
      {
        test: {
          name: 'journeys',
          include: ['edge/test/**/*.test.ts'],
          exclude: [...nothing, 'edge/test/crash-ledger.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'end-to-end',
          include: ['demo/**/*.e2e.test.ts'],
          exclude: nothing,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'crash',
          include: ['edge/test/crash-ledger.test.ts'],
          exclude: nothing,
          testTimeout: 240_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
