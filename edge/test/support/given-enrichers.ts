// Sets up enricher calls with the real guard and real servers, without an app. Pauses are recorded, the clock is given.

import { randomBytes } from 'node:crypto'
import { createMemoryBus } from '../../bus/memory.ts'
import { callIdOf, type Enricher, type EnricherCall } from '../../domain/enricher.ts'
import { BULKHEAD_LIMITS, type BulkheadLimits } from '../../enrichers/bulkhead.ts'
import { createEnrichers, type EnricherCalls } from '../../enrichers/enrichers.ts'
import { createLog } from '../../lib/log.ts'
import { createGuardedFetch, type GuardedFetchDeps } from '../../lib/outbound/guarded-fetch.ts'

export interface GivenEnrichers {
  enrichers: EnricherCalls
  clock: { at: number; now(): number }
  /** Valid secrets, newest first. */
  secrets: string[]
  /** Requested pauses (ms). */
  pauses: number[]
  /** Results of calls, in order. */
  outcomes: string[]
  log: string[]
  bus: ReturnType<typeof createMemoryBus>
  /** Adds or replaces an enricher. */
  put(name: string, url: string, settings?: Partial<Enricher>): void
  remove(name: string, environmentId?: number): void
  ask(name: string, call?: Partial<EnricherCall>): ReturnType<EnricherCalls['call']>
  callOf(name: string, call?: Partial<EnricherCall>): EnricherCall
  close(): Promise<void>
}

export interface GivenOptions extends Partial<GuardedFetchDeps> {
  limits?: Partial<BulkheadLimits>
}

export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** Creates enricher calls; options replace parts of the guarded fetch. Add to `clock.at` (ms) to advance the time. */
export function givenEnrichers({ limits, ...outbound }: GivenOptions = {}): GivenEnrichers {
  const rows = new Map<string, Enricher>()
  const bus = createMemoryBus()
  const fetching = createGuardedFetch({ allow: [], connections: null, ...outbound })
  // Real time plus an offset that tests change.
  const clock = { at: 0, now: () => Math.round(performance.timeOrigin + performance.now()) + clock.at }
  const log: string[] = []
  const given: GivenEnrichers = {
    clock,
    secrets: [newSecret()],
    pauses: [],
    outcomes: [],
    log,
    bus,
    enrichers: createEnrichers({
      enrichers: { find: async (environmentId, name) => rows.get(`${environmentId} ${name}`) },
      listSigningSecrets: async () => given.secrets,
      fetch: fetching.fetch,
      pause: async (ms) => void given.pauses.push(ms),
      bus,
      clock,
      log: createLog('debug', (line) => log.push(line)),
      watch: { onEnricherCall: (outcome) => given.outcomes.push(outcome), onEnricherAttempt() {} },
      limits: { ...BULKHEAD_LIMITS, ...limits },
    }),
    put(name, url, settings = {}) {
      const environmentId = settings.environmentId ?? 7
      const times = { createdAt: 1, updatedAt: clock.now() }
      const row = { enricherNo: 1, environmentId, name, url, timeoutMs: 5000, cacheSeconds: 0, ...times, ...settings }
      rows.set(`${environmentId} ${name}`, row)
      bus.publish('enrichers-changed', { environmentId })
    },
    remove(name, environmentId = 7) {
      rows.delete(`${environmentId} ${name}`)
      bus.publish('enrichers-changed', { environmentId })
    },
    callOf: (name, call = {}) => ({
      environmentId: 7,
      name,
      params: { orderId: 'ü-1' },
      user: { id: 'u_1' },
      event: { name: 'order.shipped', properties: { total: 1.5 } },
      callId: callIdOf(1, 'details'),
      correlationId: 'c-1',
      ...call,
    }),
    ask: (name, call) => given.enrichers.call(given.callOf(name, call)),
    async close() {
      await given.enrichers.stop()
      await fetching.close()
      await bus.close()
    },
  }
  return given
}
