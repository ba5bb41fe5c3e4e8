// /healthz (alive), /readyz (its store and bus in reach, room on the disk, not stopping; why not), /metrics for Prometheus (contract section 12).

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
  /** True from the signal to stop on, before calls are refused. */
  isLeaving(): boolean
  /** Throws when the store cannot be read. */
  ping(): Promise<void>
  metrics: Metrics
  log: Log
  /** Bearer token that `/metrics` asks for; null: none. */
  metricsToken: string | null
}

/** Longer than this counts as unreachable. */
const PING_TIMEOUT_MS = 2000

export function addHealthRoutes(http: Http, deps: HealthDeps): void {
  const findFaults = createFindFaults(http, deps)
  // Those who ask at a time share one reading.
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

/** All that keeps new work away, the gravest first. `path` is the reason; why the store cannot be read only the log says. */
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

/** Whether a ping ends well in time. Those who ask meanwhile share one, so that asking often costs the store nothing. */
function createReach(ping: () => Promise<void>, log: Log): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined
  let wasInReach = true
  async function ask(): Promise<boolean> {
    const fault = await findFault(ping())
    const isInReach = fault === undefined
    if (isInReach !== wasInReach) {
      if (isInReach) log.info('The store is in reach again.')
      else log.warn('The store is out of reach.', { error: fault.error })
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

/** Compares digests, which have one length, in constant time. */
function requireToken(token: string | null, authorization: string | undefined): void {
  if (token === null) return
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(digest(`Bearer ${token}`), digest(authorization ?? ''))) {
    throw new ApiError('auth/unauthenticated', { message: 'Send the METRICS_TOKEN as the Bearer credential.' })
  }
}
