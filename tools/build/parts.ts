// Describes the parts that are built: their inputs, the files that a build must produce, and which are stale.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isFresh, stampOf } from './fresh.ts'

export interface Part {
  /** Folder of the part; the output is in its `dist`. */
  name: string
  /** Name → source of each bundled program. Empty where the part has its own build. */
  entries: Record<string, string>
  /** Files that the build must produce in `dist`. */
  outputs: string[]
  /** Stamp of the current inputs. */
  stamp: string
}

// Inputs of every part: the installed libraries and the build itself.
const ALWAYS = ['package.json', 'package-lock.json', 'vite.config.ts', 'tools/build.ts', 'tools/build']

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
    part('edge', ['contract', 'edge'], {
      entries: programs({
        main: 'edge/main.ts',
        // Bundled scripts start in a quarter of the time of their sources. Tests start many of them.
        nc: 'edge/cli/nc.ts',
        'run-command': 'edge/cli/run-command.ts',
        'stats-rebuild': 'edge/cli/stats-rebuild.ts',
      }),
    }),
    part('demo', ['contract', 'edge', 'demo', 'sdk/node'], {
      entries: programs({ main: 'demo/main.ts' }),
      outputs: ['page/index.html'],
    }),
    part('sdk/node', ['sdk/node'], { outputs: ['index.js', 'index.cjs', 'index.d.ts', 'index.d.cts'] }),
    part('widget', ['contract', 'widget'], {
      outputs: ['notification-center.js', 'everyday.js', 'package/package.json'],
    }),
    // Shows messages with elements of the widget.
    part('dashboard', ['contract', 'widget', 'dashboard'], {
      outputs: ['index.html', 'sign-in.html', 'history.html', 'home.html'],
    }),
  ]
}

/** @returns the parts whose output is missing or older than its inputs */
export function listStale(root: string, parts: Part[]): Part[] {
  return parts.filter(({ name, stamp, outputs }) => !isFresh(join(root, name, 'dist'), stamp, outputs))
}

const THREAD = /threadUrl\(import\.meta\.url,\s*'([\w-]+)'\)/g

/**
 * Lists the worker threads that the code starts: finds every `threadUrl(import.meta.url, '<name>')` below the folder.
 * @returns name → source file; the build writes these programs beside main.js
 */
export function findThreads(folder: string): Record<string, string> {
  const entries: Record<string, string> = {}
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !/\.ts$/.test(entry.name) || /\.test\.ts$/.test(entry.name)) continue
    if (/[/\\](node_modules|dist)[/\\]/.test(path)) continue
    for (const match of readFileSync(path, 'utf8').matchAll(THREAD)) {
      const name = match[1] as string
      const source = join(entry.parentPath, `${name}.ts`)
      if (entries[name] !== undefined && entries[name] !== source) throw new Error(`two threads are called ${name}`)
      entries[basename(name)] = source
    }
  }
  return entries
}
