// Runs periodic tasks; the pause of a task begins when its last run has ended.

import type { Clock } from '../lib/clock.ts'
import { type Log, logFault } from '../lib/log.ts'

export interface Task {
  name: string
  /** Pause between two runs. */
  everyMs: number
  run(): Promise<unknown>
}

export interface Schedule {
  /** Runs each task at once, then periodically. */
  start(): void
  /** Resolves when the running tasks have ended. */
  stop(): Promise<void>
}

const SECOND_MS = 1000
// A change of keys takes effect everywhere within a second (docs/api.md).
const KEYS_MS = 250
/** A list omits expired messages at once, and its counts follow with this task: they must not differ for long. */
const EXPIRY_MS = 250
/** Also how evenly the mails of an integration with a rate are handed over. */
const PERMITS_MS = 250
/** A turn of retention ends after a second, and pauses by itself: while it is behind, the next one follows soon. */
const RETENTION_MS = 100
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
/** No caller still waits for, or repeats, an erasure that began this long ago. */
const INTERRUPTED_MS = 5 * MINUTE_MS

export interface Periodic {
  /** Applies due snoozes and expiries as changes. */
  expireMessages(): Promise<unknown>
  sessions: { purgeExpired(now: number): Promise<void> }
  users: { finishErasures(begunBefore: number): Promise<void> }
  /** Removes files of mails that are gone: of an erasure that ended without it, or by a process that ended. */
  sweepMailFiles(): Promise<unknown>
  /** Makes waiting mails due: as the rates of their integrations allow, and after the pause of their campaign. */
  releaseMails(): Promise<unknown>
  /** Publishes changes by the command line or another process on the bus. */
  relayNotices(): Promise<unknown>
  /** Ends the sessions of retired secret values. */
  settleRetired(): Promise<unknown>
  /** Tells admins that old secret values end soon. */
  warnEndings(): Promise<unknown>
  /** Runs one short step of retention; does nothing while no data is old enough. */
  purgeExpired(): Promise<unknown>
  /** Removes rows of deleted environments. */
  eraseEnvironments(): Promise<unknown>
  /** Checks the records of proved domains that were not checked for a day. */
  recheckDomains(): Promise<unknown>
  /** Logs work that waits for long. */
  watchWaiting(): Promise<unknown>
  clock: Clock
}

/** @returns All periodic tasks of the service. */
export function createTasks({
  expireMessages,
  releaseMails,
  sessions,
  users,
  sweepMailFiles,
  relayNotices,
  settleRetired,
  warnEndings,
  purgeExpired,
  eraseEnvironments,
  recheckDomains,
  watchWaiting,
  clock,
}: Periodic): Task[] {
  return [
    { name: 'relay-notices', everyMs: KEYS_MS, run: relayNotices },
    { name: 'settle-retired', everyMs: KEYS_MS, run: settleRetired },
    { name: 'expire-messages', everyMs: EXPIRY_MS, run: expireMessages },
    { name: 'release-mails', everyMs: PERMITS_MS, run: releaseMails },
    { name: 'purge-expired', everyMs: RETENTION_MS, run: purgeExpired },
    { name: 'erase-environments', everyMs: SECOND_MS, run: eraseEnvironments },
    { name: 'finish-erasures', everyMs: MINUTE_MS, run: () => users.finishErasures(clock.now() - INTERRUPTED_MS) },
    { name: 'warn-endings', everyMs: MINUTE_MS, run: warnEndings },
    { name: 'watch-waiting', everyMs: 30 * SECOND_MS, run: watchWaiting },
    // Hourly, as a rolling upgrade may end after the start of this node.
    { name: 'sweep-mail-files', everyMs: HOUR_MS, run: sweepMailFiles },
    { name: 'recheck-domains', everyMs: HOUR_MS, run: recheckDomains },
    { name: 'purge-sessions', everyMs: HOUR_MS, run: () => sessions.purgeExpired(clock.now()) },
  ]
}

/** Creates the schedule. A failed task is logged and repeated after its pause. */
export function createSchedule({ tasks, log }: { tasks: Task[]; log: Log }): Schedule {
  const timers = new Map<Task, NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  const failing = new Set<Task>()
  let isStopped = false

  function start(task: Task): void {
    const done = runTask(task, failing, log).then(() => {
      running.delete(done)
      if (!isStopped) timers.set(task, setTimeout(start, task.everyMs, task))
    })
    running.add(done)
  }

  return {
    start() {
      for (const task of tasks) start(task)
    },
    async stop() {
      isStopped = true
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}

/** Logs only the first of several failures: a store that is unreachable for an hour must not cause thousands of lines. */
async function runTask(task: Task, failing: Set<Task>, log: Log): Promise<void> {
  try {
    await task.run()
    if (failing.delete(task)) log.info('periodic task recovered', { kind: task.name })
  } catch (error) {
    if (!failing.has(task)) logFault(log, 'periodic task failed', { kind: task.name, error })
    failing.add(task)
  }
}
