// What is done again and again: each task waits for its own end before its next turn.

import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'

export interface Task {
  name: string
  /** Pause between two turns. */
  everyMs: number
  run(): Promise<unknown>
}

export interface Schedule {
  /** The first turns begin at once. */
  start(): void
  /** Resolves when the turns under way have ended. */
  stop(): Promise<void>
}

const SECOND_MS = 1000
// The contract gives a second from a change of keys to its effect everywhere (section 2).
const KEYS_MS = 250
/** A list leaves out what has expired at once, and the counts beside it come with the change: they must not stand apart for long. */
const EXPIRY_MS = 250
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
/** An erasure that began so long ago is not waited for by anybody who would ask again. */
const CUT_OFF_MS = 5 * MINUTE_MS

export interface Periodic {
  /** Turns due snoozes and expiries into changes. */
  expireMessages(): Promise<unknown>
  sessions: { purgeExpired(now: number): Promise<void> }
  users: { finishErasures(begunBefore: number): Promise<void> }
  /** Hears of what the command line changed beside this process. */
  relayNotices(): Promise<unknown>
  /** Ends the sessions of values of secrets whose time is over. */
  settleRetired(): Promise<unknown>
  /** A turn of retention: short, and idle while nothing is old enough. */
  purgeExpired(): Promise<unknown>
  clock: Clock
}

/** All periodic work of the service. */
export function createTasks({
  expireMessages,
  sessions,
  users,
  relayNotices,
  settleRetired,
  purgeExpired,
  clock,
}: Periodic): Task[] {
  return [
    { name: 'relay-notices', everyMs: KEYS_MS, run: relayNotices },
    { name: 'settle-retired', everyMs: KEYS_MS, run: settleRetired },
    { name: 'expire-messages', everyMs: EXPIRY_MS, run: expireMessages },
    { name: 'purge-expired', everyMs: SECOND_MS, run: purgeExpired },
    { name: 'finish-erasures', everyMs: MINUTE_MS, run: () => users.finishErasures(clock.now() - CUT_OFF_MS) },
    { name: 'purge-sessions', everyMs: HOUR_MS, run: () => sessions.purgeExpired(clock.now()) },
  ]
}

export function createSchedule({ tasks, log }: { tasks: Task[]; log: Log }): Schedule {
  const timers = new Map<Task, NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  const failing = new Set<Task>()
  let isStopped = false

  function turn(task: Task): void {
    const done = runTask(task, failing, log).then(() => {
      running.delete(done)
      if (!isStopped) timers.set(task, setTimeout(turn, task.everyMs, task))
    })
    running.add(done)
  }

  return {
    start() {
      for (const task of tasks) turn(task)
    },
    async stop() {
      isStopped = true
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}

/** Says once that it fails, however often it does: a store that is away for an hour is not thousands of lines. */
async function runTask(task: Task, failing: Set<Task>, log: Log): Promise<void> {
  try {
    await task.run()
    if (failing.delete(task)) log.info('A periodic task works again.', { kind: task.name })
  } catch (error) {
    if (!failing.has(task)) log.error('A periodic task failed.', { kind: task.name, error })
    failing.add(task)
  }
}
