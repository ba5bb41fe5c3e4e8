// Performs tasks in a sandbox, one after the other, and sends their answers.

import { setImmediate } from 'node:timers/promises'
import { ApiError } from '../lib/api-error.ts'
import type { SandboxMessage, SentAnswer, SentError, SentTask } from './tasks.ts'
import { watchParent } from './watch-parent.ts'

/** Answers of quick tasks leave together; a slow task delays no answer of those before it for long. */
const SEND_EVERY_MS = 10

/** What loading may take. */
const LOADING_MS = 100

/** Performs one task; `onStep` is called before each step whose expressions are evaluated. */
export type PerformTask = (task: SentTask, onStep: (stepId: string) => void) => unknown

/** Serves the parent of this process until it ends or closes the channel. */
export function serveTasks(perform: PerformTask): void {
  const send = (message: SandboxMessage) => process.send?.(message)
  /** The first task of a kind also loads and compiles what it needs: no tenant is slow for that. */
  const begunKinds = new Set<string>()

  async function work(tasks: SentTask[]): Promise<void> {
    let answers: SentAnswer[] = []
    let sentAt = performance.now()
    for (const task of tasks) {
      answers.push(await answer(task))
      if (performance.now() - sentAt < SEND_EVERY_MS) continue
      send({ answers })
      answers = []
      // A long message leaves in parts, in turns of the event loop.
      await setImmediate()
      sentAt = performance.now()
    }
    if (answers.length > 0) send({ answers })
  }

  async function answer(task: SentTask): Promise<SentAnswer> {
    const begun = process.cpuUsage()
    const isFirst = !begunKinds.has(task.does)
    begunKinds.add(task.does)
    const tookMs = () => {
      const { user, system } = process.cpuUsage(begun)
      return Math.max(0, (user + system) / 1000 - (isFirst ? LOADING_MS : 0))
    }
    const onStep = task.isTraced ? (at: string) => send({ at }) : () => {}
    try {
      const output = await perform(task, onStep)
      return { is: 'done', output, tookMs: tookMs() }
    } catch (error) {
      // Of WebAssembly: such a library is broken from now on, for all tasks.
      if (error instanceof Error && error.name === 'RuntimeError') process.abort()
      return { is: 'failed', error: toSent(error), tookMs: tookMs() }
    }
  }

  function toSent(error: unknown): SentError {
    const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    const sent = { name, message, stack }
    return error instanceof ApiError ? { ...sent, api: { code: error.code, extra: error.extra } } : sent
  }

  watchParent()
  process.on('message', (tasks: SentTask[]) => void work(tasks))
  process.on('disconnect', () => process.exit(0))
}
