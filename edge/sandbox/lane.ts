// Serves a queue of tasks by one sandbox process: in batches, with a second try for what was in a process that ended.

import type { ChildProcess } from 'node:child_process'
import { type Child, createChild, DEADLINE_MS } from './child.ts'
import { createFairQueue } from './fair-queue.ts'
import type { SandboxMessage, SentAnswer, SentTask } from './tasks.ts'

const MAX_BATCH = 64
/** Estimated time of a batch: a quick task does not wait behind more. */
const BATCH_MS = 20
/** A task ends at most so many processes; in between, the step that ended one is refused. */
const MAX_ENDS = 3
/** A process that nobody uses ends, where the lane says so. */
const IDLE_MS = 60_000

/** A task on its way. */
export interface Pending {
  tenantId: number
  task: SentTask
  /** Processes that ended with this task alone. */
  ends: number
  /** Sent alone, and traced. */
  isAlone: boolean
  /** `ends`: processes that ended before, with this task alone. */
  settle(answer: SentAnswer, ends: number): void
  /** The task has ended too many processes. `isOurs` is false when others ended them: it may be tried later. */
  giveUp(reason: string, isOurs: boolean): void
}

export interface LaneOptions {
  start(): ChildProcess
  priority: number
  /** True: the process ends after a minute without tasks. */
  endsIdle: boolean
  /** Receives the reason whenever a process ended with tasks in it. */
  onEnd(reason: string): void
  /** The lane in which tasks are tried again; absent: this one. */
  retryIn?: Lane
}

export interface Lane {
  add(pending: Pending): void
  /** Adds a task before the others of its tenant. */
  putBack(pending: Pending): void
  backlogMs(tenantId: number): number
  size(): number
  close(): void
}

export function createLane({ start, priority, endsIdle, onEnd, retryIn }: LaneOptions): Lane {
  const queue = createFairQueue<Pending>()
  let child: Child | undefined
  let idle: NodeJS.Timeout | undefined
  /** Tasks in the process, in their order. */
  let sent: Pending[] = []
  let lastStep: string | undefined
  let isClosed = false
  let isScheduled = false

  function open(): Child {
    child ??= createChild(start, priority, { onMessage: receive, onEnd: recover })
    return child
  }

  /** Everything that one turn of the event loop adds goes in one message. */
  function schedule(): void {
    if (isScheduled || sent.length > 0) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      sendNext()
    })
  }

  function sendNext(): void {
    if (isClosed || sent.length > 0) return
    sent = takeBatch()
    clearTimeout(idle)
    if (sent.length === 0) {
      child?.rest()
      if (endsIdle && child !== undefined) idle = setTimeout(() => child?.kill(), IDLE_MS).unref()
      return
    }
    lastStep = undefined
    open().send(sent.map(({ task, isAlone }) => ({ ...task, isTraced: isAlone })))
  }

  /** A task that must be alone ends the batch before it. */
  function takeBatch(): Pending[] {
    const taken = queue.take(MAX_BATCH, BATCH_MS).map(({ task }) => task)
    const place = taken.findIndex(({ isAlone }) => isAlone)
    if (place < 0) return taken
    const batch = taken.slice(0, Math.max(1, place))
    for (const pending of taken.slice(batch.length).reverse()) queue.putBack(pending.tenantId, pending)
    return batch
  }

  function receive(message: SandboxMessage): void {
    if ('at' in message) {
      lastStep = message.at
      return
    }
    child?.progress()
    for (const answer of message.answers) {
      const pending = sent.shift()
      if (pending === undefined) continue
      queue.record(pending.tenantId, answer.tookMs)
      pending.settle(answer, pending.ends)
    }
    if (sent.length === 0) sendNext()
  }

  /** Tries again what was in the process: each task alone, and the one that was alone without the step that ended it. */
  function recover(reason: string, isOurs: boolean): void {
    child = undefined
    const interrupted = sent
    sent = []
    if (isClosed) return
    if (interrupted.length > 0) onEnd(reason)
    const [single] = interrupted
    if (interrupted.length === 1 && single?.isAlone === true) blame(single, reason, isOurs)
    else for (const pending of interrupted.toReversed()) tryAgain({ ...pending, isAlone: true })
    sendNext()
  }

  function tryAgain(pending: Pending): void {
    if (retryIn === undefined) queue.putBack(pending.tenantId, pending)
    else retryIn.putBack(pending)
  }

  /** What somebody else ended is tried again as it was. */
  function blame(pending: Pending, reason: string, isOurs: boolean): void {
    const ends = pending.ends + 1
    if (isOurs) queue.record(pending.tenantId, DEADLINE_MS)
    if (ends === MAX_ENDS || (isOurs && lastStep === undefined)) {
      pending.giveUp(reason, isOurs)
      return
    }
    const refused = isOurs && lastStep !== undefined ? [...pending.task.refused, lastStep] : pending.task.refused
    tryAgain({ ...pending, ends, task: { ...pending.task, refused } })
  }

  return {
    add(pending) {
      queue.push(pending.tenantId, pending)
      schedule()
    },
    putBack(pending) {
      queue.putBack(pending.tenantId, pending)
      schedule()
    },
    backlogMs: queue.backlogMs,
    size: () => queue.size() + sent.length,
    close() {
      isClosed = true
      clearTimeout(idle)
      child?.kill()
    },
  }
}
