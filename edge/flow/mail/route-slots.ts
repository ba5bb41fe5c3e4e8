// Limits how many mails one route has at a time: of those that are handed over when the process ends, the outcome is not known.

/** Also the number of connections to an SMTP server. */
export const MAILS_AT_ONCE = 10
/** Mails of one route that wait in memory; a provider that hangs must not take the places of others. */
const MAX_WAITING = 200
/** A provider that was out of reach is asked last for so long, unless it names another time. */
export const REST_MS = 30_000

export interface RouteSlots {
  /** Runs `send` when a slot is free. @returns undefined without calling it when too many wait already */
  run<T>(integrationId: number, send: () => Promise<T>): Promise<T> | undefined
  /** The provider was out of reach until now (epoch ms). */
  rest(integrationId: number, now: number, forMs: number | undefined): void
  isResting(integrationId: number, now: number): boolean
  /** The provider takes no mails until then (epoch ms). */
  close(integrationId: number, until: number): void
  /** Epoch ms; 0 for one that was never closed. */
  closedUntil(integrationId: number): number
}

export function createRouteSlots(): RouteSlots {
  const routes = new Map<number, { busy: number; waiting: (() => void)[]; restsUntil: number; closedUntil: number }>()

  function find(integrationId: number) {
    let route = routes.get(integrationId)
    if (route === undefined) {
      route = { busy: 0, waiting: [], restsUntil: 0, closedUntil: 0 }
      routes.set(integrationId, route)
    }
    return route
  }

  return {
    run(integrationId, send) {
      const route = find(integrationId)
      if (route.waiting.length >= MAX_WAITING) return undefined
      return (async () => {
        if (route.busy < MAILS_AT_ONCE) route.busy++
        else await new Promise<void>((resolve) => route.waiting.push(resolve))
        try {
          return await send()
        } finally {
          const next = route.waiting.shift()
          if (next === undefined) route.busy--
          else next()
        }
      })()
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
