// Implements the port `domain/enricher.ts`: cached answers, slots, circuits and attempts of calls to customers' endpoints.

import type { Json } from '../../contract/json.ts'
import type { EnricherErrorCode } from '../../contract/resources/enricher.ts'
import type { Core } from '../domain/core.ts'
import {
  CALL_LIMIT_MS,
  type Enricher,
  type EnricherCall,
  type EnricherFailure,
  type EnricherRegistry,
  type EnricherResult,
  type Enrichers,
} from '../domain/enricher.ts'
import { ApiError } from '../lib/api-error.ts'
import { formatId } from '../lib/id.ts'
import { type AskDeps, type Asked, askEndpoint } from './ask-endpoint.ts'
import { BULKHEAD_LIMITS, type BulkheadLimits, createBulkhead } from './bulkhead.ts'
import { createCircuits } from './circuit.ts'
import { createEnvelope } from './envelope.ts'
import { createKnownEnrichers } from './known-enrichers.ts'
import { cacheKeyOf, createResultCache } from './result-cache.ts'

export interface EnricherMetrics {
  /** `ok`, `cached`, or the code of the failure. */
  onEnricherCall(outcome: 'ok' | 'cached' | EnricherErrorCode): void
  onEnricherAttempt(tookMs: number): void
}

type Taken = Pick<AskDeps, 'fetch' | 'listSigningSecrets' | 'pause'> &
  Pick<Core, 'bus' | 'clock' | 'log'> & {
    enrichers: Pick<EnricherRegistry, 'find'>
    watch: EnricherMetrics
    limits?: BulkheadLimits
  }

export interface EnricherCalls extends Enrichers {
  /** For the metrics. */
  state(): { openCircuits: number; underWay: number; waiting: number }
  /** Refuses new and waiting calls, and aborts those under way after 2 s. Resolves when none is left. */
  stop(): Promise<void>
}

/** A call without a slot is repeated after 2 to 10 s: not all of them at once. */
const BUSY_MS = { least: 2000, spread: 8000 }
/** With the event, its properties and the profile: twice the largest event. */
const MAX_PAYLOAD_CHARS = 512 * 1024
const STOP_AFTER_MS = 2000

export function createEnrichers(deps: Taken): EnricherCalls {
  const { clock, watch } = deps
  const known = createKnownEnrichers(deps)
  const cache = createResultCache(clock)
  const endpointCalls = createEndpointCalls(deps)
  const shared = new Map<string, Promise<Asked | EnricherFailure>>()

  function findCached(enricher: Enricher, call: Pick<EnricherCall, 'params' | 'user'>): string | undefined {
    return enricher.cacheSeconds === 0 ? undefined : cache.find(cacheKeyOf(enricher, call))
  }

  /** Equal calls at the same time share one. */
  function share(enricher: Enricher, call: EnricherCall): Promise<Asked | EnricherFailure> {
    if (enricher.cacheSeconds === 0 || call.isTest === true) return endpointCalls.ask(enricher, call)
    const key = cacheKeyOf(enricher, call)
    const running = shared.get(key)
    if (running !== undefined) return running
    const started = endpointCalls
      .ask(enricher, call)
      .then((asked) => {
        if (asked.ok) cache.keep(key, asked.data, enricher.cacheSeconds)
        return asked
      })
      .finally(() => shared.delete(key))
    shared.set(key, started)
    return started
  }

  function report(call: EnricherCall, result: EnricherResult): EnricherResult {
    const outcome = result.ok ? (result.cached ? 'cached' : 'ok') : result.code
    watch.onEnricherCall(outcome)
    deps.log.debug('enricher called', { ...about(call), code: outcome, durationMs: result.durationMs })
    return result
  }

  async function answer(call: EnricherCall): Promise<EnricherResult> {
    const startedAt = clock.now()
    const tookMs = () => Math.max(0, clock.now() - startedAt)
    const enricher = await known.find(call.environmentId, call.name)
    if (enricher === undefined) return { ...unknownEnricher(), durationMs: tookMs() }
    const kept = call.isTest === true ? undefined : findCached(enricher, call)
    if (kept !== undefined) return { ok: true, ...parse(kept), cached: true, attempts: 0, durationMs: tookMs() }
    const asked = await share(enricher, call)
    if (asked.ok) {
      // Parsed for each caller: a run may change its data.
      return { ok: true, ...parse(asked.data), cached: false, attempts: asked.attempts, durationMs: tookMs() }
    }
    return { ...toFailure(asked), durationMs: tookMs() }
  }

  return {
    call: async (call) => report(call, await answer(call)),
    findCached(call) {
      const enricher = known.peek(call.environmentId, call.name)
      const kept = enricher && findCached(enricher, call)
      if (kept === undefined) return undefined
      watch.onEnricherCall('cached')
      return { ok: true, ...parse(kept), cached: true, attempts: 0, durationMs: 0 }
    },
    state: endpointCalls.state,
    async stop() {
      known.close()
      await endpointCalls.stop()
    },
  }
}

