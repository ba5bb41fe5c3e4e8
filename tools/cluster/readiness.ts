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
  /** A target that takes longer to answer is not ready; default 1000 ms. */
  timeoutMs?: number
}

/** `impaired`: it says no, but serves most of all the same (Redis is gone, its disk is full). */
export type Health = 'ready' | 'impaired' | 'down'

/** A target as it is now. */
export interface TargetState extends Target {
  health: Health
  /** Requests and sockets that are with it. */
  requests: number
  sockets: number
}

export interface Readiness {
  /** Ready targets; where there is none, the impaired ones: most is better than nothing. */
  list(): TargetState[]
  /** Resolves when there is a target, at the latest after `waitMs`: then there may be none. */
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

const PROBE_TIMEOUT_MS = 1000

export function createReadiness(deps: ReadinessDeps): Readiness {
  const states = new Map<string, TargetState>()
  const waiting = new Set<() => void>()
  let isClosed = false

  function set(state: TargetState, health: Health): void {
    const former = state.health
    state.health = health
    if (former !== 'down' && health === 'down') deps.onDown(state)
    if (former === 'down' && health !== 'down') for (const wake of [...waiting]) wake()
  }

  async function look(state: TargetState): Promise<void> {
    const health = await askHealth(state, deps.probe)
    if (!isClosed && states.get(keyOf(state)) === state) set(state, health)
  }

  function round(): void {
    const wanted = new Map(deps.targets().map((target) => [keyOf(target), target]))
    for (const [key, state] of states) {
      if (wanted.has(key)) continue
      states.delete(key)
      set(state, 'down')
    }
    for (const [key, { host, port }] of wanted) {
      const state = states.get(key) ?? { host, port, health: 'down', requests: 0, sockets: 0 }
      states.set(key, state)
      void look(state)
    }
  }

  const timer = setInterval(round, deps.probe.everyMs)
  round()
  function list(): TargetState[] {
    const all = [...states.values()]
    const ready = all.filter(({ health }) => health === 'ready')
    return ready.length > 0 ? ready : all.filter(({ health }) => health === 'impaired')
  }
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
    markDown: (state) => set(state, 'down'),
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

const IMPAIRMENTS = new Set(['redis', 'disk'])

/** On a connection of its own: a kept one would say nothing of whether new ones are taken. */
function askHealth({ host, port }: Target, { path, timeoutMs = PROBE_TIMEOUT_MS }: Probe): Promise<Health> {
  return new Promise((resolve) => {
    const asking = request({ host, port, path, agent: false, timeout: timeoutMs }, (answer) => {
      if (answer.statusCode === 200) resolve('ready')
      let body = ''
      answer.setEncoding('utf8')
      answer
        .on('error', () => resolve('down'))
        .on('data', (chunk: string) => {
          body += chunk
        })
      answer.on('end', () => resolve(isImpaired(body) ? 'impaired' : 'down'))
    })
    // Not before an answer is read that came while this process stood still.
    asking.on('timeout', () => setImmediate(() => asking.destroy()))
    asking.on('error', () => resolve('down'))
    asking.end()
  })
}

/** Whether all that the edge's answer complains of leaves it serving (docs/operations.md). */
function isImpaired(body: string): boolean {
  try {
    const { details } = JSON.parse(body) as { details?: { path: string }[] }
    return details !== undefined && details.length > 0 && details.every(({ path }) => IMPAIRMENTS.has(path))
  } catch {
    return false
  }
}
