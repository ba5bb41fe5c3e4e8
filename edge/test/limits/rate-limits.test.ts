// Tests rate limits on a real edge: the cost of calls, the address that counts, and changed limits.

import { afterEach, expect, test } from 'vitest'
import { type Answer, type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'
import { within } from '../support/within.ts'

let given: GivenEdge
afterEach(() => given.stop())

const remaining = (answer: Answer<unknown>) => Number(answer.headers.get('ratelimit-remaining'))
const statusOf = async (answer: Promise<Answer<unknown>>) => (await answer).status

function batch(events: unknown[]) {
  const { sdkSecretKey } = given.demo.environments.dev
  return given.call('POST', '/v1/events/track/batch', { key: sdkSecretKey, body: { sdkSecretKey, events } })
}

test('tracking costs one per recipient: users, lists, subscribers of topics, and repeats', async () => {
  given = await givenEdge({ RATE_LIMITS: 'track=100' })
  const { sdkSecretKey: key } = given.demo.environments.dev
  const add = ['a', 'b', 'c', 'd', 'e']
  await given.call('PUT', '/v1/topics/news/subscribers', { key, body: { add, remove: [] } })
  const remainders: number[] = []
  remainders.push(remaining(await given.track({ name: 'a', userId: 'u' })))
  remainders.push(remaining(await given.track({ name: 'a', userIds: ['u', 'v', 'w'] })))
  remainders.push(remaining(await given.track({ name: 'a', topic: 'news' })))
  remainders.push(remaining(await given.track({ name: 'a', topic: 'nobody' })))
  for (let i = 0; i < 2; i++)
    remainders.push(remaining(await given.track({ name: 'a', userId: 'u', idempotencyKey: 'k' })))
  const mixedEvents = [
    { name: 'a', userId: 'u' },
    { name: 'a', userIds: ['u', 'v'] },
    { name: 'a', topic: 'news' },
    null,
    7,
  ]
  remainders.push(remaining(await batch(mixedEvents)))
  expect(remainders).toEqual([99, 96, 91, 90, 89, 88, 78])
})

test('a batch over the limit is refused as a whole, costs nothing and writes nothing', async () => {
  given = await givenEdge({ RATE_LIMITS: 'track=10' })
  const events = (count: number) => Array.from({ length: count }, (_, n) => ({ name: 'limit.batch', userId: `u${n}` }))
  expect(await statusOf(batch(events(6)))).toBe(202)
  const refused = await batch(events(5))
  expect([refused.status, refused.body.code, remaining(refused)]).toEqual([429, 'request/rate-limited', 4])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await statusOf(batch(events(4)))).toBe(202)
  const { sdkSecretKey: key } = given.demo.environments.dev
  const stored = await given.call<{ data: unknown[] }>('GET', '/v1/events?name=limit.batch&limit=100', { key })
  expect(stored.body.data).toHaveLength(10)
})

test("without a trusted proxy the address is the connection's, whatever a header contains", async () => {
  given = await givenEdge({ RATE_LIMITS: 'auth=3' })
  const addresses = ['1.1.1.1', '2.2.2.2', '3.3.3.3, 4.4.4.4', 'unknown', '127.0.0.1']
  const statuses: number[] = []
  for (const address of addresses) {
    const headers = { 'x-forwarded-for': address, 'x-real-ip': address, forwarded: `for=${address}` }
    statuses.push(await statusOf(given.call('POST', '/v1/users/auth', { body: {}, headers })))
  }
  expect(statuses).toEqual([400, 400, 400, 429, 429])
})

test('with one trusted proxy the address is the last one of the header, whatever precedes it', async () => {
  given = await givenEdge({ RATE_LIMITS: 'auth=2', TRUSTED_PROXIES: '1' })
  const ask = (address: string) =>
    statusOf(given.call('POST', '/v1/users/auth', { body: {}, headers: { 'x-forwarded-for': address } }))
  expect([await ask('9.9.9.9'), await ask('1.1.1.1, 9.9.9.9'), await ask('2.2.2.2, 9.9.9.9')]).toEqual([400, 400, 429])
  expect([await ask('8.8.8.8'), await ask('9.9.9.9, 8.8.8.8'), await ask('8.8.8.8:4711')]).toEqual([400, 400, 429])
  // Without a valid address, the connection's address counts.
  expect([await ask('invalid'), await ask('x'.repeat(9000)), await ask(',,,')]).toEqual([400, 400, 429])
})

test('limits of one environment are changed while the server runs, and apply within a second', async () => {
  given = await givenEdge()
  const { json, nc } = givenNc(given.settings)
  const { dev, prod } = given.demo.environments
  const set = (limits: string) => json<{ rateLimits: unknown }>(`env set-limits --env ${dev.id} ${limits}`)
  const events = (key: string) => given.call('GET', '/v1/events', { key })
  const limitOf = async (answer: Promise<Answer<unknown>>) => (await answer).headers.get('ratelimit-limit')
  expect(await limitOf(given.track({ name: 'a', userId: 'u' }))).toBeNull()

  const shown = await set('--limit track=50 --limit management=3 --limit inbox=2 --limit auth=4')
  expect(shown.rateLimits).toEqual({ track: 50, management: 3, inbox: 2, auth: 4 })
  await within(1000, async () => expect(await limitOf(given.track({ name: 'a', userId: 'u' }))).toBe('50'))
  expect([
    await statusOf(events(dev.sdkSecretKey)),
    await statusOf(events(dev.sdkSecretKey)),
    await statusOf(events(dev.sdkSecretKey)),
    await statusOf(events(dev.sdkSecretKey)),
    await statusOf(events(prod.sdkSecretKey)),
  ]).toEqual([200, 200, 200, 429, 200])

  const [ann, bob] = [await given.signIn('ann'), await given.signIn('bob')]
  const page = (session: typeof ann) => statusOf(given.call('GET', '/v1/inbox/messages', { session }))
  expect([await page(ann), await page(bob), await page(ann)]).toEqual([200, 200, 429])
  await given.signIn('carl')
  await given.signIn('dora')
  await expect(given.signIn('eve')).rejects.toThrow('request/rate-limited')
  await given.signIn('eve', 'prod')

  await set('')
  await within(1000, async () => expect(await limitOf(given.track({ name: 'a', userId: 'u' }))).toBeNull())
  expect([await statusOf(events(dev.sdkSecretKey)), await page(ann)]).toEqual([200, 200])
  expect(await nc(`env set-limits --env ${dev.id} --limit mails=3`)).toMatchObject({ code: 2 })
  expect(await nc(`env set-limits --env ${dev.id} --limit track=0`)).toMatchObject({ code: 2 })
})
