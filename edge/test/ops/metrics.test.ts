// Tests that each metric of a running edge counts its subject, and that users add no series.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../../tools/servers/server-process.ts'
import { ENGINE } from '../support/engine.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'

const TOKEN = 'a-token-for-the-metrics'
let given: GivenEdge
beforeAll(async () => {
  const limits = 'auth=off,inbox=40,track=off'
  given = await givenEdge({ METRICS_TOKEN: TOKEN, RATE_LIMITS: limits })
})
afterAll(() => given.stop())

/** Returns series and their values. */
async function readMetrics(): Promise<Map<string, number>> {
  const { status, body } = await given.call<string>('GET', '/metrics', { key: TOKEN })
  expect(status).toBe(200)
  const series = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(series.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

test('a request without the metrics token is refused', async () => {
  expect((await given.call('GET', '/metrics')).status).toBe(401)
  expect((await given.call('GET', '/metrics', { key: given.demo.environments.dev.sdkSecretKey })).status).toBe(401)
})

test('tracking, refusals, limits, the store and jobs are counted', async () => {
  await given.publish(inboxCampaign('counted', 'counted.up'))
  const before = await readMetrics()
  const event = { name: 'counted.up', userId: 'u_0', properties: { name: 'Ann' } }
  for (let turn = 0; turn < 2; turn++) await given.track({ ...event, idempotencyKey: 'twice' })
  await given.track({ ...event, name: '1nvalid' })
  // More than fifty recipients, so that jobs serve them.
  const userIds = Array.from({ length: 60 }, (_, at) => `u_${at}`)
  await given.track({ name: 'counted.up', userIds, properties: { name: 'all' } })
  const session = await given.signIn('u_0')
  for (let turn = 0; turn < 42; turn++) await given.call('GET', '/v1/inbox/messages', { session })
  const growthOf = async (name: string) => ((await readMetrics()).get(name) ?? 0) - (before.get(name) ?? 0)
  await expect.poll(() => growthOf('nc_jobs_total{kind="fan-out",result="done"}')).toBeGreaterThan(0)
  const after = await readMetrics()
  const growth = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
  expect(growth('nc_events_accepted_total{outcome="new"}')).toBe(2)
  expect(growth('nc_events_accepted_total{outcome="repeated"}')).toBe(1)
  expect(growth('nc_requests_refused_total{code="event/invalid-name"}')).toBe(1)
  expect(growth('nc_requests_refused_total{code="request/rate-limited"}')).toBe(2)
  expect(growth('nc_rate_limited_total{limit="inbox"}')).toBe(2)
  expect(growth('nc_http_request_duration_seconds_count{area="Tracking",status_code="2xx"}')).toBe(3)
  expect(growth('nc_http_request_duration_seconds_count{area="Tracking",status_code="4xx"}')).toBe(1)
  expect(growth('nc_sign_ins_total{who="user",result="accepted"}')).toBe(1)
  expect(growth('nc_messages_total{channel="inbox",outcome="made"}')).toBe(61)
  expect(growth('nc_commit_batch_plans_count')).toBeGreaterThanOrEqual(3)
  expect(growth('nc_commit_batch_plans_sum')).toBeGreaterThan(3)
  expect(growth('nc_commit_wait_seconds_count')).toBe(growth('nc_commit_batch_plans_count'))
  expect(growth('nc_store_write_seconds_count')).toBeGreaterThanOrEqual(growth('nc_commit_batch_plans_count'))
  expect(growth('nc_store_read_seconds_count')).toBeGreaterThan(40)
  expect(after.get('nc_given_up{kind="job"}')).toBe(0)
  expect(after.get('nc_commit_backlog_plans')).toBe(0)
  expect(after.get('process_resident_memory_bytes')).toBeGreaterThan(1e6)
})

test('other users, paths and errors add no series', async () => {
  const traffic = async (name: string) => {
    const session = await given.signIn(name)
    await given.track({ name: 'counted.up', userId: name, properties: { name } })
    await given.page(session)
    await given.call('GET', `/v1/users/${name}`, { key: given.demo.environments.dev.sdkSecretKey })
    await given.call('GET', `/nowhere/${name}`)
  }
  await traffic('first')
  // Series of garbage collection may appear at any time.
  const ownSeries = async () => [...(await readMetrics()).keys()].filter((name) => !/^(nodejs|process)_/.test(name))
  const before = await ownSeries()
  for (let at = 0; at < 10; at++) await traffic(`other_${at}`)
  expect(await ownSeries()).toEqual(before)
})

test('a logged error is counted', async () => {
  const before = (await readMetrics()).get('nc_errors_logged_total') as number
  given.edge.log.error('a part failed')
  expect((await readMetrics()).get('nc_errors_logged_total')).toBe(before + 1)
})

test('the room on the disk is that of SQLite; a PostgreSQL elsewhere does not report its own', async () => {
  expect((await readMetrics()).has('nc_disk_free_bytes')).toBe(ENGINE === 'sqlite')
})

test('METRICS_PORT serves metrics and probes without a token, and nothing else', async () => {
  const port = await findFreePort()
  const edge = await givenEdge({ METRICS_PORT: String(port) })
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
  expect(await Promise.all(['/metrics', '/healthz', '/readyz', '/openapi.json', '/v1/events'].map(statusOf))).toEqual([
    ...[200, 200, 200],
    ...[404, 404],
  ])
  await expect(givenEdge({ METRICS_PORT: new URL(edge.edge.url).port })).rejects.toThrow('METRICS_PORT is taken')
  await edge.stop()
  await expect(statusOf('/metrics')).rejects.toThrow()
})
