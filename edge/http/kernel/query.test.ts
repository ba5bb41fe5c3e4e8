// Tests queries over HTTP: unknown and repeated parameters on every route, and other names and values of parameters.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GivenEdge, givenEdge, inboxCampaign } from '../../test/support/given.ts'

let given: GivenEdge
let key: string
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
})
afterAll(() => given.stop())

const read = <T = { data: { messageId: string }[] }>(path: string) => given.call<T>('GET', path, { key })

interface Reference {
  paths: Record<string, Record<string, { security?: Record<string, unknown>[] }>>
}

test('every route refuses an unknown parameter, and names it', async () => {
  const { paths } = (await given.call<Reference>('GET', '/openapi.json')).body
  const session = await given.signIn('u_query')
  let routes = 0
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { security = [] }] of Object.entries(methods)) {
      const [scheme] = Object.keys(security[0] ?? {})
      // No key may do this, whatever it asks.
      if (/^\/v1\/sources\/\{sourceId\}\/(show|try-signature)$/.test(path)) continue
      if (path.startsWith('/v1/events/track') || (scheme !== 'sdkSecretKey' && scheme !== 'widgetSession')) continue
      const as = scheme === 'widgetSession' ? { session } : { key }
      const answer = await given.call(
        method.toUpperCase(),
        `${path.replace(/\{\w+\}/g, 'evt_x')}?limit=5&nobodyKnows=1`,
        as,
      )
      const details = expect.arrayContaining([expect.objectContaining({ path: 'nobodyKnows' })])
      expect({ path, method, ...answer }).toMatchObject({
        path,
        method,
        status: 400,
        body: { code: 'request/invalid-query', details },
      })
      routes++
    }
  }
  expect(routes).toBeGreaterThan(50)
})

test.each([
  ['/v1/events/track?x=1', 'POST', { name: 'a', userId: 'u' }],
  ['/v1/users/auth?x=1', 'POST', { apiKey: 'k' }],
])('%s is refused as well', async (path, method, body) => {
  const answer = await given.call(method, path, { key, body: { sdkSecretKey: key, ...body } })
  expect(answer).toMatchObject({ status: 400, body: { code: 'request/invalid-query', details: [{ path: 'x' }] } })
})

test.each([
  ['/v1/deliveries?userId=a&userId=b', 'userId'],
  ['/v1/deliveries?userId=a&recipient=b', 'recipient'],
  ['/v1/deliveries?engagement=read&status=opened', 'status'],
  ['/v1/deliveries?Recipient=a', 'Recipient'],
  ['/v1/deliveries?__proto__=a', '__proto__'],
  ['/v1/events?recipients=a', 'recipients'],
  ['/v1/events?channel=nc', 'channel'],
  ['/v1/deliveries?window=year', 'window'],
  ['/v1/deliveries?status=seen', 'status'],
])('%s is refused at %s', async (path, name) => {
  expect(await read(path)).toMatchObject({ status: 400, body: { details: [{ path: name }] } })
})

test.each([
  ['/v1/deliveries?recipient=b&userId=a', 'userId', 'recipient says this already: give one of them.'],
  ['/v1/deliveries?status=read&engagement=opened', 'engagement', 'status says this already: give one of them.'],
  ['/v1/deliveries?campaignId=a&campaign=a', 'campaign', 'campaignId says this already: give one of them.'],
])('the second name of one parameter names the first: %s', async (query, path, message) => {
  expect((await read(query)).body).toMatchObject({ details: [{ path, message }] })
})

test('parameters that mail programs and platforms add to an address are taken', async () => {
  expect((await given.call('GET', '/v1/t/u/unknown?utm_source=x')).status).toBe(404)
  expect((await given.call('POST', '/v1/connectors/segment/src_x?from=x')).status).toBe(404)
})

describe('other names', () => {
  let sent: { messageId: string; campaignId: string; campaignKey: string }
  beforeAll(async () => {
    const { id } = (
      await given.call('POST', '/v1/campaigns', { key, body: inboxCampaign('query-words', 'query.words') })
    ).body
    await given.call('POST', `/v1/campaigns/${id}/publish`, { key })
    await given.call('POST', '/v1/events/track', {
      key,
      body: { sdkSecretKey: key, name: 'query.words', userId: 'u_words' },
    })
    sent = (await read<{ data: [typeof sent] }>('/v1/deliveries?userId=u_words')).body.data[0]
    const session = await given.signIn('u_words')
    const body = { messageId: sent.messageId, eventType: 'opened' }
    await given.call('POST', '/v1/notification/event/register', { session, body })
  })

  test.each([
    'channel=NC',
    'channel=nc',
    'channel=Inbox',
    'window=all-time',
    'window=ALL-TIME',
    'window=7D',
    'window=All',
    'status=opened',
    'status=OPENED',
    'engagement=Opened',
  ])('%s finds the delivery', async (query) => {
    const { body } = await read(`/v1/deliveries?recipient=u_words&${query}`)
    expect(body.data.map(({ messageId }) => messageId)).toEqual([sent.messageId])
  })

  test.each([
    'channel=email',
    'status=read',
    'status=Clicked',
    'status=failed',
    'status=FAILED',
    'campaign=other',
    'campaign=cmp_00000000000',
  ])('%s does not', async (query) => {
    expect((await read(`/v1/deliveries?recipient=u_words&${query}`)).body.data).toEqual([])
  })

  test('a campaign is found by its id and by its key, in lists, exports and statistics', async () => {
    for (const named of [
      `campaign=${sent.campaignId}`,
      `campaign=${sent.campaignKey}`,
      `campaignId=${sent.campaignKey}`,
    ]) {
      expect((await read(`/v1/deliveries?${named}`)).body.data).toHaveLength(1)
      const csv = await fetch(`${given.url}/v1/deliveries/export.csv?${named}`, {
        headers: { authorization: `Bearer ${key}` },
      })
      expect((await csv.text()).trim().split('\r\n')).toHaveLength(2)
      const stats = await read<{ steps: { count: number }[] }>(`/v1/stats?channel=NC&window=all-time&${named}`)
      expect(stats.body.steps[0]?.count).toBe(1)
    }
    expect((await read('/v1/stats?campaign=other')).status).toBe(404)
  })
})
