// Tests a server whose PUBLIC_URL has a path: it answers below the path, as a proxy keeps it, and without it.
// SQLite alone: what is tested lies before the store.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'

const PATH = '/notify'
let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge({ PUBLIC_URL: `https://x.example${PATH}/` })
  await given.publish(inboxCampaign('welcome', 'user.joined'))
})
afterAll(() => given?.stop())

test.each(['', PATH])('events, reads and probes are answered at %j', async (path) => {
  const key = given.demo.environments.dev.sdkSecretKey
  const body = { sdkSecretKey: key, name: 'user.joined', userId: 'ada' }
  expect((await given.call('POST', `${path}/v1/events/track`, { key, body })).status).toBe(202)
  expect((await given.call('GET', `${path}/v1/users/ada?x`, { key })).status).toBe(400)
  expect((await given.call('GET', `${path}/v1/users/ada`, { key })).status).toBe(200)
  expect(await given.call('GET', `${path}/healthz`)).toMatchObject({ body: { status: 'alive' } })
})

test.each([`${PATH}x/healthz`, `${PATH}${PATH}/healthz`, '/x/healthz', '/v1'])(
  '%s is no address of the service',
  async (path) => {
    const headers = { accept: 'text/html' }
    expect(await given.call('GET', path)).toMatchObject({ status: 404, body: { code: 'request/not-found' } })
    const answer = await fetch(`${given.edge.url}${path}`, { headers })
    expect(answer.headers.get('content-type')).toMatch(path === '/v1' ? 'json' : 'html')
  },
)

test.each(['/', PATH, `${PATH}/`, `${PATH}?a=b`])('%s leads to the dashboard below the path', async (path) => {
  const answer = await fetch(`${given.edge.url}${path}`, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, `${PATH}/dashboard`])
})

test('the cookie of a person is for the path alone, and signs in there', async () => {
  const { email, password } = given.demo.dashboard
  const headers = { 'x-nc-request': '1', 'x-forwarded-proto': 'https' }
  const signedIn = await given.call('POST', `${PATH}/v1/dashboard/auth/sign-in`, { body: { email, password }, headers })
  const cookie = signedIn.headers.getSetCookie().find((line) => line.startsWith('__Secure-nc_session=')) ?? ''
  expect(cookie).toMatch(/; Path=\/notify; HttpOnly; Secure; SameSite=Lax/)
  const me = await given.call('GET', `${PATH}/v1/dashboard/auth/me`, {
    headers: { cookie: cookie.split(';')[0] ?? '' },
  })
  expect(me.status).toBe(200)
})
