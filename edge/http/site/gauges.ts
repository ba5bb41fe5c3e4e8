// Sets the gauges of /metrics, which are read at each request.

import { Gauge, type Registry } from 'prom-client'
import type { ClaimKind } from '../../domain/in-hand.ts'
import type { WaitingWork } from '../../domain/waiting.ts'
import { withDeadline } from '../../lib/deadline.ts'

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
    /** Of the last `nc backup` (epoch ms); null without one. */
    backupAt: number | null
  }>
  /** Milliseconds since when details are older than their retention; 0 while none are. */
  retentionBehindMs(): number
  /** Greatest age (ms) of what a replica answers, 0 while it is not read; null without one. */
  replicaAgeMs(): number | null
  /** What this process is. */
  build: Readonly<Record<'version' | 'node' | 'engine', string>>
  /** Whether the other nodes are reachable. */
  isBusUp(): boolean
  /** Numbers of endpoints with an open circuit, calls in progress, and calls that wait for a slot. */
  enrichers(): { openCircuits: number; underWay: number; waiting: number }
  /** State of the last check; `freeBytes` is null where the store is on another machine. */
  disk(): { freeBytes: number | null; isLow: boolean }
}

/** The sources, with the checks of `/readyz`. */
export interface ReadSources extends MetricSources {
  checks: readonly { name: string; ok: boolean; isVital: boolean }[]
}

/** Metrics of the store are omitted when a read takes more milliseconds. */
const STORE_LIMIT_MS = 1000

/** @returns A function that reads all sources into the gauges. */
export function createGauges(registers: Registry[]): (sources: ReadSources) => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const plans = gauge('nc_commit_backlog_plans', 'Plans that wait for their commit: the length of the queue.')
  const oldest = gauge('nc_commit_backlog_seconds', 'Age of the oldest waiting plan.')
  const sockets = gauge('nc_sockets_open', 'Open widget sockets.')
  const bus = gauge(
    'nc_bus_up',
    '1 while the other nodes are in reach over Redis; without Redis there are none, and it is 1.',
  )
  const lag = gauge('nc_job_lag_seconds', 'How long the oldest due job has waited.')
  const byKind = (name: string, help: string) => new Gauge({ name, help, labelNames: ['kind'], registers })
  const givenUp = byKind(
    'nc_given_up',
    'Runs, jobs and mails that were given up and stay with their reason; counted up to 1,000 each.',
  )
  const waits = byKind(
    'nc_waiting',
    'Runs, jobs and mails that wait though their time has come, over all attempts; counted up to 1,000 each.',
  )
  const waited = byKind(
    'nc_waiting_oldest_seconds',
    'How long the oldest waiting run, job or mail has waited, since its first attempt.',
  )
  const free = gauge('nc_disk_free_bytes', 'Room on the disk of SQLite; left out with PostgreSQL.')
  const low = gauge('nc_disk_low', '1 while writes are refused for want of room.')
  const circuits = gauge(
    'nc_enricher_circuits_open',
    'Enrichers that failed so often that no call is sent for a while.',
  )
  const calls = gauge('nc_enricher_calls_under_way', 'Calls of enrichers that have a place.')
  const waiting = gauge('nc_enricher_calls_waiting', 'Calls of enrichers that wait for a place.')
  const retention = gauge(
    'nc_retention_behind_seconds',
    'Time since when details are older than their retention; 0 while none are.',
  )
  const backup = gauge('nc_last_backup_timestamp_seconds', 'When the last `nc backup` was made; left out without one.')
  const replica = gauge('nc_replica_age_seconds', 'Greatest age of what a replica answers; 0 while it is not read.')
  const build = new Gauge({
    name: 'nc_build_info',
    help: '1, with the release, Node.js and the engine.',
    labelNames: ['version', 'node', 'engine'],
    registers,
  })
  const ready = gauge('nc_ready', '1 while `/readyz` answers 200.')
  const checkHelp = '1 while a check of `/readyz` fails: `draining`, `store`, `redis`, `disk`.'
  const failing = new Gauge({ name: 'nc_check_failing', help: checkHelp, labelNames: ['check'], registers })
  return async (sources) => {
    build.set(sources.build, 1)
    ready.set(sources.checks.some(({ ok, isVital }) => isVital && !ok) ? 0 : 1)
    for (const { name, ok } of sources.checks) failing.set({ check: name }, ok ? 0 : 1)
    retention.set(sources.retentionBehindMs() / 1000)
    const age = sources.replicaAgeMs()
    replica.set(age === null ? Number.NaN : age / 1000)
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
    free.set(disk.freeBytes ?? Number.NaN)
    low.set(disk.isLow ? 1 : 0)
    // Ignores an unreachable store, because the other metrics are needed most then.
    const timeoutError = () => new Error('job metrics timed out')
    const jobs = await withDeadline(sources.jobs(), STORE_LIMIT_MS, timeoutError).catch(() => undefined)
    lag.set(jobs === undefined ? Number.NaN : jobs.lagMs / 1000)
    backup.set(jobs?.backupAt == null ? Number.NaN : jobs.backupAt / 1000)
    for (const one of [givenUp, waits, waited]) one.reset()
    for (const [kind, count] of Object.entries(jobs?.givenUp ?? {})) givenUp.set({ kind }, count)
    for (const [kind, { count, oldestMs }] of Object.entries(jobs?.waiting ?? {})) {
      waits.set({ kind }, count)
      waited.set({ kind }, oldestMs / 1000)
    }
  }
}
