// Runs one edge process of the cluster: starts it like `npm start`, watches it, and restarts it when it ends by itself.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { startCleanupProcess } from '../servers/cleanup-process.ts'

/** Program that a node runs: arguments of node, and the working folder. */
export interface Program {
  args: string[]
  cwd: string
}

export interface NodeOptions {
  name: string
  port: number
  /** All environment variables of the process. */
  env: Record<string, string | undefined>
  program: Program
  /** Log file; both outputs are appended. */
  logPath: string
  log(line: string): void
}

export interface ClusterNode {
  name: string
  port: number
  readonly pid: number | undefined
  /**
   * Starts the node and resolves when it is ready; `program`, if given, is used from now on.
   * @throws with the end of its log when it does not start
   */
  start(program?: Program): Promise<void>
  isReady(): Promise<boolean>
  /** Sends SIGTERM. The node is not restarted. @returns its exit status */
  stop(): Promise<number | null>
  /** Sends SIGKILL. The node is restarted. */
  kill(): Promise<void>
}

const START_LIMIT_MS = 60_000
const LOOK_EVERY_MS = 50
const START_AGAIN_MS = 250
/** Longer than the 15 s that a drain may take. */
const STOP_LIMIT_MS = 20_000

export function createNode(options: NodeOptions): ClusterNode {
  // Ends the nodes when the launcher ends, even by SIGKILL.
  const cleanup = startCleanupProcess(undefined)
  let child: ChildProcess | undefined
  let isWanted = false
  let { program } = options

  function launch(): ChildProcess {
    const log = openSync(options.logPath, 'a', 0o600)
    // Starts the node in its own process group: ctrl-c reaches only the launcher, which stops the nodes in order.
    const { cwd, args } = program
    const started = spawn(process.execPath, args, {
      cwd,
      env: options.env,
      detached: true,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    cleanup.watch(started.pid)
    started.once('exit', (status, signal) => {
      cleanup.watch(undefined)
      if (!isWanted || child !== started) return
      options.log(`${options.name} ended (${signal ?? status}); starting it again`)
      setTimeout(() => {
        if (!isWanted || child !== started) return
        child = launch()
        void reportReady(child)
      }, START_AGAIN_MS)
    })
    return started
  }

  const isReady = () => answersOk(options.port, '/readyz')

  /** Reports the new process once it is ready, so that a test may kill it again. */
  async function reportReady(again: ChildProcess): Promise<void> {
    while (isWanted && child === again && !hasEnded(again)) {
      if (await isReady()) return options.log(`${options.name} is ready again (process ${again.pid})`)
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
  }

  return {
    name: options.name,
    port: options.port,
    get pid() {
      return child?.pid
    },
    isReady,
    async start(other = program) {
      program = other
      child = launch()
      const until = performance.now() + START_LIMIT_MS
      while (!(await isReady())) {
        if (hasEnded(child) || performance.now() > until) {
          throw new Error(`${options.name} did not start:\n${readFileSync(options.logPath, 'utf8').slice(-3000)}`)
        }
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      }
      isWanted = true
    },
    async stop() {
      isWanted = false
      if (child === undefined || hasEnded(child)) return child?.exitCode ?? null
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const limit = setTimeout(() => child?.kill('SIGKILL'), STOP_LIMIT_MS)
      await exited
      clearTimeout(limit)
      return child.exitCode
    },
    async kill() {
      if (child === undefined || hasEnded(child)) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

function answersOk(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = request({ host: '127.0.0.1', port, path, agent: false, timeout: 1000 }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    asking.on('timeout', () => asking.destroy())
    asking.on('error', () => resolve(false))
    asking.end()
  })
}
