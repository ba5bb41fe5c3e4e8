// Tests the values of the metrics, and that docs/operations.md lists all of them.

import { closeSync, openSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

const WAITING = {
  run: { count: 0, oldestMs: 0 },
  job: { count: 2, oldestMs: 1500 },
  mail: { count: 20, oldestMs: 90_000 },
}
const SOURCES = {
  backlog: () => ({ plans: 3, oldestMs: 1500 }),
  sockets: () => 2,
  isBusUp: () => true,
  jobs: async () => ({ lagMs: 2500, givenUp: { run: 1, job: 4, mail: 0 }, waiting: WAITING }),
  enrichers: () => ({ openCircuits: 2, underWay: 5, waiting: 3 }),
  disk: () => ({ freeBytes: 1000, isLow: true }),
}

test('the text has all reported values', async () => {
  const metrics = createMetrics()
  metrics.onAccepted(5, 'new')
  metrics.onAccepted(1, 'repeated')
  metrics.onRefused('event/invalid-name')
  metrics.onRefused('event/invalid-name')
  metrics.onAnswered('Tracking', 3)
  metrics.onAnswered('Tracking', 30)
  metrics.onRateLimited('auth')
  metrics.onBatch({ plans: 40, waitedMs: 4, tookMs: 8 })
  metrics.onBatch({ plans: 0, waitedMs: 0, tookMs: 8 })
  metrics.onRead(0.2)
  metrics.onJob('fan-out', 'retried')
  metrics.onFrame()
  metrics.onBusSignal('sent')
  metrics.onBusSignal('sent')
  metrics.onBusSignal('dropped')
  metrics.onHeal('reset')
  metrics.onCut('slow')
  metrics.onHandshakeRefused()
  metrics.onMailFailing('smtp', 1)
  const text = await metrics.read(SOURCES)
  for (const line of [
    'nc_events_accepted_total{outcome="new"} 5',
    'nc_events_accepted_total{outcome="repeated"} 1',
    'nc_requests_refused_total{code="event/invalid-name"} 2',
    'nc_http_request_seconds_bucket{le="0.005",area="Tracking"} 1',
    'nc_http_request_seconds_count{area="Tracking"} 2',
    'nc_rate_limited_total{limit="auth"} 1',
    'nc_commit_batch_plans_bucket{le="50"} 1',
    'nc_commit_batch_plans_count 1',
    'nc_commit_wait_seconds_bucket{le="0.005"} 1',
    'nc_store_write_seconds_count 2',
    'nc_store_read_seconds_bucket{le="0.0005"} 1',
    'nc_jobs_total{kind="fan-out",result="retried"} 1',
    'nc_socket_frames_total 1',
    'nc_bus_up 1',
    'nc_bus_words_total{result="sent"} 2',
    'nc_bus_words_total{result="dropped"} 1',
    'nc_socket_heals_total{outcome="reset"} 1',
    'nc_socket_cuts_total{reason="slow"} 1',
    'nc_socket_handshakes_refused_total 1',
    'nc_commit_backlog_plans 3',
    'nc_commit_backlog_seconds 1.5',
    'nc_sockets_open 2',
    'nc_job_lag_seconds 2.5',
    'nc_given_up{kind="run"} 1',
    'nc_given_up{kind="job"} 4',
    'nc_waiting{kind="mail"} 20',
    'nc_waiting_oldest_seconds{kind="mail"} 90',
    'nc_waiting_oldest_seconds{kind="job"} 1.5',
    'nc_mail_integrations_failing{provider="smtp"} 1',
    'nc_enricher_circuits_open 2',
    'nc_enricher_calls_under_way 5',
    'nc_enricher_calls_waiting 3',
    'nc_disk_free_bytes 1000',
    'nc_disk_low 1',
  ]) {
    expect(`${text}\n`).toContain(`\n${line}\n`)
  }
})

test('without the store, the text has all other values', async () => {
  for (const jobs of [() => Promise.reject(new Error('gone')), () => new Promise<never>(() => {})]) {
    const text = await createMetrics().read({ ...SOURCES, jobs })
    expect(text).toContain('# TYPE nc_job_lag_seconds gauge')
    expect(text).not.toMatch(/nan$/im)
    expect(text).toContain('nc_sockets_open 2')
  }
})

test('docs/operations.md has one row for each metric, with its type and labels', () => {
  const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `(nc_[a-z_]+)` \| (\w+) \| ([^|]*) \|/gm)].map(([, name, type, labels]) => ({
    name,
    type,
    labels: [...(labels ?? '').matchAll(/`(\w+)`/g)].map(([, label]) => label).sort(),
  }))
  const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }) =>
    (a.name ?? '').localeCompare(b.name ?? '')
  expect(rows.sort(byName)).toEqual(createMetrics().describe().sort(byName))
})

test('process metrics contain memory and event loop', async () => {
  const text = await createMetrics({ withProcess: true }).read(SOURCES)
  expect(text).toContain('nc_process_resident_memory_bytes ')
  expect(text).toContain('nc_nodejs_eventloop_lag_p99_seconds ')
})

test('no process metric reads all handles in one turn of the event loop', async () => {
  const text = await createMetrics({ withProcess: true }).read(SOURCES)
  expect(text).not.toMatch(/active_(handles|resources)/)
})

test.skipIf(process.platform !== 'linux')('open files are counted', async () => {
  const metrics = createMetrics({ withProcess: true })
  const count = async () => Number(/^nc_process_open_fds (\d+)$/m.exec(await metrics.read(SOURCES))?.[1])
  const before = await count()
  const opened = Array.from({ length: 200 }, () => openSync('/dev/null', 'r'))
  // Other tests in this process may close files meanwhile.
  expect(await count()).toBeGreaterThan(before + 150)
  for (const file of opened) closeSync(file)
})
