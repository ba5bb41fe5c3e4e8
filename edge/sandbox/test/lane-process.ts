// Runs as a sandbox whose tasks do what the tests of lanes ask for: answer, take time or memory, or end their process.

import { serveTasks } from '../serve-tasks.ts'
import type { SentTask } from '../tasks.ts'

export interface LaneTask {
  /** What the step `first` does, unless it is refused. */
  first: 'answer' | 'abort' | 'kill' | 'spin' | 'fill-heap' | 'fill-memory' | 'fail'
  spinMs?: number
}

const kept: unknown[] = []

/** The condition of the task is the JSON text of a LaneTask. */
function readTask({ input }: SentTask): LaneTask {
  if (!('condition' in input)) throw new Error('task of a lane expected')
  return JSON.parse(input.condition) as LaneTask
}

function spin(ms: number): void {
  const begun = process.cpuUsage()
  while (process.cpuUsage(begun).user < ms * 1000);
}

serveTasks((task: SentTask, onStep) => {
  const { first, spinMs = 60_000 } = readTask(task)
  onStep('first')
  if (task.refused.includes('first')) return 'refused'
  if (first === 'abort') process.abort()
  if (first === 'kill') process.kill(process.pid, 'SIGKILL')
  if (first === 'spin') spin(spinMs)
  if (first === 'fail') throw new Error('the task failed')
  while (first === 'fill-heap') kept.push(Array.from({ length: 1000 }, () => ({})))
  while (first === 'fill-memory') kept.push(Buffer.alloc(8 * 1024 * 1024, 1))
  return task.now
})
