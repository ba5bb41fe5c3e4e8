// The parts that are built: what each is made from, what must be there then, and which of them are stale.

import { join } from 'node:path'
import { findThreads } from './entries.ts'
import { isFresh, stampOf } from './fresh.ts'

export interface Part {
  /** Its folder; the output is in `dist` there. */
  name: string
  /** Name → source of each program that is bundled; empty where a part builds itself. */
  entries: Record<string, string>
  /** Files that must be in its `dist`. */
  outputs: string[]
  /** Of what it is made from, as it is now. */
  stamp: string
}

// What changes every output: the libraries, and how we build.
const ALWAYS = ['package.json', 'package-lock.json', 'tools/build.ts', 'tools/build']

export function listParts(root: string): Part[] {
  const threads = findThreads(join(root, 'edge'))
  const part = (name: string, inputs: string[], { entries = {}, outputs = [] }: Partial<Part>): Part => ({
    name,
    entries,
    outputs: [...outputs, ...Object.keys(entries).map((entry) => `${entry}.js`)],
    stamp: stampOf(root, [...ALWAYS, ...inputs]),
  })
  const programs = (of: Record<string, string>) => {
    const sources = Object.entries(of).map(([name, source]) => [name, join(root, source)])
    return { ...(Object.fromEntries(sources) as Record<string, string>), ...threads }
  }
  return [
    part('edge', ['contract', 'edge', 'demo/campaigns'], {
      entries: programs({
        main: 'edge/main.ts',
        // Ready in a quarter of the time that their sources take: for scripts, and for tests that start many.
        nc: 'edge/cli/nc.ts',
        'stats-rebuild': 'edge/cli/stats-rebuild.ts',
      }),
    }),
    part('demo', ['contract', 'edge', 'demo', 'sdk/node'], { entries: programs({ main: 'demo/main.ts' }) }),
    part('sdk/node', ['sdk/node'], { outputs: ['index.js', 'index.cjs', 'index.d.ts', 'index.d.cts'] }),
    part('widget', ['contract', 'widget'], { outputs: ['notification-center.js'] }),
  ]
}

/** Those of the parts whose output is missing or older than what it is made from. */
export function listStale(root: string, parts: Part[]): Part[] {
  return parts.filter(({ name, stamp, outputs }) => !isFresh(join(root, name, 'dist'), stamp, outputs))
}
