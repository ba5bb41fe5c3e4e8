// Tests that whoever publishes reads which translations and snippets change with it.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TextChangesAnswer } from '../../../contract/resources/campaign-trial.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'

let given: GivenEdge
let key: string
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
})
afterAll(() => given.stop())

async function put(path: string, body: object): Promise<void> {
  expect((await given.call('PUT', path, { key, body })).status).toBe(200)
}

const publishTitle = (name: string, title: string) =>
  given.publish(inboxCampaign(name, name, { steps: [{ id: 'tell', type: 'inbox', title }] }))

async function changesOf(id: string, definition?: object): Promise<TextChangesAnswer> {
  const path = `/v1/campaigns/${id}/text-changes`
  const { status, body } = await given.call<TextChangesAnswer>('POST', path, { key, body: { definition } })
  expect(status).toBe(200)
  return body
}

const NONE = { changes: [], total: 0 }

test('what the draft uses is compared with what the version has, inner snippets too', async () => {
  await put('/v1/snippets/inner', { source: 'old' })
  await put('/v1/snippets/outer', { source: "Bye {% render 'inner' %}" })
  await put('/v1/snippets/later', { source: 'later' })
  await put('/v1/translations/en', { hello: 'Hello', unused: 'Unused' })
  await put('/v1/translations/de-AT', { hello: 'Servus' })
  const id = await publishTitle('compared', "{{ 'hello' | t }} {% render 'outer' %}")
  expect(await changesOf(id)).toEqual(NONE)

  await put('/v1/snippets/inner', { source: 'new' })
  await put('/v1/translations/de-AT', { hello: 'Grüß Gott' })
  await put('/v1/translations/en', { hello: 'Hello', unused: 'Other' })
  const steps = [{ id: 'tell', type: 'inbox', title: "{{ 'hello' | t }} {% render 'outer' %}{% render 'later' %}" }]
  const changed = inboxCampaign('compared', 'compared', { steps })
  expect(await changesOf(id, changed)).toEqual({
    changes: [
      { kind: 'snippet', name: 'later', locale: null, before: null, after: 'later' },
      { kind: 'snippet', name: 'inner', locale: null, before: 'old', after: 'new' },
      { kind: 'translation', name: 'hello', locale: 'de-AT', before: 'Servus', after: 'Grüß Gott' },
    ],
    total: 3,
  })
  await given.call('DELETE', '/v1/translations/de-AT', { key })
  expect((await changesOf(id)).changes).toContainEqual({
    ...{ kind: 'translation', name: 'hello', locale: 'de-AT', before: 'Servus', after: null },
  })
  await put(`/v1/campaigns/${id}`, changed)
  expect(await changesOf(id)).toEqual(await changesOf(id, changed))
  await given.call('POST', `/v1/campaigns/${id}/publish`, { key })
  expect(await changesOf(id)).toEqual(NONE)
})

test.each([
  ['a-key', "{{ 'lost' | t }}"],
  ['any-key', '{{ event.properties.key | t }}'],
])('a translation that is gone in all locales is a change where the draft prints %s', async (name, title) => {
  await put('/v1/translations/en', { lost: 'Lost' })
  const id = await publishTitle(name, title)
  await put('/v1/translations/en', {})
  const change = { kind: 'translation', name: 'lost', locale: 'en', before: 'Lost', after: null }
  expect(await changesOf(id)).toEqual({ changes: [change], total: 1 })
  expect(await changesOf(id, inboxCampaign(name, name))).toEqual(NONE)
  await given.call('DELETE', '/v1/translations/en', { key })
  expect(await changesOf(id)).toEqual({ changes: [change], total: 1 })
})

test('before the first publication, and without texts, nothing is compared', async () => {
  const draft = inboxCampaign('unpublished', 'unpublished', {
    steps: [{ id: 'tell', type: 'inbox', title: "{% render 'outer' %}" }],
  })
  const { body } = await given.call<{ id: string }>('POST', '/v1/campaigns', { key, body: draft })
  expect(await changesOf(body.id)).toEqual(NONE)
  expect(await changesOf(await given.publish(inboxCampaign('plain', 'plain')))).toEqual(NONE)
})

test('where a key is known only to a run, all translations are compared, and new ones are no change', async () => {
  const id = await publishTitle('open', '{{ event.properties.key | t }}')
  const messages = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`key-${at}`, `Text ${at}`]))
  await put('/v1/translations/en', { hello: 'Hello', ...messages })
  expect(await changesOf(id)).toEqual(NONE)
  await given.call('POST', `/v1/campaigns/${id}/publish`, { key })
  const others = Object.fromEntries(Object.keys(messages).map((name) => [name, `${messages[name]}.`]))
  await put('/v1/translations/en', { hello: 'Hello', ...others })
  const { changes, total } = await changesOf(id)
  expect([changes.length, total]).toEqual([200, 250])
})
