// Tests how campaigns are found and counted over HTTP.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'

let given: GivenEdge
let key: string
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
  for (const name of ['find-one', 'find-two']) {
    await given.call('POST', '/v1/campaigns', { key, body: inboxCampaign(name, 'find.me') })
  }
})
afterAll(() => given.stop())

const list = (query: string) =>
  given.call<{ data: { key: string }[]; code: string }>('GET', `/v1/campaigns${query}`, { key })

test('campaigns are found by status and by a part of name or key', async () => {
  const keysOf = async (query: string) => (await list(query)).body.data.map((one) => one.key)
  expect(await keysOf('?q=FIND-')).toEqual(['find-two', 'find-one'])
  expect(await keysOf('?q=find-&status=DRAFT&limit=1')).toEqual(['find-two'])
  expect(await keysOf('?q=find-&status=active')).toEqual([])
  for (const query of ['?status=gone', '?q=%00', '/counts?q=a%00']) {
    const refused = await list(query)
    expect([refused.status, refused.body.code]).toEqual([400, 'request/invalid-query'])
  }
})

test('campaigns are counted by status, of their own environment alone', async () => {
  const counts = { total: 2, draft: 2, active: 0, paused: 0, archived: 0, awaitingApproval: 0 }
  expect((await list('/counts?q=find-')).body).toEqual(counts)
  const other = given.demo.environments.prod.sdkSecretKey
  const theirs = await given.call('GET', '/v1/campaigns/counts?q=find-', { key: other })
  expect(theirs.body).toEqual({ ...counts, total: 0, draft: 0 })
  expect((await list('/counts?status=draft')).status).toBe(400)
})
