// Runs a database server that tests may stop, kill, freeze and restart. The server never outlives its owner.

import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type CleanupProcess, startCleanupProcess } from './cleanup-process.ts'

export interface Server {
  url: string
  /** Folder of its files. */
  folder: string
  /** Process id, of the current or the last process. */
  readonly pid: number
  /** Stops it like an operator: disconnects clients and loses no data. */
  stop(): Promise<void>
  /** Sends SIGKILL to it and all its children at once. */
  kill(): Promise<void>
  /** Freezes it and its children: connections stay open without answers. */
  pause(): void
  resume(): void
  /** Starts it again on the same port and data, after `stop` or `kill`. Resolves when it accepts connections. */
  restart(): Promise<void>
  /** Stops it for good and removes its data, unless the folder was given. */
  remove(): Promise<void>
}

/** Folder and user of a server. */
export interface Place {
  folder: string
  /** Undefined: the user of this process. */
  owner: { uid: number; gid: number } | undefined
  cleanup: CleanupProcess
}

export interface ServerOptions {
  /** Folder, kept at the end. Default: a new temporary folder, removed at the end. */
  folder?: string
  /** Port. Default: a free one. */
  port?: number
}

interface Program {
  path: string
  args: string[]
  /** Resolves when the server accepts connections. */
  isReady(pid: number): Promise<boolean>
  stopSignal: NodeJS.Signals
}

const START_LIMIT_MS = 60_000
const LOOK_EVERY_MS = 20

/** Chooses another user when run as root, because PostgreSQL refuses root: Debian's user for it, or nobody. */
export function createPlace(name: string, folder?: string): Place {
  const owner = process.getuid?.() === 0 ? (userOf('postgres') ?? userOf('nobody')) : undefined
  const made = folder ?? mkdtempSync(join(tmpdir(), `nc-${name}-`))
  mkdirSync(made, { recursive: true, mode: 0o700 })
  if (owner !== undefined) refuseUnreachable(dirname(made))
  if (owner !== undefined) chownSync(made, owner.uid, owner.gid)
  return { folder: made, owner, cleanup: startCleanupProcess(folder === undefined ? made : undefined) }
}

/** Checks that the other user may traverse all parent folders. */
function refuseUnreachable(above: string): void {
  for (let path = above; ; path = dirname(path)) {
    if ((statSync(path).mode & 0o001) === 0) {
      throw new Error(
        `The user that databases run as cannot reach ${above}: ${path} is closed to it. Choose another folder.`,
      )
    }
    if (path === dirname(path)) return
  }
}

/** Lies below the range that the system assigns for port 0 or outgoing connections, so a released port stays free. */
const [LOWEST_PORT, HIGHEST_PORT] = [10_000, 32_000]
const TRIES = 100

/**
 * Finds a free port for a server that starts later or restarts.
 * While this process lives, no other caller of this function gets the same port.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT)
    if ((await reserve(port)) && (await isFree(port))) return port
  }
  throw new Error(`There is no free port between ${LOWEST_PORT} and ${HIGHEST_PORT}.`)
}

/** Reserves the number by its UDP port, which our servers do not use; the system releases it when this process ends. */
async function reserve(port: number): Promise<boolean> {
  const mark = createSocket('udp4').unref()
  mark.bind({ port, address: '127.0.0.1', exclusive: true })
  try {
    await once(mark, 'listening')
    return true
  } catch {
    mark.close()
    return false
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}

/** Starts the server. @throws with its output when it does not start */
export async function startServer(url: string, place: Place, program: Program): Promise<Server> {
  let child = await launch(place, program)
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (hasEnded(child)) return
    const exited = once(child, 'exit')
    child.ref()
    const killed = signal === 'SIGKILL' ? signalTree(child, signal) : []
    if (signal !== 'SIGKILL') child.kill(signal)
    await exited
    await untilGone(killed)
    place.cleanup.watch(undefined)
  }
  return {
    url,
    folder: place.folder,
    get pid() {
      return child.pid as number
    },
    stop: () => {
      signalTree(child, 'SIGCONT')
      return end(program.stopSignal)
    },
    kill: () => end('SIGKILL'),
    pause: () => signalTree(child, 'SIGSTOP'),
    resume: () => signalTree(child, 'SIGCONT'),
    async restart() {
      if (!hasEnded(child)) throw new Error('it still runs')
      child = await launch(place, program)
    },
    remove: () => place.cleanup.clear(),
  }
}

async function launch(place: Place, { path, args, isReady }: Program): Promise<ChildProcess> {
  const logPath = join(place.folder, 'server.log')
  const log = openSync(logPath, 'a', 0o644)
  // Uses its own process group: the end of a test phase leaves it to the cleanup process, which also removes its files.
  const child = spawn(path, args, { ...place.owner, cwd: place.folder, detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  await Promise.race([once(child, 'spawn'), once(child, 'error').then(([error]) => Promise.reject(error))])
  child.unref()
  const pid = child.pid as number
  place.cleanup.watch(pid)
  const until = performance.now() + START_LIMIT_MS
  while (!(await isReady(pid))) {
    if (!hasEnded(child) && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      continue
    }
    child.kill('SIGKILL')
    throw new Error(`${path} did not start:\n${readFileSync(logPath, 'utf8').slice(-4000)}`)
  }
  return child
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** Signals the server and its children together. @returns their ids */
function signalTree(child: ChildProcess, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): number[] {
  if (child.pid === undefined || hasEnded(child)) return []
  // Frozen first, so that it forks no more and the list of children is complete.
  if (signal !== 'SIGCONT') child.kill('SIGSTOP')
  const pids = [...childrenOf(child.pid), child.pid]
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has ended meanwhile.
    }
  }
  return pids
}

/** Waits for children that end after the server: PostgreSQL does not restart while one holds the shared memory. */
async function untilGone(pids: number[]): Promise<void> {
  while (pids.some(isRunning)) await new Promise((resolve) => setTimeout(resolve, 5))
}

function isRunning(pid: number): boolean {
  const [state = 'X'] = statOf(String(pid))
  return !/[XZ]/.test(state)
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    return statOf(name)[1] === String(parent) ? [Number(name)] : []
  })
}

/** Reads state, parent id and more of a process; empty when it is gone. */
function statOf(pid: string): string[] {
  try {
    // Splits after the name in brackets, which may contain any character.
    const [, after = ''] = /\)([^)]*)$/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return after.trim().split(' ')
  } catch {
    return []
  }
}

function userOf(name: string): { uid: number; gid: number } | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((row) => row.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}
