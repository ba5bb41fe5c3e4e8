// Tests previews, dry runs and tests of a definition that is not saved: they use it, refuse it as saving does, and keep nothing.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'

let given: GivenEdge
let key: string
let id: string
const stored = inboxCampaign('tried', 'tried.sent')
const unsaved = {
  trigger: { event: 'tried.other' },
  steps: [
    { id: 'pause', type: 'delay', for: 'PT10M' },
    { id: 'new', type: 'inbox', title: 'New {{ event.properties.n }}' },
  ],
}
const event = { properties: { n: 7 } }
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
  id = await given.publish(stored)
})
afterAll(() => given.stop())

const post = <T = { code?: string; details?: { path: string }[] }>(verb: string, body: object, as = key) =>
  given.call<T>('POST', `/v1/campaigns/${id}/${verb}`, { key: as, body })

test('a preview, a dry run and a test use the definition, and the stored draft stays', async () => {
  const preview = await post('preview', { stepId: 'new', event, definition: unsaved })
  expect(preview).toMatchObject({ status: 200, body: { title: 'New 7' } })
  const dryRun = await post('dry-run', { event, user: { id: 'ada' }, definition: unsaved })
  expect(dryRun.body).toMatchObject({ matched: true, steps: [{ stepId: 'pause' }, { stepId: 'new', outcome: 'done' }] })
  const tested = await post('test', { userId: 'ada', event, definition: unsaved })
  expect(tested.body).toMatchObject({ messages: [{ stepId: 'new', status: 'delivered' }] })
  const { body } = await given.call<{ draft: object }>('GET', `/v1/campaigns/${id}`, { key })
  expect(body.draft).toMatchObject(stored)
})

test('a mail of a definition that is not saved is sent as that definition has it', async () => {
  const attachments = [{ filename: 'a.txt', content: 'aGk=', contentType: 'text/plain' }]
  const mail = { id: 'mail', type: 'email', subject: 'New', markdown: 'Hello', attachments }
  const branches = [{ key: 'all', else: true, steps: [mail] }]
  const definition = { ...unsaved, steps: [{ id: 'split', type: 'branch', branches }] }
  await given.call('PUT', '/v1/users/bea', { key, body: { email: 'bea@example.com' } })
  const { body } = await post<{ messageIds: string[] }>('test', { userId: 'bea', event, definition })
  const path = `/v1/deliveries/${body.messageIds[0]}`
  const read = async () => (await given.call<{ status: string }>('GET', path, { key })).body.status
  await expect.poll(read, { timeout: 20_000 }).toBe('sent')
})

test.each(['preview', 'dry-run', 'test'])('%s refuses a definition as saving it does', async (verb) => {
  const body = { stepId: 'new', userId: 'ada', event }
  const faulty = { ...unsaved, steps: [{ id: 'new', type: 'inbox', title: '{{ event.' }] }
  const saved = await given.call<{ details: object[] }>('PUT', `/v1/campaigns/${id}`, { key, body: faulty })
  const tried = await post(verb, { ...body, definition: faulty })
  expect([tried.status, tried.body.code]).toEqual([400, 'campaign/invalid-definition'])
  expect(tried.body.details).toEqual(saved.body.details)
  const renamed = await post(verb, { ...body, definition: { ...unsaved, key: 'other' } })
  expect(renamed.body.details).toMatchObject([{ path: 'key' }])
  const config = await post(verb, { ...body, definition: { ...unsaved, notificationConfigId: 'cfg_1' } })
  expect(config.body.code).toBe('notification/config-not-found')
})

test('a key that may not manage campaigns tests none of its own', async () => {
  const prod = given.demo.environments.prod.sdkSecretKey
  const campaignId = 'cmp_00000000011'
  const ask = (verb: string, more: object) =>
    given.call<{ code?: string }>('POST', `/v1/campaigns/${campaignId}/${verb}`, {
      key: prod,
      body: { userId: 'ada', ...more },
    })
  expect((await ask('test', { definition: unsaved })).body.code).toBe('authorization/not-allowed')
  expect((await ask('test', {})).body.code).toBe('campaign/not-found')
})

test('large integers keep their digits in trials as in events; a definition has none', async () => {
  const title = '{{ event.properties.n }} {{ user.attributes.n }} {{ enriched.x.n }}'
  const campaign = await given.publish({
    ...inboxCampaign('large-integers', 'tried.large'),
    steps: [{ id: 'tell', type: 'inbox', title }],
  })
  const large = '{"n":12345678901234567890}'
  const tracked = `"event":{"name":"tried.large","properties":${large}}`
  const tried = async (verb: string, text: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${given.url}/v1/campaigns/${campaign}/${verb}`, { method: 'POST', headers, body: text })
    return [answer.status, await answer.json()]
  }
  const fields = `${tracked},"user":{"attributes":${large}},"enriched":{"x":${large}}`
  const shown = Array(3).fill('12345678901234567890').join(' ')
  expect(await tried('preview', `{"stepId":"tell",${fields}}`)).toMatchObject([200, { title: shown }])
  expect(await tried('dry-run', `{${tracked}}`)).toMatchObject([200, { matched: true }])
  expect(await tried('test', `{"userId":"ada",${tracked}}`)).toMatchObject([200, {}])
  expect(await tried('explain', `{"userId":"ada",${tracked}}`)).toMatchObject([200, {}])
  const details = [{ path: 'definition.steps[0].limit' }]
  const definition = '{"steps":[{"id":"t","type":"throttle","limit":9007199254740993}]}'
  expect(await tried('dry-run', `{${tracked},"definition":${definition}}`)).toMatchObject([400, { details }])
})
