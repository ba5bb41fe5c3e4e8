// Serves /healthz (alive), /readyz (the store is reachable, and no stop was asked for; with what is impaired) and /metrics.

import { createHash, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../../lib/api-error.ts'
import { withDeadline } from '../../lib/deadline.ts'
import type { Log } from '../../lib/log.ts'
import { isLoopback } from '../../lib/loopback.ts'
import { jsonAnswer } from '../kernel/answer.ts'
import { type HttpContext, headerOf } from '../kernel/context.ts'
import type { Http } from '../kernel/http.ts'
import { addFileRoute } from './file-route.ts'
import type { MetricSources } from './gauges.ts'
import type { Metrics } from './metrics.ts'

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
  const examine = createExamine(http, deps)
  // Concurrent requests share one reading.
  let reading: Promise<string> | undefined
  addFileRoute(http, '/healthz', (_c, correlationId) =>
    jsonAnswer({ status: 'alive', version: deps.build.version }, 200, correlationId),
  )
  addFileRoute(http, '/readyz', async (c, correlationId) => {
    const checks = await examine()
    const wrong = checks.filter(({ ok }) => !ok)
    const details = wrong.map(({ name, message }) => ({ path: name, message }))
    const keptAway = wrong.find(({ isVital }) => isVital)
    if (keptAway !== undefined) {
      const { name: reason, message } = keptAway
      throw new ApiError('service/unavailable', { message, reason, details })
    }
    const impaired = details.length === 0 ? {} : { details }
    const verbose = new URL(c.req.url).searchParams.has('verbose')
      ? { checks: checks.map(({ name, ok }) => ({ name, ok })) }
      : {}
    return jsonAnswer({ status: 'ready', ...impaired, ...verbose }, 200, correlationId)
  })
  addFileRoute(http, '/metrics', async (c) => {
    if (deps.metricsToken !== null) requireToken(deps.metricsToken, headerOf(c, 'authorization'))
    else if (c.env?.isMetricsPort !== true) requireThisMachine(c)
    reading ??= examine()
      .then((checks) => deps.metrics.read({ ...deps, checks }))
      .finally(() => {
        reading = undefined
      })
    return new Response(await reading, {
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' },
    })
  })
}

interface Check {
  name: 'draining' | 'store' | 'redis' | 'disk'
  ok: boolean
  /** Without it the node takes no work. Without Redis all is served, and with a full disk all reads, by every node alike. */
  isVital: boolean
  /** What it means when it fails. Only the log has the error of the store. */
  message: string
}

/** @returns A function that checks all parts, the most serious first. */
function createExamine(http: Http, deps: HealthDeps): () => Promise<Check[]> {
  const isStoreReachable = createStoreCheck(deps.ping, deps.log)
  return async () => {
    const isStoreUp = await isStoreReachable()
    const isDiskLow = http.isDiskLow?.() === true
    return [
      { name: 'draining', ok: !deps.isStopping(), isVital: true, message: 'The service is stopping.' },
      { name: 'store', ok: isStoreUp, isVital: true, message: 'The store is unreachable.' },
      {
        ...{ name: 'redis', ok: deps.isBusUp(), isVital: false },
        message: 'Redis is unreachable: pushes reach the sockets of other nodes within seconds.',
      },
      { name: 'disk', ok: !isDiskLow, isVital: false, message: 'The disk is nearly full: only reads are served.' },
    ]
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
function requireToken(token: string, authorization: string | undefined): void {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(digest(`Bearer ${token}`), digest(authorization ?? ''))) {
    throw new ApiError('auth/unauthenticated', { message: 'Send the METRICS_TOKEN as the Bearer credential.' })
  }
}

const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/** A proxy on this machine connects from loopback, too: its headers, or the Host that it passes on, tell. */
function requireThisMachine(c: HttpContext): void {
  // Undefined within this process.
  const from = c.env?.incoming?.socket.remoteAddress
  const host = headerOf(c, 'host')
  const isHere =
    host === undefined || (URL.canParse(`http://${host}`) && isLoopback(new URL(`http://${host}`).hostname))
  const isForwarded = FORWARDED.some((name) => headerOf(c, name) !== undefined)
  if (from === undefined || (isLoopback(from.replace(/^::ffff:/, '')) && isHere && !isForwarded)) return
  throw new ApiError('auth/unauthenticated', {
    message: 'Without METRICS_TOKEN only this machine reads the metrics here. METRICS_PORT serves them elsewhere.',
  })
}
