// Counts the metrics for operators, in a separate registry per app.

import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { ClaimKind } from '../../domain/in-hand.ts'
import type { StoreWatch } from '../../domain/stores.ts'
import type { WaitingWork } from '../../domain/waiting.ts'
import { withDeadline } from '../../lib/deadline.ts'
import { addProcessMetrics } from './process-metrics.ts'

/** Values that are read at each request of `/metrics`. */
export interface MetricSources {
  /** Number of plans that wait for their commit, and milliseconds that the oldest has waited. */
  backlog(): { plans: number; oldestMs: number }
  /** Number of open widget sockets. */
  sockets(): number
  /** Milliseconds that the oldest due job has waited, 0 when none is due; and by kind what was given up, and what waits. */
  jobs(): Promise<{
    lagMs: number
    givenUp: Readonly<Record<ClaimKind, number>>
    waiting: Readonly<Record<ClaimKind, Pick<WaitingWork, 'count' | 'oldestMs'>>>
  }>
  /** Whether the other nodes are reachable. */
  isBusUp(): boolean
  /** Numbers of endpoints with an open circuit, calls in progress, and calls that wait for a slot. */
  enrichers(): { openCircuits: number; underWay: number; waiting: number }
  /** State of the last check; undefined when the store is not on this machine. */
  disk(): { freeBytes: number; isLow: boolean } | undefined
}

/** No label contains an environment, a user or another value that callers choose (docs/decisions/0032-metrics-and-logs.md). */
export interface Metrics extends StoreWatch {
  /** Tracked events were answered 202: written, or repeats of written ones. */
  onAccepted(count: number, outcome: 'new' | 'repeated'): void
  onRefused(code: ErrorCode): void
  /** `area`: the tag of the route. */
  onAnswered(area: string, tookMs: number): void
  onRateLimited(limit: string): void
  onJob(kind: string, result: 'done' | 'retried' | 'dead'): void
  /** `outcome`: `ok`, `cached`, or the code of a failure. */
  onEnricherCall(outcome: string): void
  /** One request to an endpoint. */
  onEnricherAttempt(tookMs: number): void
  onWait(result: 'done' | 'retried' | 'dead' | 'parked'): void
  /** One evaluation in a sandbox; `does` is the name of its task. */
  onSandboxTask(does: string, tookMs: number): void
  /** A sandbox ended with evaluations in it. */
  onSandboxEnd(): void
  /** One answer of a provider of mail. */
  onMail(provider: string, outcome: string): void
  onMailPutOff(reason: string): void
  /** How many old values of secrets end within six hours. */
  onSecretsEnding(count: number): void
  /** How many integrations of a provider fail at present. */
  onMailFailing(provider: string, count: number): void
  /** Signals for other nodes. */
  onBusSignal(result: 'sent' | 'dropped'): void
  onFrame(): void
  onHeal(outcome: string): void
  onCut(reason: string): void
  onHandshakeRefused(): void
  /** @returns Text in the format of Prometheus. */
  read(sources: MetricSources): Promise<string>
  /** @returns Name, type and labels of our metrics; a test compares them with docs/operations.md. */
  describe(): { name: string; type: string; labels: string[] }[]
}

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
/** Metrics of the store are omitted when a read takes more milliseconds. */
const STORE_LIMIT_MS = 1000
const BATCH_PLANS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000]

/**
 * Uses a separate registry, so that several apps in one process do not conflict.
 * @param options `withProcess` adds the metrics of `process-metrics.ts`.
 */
export function createMetrics(options: { withProcess?: boolean } = {}): Metrics {
  const registry = new Registry()
  const own = new Registry()
  if (options.withProcess === true) addProcessMetrics(registry)
  const registers = [registry, own]
  const setGauges = createGauges(registers)
  return {
    ...createHttpMetrics(registers),
    ...createStoreMetrics(registers),
    ...createSocketMetrics(registers),
    ...createBusMetrics(registers),
    ...createJobMetrics(registers),
    ...createMailMetrics(registers),
    ...createEnricherMetrics(registers),
    ...createSandboxMetrics(registers),
    ...createSecretMetrics(registers),
    async read(sources) {
      await setGauges(sources)
      return withoutNaN(await registry.metrics())
    },
    describe: () =>
      own.getMetricsAsArray().map((metric) => {
        const { labelNames } = metric as typeof metric & { labelNames: string[] }
        return { name: metric.name, type: metric.constructor.name.toLowerCase(), labels: [...labelNames].sort() }
      }),
  }
}

