// Lists the steps of `npm test`, `npm run test:deep` and `npm run test:release`: what runs beside what, which programs it needs, how long it may take.

import type { ProgramName } from '../programs/programs.ts'

export interface Step {
  name: string
  /** Arguments of node, from the root. A step with cases writes each to `casesFile` as a line of JSON. */
  args: (casesFile: string) => string[]
  /** Groups of its cases; a step without any has its exit status as its only case. */
  groups: string[]
  /** Programs that the tests start. */
  needs: ProgramName[]
  env?: Record<string, string>
  /** Time limit; a longer step is ended and has failed. */
  limitMinutes: number
}

/** The lanes of a stage run beside each other, each of them its steps in order. */
export type Stage = Step[][]

function check(name: string, ...args: string[]): Step {
  return { name, args: () => args, groups: [], needs: [], limitMinutes: 10 }
}

/** Runs projects of vitest.config.ts in one call, so that waits of one are filled with work of another. */
export function vitest(name: string, projects: string[], needs: ProgramName[], limitMinutes = 40): Step {
  const args = (casesFile: string) => [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...projects.map((project) => `--project=${project}`),
    '--reporter=dot',
    '--reporter=./tools/test/reporter.ts',
    `--outputFile.cases=${casesFile}`,
  ]
  return { name, args, groups: projects, needs, limitMinutes }
}

const TSC = 'node_modules/typescript/bin/tsc'
const build = check('build', '--import', 'tsx', 'tools/build.ts')
const element: Step = {
  name: 'element',
  args: (casesFile) => ['--import', 'tsx', 'tools/test/element.ts', casesFile],
  groups: ['element'],
  needs: ['chromium'],
  limitMinutes: 10,
}

export const TEST: Stage[] = [
  [
    // Holds the limits of .size-limit.json.
    [build, check('size', 'node_modules/size-limit/bin.js')],
    [
      check('types', TSC, '-p', 'tsconfig.json'),
      // A server has no `window`, and a page no `process`.
      check('types of the server', TSC, '-p', 'edge/tsconfig.json'),
      check('types of pages', TSC, '-p', 'widget/tsconfig.json'),
    ],
    [check('check', '--import', 'tsx', 'tools/check.ts')],
    [
      check(
        'lint',
        'node_modules/@biomejs/biome/bin/biome',
        'lint',
        '--error-on-warnings',
        '--diagnostic-level=warn',
        '.',
      ),
      check('format', 'node_modules/@biomejs/biome/bin/biome', 'format', '.'),
    ],
  ],
  [
    [
      vitest(
        'tests',
        ['journeys', 'main-job', 'sdk', 'store', 'unit', 'unit-own'],
        ['postgres', 'redis', 'openssl', 'chromium'],
      ),
    ],
    [element],
  ],
]

/** Takes other and more seeds than `npm test` does. */
const seeds: Step = {
  ...vitest('seeds', ['unit', 'journeys'], []),
  args: (casesFile) => [
    ...vitest('seeds', ['unit', 'journeys'], []).args(casesFile),
    ...['fuzz.test', 'digest-model.test', 'frame-order.test', 'bodies.sqlite.test'],
  ],
  env: { NC_FUZZ_SECONDS: '10', NC_DIGEST_RUNS: '60', NC_FRAME_SEEDS: '4', NC_BODY_RUNS: '25' },
}

const servers: ProgramName[] = ['postgres', 'redis', 'openssl', 'haproxy']

export const DEEP: Stage[] = [
  [[build]],
  [
    [
      vitest(
        'tests',
        ['deep', 'journeys-deep', 'journeys-deep-postgres', 'journeys-postgres'],
        // The last three pack and use the SDKs.
        [...servers, 'chromium', 'headlessChromium', 'java', 'maven', 'php'],
      ),
    ],
  ],
  [[vitest('built-widget', ['built-widget'], ['chromium', 'headlessChromium'])]],
  // These mostly wait, or run one file at a time.
  [
    [vitest('cluster', ['cluster'], servers), vitest('crash-postgres', ['crash-postgres'], servers)],
    [vitest('crash', ['crash'], servers), check('engines', '--import', 'tsx', 'tools/test/engines.ts'), seeds],
    [
      vitest('pages', ['pages'], ['chromium', 'headlessChromium']),
      vitest('sdk-php', ['sdk-php'], ['php']),
      vitest('sdk-java', ['sdk-java'], ['java', 'maven']),
    ],
  ],
  // Tests each installed browser; a missing one is skipped, and on CI that is a failure.
  [[vitest('browsers', ['browsers'], ['chromium', 'headlessChromium', 'firefox', 'webKit', 'xvfb'])]],
]

/** What is shipped, built and run for real: once a release, because it takes gigabytes of programs and of disk. */
const SHIPPED: ProgramName[] = [
  'containers',
  'pip',
  'go',
  'systemd',
  'nginx',
  'caddy',
  'haproxy',
  'prometheus',
  'openssl',
  'postgres',
]
export const RELEASE: Stage[] = [[[build]], [[vitest('release', ['release'], SHIPPED)]]]

/**
 * Selects steps by their names, and projects by theirs; without names, all.
 * @throws when there is no such step or project
 */
export function select(stages: Stage[], names: string[]): Stage[] {
  const known = stages.flat(2).flatMap(({ name, groups }) => [name, ...groups])
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new Error(`There is no step ${unknown.join(', ')}; there are ${[...new Set(known)].join(', ')}.`)
  }
  if (names.length === 0) return stages
  const narrowed = (step: Step): Step[] => {
    if (names.includes(step.name)) return [step]
    const groups = step.groups.filter((group) => names.includes(group))
    return groups.length === 0 ? [] : [vitest(step.name, groups, step.needs, step.limitMinutes)]
  }
  return stages.map((lanes) => lanes.map((lane) => lane.flatMap(narrowed)))
}
