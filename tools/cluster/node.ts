// One edge process of the cluster: started as `npm start` starts it, watched, and started again when it ends by itself.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { startJanitor } from '../servers/janitor.ts'

/** What a node runs: arguments of node, and the folder that they are read from. */
export interface Program {
  args: string[]
  cwd: string
}

export interface NodeOptions {
  name: string
  port: number
  /** The whole environment of the process. */
  env: Record<string, string | undefined>
  program: Program
  /** Gets both of its outputs, added at the end. */
  logPath: string
  say(line: string): void
}

export interface ClusterNode {
  name: string
  port: number
  readonly pid: number | undefined
  /** Starts it; resolves when it is ready. Throws with the end of its log when it ends before. From then on it runs `program`, if one is given. */
  start(program?: Program): Promise<void>
  isReady(): Promise<boolean>
  /** SIGTERM; answers its exit status. It is not started again by itself. */
  stop(): Promise<number | null>
  /** SIGKILL. It comes back by itself. */
  kill(): Promise<void>
}

const START_LIMIT_MS = 60_000
const LOOK_EVERY_MS = 50
const START_AGAIN_MS = 250
/** Above the 15 s that a drain may take. */
const STOP_LIMIT_MS = 20_000

export function createNode(options: NodeOptions): ClusterNode {
  // Nothing outlives the launcher, however that ends.
  const janitor = startJanitor(undefined)
  let child: ChildProcess | undefined
  let isWanted = false
  let { program } = options

  function launch(): ChildProcess {
    const log = openSync(options.logPath, 'a', 0o600)
    // Of its own group: ctrl-c is the launcher's, which stops the nodes in order.
    const { cwd, args } = program
    const started = spawn(process.execPath, args, {
      cwd,
      env: options.env,
      detached: true,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    janitor.watch(started.pid)
    started.once('exit', (status, signal) => {
      janitor.watch(undefined)
      if (!isWanted || child !== started) return
      options.say(`${options.name} ended (${signal ?? status}); starting it again`)
      setTimeout(() => {
        if (!isWanted || child !== started) return
        child = launch()
        void tellReady(child)
      }, START_AGAIN_MS)
    })
    return started
  }

  const isReady = () => answersOk(options.port, '/readyz')

  /** With the process that it is now: whoever killed it may want to do so again. */
  async function tellReady(again: ChildProcess): Promise<void> {
    while (isWanted && child === again && !hasEnded(again)) {
      if (await isReady()) return options.say(`${options.name} is ready again (process ${again.pid})`)
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
