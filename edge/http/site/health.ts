// /healthz (alive), /readyz (store reachable, room on the disk, not draining), /metrics for Prometheus (contract section 12).

import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { ErrorCode } from '../../../contract/errors.ts'
import { ApiError } from '../../lib/api-error.ts'
import { diskLow, jsonAnswer } from '../answer.ts'
import type { Http } from '../http.ts'
import { addFileRoute } from './file-route.ts'

/** What the metrics ask when they are read. */
export interface MetricSources {
  /** Plans that wait for their commit, and how long the oldest has. */
  backlog(): { plans: number; oldestMs: number }
  /** Open widget sockets. */
  sockets(): number
  /** How long the oldest due job has waited (ms); 0 when none is due. */
  jobLagMs(): Promise<number>
}

export interface Metrics {
  onAccepted(count: number): void
  onRefused(code: ErrorCode): void
  onFrame(): void
  onHeal(outcome: string): void
  onCut(reason: string): void
  onHandshakeRefused(): void
  /** Prometheus text. */
  read(sources: MetricSources): Promise<string>
}

/** Own registry, so that several apps in one process do not meet. `withProcess` adds memory, event loop and GC. */
export function createMetrics(options: { withProcess?: boolean } = {}): Metrics {
  const registry = new Registry()
  if (options.withProcess === true) collectDefaultMetrics({ register: registry, prefix: 'nc_' })
  const registers = [registry]
  const accepted = new Counter({ name: 'nc_events_accepted_total', help: 'Tracked events answered 202.', registers })
  const refused = new Counter({
    name: 'nc_requests_refused_total',
    help: 'Requests answered with an error, by code.',
    labelNames: ['code'],
    registers,
  })
  const plans = new Gauge({ name: 'nc_commit_backlog_plans', help: 'Plans that wait for their commit.', registers })
  const oldest = new Gauge({ name: 'nc_commit_backlog_seconds', help: 'Age of the oldest waiting plan.', registers })
  const sockets = new Gauge({ name: 'nc_sockets_open', help: 'Open widget sockets.', registers })
  const jobLag = new Gauge({ name: 'nc_job_lag_seconds', help: 'How long the oldest due job has waited.', registers })
  const onSocket = createSocketCounters(registers)
  return {
    ...onSocket,
    onAccepted: (count) => accepted.inc(count),
    onRefused: (code) => refused.inc({ code }),
    async read(sources) {
      const backlog = sources.backlog()
      plans.set(backlog.plans)
      oldest.set(backlog.oldestMs / 1000)
      sockets.set(sources.sockets())
      jobLag.set((await sources.jobLagMs()) / 1000)
      return registry.metrics()
    },
  }
}

function createSocketCounters(registers: Registry[]) {
  const frames = new Counter({ name: 'nc_socket_frames_total', help: 'Frames sent to widget sockets.', registers })
  const heals = new Counter({
    name: 'nc_socket_heals_total',
    help: 'Clients brought up to date, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const cuts = new Counter({
    name: 'nc_socket_cuts_total',
    help: 'Sockets that were cut, by reason.',
    labelNames: ['reason'],
    registers,
  })
  const handshakes = new Counter({
    name: 'nc_socket_handshakes_refused_total',
    help: 'Handshakes that were refused.',
    registers,
  })
  return {
    onFrame: () => frames.inc(),
    onHeal: (outcome: string) => heals.inc({ outcome }),
    onCut: (reason: string) => cuts.inc({ reason }),
    onHandshakeRefused: () => handshakes.inc(),
  }
}

export interface HealthDeps extends MetricSources {
  /** Throws when the store cannot be read. */
  ping(): Promise<void>
  metrics: Metrics
}

/** Longer than this counts as unreachable. */
const PING_TIMEOUT_MS = 2000

export function addHealthRoutes(http: Http, deps: HealthDeps): void {
  addFileRoute(http, '/healthz', (_c, correlationId) => jsonAnswer({ status: 'alive' }, 200, correlationId))
  addFileRoute(http, '/readyz', async (_c, correlationId) => {
    if (http.isDraining()) throw new ApiError('service/unavailable', { message: 'The service is stopping.' })
    if (http.isDiskLow?.() === true) throw diskLow()
    await pingOrRefuse(deps)
    return jsonAnswer({ status: 'ready' }, 200, correlationId)
  })
  addFileRoute(http, '/metrics', async () => {
    const text = await deps.metrics.read(deps)
    return new Response(text, {
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' },
    })
  })
}

async function pingOrRefuse(deps: HealthDeps): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The store did not answer in time.')), PING_TIMEOUT_MS)
  })
  try {
    await Promise.race([deps.ping(), late])
  } catch (cause) {
    throw new ApiError('service/unavailable', { message: 'The store is out of reach.' }, { cause })
  } finally {
    clearTimeout(timer)
  }
}
