// Tests a nearly full disk with a simulated size: writes are answered with 503, reads continue, no restart is needed.
// SQLite alone: for PostgreSQL see postgres/full-disk.postgres.test.ts.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Space } from '../stores/disk/disk-guard.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from './support/given.ts'

const MIB = 1024 * 1024
let freeMib = 10_000
const probeDisk = async (): Promise<Space> => ({ freeBytes: freeMib * MIB, totalBytes: 100_000 * MIB })
let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge({}, { probeDisk })
})
afterAll(() => given.stop())

/** @returns The paths of what is impaired. */
const impaired = async () => {
  const { body } = await given.call<{ details?: { path: string }[] }>('GET', '/readyz')
  return body.details?.map(({ path }) => path) ?? []
}

test('while the disk is nearly full writes are refused and reads served; afterwards every call is accepted again', async () => {
  await given.publish(inboxCampaign('disk', 'disk.tested'))
  const event = { name: 'disk.tested', userId: 'u_disk', properties: { name: 'Ann' } }
  expect((await given.track(event)).status).toBe(202)
  const session = await given.signIn('u_disk')
  freeMib = 100
  await expect.poll(impaired).toEqual(['disk'])
  expect((await given.call('GET', '/readyz')).status).toBe(200)
  const { sdkSecretKey } = given.demo.environments.dev
  const refusals = [
    await given.track(event),
    await given.call('PUT', '/v1/users/u_disk', { key: sdkSecretKey, body: { name: 'Ann' } }),
    await given.call('POST', '/v1/inbox/read-all', { session, body: { seq: 1 } }),
  ]
  for (const { status, headers, body } of refusals) {
    expect(status).toBe(503)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(body).toMatchObject({ code: 'service/unavailable', reason: 'disk' })
  }
  expect((await given.page(session)).data).toHaveLength(1)
  expect((await given.call('GET', '/v1/events', { key: sdkSecretKey })).status).toBe(200)
  expect((await given.call('GET', '/healthz')).status).toBe(200)
  freeMib = 10_000
  await expect.poll(impaired).toEqual([])
  expect((await given.track(event)).status).toBe(202)
  await expect.poll(async () => (await given.page(session)).data.length).toBe(2)
})