/** Makes calls within slots and circuits, until the process stops. */
function createEndpointCalls(deps: Taken) {
  const { clock, log, watch } = deps
  const limits = deps.limits ?? BULKHEAD_LIMITS
  const bulkhead = createBulkhead(limits)
  const circuits = createCircuits(clock)
  const underWay = new Map<AbortController, Promise<unknown>>()
  let isStopping = false
  const ask: AskDeps = {
    ...deps,
    circuits,
    onAttempt: watch.onEnricherAttempt,
    onCircuit(enricher, change, code) {
      if (change === 'closed') log.info('enricher circuit closed', about(enricher))
      else {
        const fields = { ...about(enricher), durationMs: change.openedForMs, ...(code && { code }) }
        log.warn('enricher circuit opened after failures', fields)
      }
    },
  }

  async function enter(enricher: Enricher, call: EnricherCall): Promise<Asked | EnricherFailure> {
    const envelope = createEnvelope(call)
    if (envelope.payload.length > MAX_PAYLOAD_CHARS) return tooLarge()
    const { environmentId, name, url } = enricher
    const endpoint = `${environmentId}\n${name}\n${url}`
    const startedAt = clock.now()
    const release = await bulkhead.acquire({ endpoint, environmentId })
    try {
      if (isStopping) throw stopping()
      if (release === null) return busy(call.callId)
      const controller = new AbortController()
      const question = { enricher, envelope, endpoint, isTest: call.isTest === true, signal: controller.signal }
      // Time in the queue counts.
      const asked = askEndpoint(ask, { ...question, deadlineAt: startedAt + CALL_LIMIT_MS })
      underWay.set(controller, asked)
      return await asked.finally(() => underWay.delete(controller))
    } catch (error) {
      throw isStopping ? stopping() : error
    } finally {
      release?.()
    }
  }

  return {
    async ask(enricher: Enricher, call: EnricherCall): Promise<Asked | EnricherFailure> {
      if (isStopping) throw stopping()
      return enter(enricher, call)
    },
    state: () => ({ openCircuits: circuits.countOpen(), ...bulkhead.size() }),
    async stop() {
      isStopping = true
      bulkhead.clear()
      const timer = setTimeout(() => {
        for (const controller of underWay.keys()) controller.abort()
      }, STOP_AFTER_MS)
      await Promise.allSettled(underWay.values())
      clearTimeout(timer)
    },
  }
}

function about({
  environmentId,
  name,
  correlationId,
}: Pick<Enricher, 'environmentId' | 'name'> & { correlationId?: string }) {
  return {
    environmentId: formatId('environment', environmentId),
    enricher: name,
    ...(correlationId !== undefined && { correlationId }),
  }
}

function parse(text: string): { data: Json; bytes: number } {
  return { data: JSON.parse(text) as Json, bytes: Buffer.byteLength(text) }
}

function toFailure(failure: (Asked & { ok: false }) | EnricherFailure): EnricherFailure {
  const { code, message, reason, attempts } = failure
  const isBusy = code === 'busy' && failure.retryAfterMs !== undefined
  return {
    ok: false,
    code,
    message,
    attempts,
    durationMs: 0,
    ...(reason !== undefined && { reason }),
    ...(isBusy && { retryAfterMs: failure.retryAfterMs }),
  }
}

function unknownEnricher(): EnricherFailure {
  const message = 'The environment has no enricher of that name.'
  return { ok: false, code: 'unknown-enricher', message, attempts: 0, durationMs: 0 }
}

function tooLarge(): EnricherFailure {
  const message = `Params, user and event are more than ${MAX_PAYLOAD_CHARS} characters together.`
  return { ok: false, code: 'params-too-large', message, attempts: 0, durationMs: 0 }
}

function busy(callId: string): EnricherFailure {
  const message = 'The endpoint has as many calls in progress and waiting as allowed.'
  // Derived from the id: spread, and the same for the same call.
  const retryAfterMs = BUSY_MS.least + (Number.parseInt(callId.slice(-4), 16) % BUSY_MS.spread || 0)
  return { ok: false, code: 'busy', message, attempts: 0, durationMs: 0, retryAfterMs }
}

function stopping(): ApiError {
  return new ApiError('service/unavailable', { message: 'The service is stopping.' })
}
