// Measures the time to the first badge on a slow phone, cold and cached, alone and beside another tab, and its cost to the page.

import { setTimeout as delay } from 'node:timers/promises'
import type { Row } from '../benchmark.ts'
import { median } from '../numbers.ts'
import type { Stage, Visit } from './stage.ts'

const COLD_MS = 900
const WARM_MS = 100
/** The widget writes to its storage half a second after its last change. */
const STORED_MS = 1_500

const badge = async ({ ask }: Visit): Promise<{ sinceNavigation: number; sinceScript: number; calls: string[] }> => {
  await ask('bench.badgePainted()')
  const { script, badge: at } = await ask<{ script: number; badge: number }>('bench.marks')
  return { sinceNavigation: at, sinceScript: at - script, calls: await ask<string[]>('bench.callsBeforeBadge()') }
}

export async function measureBadge(stage: Stage, rounds: number): Promise<Row[]> {
  const userId = 'badge'
  await stage.fill(userId, 50)
  const [cold, warm, beside]: [Seen[], Seen[], Seen[]] = [[], [], []]
  const tasks: Tasks = { load: [], open: [], beforeScript: [], bare: [] }
  let shift = 0
  const violations: string[] = []
  for (let round = 0; round < rounds; round++) {
    const context = await stage.newContext()
    const first = await stage.visit({ userId, context, isSlow: true })
    cold.push(await badge(first))
    await first.ask('bench.ready()')
    await delay(STORED_MS)
    const seen = await first.ask<LongTask[]>('bench.longTasks')
    await first.ask('bench.open()')
    await delay(STORED_MS)
    const { script } = await first.ask<{ script: number }>('bench.marks')
    tasks.load.push(...seen)
    tasks.open.push(...(await first.ask<LongTask[]>('bench.longTasks')).slice(seen.length))
    tasks.beforeScript.push(...seen.filter(({ at, duration }) => at + duration <= script))
    shift += await first.ask<number>('bench.shift()')
    violations.push(...(await first.ask<string[]>('bench.violations')))
    await first.ask('bench.close()')
    const other = await stage.visit({ userId, context, isSlow: true })
    beside.push(await badge(other))
    await other.page.close()
    await first.page.close()
    const again = await stage.visit({ userId, context, isSlow: true })
    warm.push(await badge(again))
    await context.close()
    tasks.bare.push(...(await visitWithoutElement(stage)))
  }
  return describe({ cold, warm, beside, tasks, shift, violations })
}

/** Measures the page's own tasks: the same page with the script and without the element. */
async function visitWithoutElement(stage: Stage): Promise<LongTask[]> {
  const context = await stage.newContext()
  const bare = await stage.visit({ context, isSlow: true })
  await bare.ask('bench.defined()')
  await delay(STORED_MS)
  const tasks = await bare.ask<LongTask[]>('bench.longTasks')
  await context.close()
  return tasks
}

type Seen = Awaited<ReturnType<typeof badge>>

interface LongTask {
  /** Milliseconds since the navigation. */
  at: number
  duration: number
}

/** `open`: from the opening on. `beforeScript`: of `load`, those that ended before the script's first line. `bare`: of the page without the element. */
type Tasks = Record<'load' | 'open' | 'beforeScript' | 'bare', LongTask[]>

interface Found {
  cold: Seen[]
  warm: Seen[]
  beside: Seen[]
  tasks: Tasks
  shift: number
  violations: string[]
}

/** Formats long tasks; the browser reports only those over 50 ms. */
const format = (tasks: LongTask[]) =>
  tasks.length === 0 ? '0' : `${tasks.length}, the longest ${ms(Math.max(...tasks.map(({ duration }) => duration)))}`
const ms = (value: number) => `${value.toFixed(0)} ms`
const most = (visits: Seen[]) => Math.max(...visits.map(({ calls }) => calls.length))

function describe({ cold, warm, beside, tasks, shift, violations }: Found): Row[] {
  const coldMs = median(cold.map(({ sinceNavigation }) => sinceNavigation))
  const warmMs = median(warm.map(({ sinceScript }) => sinceScript))
  const besideMs = median(beside.map(({ sinceScript }) => sinceScript))
  return [
    {
      what: 'First badge, cold, from the navigation',
      value: ms(coldMs),
      aim: `≤ ${COLD_MS} ms`,
      isMet: coldMs <= COLD_MS,
    },
    { what: '… from the start of the script', value: ms(median(cold.map(({ sinceScript }) => sinceScript))) },
    {
      what: 'First badge, from the cache, from the start of the script',
      value: ms(warmMs),
      aim: `≤ ${WARM_MS} ms`,
      isMet: warmMs <= WARM_MS,
    },
    { what: '… beside an open tab', value: ms(besideMs) },
    { what: 'Calls to the first badge', value: String(most(cold)), aim: '≤ 1', isMet: most(cold) <= 1 },
    { what: '… from the cache', value: String(most(warm)) },
    { what: '… beside an open tab', value: String(most(beside)), aim: '0', isMet: most(beside) === 0 },
    {
      what: `Tasks over 50 ms during load, in ${cold.length} visits`,
      value: format(tasks.load),
      aim: '0',
      isMet: tasks.load.length === 0,
    },
    { what: '… of these, over before the script ran', value: format(tasks.beforeScript) },
    { what: '… when the panel is opened', value: format(tasks.open), aim: '0', isMet: tasks.open.length === 0 },
    { what: '… on the same page without the element', value: format(tasks.bare) },
    { what: 'Layout shift on the page, load to open panel', value: shift.toFixed(4), aim: '0', isMet: shift === 0 },
    {
      what: 'Violations of policy and Trusted Types',
      value: String(violations.length),
      aim: '0',
      isMet: violations.length === 0,
    },
  ]
}
