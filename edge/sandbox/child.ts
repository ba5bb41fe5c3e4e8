// Runs one sandbox process: sends it tasks, and ends it when it takes too much time or memory.

import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { SandboxMessage, SentTask } from './tasks.ts'

/** Processor time without an answer; the clock alone would end a process on a busy machine. */
export const DEADLINE_MS = 1000
/** Time without an answer by the clock, whatever the processor did. */
const LATEST_MS = 15_000
const CHECK_EVERY_MS = 100
/** Of the whole process: its heap is limited by a flag, libraries of other languages are not. */
const MAX_RESIDENT_BYTES = 400 * 1024 * 1024
/** Linux counts processor time in hundredths of a second, and memory in pages. */
const TICK_MS = 10
const PAGE_BYTES = 4096

export interface ChildEvents {
  onMessage(message: SandboxMessage): void
  /** The process has ended. `isOurs`: by what it evaluated; else by the system or somebody else. */
  onEnd(reason: string, isOurs: boolean): void
}

export interface Child {
  send(tasks: SentTask[]): void
  /** Restarts the deadline. Call it for each message. */
  progress(): void
  /** No task is in progress. */
  rest(): void
  kill(): void
}

/** Starts the process. `priority` is that of the operating system: 0, or higher for less. */
export function createChild(start: () => ChildProcess, priority: number, { onMessage, onEnd }: ChildEvents): Child {
  const child = start()
  let timer: NodeJS.Timeout | undefined
  let since = { at: 0, processorMs: 0 }
  let reason: string | undefined
  let hasEnded = false

  function end(why: string, isOurs: boolean): void {
    if (hasEnded) return
    hasEnded = true
    clearInterval(timer)
    onEnd(why, isOurs)
  }
  child.on('message', (message: SandboxMessage) => {
    if (!hasEnded) onMessage(message)
  })
  child.on('error', (error) => {
    child.kill('SIGKILL')
    end(error.message, false)
  })
  child.on('exit', (code, signal) => {
    const how = `${reason ?? 'ended by itself'} (${signal ?? `exit code ${code}`})`
    end(how, reason !== undefined || (signal !== 'SIGKILL' && signal !== 'SIGTERM'))
  })
  // A process that cannot be started has no number; its error follows.
  if (child.pid !== undefined && priority !== 0) lowerPriority(child.pid, priority)
  setHolding(child, false)

  function check(): void {
    const used = readUse(child.pid)
    const waitedMs = performance.now() - since.at
    if (used.residentBytes > MAX_RESIDENT_BYTES) reason = 'took too much memory'
    else if (waitedMs > LATEST_MS || used.processorMs - since.processorMs > DEADLINE_MS) reason = 'took too long'
    else return
    child.kill('SIGKILL')
  }

  function progress(): void {
    since = { at: performance.now(), processorMs: readUse(child.pid).processorMs }
  }

  return {
    send(tasks) {
      setHolding(child, true)
      progress()
      timer ??= setInterval(check, CHECK_EVERY_MS).unref()
      // A channel that is closing reports it by the end of the process.
      child.send(tasks, () => {})
    },
    progress,
    rest() {
      setHolding(child, false)
      clearInterval(timer)
      timer = undefined
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

/** Whether this process waits for the child before it ends. */
function setHolding(child: ChildProcess, isHolding: boolean): void {
  const verb = isHolding ? 'ref' : 'unref'
  child[verb]()
  child.channel?.[verb]()
}

function lowerPriority(pid: number, priority: number): void {
  try {
    setPriority(pid, priority)
  } catch {
    // It has ended already, or the system forbids it: then all processes share alike.
  }
}

/** Reads what a process has used. Where the system has no such file, the clock alone decides. */
function readUse(pid: number | undefined): { processorMs: number; residentBytes: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program, in parentheses, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [user = 0, system = 0] = [fields[11], fields[12]].map(Number)
    return { processorMs: (user + system) * TICK_MS, residentBytes: Number(fields[21]) * PAGE_BYTES }
  } catch {
    return { processorMs: 0, residentBytes: 0 }
  }
}
