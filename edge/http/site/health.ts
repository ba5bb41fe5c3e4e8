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
  isLeaving(): boolean
  /** Throws when the store cannot be read. */
  ping(): Promise<void>
  metrics: Metrics
  log: Log
  /** Bearer token required for `/metrics`; null: none. */
  metricsToken: string | null
}

/** Longer than this counts as unreachable. */
const PING_TIMEOUT_MS = 2000

export function addHealthRoutes(http: Http, deps: HealthDeps): void {
  const findFaults = createFindFaults(http, deps)
  // Concurrent requests share one reading.
  let reading: Promise<string> | undefined
  addFileRoute(http, '/healthz', (_c, correlationId) => jsonAnswer({ status: 'alive' }, 200, correlationId))
  addFileRoute(http, '/readyz', async (_c, correlationId) => {
    const details = await findFaults()
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

/** Lists the reasons against new work, the gravest first. `path` is the reason; only the log has the error of the store. */
function createFindFaults(http: Http, deps: HealthDeps): () => Promise<ErrorDetail[]> {
  const isStoreInReach = createReach(deps.ping, deps.log)
  return async () => {
    const isStoreUp = await isStoreInReach()
    const faults: [boolean, string, string][] = [
      [deps.isLeaving(), 'draining', 'The service is stopping.'],
      [!isStoreUp, 'store', 'The store is out of reach.'],
      [!deps.isBusUp(), 'redis', 'Redis is out of reach.'],
      [http.isDiskLow?.() === true, 'disk', 'The disk is nearly full: only reads are served.'],
    ]
    return faults.filter(([isSo]) => isSo).map(([, path, message]) => ({ path, message }))
  }
}

/** Whether a ping succeeds in time. Concurrent calls share one ping, so that frequent calls do not load the store. */
function createReach(ping: () => Promise<void>, log: Log): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined
  let wasInReach = true
  async function ask(): Promise<boolean> {
    const fault = await findFault(ping())
    const isInReach = fault === undefined
    if (isInReach !== wasInReach) {
      if (isInReach) log.info('store reachable again')
      else log.warn('store unreachable', { error: fault.error })
    }
    wasInReach = isInReach
    return isInReach
  }
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
}

async function findFault(ping: Promise<void>): Promise<{ error: unknown } | undefined> {
  const late = () => new Error(`No answer within ${PING_TIMEOUT_MS} ms.`)
  return withDeadline(ping, PING_TIMEOUT_MS, late).then(
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
