// Limits how many mails one route has at a time: of those that are handed over when the process ends, the outcome is not known.

import type { Clock } from '../../lib/clock.ts'

/** Also the number of connections to an SMTP server. As many more are prepared meanwhile, so that no connection waits for that. */
export const MAILS_AT_ONCE = 10
/** Mails of one route that wait in memory; a provider that hangs must not take the places of others. */
const MAX_WAITING = 200
/** A provider that was out of reach is asked last for so long, unless it names another time. */
export const REST_MS = 30_000
/** A route that was silent for so long does not drain: its mails ask again after a fixed time. */
const SILENT_MS = 1000
const SILENT_RETRY_MS = 5000
/** A mail that found no place is away for so long at most. */
const LONGEST_AWAY_MS = 30_000
/** Of the first mails of a route: 200 a second. */
const FIRST_PACE_MS = 5

interface Stage {
  busy: number
  /** Called with false when the service stops. */
  waiting: ((hasPlace: boolean) => void)[]
}

interface Route {
  /** A mail that is prepared keeps its place here until it has one of those that are sent. */
  preparing: Stage
  sending: Stage
  restsUntil: number
  closedUntil: number
  /** Of the last answer, or of the first mail after a pause (epoch ms). */
  answeredAt: number
  /** Mean time between two answers while others wait. */
  paceMs: number
  /** When the last mail without a place was told to ask again (epoch ms). */
  promisedAt: number
}

export interface RouteSlots {
  /**
   * Runs `prepare` and then `send` when their places are free.
   * @returns undefined without calling `send` when too many wait already, or the service stops before there is a place
   */
  run<P, T>(
    integrationId: number,
    prepare: () => Promise<P>,
    send: (prepared: P) => Promise<T>,
  ): Promise<T | undefined> | undefined
  /**
   * When a mail that found no place may ask again (epoch ms): one after the other, at the pace of the answers, so that
   * the route neither runs dry nor is asked by all at once.
   */
  retryAt(integrationId: number): number
  /** Sends no more than what providers have in hand. */
  stop(): void
  /** The provider was out of reach until now (epoch ms). */
  rest(integrationId: number, now: number, forMs: number | undefined): void
  isResting(integrationId: number, now: number): boolean
  /** The provider takes no mails until then (epoch ms). */
  close(integrationId: number, until: number): void
  /** Epoch ms; 0 for one that was never closed. */
  closedUntil(integrationId: number): number
}

async function enter(stage: Stage): Promise<boolean> {
  if (stage.busy >= MAILS_AT_ONCE) return new Promise((resolve) => stage.waiting.push(resolve))
  stage.busy++
  return true
}

function leave(stage: Stage): void {
  const next = stage.waiting.shift()
  if (next === undefined) stage.busy--
  else next(true)
}

export function createRouteSlots(clock: Clock): RouteSlots {
  const routes = new Map<number, Route>()
  let isStopping = false

  function find(integrationId: number) {
    let route = routes.get(integrationId)
    if (route === undefined) {
      const times = { restsUntil: 0, closedUntil: 0, answeredAt: 0, paceMs: FIRST_PACE_MS, promisedAt: 0 }
      route = { preparing: { busy: 0, waiting: [] }, sending: { busy: 0, waiting: [] }, ...times }
      routes.set(integrationId, route)
    }
    return route
  }

  function onAnswer(route: Route): void {
    const now = clock.now()
    if (route.preparing.waiting.length > 0)
      route.paceMs += (Math.min(now - route.answeredAt, SILENT_MS) - route.paceMs) / 16
    route.answeredAt = now
  }

  return {
    run(integrationId, prepare, send) {
      const route = find(integrationId)
      const { preparing, sending } = route
      if (isStopping || preparing.waiting.length >= MAX_WAITING) return undefined
      return (async () => {
        if (preparing.busy + sending.busy === 0) route.answeredAt = clock.now()
        if (!(await enter(preparing))) return undefined
        let prepared: Awaited<ReturnType<typeof prepare>>
        try {
          prepared = await prepare()
          if (isStopping || !(await enter(sending))) return undefined
        } finally {
          leave(preparing)
        }
        try {
          return await send(prepared)
        } finally {
          onAnswer(route)
          leave(sending)
        }
      })()
    },
    retryAt(integrationId) {
      const route = find(integrationId)
      const now = clock.now()
      if (isStopping) return now
      if (now - route.answeredAt > SILENT_MS) return now + SILENT_RETRY_MS
      // Half of those that wait are then still there.
      const at = Math.max(route.promisedAt, now + (MAX_WAITING / 2) * route.paceMs) + route.paceMs
      route.promisedAt = Math.min(at, now + LONGEST_AWAY_MS)
      return Math.round(route.promisedAt)
    },
    stop() {
      isStopping = true
      for (const { preparing, sending } of routes.values()) {
        for (const resume of [...preparing.waiting.splice(0), ...sending.waiting.splice(0)]) resume(false)
      }
    },
    rest(integrationId, now, forMs) {
      find(integrationId).restsUntil = now + (forMs ?? REST_MS)
    },
    isResting: (integrationId, now) => (routes.get(integrationId)?.restsUntil ?? 0) > now,
    close(integrationId, until) {
      find(integrationId).closedUntil = until
    },
    closedUntil: (integrationId) => routes.get(integrationId)?.closedUntil ?? 0,
  }
}
