// A database server as a process that tests may stop, kill, freeze and start again; it never outlives its owner.

import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Janitor, startJanitor } from './janitor.ts'

export interface Server {
  url: string
  /** Where its files are. */
  folder: string
  /** Of the process that runs now or ran last. */
  readonly pid: number
  /** Ends it as an operator would: clients are cut, nothing is lost. */
  stop(): Promise<void>
  /** SIGKILL for it and all its children, at once. */
  kill(): Promise<void>
  /** Freezes it and its children: connections stay, nothing is answered. */
  pause(): void
  resume(): void
  /** Starts it again on the same port and data, after `stop` or `kill`. Resolves when it takes connections. */
  restart(): Promise<void>
  /** Stops it for good; its data goes too, unless the folder was given. */
  remove(): Promise<void>
}

/** Where a server keeps its files, and as whom it runs. */
export interface Place {
  folder: string
  /** Undefined: as this process. */
  owner: { uid: number; gid: number } | undefined
  janitor: Janitor
}

export interface ServerOptions {
  /** Kept at the end. Default: a new folder for temporary files, removed at the end. */
  folder?: string
  /** Default: a free one. */
  port?: number
}

interface Program {
  path: string
  args: string[]
  /** Resolves when it takes connections. */
  isReady(pid: number): Promise<boolean>
  stopSignal: NodeJS.Signals
}

const START_LIMIT_MS = 60_000
const LOOK_EVERY_MS = 20

/** PostgreSQL refuses to run as root: then it is Debian's user for it, or nobody. */
export function createPlace(name: string, folder?: string): Place {
  const owner = process.getuid?.() === 0 ? (userOf('postgres') ?? userOf('nobody')) : undefined
  const made = folder ?? mkdtempSync(join(tmpdir(), `nc-${name}-`))
  mkdirSync(made, { recursive: true, mode: 0o700 })
  if (owner !== undefined) refuseUnreachable(dirname(made))
  if (owner !== undefined) chownSync(made, owner.uid, owner.gid)
  return { folder: made, owner, janitor: startJanitor(folder === undefined ? made : undefined) }
}

/** Another user than this one must pass through all folders above. */
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

/** Below those that the system gives to whoever listens on port 0 or connects: what is given up for a while is there afterwards. */
const [LOWEST_PORT, HIGHEST_PORT] = [10_000, 32_000]
const TRIES = 100

/**
 * One that nobody listens on, for a server that begins later, or ends and begins again. While this process lives nobody else who
 * asks here is given it.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT)
    if ((await reserve(port)) && (await isFree(port))) return port
  }
  throw new Error(`There is no free port between ${LOWEST_PORT} and ${HIGHEST_PORT}.`)
}

/** By its UDP port, which no server of ours wants: the system lets go of it when this process ends, however that is. */
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

/** Starts it. Throws with what it wrote when it does not come up. */
export async function startServer(url: string, place: Place, program: Program): Promise<Server> {
  let child = await launch(place, program)
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (hasEnded(child)) return
    const exited = once(child, 'exit')
    child.ref()
    if (signal === 'SIGKILL') signalTree(child, signal)
    else child.kill(signal)
    await exited
    place.janitor.watch(undefined)
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
    remove: () => place.janitor.clear(),
  }
}

async function launch(place: Place, { path, args, isReady }: Program): Promise<ChildProcess> {
  const logPath = join(place.folder, 'server.log')
  const log = openSync(logPath, 'a', 0o644)
  // A group of its own, so that the end of a test phase leaves it to the janitor, which also removes its files.
  const child = spawn(path, args, { ...place.owner, cwd: place.folder, detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  await Promise.race([once(child, 'spawn'), once(child, 'error').then(([error]) => Promise.reject(error))])
  child.unref()
  const pid = child.pid as number
  place.janitor.watch(pid)
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

/** The server and its children, all together. */
function signalTree(child: ChildProcess, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  if (child.pid === undefined || hasEnded(child)) return
  // Frozen first: it forks no more, so that the list is whole, and while it lives its children are to be found.
  if (signal !== 'SIGCONT') child.kill('SIGSTOP')
  for (const pid of [...childrenOf(child.pid), child.pid]) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended meanwhile.
    }
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      // After the name in brackets, which may hold anything: the state, then the parent.
      const [, after = ''] = /\)([^)]*)$/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? []
      return after.trim().split(' ')[1] === String(parent) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

function userOf(name: string): { uid: number; gid: number } | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((row) => row.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}
