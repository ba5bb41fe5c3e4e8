// Serves /healthz (alive), /readyz (store and bus reachable, free disk space, not stopping; else the reasons) and /metrics.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { ErrorDetail } from '../../../contract/errors.ts'
import { ApiError } from '../../lib/api-error.ts'
import { withDeadline } from '../../lib/deadline.ts'
import type { Log } from '../../lib/log.ts'
import { jsonAnswer } from '../answer.ts'
import { headerOf } from '../context.ts'
import type { Http } from '../http.ts'
import { addFileRoute } from './file-route.ts'
import type { MetricSources, Metrics } from './metrics.ts'

export interface HealthDeps extends MetricSources {
  /** True from the stop signal on, before calls are refused. */
  isStopping(): boolean
  /** Rejects when the store cannot be read. */
  ping(): Promise<void>
  metrics: Metrics
  log: Log
  /** Bearer token that `/metrics` requires; null: none. */
  metricsToken: string | null
}

/** Milliseconds after which the store counts as unreachable. */
const PING_TIMEOUT_MS = 2000

export function addHealthRoutes(http: Http, deps: HealthDeps): void {
  const findReasons = createFindReasons(http, deps)
  // Concurrent requests share one reading.
  let reading: Promise<string> | undefined
  addFileRoute(http, '/healthz', (_c, correlationId) => jsonAnswer({ status: 'alive' }, 200, correlationId))
  addFileRoute(http, '/readyz', async (_c, correlationId) => {
    const details = await findReasons()
    const [first] = details
    if (first === undefined) return jsonAnswer({ status: 'ready' }, 200, correlationId)
    throw new ApiError('service/unavailable', { message: first.message, reason: first.path, details })
  })
  addFileRoute(http, '/metrics', async (c) => {
    requireToken(deps.metricsToken, headerOf(c, 'authorization'))
    reading ??= deps.metrics.read(deps).finally(() => {
      reading = undefined
    })
    return new Response(await reading, {
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' },
    })
  })
}

/** @returns A function that lists why the node is not ready, most serious first. Only the log has the error of the store. */
function createFindReasons(http: Http, deps: HealthDeps): () => Promise<ErrorDetail[]> {
  const isStoreReachable = createStoreCheck(deps.ping, deps.log)
  return async () => {
    const isStoreUp = await isStoreReachable()
    const reasons: [isPresent: boolean, path: string, message: string][] = [
      [deps.isStopping(), 'draining', 'The service is stopping.'],
      [!isStoreUp, 'store', 'The store is unreachable.'],
      [!deps.isBusUp(), 'redis', 'Redis is unreachable.'],
      [http.isDiskLow?.() === true, 'disk', 'The disk is nearly full: only reads are served.'],
    ]
    return reasons.filter(([isPresent]) => isPresent).map(([, path, message]) => ({ path, message }))
  }
}

/** @returns A function that pings the store. Concurrent calls share one ping, so that frequent calls do not load the store. */
function createStoreCheck(ping: () => Promise<void>, log: Log): () => Promise<boolean> {
  let checking: Promise<boolean> | undefined
  let wasReachable = true
  async function check(): Promise<boolean> {
    const failure = await findFailure(ping())
    const isReachable = failure === undefined
    if (isReachable !== wasReachable) {
      if (isReachable) log.info('store reachable again')
      else log.warn('store unreachable', { error: failure.error })
    }
    wasReachable = isReachable
    return isReachable
  }
  return () => {
    checking ??= check().finally(() => {
      checking = undefined
    })
    return checking
  }
}

async function findFailure(ping: Promise<void>): Promise<{ error: unknown } | undefined> {
  const timeoutError = () => new Error(`store ping timed out: ${PING_TIMEOUT_MS} ms`)
  return withDeadline(ping, PING_TIMEOUT_MS, timeoutError).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
}

/** Compares digests, which have equal lengths, in constant time. */
function requireToken(token: string | null, authorization: string | undefined): void {
  if (token === null) return
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(digest(`Bearer ${token}`), digest(authorization ?? ''))) {
    throw new ApiError('auth/unauthenticated', { message: 'Send the METRICS_TOKEN as the Bearer credential.' })
  }
}
