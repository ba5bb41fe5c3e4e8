// The phases of `npm test`, in order: what each runs, and how its cases are counted.

import { resolve } from 'node:path'
import { SEATS } from './beside.ts'

export interface Phase {
  name: string
  /** Arguments of node, from the root. */
  args: (resultFile: string) => string[]
  /** `exit`: the exit status is the one case; `vitest` and `widget`: the cases are in the result file. */
  counts: 'exit' | 'vitest' | 'widget'
  needsChromium?: boolean
  /** PostgreSQL and Redis must be installed. */
  needsServers?: boolean
  env?: Record<string, string>
  /** How much of the machine it takes. One seat is for what waits more than it computes, or has one file at a time; two leave one to such a phase. */
  seats: 1 | 2 | typeof SEATS
  /** After this the phase has failed and is ended. */
  limitMs: number
}

const bin = (path: string) => resolve(import.meta.dirname, '../../node_modules', path)
const MINUTE_MS = 60_000
export const ENGINES = ['sqlite', 'postgres'] as const

function check(name: string, ...args: string[]): Phase {
  return { name, args: () => args, counts: 'exit', seats: 1, limitMs: 4 * MINUTE_MS }
}

function vitest(name: string, project: string, limitMs: number, more: Partial<Phase> = {}): Phase {
  const args = (file: string) => [
    bin('vitest/vitest.mjs'),
    'run',
    // With its parts: what shares modules, what measures.
    `--project=${project}*`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]
  return { name, args, counts: 'vitest', seats: SEATS, limitMs, ...more }
}

/** More files at a time than there are cores: many of them wait for a server, a browser, a second (docs/decisions/0187). */
const WITH_WAITS = { NC_TEST_WORKERS: '3' }
/** Half of the unit tests' time goes by in Chromium, which waits the more (docs/decisions/0204). */
const WITH_BROWSERS = { NC_TEST_WORKERS: '4' }

/** The same tests on each engine; `NC_TEST_ENGINE` says which (docs/testing.md). */
function onBothEngines(name: string, limitMs: number, seats: Phase['seats'] = SEATS): Phase[] {
  return ENGINES.map((engine) =>
    vitest(`${name}:${engine}`, name, limitMs, {
      env: { NC_TEST_ENGINE: engine, ...(seats === SEATS ? WITH_WAITS : {}) },
      needsServers: engine === 'postgres',
      seats,
    }),
  )
}

export const PHASES: Phase[] = [
  check('format', bin('@biomejs/biome/bin/biome'), 'format', '.'),
  check('lint', bin('@biomejs/biome/bin/biome'), 'lint', '--error-on-warnings', '.'),
  check('types', bin('typescript/bin/tsc'), '-p', 'tsconfig.json'),
  check('check', '--import', 'tsx', 'tools/check.ts'),
  // Others use what it builds: nothing begins before its end.
  { ...check('build', '--import', 'tsx', 'tools/build.ts'), seats: SEATS },
  // The bus is proven on Redis, too.
  vitest('unit', 'unit', 8 * MINUTE_MS, { needsServers: true, env: WITH_BROWSERS }),
  // Against a real edge, too, on SQLite: what it proves is the SDK.
  vitest('sdk', 'sdk', 4 * MINUTE_MS, { seats: 1 }),
  // The widget's package, and the element in each framework's own compiler.
  vitest('packages', 'packages', 4 * MINUTE_MS, { seats: 1 }),
  ...onBothEngines('store', 6 * MINUTE_MS, 1),
  ...onBothEngines('journeys', 12 * MINUTE_MS),
  {
    name: 'widget',
    args: (file) => ['--import', 'tsx', 'tools/test/widget.ts', file],
    counts: 'widget',
    needsChromium: true,
    seats: 2,
    limitMs: 8 * MINUTE_MS,
  },
  // The longest first: what is left at the end has nothing beside it.
  vitest('cluster', 'cluster', 8 * MINUTE_MS, { needsServers: true, seats: 1 }),
  ...onBothEngines('crash', 8 * MINUTE_MS, 1),
  vitest('end-to-end', 'end-to-end', 10 * MINUTE_MS, { needsChromium: true, seats: 1 }),
  // Each browser that is here; one that is missing is skipped, and on CI that is a failure.
  vitest('browsers', 'browsers', 8 * MINUTE_MS, { needsChromium: true, seats: 1 }),
]
