// Lists the phases of `npm test` in order: their commands, and how their cases are counted.

import { resolve } from 'node:path'
import type { ProgramName } from '../programs/programs.ts'
import { SLOTS } from './run-phases.ts'

export interface Phase {
  name: string
  /** Arguments of node, from the root. */
  args: (resultFile: string) => string[]
  /** `exit`: the exit status is the only case; `vitest`: the result file is its report; `counts`: it has the counts. */
  counts: 'exit' | 'vitest' | 'counts'
  /** Programs that the tests start. */
  needs?: ProgramName[]
  env?: Record<string, string>
  /** Slots that it takes. One is for a phase that mostly waits or runs one file at a time; two leave one to such a phase. */
  slots: 1 | 2 | typeof SLOTS
  /** Time limit; a longer phase is ended and has failed. */
  limitMs: number
}

const bin = (path: string) => resolve(import.meta.dirname, '../../node_modules', path)
const MINUTE_MS = 60_000
const SERVERS: ProgramName[] = ['postgres', 'redis', 'openssl']
export const ENGINES = ['sqlite', 'postgres'] as const

function check(name: string, ...args: string[]): Phase {
  return { name, args: () => args, counts: 'exit', slots: 1, limitMs: 10 * MINUTE_MS }
}

function vitest(name: string, project: string, limitMs: number, more: Partial<Phase> = {}): Phase {
  const args = (file: string) => [
    bin('vitest/vitest.mjs'),
    'run',
    // Includes the sub-projects for shared modules and for measurements.
    `--project=${project}*`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]
  return { name, args, counts: 'vitest', slots: SLOTS, limitMs, ...more }
}

/** More parallel files than cores, because many wait for a server, a browser or a timer (docs/testing.md). */
const WITH_WAITS = { NC_TEST_WORKERS: '3' }
/** Half of the unit tests' time is spent in Chromium, so more of them wait (docs/testing.md). */
const WITH_BROWSERS = { NC_TEST_WORKERS: '4' }

/** Runs the same tests on each engine, chosen by `NC_TEST_ENGINE` (docs/testing.md). */
function onBothEngines(name: string, limitMs: number, slots: Phase['slots'] = SLOTS): Phase[] {
  return ENGINES.map((engine) =>
    vitest(`${name}:${engine}`, name, limitMs, {
      env: { NC_TEST_ENGINE: engine, ...(slots === SLOTS ? WITH_WAITS : {}) },
      needs: engine === 'postgres' ? SERVERS : ['openssl', 'haproxy'],
      slots,
    }),
  )
}

export const PHASES: Phase[] = [
  check('format', bin('@biomejs/biome/bin/biome'), 'format', '.'),
  check('lint', bin('@biomejs/biome/bin/biome'), 'lint', '--error-on-warnings', '.'),
  check('types', bin('typescript/bin/tsc'), '-p', 'tsconfig.json'),
  check('check', '--import', 'tsx', 'tools/check.ts'),
  // Other phases use the built files, so none starts before its end.
  { ...check('build', '--import', 'tsx', 'tools/build.ts'), slots: SLOTS },
  // Holds the limits of .size-limit.json.
  check('size', bin('size-limit/bin.js')),
  // The bus is tested on Redis as well.
  vitest('unit', 'unit', 30 * MINUTE_MS, {
    needs: [...SERVERS, 'haproxy', 'chromium', 'headlessChromium'],
    env: WITH_BROWSERS,
  }),
  // Uses a real edge on SQLite, as only the SDK is tested.
  vitest('sdk', 'sdk', 10 * MINUTE_MS, { slots: 1 }),
  {
    name: 'sdk:php',
    args: (file) => ['--import', 'tsx', 'tools/test/phpunit.ts', file],
    counts: 'counts',
    needs: ['php'],
    slots: 1,
    limitMs: 10 * MINUTE_MS,
  },
  {
    name: 'sdk:java',
    args: (file) => ['--import', 'tsx', 'tools/test/java.ts', file],
    counts: 'counts',
    needs: ['java', 'maven'],
    slots: 2,
    limitMs: 15 * MINUTE_MS,
  },
  // Tests the widget's package, and the element in each framework's compiler.
  vitest('packages', 'packages', 12 * MINUTE_MS, { needs: ['headlessChromium'], slots: 1 }),
  ...onBothEngines('store', 15 * MINUTE_MS, 1),
  ...onBothEngines('journeys', 25 * MINUTE_MS),
  {
    name: 'widget',
    args: (file) => ['--import', 'tsx', 'tools/test/widget.ts', file],
    counts: 'counts',
    needs: ['chromium'],
    slots: 2,
    limitMs: 20 * MINUTE_MS,
  },
  // The longest phase starts first, because the last one runs alone.
  vitest('cluster', 'cluster', 20 * MINUTE_MS, { needs: [...SERVERS, 'haproxy'], slots: 1 }),
  ...onBothEngines('crash', 20 * MINUTE_MS, 1),
  vitest('end-to-end', 'end-to-end', 20 * MINUTE_MS, { needs: ['headlessChromium'], slots: 1 }),
  // Tests each installed browser; a missing one is skipped, and on CI that is a failure.
  vitest('browsers', 'browsers', 20 * MINUTE_MS, {
    needs: ['chromium', 'firefox', 'webKit', 'xvfb'],
    slots: 1,
  }),
]