/** Omits NaN (a mean without samples, an unreachable store), because readers treat it differently. */
const withoutNaN = (text: string) => text.replace(/^[^#\n]* Nan\n/gm, '')

function createHttpMetrics(registers: Registry[]) {
  const counter = counterIn(registers)
  const accepted = counter('nc_events_accepted_total', 'Tracked events answered 202.', 'outcome')
  const refused = counter('nc_requests_refused_total', 'Requests answered with an error, by code.', 'code')
  const limited = counter('nc_rate_limited_total', 'Calls over a rate limit.', 'limit')
  const took = new Histogram({
    name: 'nc_http_request_seconds',
    help: 'Time from the head of a request to its answer, by area of the API.',
    labelNames: ['area'],
    buckets: SECONDS,
    registers,
  })
  // Caches the labels, because a lookup costs more than the count.
  const areas = new Map<string, { observe(value: number): void }>()
  return {
    onAccepted: (count: number, outcome: 'new' | 'repeated') => accepted.inc({ outcome }, count),
    onRefused: (code: ErrorCode) => refused.inc({ code }),
    onRateLimited: (limit: string) => limited.inc({ limit }),
    onAnswered(area: string, tookMs: number) {
      let series = areas.get(area)
      if (series === undefined) {
        series = took.labels(area)
        areas.set(area, series)
      }
      series.observe(tookMs / 1000)
    },
  }
}

function createStoreMetrics(registers: Registry[]): StoreWatch {
  const seconds = (name: string, help: string) => new Histogram({ name, help, buckets: SECONDS, registers })
  const wait = seconds('nc_commit_wait_seconds', 'Time that the oldest plan of a batch waited for the writer.')
  const write = seconds('nc_store_write_seconds', 'Time of the writer for a batch, until it is durable.')
  const read = seconds('nc_store_read_seconds', 'Time of one read statement.')
  const help = 'Plans that were committed together.'
  const plans = new Histogram({ name: 'nc_commit_batch_plans', help, buckets: BATCH_PLANS, registers })
  return {
    onRead: (tookMs) => read.observe(tookMs / 1000),
    onBatch(batch) {
      write.observe(batch.tookMs / 1000)
      if (batch.plans === 0) return
      plans.observe(batch.plans)
      wait.observe(batch.waitedMs / 1000)
    },
  }
}

function createSocketMetrics(registers: Registry[]) {
  const counter = counterIn(registers)
  const frames = counter('nc_socket_frames_total', 'Frames sent to widget sockets.')
  const heals = counter('nc_socket_heals_total', 'Clients that caught up, by outcome.', 'outcome')
  const cuts = counter('nc_socket_cuts_total', 'Sockets that the service closed, by reason.', 'reason')
  const handshakes = counter('nc_socket_handshakes_refused_total', 'Handshakes that were refused.')
  return {
    onFrame: () => frames.inc(),
    onHeal: (outcome: string) => heals.inc({ outcome }),
    onCut: (reason: string) => cuts.inc({ reason }),
    onHandshakeRefused: () => handshakes.inc(),
  }
}

function createBusMetrics(registers: Registry[]) {
  const signals = counterIn(registers)('nc_bus_words_total', 'Signals to other nodes, by result.', 'result')
  // Caches the labels, because a lookup costs more than the count.
  const series = { sent: signals.labels('sent'), dropped: signals.labels('dropped') }
  return { onBusSignal: (result: 'sent' | 'dropped') => series[result].inc() }
}

function createJobMetrics(registers: Registry[]) {
  const labels = { labelNames: ['kind', 'result'], registers }
  const ran = new Counter({ name: 'nc_jobs_total', help: 'Attempts of jobs, by result.', ...labels })
  return {
    onJob: (kind: string, result: string) => ran.inc({ kind, result }),
    onWait: (result: string) => ran.inc({ kind: 'resume-run', result }),
  }
}

function createMailMetrics(registers: Registry[]) {
  const name = 'nc_mail_answers_total'
  const answers = new Counter({
    name,
    help: 'Answers of providers of mail.',
    labelNames: ['provider', 'outcome'],
    registers,
  })
  const putOff = counterIn(registers)('nc_mails_put_off_total', 'Mails that were put off, by reason.', 'reason')
  const help = 'Integrations whose last answer was a failure.'
  const failing = new Gauge({ name: 'nc_mail_integrations_failing', help, labelNames: ['provider'], registers })
  return {
    onMail: (provider: string, outcome: string) => answers.inc({ provider, outcome }),
    onMailPutOff: (reason: string) => putOff.inc({ reason }),
    onMailFailing: (provider: string, count: number) => failing.set({ provider }, count),
  }
}

function createSecretMetrics(registers: Registry[]) {
  const ending = new Gauge({
    name: 'nc_old_secrets_ending',
    help: 'Old secret values that end within six hours.',
    registers,
  })
  return { onSecretsEnding: (count: number) => ending.set(count) }
}

function createEnricherMetrics(registers: Registry[]) {
  const counter = counterIn(registers)
  const calls = counter('nc_enricher_calls_total', 'Calls of enrichers, by outcome.', 'outcome')
  const name = 'nc_enricher_attempt_seconds'
  const help = 'Time of one request to an enricher, until its answer or failure.'
  const took = new Histogram({ name, help, buckets: [...SECONDS, 10], registers })
  return {
    onEnricherCall: (outcome: string) => calls.inc({ outcome }),
    onEnricherAttempt: (tookMs: number) => took.observe(tookMs / 1000),
  }
}

function createSandboxMetrics(registers: Registry[]) {
  const ended = counterIn(registers)('nc_sandbox_ended_total', 'Sandboxes that ended with evaluations in them.')
  const name = 'nc_sandbox_task_seconds'
  const help = 'Processor time of one evaluation in a sandbox, by task.'
  const took = new Histogram({ name, help, labelNames: ['does'], buckets: SECONDS, registers })
  return {
    onSandboxTask: (does: string, tookMs: number) => took.observe({ does }, tookMs / 1000),
    onSandboxEnd: () => ended.inc(),
  }
}

function createGauges(registers: Registry[]): (sources: MetricSources) => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const plans = gauge('nc_commit_backlog_plans', 'Plans that wait for their commit.')
  const oldest = gauge('nc_commit_backlog_seconds', 'Age of the oldest waiting plan.')
  const sockets = gauge('nc_sockets_open', 'Open widget sockets.')
  const bus = gauge('nc_bus_up', '1 while the other nodes are reachable.')
  const lag = gauge('nc_job_lag_seconds', 'Time that the oldest due job has waited.')
  const byKind = (name: string, help: string) => new Gauge({ name, help, labelNames: ['kind'], registers })
  const givenUp = byKind('nc_given_up', 'Runs, jobs and mails that were given up.')
  const waits = byKind('nc_waiting', 'Runs, jobs and mails that wait though their time has come.')
  const waited = byKind('nc_waiting_oldest_seconds', 'Time that the oldest of them has waited, over all attempts.')
  const free = gauge('nc_disk_free_bytes', 'Free bytes on the disk of the store.')
  const low = gauge('nc_disk_low', '1 while writes are refused because the disk is nearly full.')
  const circuits = gauge('nc_enricher_circuits_open', 'Enricher endpoints with an open circuit.')
  const calls = gauge('nc_enricher_calls_under_way', 'Calls of enrichers in progress.')
  const waiting = gauge('nc_enricher_calls_waiting', 'Calls of enrichers that wait for a slot.')
  return async (sources) => {
    const enrichers = sources.enrichers()
    circuits.set(enrichers.openCircuits)
    calls.set(enrichers.underWay)
    waiting.set(enrichers.waiting)
    const backlog = sources.backlog()
    plans.set(backlog.plans)
    oldest.set(backlog.oldestMs / 1000)
    sockets.set(sources.sockets())
    bus.set(sources.isBusUp() ? 1 : 0)
    const disk = sources.disk()
    if (disk !== undefined) free.set(disk.freeBytes)
    low.set(disk?.isLow === true ? 1 : 0)
    // Ignores an unreachable store, because the other metrics are needed most then.
    const timeoutError = () => new Error('job metrics timed out')
    const jobs = await withDeadline(sources.jobs(), STORE_LIMIT_MS, timeoutError).catch(() => undefined)
    lag.set(jobs === undefined ? Number.NaN : jobs.lagMs / 1000)
    for (const one of [givenUp, waits, waited]) one.reset()
    for (const [kind, count] of Object.entries(jobs?.givenUp ?? {})) givenUp.set({ kind }, count)
    for (const [kind, { count, oldestMs }] of Object.entries(jobs?.waiting ?? {})) {
      waits.set({ kind }, count)
      waited.set({ kind }, oldestMs / 1000)
    }
  }
}

function counterIn(registers: Registry[]) {
  return (name: string, help: string, ...labelNames: string[]) => new Counter({ name, help, labelNames, registers })
}
