// Which targets of the proxy are ready: asks each by HTTP at short intervals, and wakes those that wait for one.

import { request } from 'node:http'

export interface Target {
  host: string
  port: number
}

export interface Probe {
  /** Answers 200 when the target takes new work. */
  path: string
  everyMs: number
}

/** A target as it is now. */
export interface TargetState extends Target {
  isReady: boolean
  /** Requests and sockets that are with it. */
  requests: number
  sockets: number
}

export interface Readiness {
  /** Ready targets; empty when there is none. */
  list(): TargetState[]
  /** Resolves with the first ready target, at the latest after `waitMs`: then there may be none. */
  wait(waitMs: number): Promise<void>
  /** It refused a connection: not asked again before a probe says that it is ready. */
  markDown(target: TargetState): void
  close(): void
}

export interface ReadinessDeps {
  /** Asked before each round, so that targets may come and go. */
  targets(): Target[]
  probe: Probe
  /** Told once for each target that is not ready any more. */
  onDown(target: TargetState): void
}

/** A target that takes longer to answer its probe is not ready (ms). */
const PROBE_TIMEOUT_MS = 1000

export function createReadiness(deps: ReadinessDeps): Readiness {
  const states = new Map<string, TargetState>()
  const waiting = new Set<() => void>()
  let isClosed = false

  function set(state: TargetState, isReady: boolean): void {
    const wasReady = state.isReady
    state.isReady = isReady
    if (wasReady && !isReady) deps.onDown(state)
    if (!wasReady && isReady) for (const wake of [...waiting]) wake()
  }

  async function look(state: TargetState): Promise<void> {
    const isReady = await answersOk(state, deps.probe.path)
    if (!isClosed && states.get(keyOf(state)) === state) set(state, isReady)
  }

  function round(): void {
    const wanted = new Map(deps.targets().map((target) => [keyOf(target), target]))
    for (const [key, state] of states) {
      if (wanted.has(key)) continue
      states.delete(key)
      set(state, false)
    }
    for (const [key, { host, port }] of wanted) {
      const state = states.get(key) ?? { host, port, isReady: false, requests: 0, sockets: 0 }
      states.set(key, state)
      void look(state)
    }
  }

  const timer = setInterval(round, deps.probe.everyMs)
  round()
  const list = () => [...states.values()].filter(({ isReady }) => isReady)
  return {
    list,
    wait(waitMs) {
      if (list().length > 0) return Promise.resolve()
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(limit)
          waiting.delete(wake)
          resolve()
        }
        const limit = setTimeout(wake, waitMs)
        waiting.add(wake)
      })
    },
    markDown: (state) => set(state, false),
    close() {
      isClosed = true
      clearInterval(timer)
      for (const wake of [...waiting]) wake()
    },
  }
}

function keyOf({ host, port }: Target): string {
  return `${host} ${port}`
}

/** On a connection of its own: a kept one would say nothing of whether new ones are taken. */
function answersOk({ host, port }: Target, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = request({ host, port, path, agent: false, timeout: PROBE_TIMEOUT_MS }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    asking.on('timeout', () => asking.destroy())
    asking.on('error', () => resolve(false))
    asking.end()
  })
}
