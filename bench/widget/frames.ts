// Measures the main thread's work in each frame from Chromium's trace.

import type { Visit } from './stage.ts'

interface TraceEvent {
  name: string
  ph: string
  ts: number
  dur?: number
  pid: number
  tid: number
}

const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline']
/** The last event of a frame on the main thread. */
const END = 'Commit'

/** Measures the milliseconds of work per frame, from the end of the previous one, while `expression` runs. */
export async function workPerFrame({ page, ask }: Pick<Visit, 'page' | 'ask'>, expression: string): Promise<number[]> {
  await page.tracing.start({ categories: CATEGORIES })
  await ask(expression)
  const recorded = await page.tracing.stop()
  const { traceEvents } = JSON.parse(new TextDecoder().decode(recorded)) as { traceEvents: TraceEvent[] }
  const thread = busiestThread(traceEvents)
  const ofPage = traceEvents.filter((event) => threadOf(event) === thread && event.ph === 'X')
  const ends = ofPage.filter(({ name }) => name === END).map(({ ts }) => ts)
  const tasks = ofPage.filter(({ name }) => name === 'RunTask').sort((a, b) => a.ts - b.ts)
  const works: number[] = []
  let work = 0
  for (const { ts, dur = 0 } of tasks) {
    work += dur / 1000
    if (!ends.some((at) => at >= ts && at <= ts + dur)) continue
    works.push(work)
    work = 0
  }
  // The first frame contains work from before the scrolling.
  return works.slice(1)
}

const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`

/** Returns the page's thread: the one with the most frame ends. */
function busiestThread(events: TraceEvent[]): string {
  const counts = new Map<string, number>()
  for (const event of events) {
    if (event.name === END) counts.set(threadOf(event), (counts.get(threadOf(event)) ?? 0) + 1)
  }
  const [first] = [...counts].sort(([, a], [, b]) => b - a)
  if (first === undefined) throw new Error('the trace has no frames')
  return first[0]
}
