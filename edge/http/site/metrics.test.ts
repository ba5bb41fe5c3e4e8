// Tests the values of the metrics, and that docs/operations.md lists all of them.

import { closeSync, openSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ERRORS } from '../../../contract/errors.ts'
import { MAIL_PROVIDERS } from '../../../contract/tenant.ts'
import { markdownTable, withTable } from '../../test/support/page-table.ts'
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
  jobs: async () => ({
    lagMs: 2500,
    givenUp: { run: 1, job: 4, mail: 0 },
    waiting: WAITING,
    backupAt: 1_700_000_000_000,
  }),
  enrichers: () => ({ openCircuits: 2, underWay: 5, waiting: 3 }),
  disk: () => ({ freeBytes: 1000, isLow: true }),
  retentionBehindMs: () => 7000,
  replicaAgeMs: () => 1500,
  build: { version: '0.1.0', node: '20.19.0', engine: 'SQLite' },
  checks: [
    { name: 'store', ok: true, isVital: true },
    { name: 'redis', ok: false, isVital: false },
  ],
}

test('the text has all reported values', async () => {
  const metrics = createMetrics()
  metrics.onAccepted(5, 'new')
  metrics.onAccepted(1, 'repeated')
  metrics.onRefused('event/invalid-name')
  metrics.onRefused('event/invalid-name')
  metrics.onAnswered('Tracking', 202, 3)
  metrics.onAnswered('Tracking', 202, 30)
  metrics.onSignIn('person', 401)
  metrics.onSourceDelivery(200)
  metrics.onMessages('email', 'held-back', 3)
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
  metrics.onErrorLogged()
  const text = await metrics.read(SOURCES)
  for (const line of [
    'nc_events_accepted_total{outcome="new"} 5',
    'nc_events_accepted_total{outcome="repeated"} 1',
    'nc_requests_refused_total{code="event/invalid-name"} 2',
    'nc_http_request_duration_seconds_bucket{le="0.005",area="Tracking",status_code="2xx"} 1',
    'nc_http_request_duration_seconds_count{area="Tracking",status_code="2xx"} 2',
    'nc_sign_ins_total{who="person",result="refused"} 1',
    'nc_source_deliveries_total{result="accepted"} 1',
    'nc_messages_total{channel="email",outcome="held-back"} 3',
    'nc_build_info{version="0.1.0",node="20.19.0",engine="SQLite"} 1',
    'nc_ready 1',
    'nc_check_failing{check="redis"} 1',
    'nc_check_failing{check="store"} 0',
    'nc_retention_behind_seconds 7',
    'nc_replica_age_seconds 1.5',
    'nc_last_backup_timestamp_seconds 1700000000',
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
    'nc_errors_logged_total 1',
  ]) {
    expect(`${text}\n`).toContain(`\n${line}\n`)
  }
})

test('each counter has all its series with 0 before the first event, so that the first one is a rise', async () => {
  const metrics = createMetrics()
  metrics.onArea('Tracking')
  const text = `\n${await metrics.read(SOURCES)}\n`
  for (const series of [
    ...Object.keys(ERRORS).map((code) => `nc_requests_refused_total{code="${code}"}`),
    ...MAIL_PROVIDERS.flatMap((provider) =>
      ['accepted', 'refused', 'unavailable', 'unknown', 'render-error'].map(
        (outcome) => `nc_mail_answers_total{provider="${provider}",outcome="${outcome}"}`,
      ),
    ),
    ...['2xx', '3xx', '4xx', '5xx'].map(
      (status) => `nc_http_request_duration_seconds_count{area="Tracking",status_code="${status}"}`,
    ),
    'nc_jobs_total{kind="run-deliveries",result="dead"}',
    'nc_jobs_total{kind="resume-run",result="parked"}',
    'nc_mails_put_off_total{reason="fault"}',
    'nc_mail_integrations_failing{provider="smtp"}',
    'nc_enricher_calls_total{outcome="circuit-open"}',
    'nc_rate_limited_total{limit="webhooks"}',
    'nc_events_accepted_total{outcome="new"}',
    'nc_socket_cuts_total{reason="flood"}',
    'nc_socket_heals_total{outcome="reset"}',
    'nc_messages_total{channel="email",outcome="failed"}',
    'nc_sign_ins_total{who="user",result="failed"}',
    'nc_source_deliveries_total{result="refused"}',
    'nc_sandbox_task_seconds_count{does="begin"}',
    'nc_errors_logged_total',
  ]) {
    expect(text).toContain(`\n${series} 0\n`)
  }
  for (const { name, type } of metrics.describe()) if (type === 'counter') expect(text).toMatch(`\n${name}`)
})

test('without the store, the text has all other values', async () => {
  for (const jobs of [() => Promise.reject(new Error('gone')), () => new Promise<never>(() => {})]) {
    const text = await createMetrics().read({ ...SOURCES, jobs })
    expect(text).toContain('# TYPE nc_job_lag_seconds gauge')
    expect(text).not.toMatch(/nan$/im)
    expect(text).toContain('nc_sockets_open 2')
  }
})

test('the room on the disk of another machine is left out', async () => {
  const text = await createMetrics().read({ ...SOURCES, disk: () => ({ freeBytes: null, isLow: false }) })
  expect(text).not.toMatch(/^nc_disk_free_bytes /m)
  expect(text).toContain('nc_disk_low 0')
})

test('docs/operations.md has a row for each metric', async () => {
  const page = new URL('../../../docs/operations.md', import.meta.url)
  const code = (words: string[]) => words.map((word) => `\`${word}\``).join(', ') || '–'
  const rows = createMetrics()
    .describe()
    .map(({ name, type, labels, help }) => [code([name]), type, code(labels), help.replace(/\.$/, '')])
  const table = markdownTable(['Metric', 'Type', 'Labels', 'Counts'], rows)
  await expect(withTable(readFileSync(page, 'utf8'), 'metrics', table)).toMatchFileSnapshot(page.pathname)
})

test('process metrics contain memory and event loop', async () => {
  const text = await createMetrics({ withProcess: true }).read(SOURCES)
  expect(text).toContain('process_resident_memory_bytes ')
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds ')
})

test('no process metric reads all handles in one turn of the event loop', async () => {
  const text = await createMetrics({ withProcess: true }).read(SOURCES)
  expect(text).not.toMatch(/active_(handles|resources)/)
})

test.skipIf(process.platform !== 'linux')('open files are counted', async () => {
  const metrics = createMetrics({ withProcess: true })
  const count = async () => Number(/^process_open_fds (\d+)$/m.exec(await metrics.read(SOURCES))?.[1])
  const before = await count()
  const opened = Array.from({ length: 200 }, () => openSync('/dev/null', 'r'))
  // Other tests in this process may close files meanwhile.
  expect(await count()).toBeGreaterThan(before + 150)
  for (const file of opened) closeSync(file)
})
