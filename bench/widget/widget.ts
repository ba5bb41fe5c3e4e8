// Measures the widget in Chromium against the edge on SQLite: waiting times, cost to the page, and leaks.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import SIZES from '../../.size-limit.json' with { type: 'json' }
import { type Benchmark, type Row, whole } from '../benchmark.ts'
import { ROOT } from '../edges.ts'
import { measureBadge } from './badge.ts'
import { measureLeaks } from './leaks.ts'
import { measureList } from './list.ts'
import { setStage } from './stage.ts'

export const widget: Benchmark = {
  name: 'widget',
  measures: 'the element in Chromium: first badge, list, pushes, frames, what is left behind, sizes',
  async run(bench) {
    const stage = await setStage(bench)
    try {
      bench.log('first badge')
      const badge = await measureBadge(stage, bench.isFull ? 7 : 3)
      bench.log('list, pushes, frames')
      const list = await measureList(stage, bench.isFull ? { opens: 9, pushes: 30 } : { opens: 5, pushes: 10 })
      bench.log('what is left behind')
      const leaks = await measureLeaks(stage, bench.isRehearsal ? { opens: 9, mounts: 6 } : { opens: 100, mounts: 50 })
      return { rows: [...badge, ...list, ...leaks, ...sizes()], notes: NOTES }
    } finally {
      await stage.close()
    }
  },
}

function sizes(): Row[] {
  const ofWidget = SIZES.filter(({ path }) => path.every((file) => file.startsWith('widget/')))
  return ofWidget.map(({ name, path, limit }) => {
    const bytes = path.reduce((sum, file) => sum + gzipSync(readFileSync(join(ROOT, file)), { level: 9 }).length, 0)
    const aim = Number.parseInt(limit, 10)
    return { what: `Size gzip: ${name}`, value: whole(bytes), aim: `≤ ${whole(aim)}`, isMet: bytes <= aim }
  })
}

const NOTES = [
  'First badge and tasks: 1.6 Mbit/s, 150 ms for each request and preflight, a quarter of the processor; the page, its sheet and the script come over the same line, and the service is of another origin. The rest runs at the full speed of the machine. Medians.',
  'A badge or a row counts as painted in the task after the frame that drew it. "From the cache": the script from the browser’s cache and the list from IndexedDB. The page keeps 40 × 40 px free for the bell until the element is defined (docs/widget.md).',
]
