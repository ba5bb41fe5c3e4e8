// Tests copies of campaigns between environments by people: what differs, what is written, and to where.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { type DashboardPerson, givenDashboard, outcomeOf } from '../support/given-dashboard.ts'

interface Copy {
  applied: boolean
  changes: { key: string; action: string; difference: string[]; missing: string[] }[]
}

let given: GivenEdge
let dashboard: ReturnType<typeof givenDashboard>
let editor: DashboardPerson
let to: string
beforeAll(async () => {
  given = await givenEdge()
  dashboard = givenDashboard(given)
  editor = await dashboard.join(given.demo.organisation.id, 'editor@example.com', 'editor')
  to = given.demo.environments.prod.id
})
afterAll(() => given.stop())

const titled = (key: string, title: string) =>
  inboxCampaign(key, `${key}.done`, { steps: [{ id: 'tell', type: 'inbox', title }] })
const copy = (body: object) =>
  editor.call<Copy>('POST', `/v1/dashboard/environments/${given.demo.environments.dev.id}/copy-campaigns`, { body })
const campaignsOf = async (environmentId: string) =>
  (
    await editor.call<{ data: { key: string; status: string; draft: { steps: { title: string }[] } }[] }>(
      'GET',
      `/v1/dashboard/environments/${environmentId}/campaigns`,
    )
  ).body.data

test('a comparison writes nothing; a copy writes what was compared, and the audit log names the person', async () => {
  const id = await given.publish(titled('ship', 'One'))
  const created = { key: 'ship', action: 'create', difference: [], missing: [] }
  const keys = ['ship']
  expect((await copy({ to, keys })).body).toEqual({ applied: false, changes: [created] })
  expect(await campaignsOf(to)).toEqual([])
  expect((await copy({ to, keys, apply: true, publish: true })).body).toEqual({ applied: true, changes: [created] })
  expect(await campaignsOf(to)).toMatchObject([{ key: 'ship', status: 'active', draft: { steps: [{ title: 'One' }] } }])

  const key = given.demo.environments.dev.sdkSecretKey
  await given.call('PUT', `/v1/campaigns/${id}`, { key, body: titled('ship', 'Two → "three"') })
  // What runs travels, not the draft.
  expect((await copy({ to, keys })).body.changes).toMatchObject([{ action: 'same' }])
  await given.call('POST', `/v1/campaigns/${id}/publish`, { key })
  const difference = ['~ steps.tell.title: "One" → "Two → \\"three\\""']
  expect((await copy({ to, keys })).body.changes).toEqual([{ key: 'ship', action: 'change', difference, missing: [] }])
  await copy({ to, keys, apply: true })
  expect(await campaignsOf(to)).toMatchObject([{ draft: { steps: [{ title: 'Two → "three"' }] } }])

  const entries = await dashboard.cli.json<object[]>(`audit list --env ${to} --action campaign`)
  expect(entries).toMatchObject(
    ['campaign.change', 'campaign.publish', 'campaign.create'].map((action) => ({
      action,
      actor: 'dashboard',
      who: 'editor@example.com',
    })),
  )
})

test('a copy names what the target lacks: without a snippet nothing is written, a translation may follow', async () => {
  const dev = given.demo.environments.dev.id
  const put = async (env: string, path: string, body: object) => {
    const { status } = await editor.call('PUT', `/v1/dashboard/environments/${env}/${path}`, { body })
    expect(status).toBe(200)
  }
  const greeting = { hello: 'Hello' }
  await put(dev, 'snippets/foot', { source: '{{ "greet.bye" | t }}' })
  await put(dev, 'translations/en', { greet: { ...greeting, bye: 'Bye' } })
  const title = '{{ "greet.hello" | t }}'
  await given.publish(titled('translated', title))
  await given.publish(titled('rendered', `${title} {% render "foot" %}`))
  const keys = ['translated', 'rendered']
  const hello = 'The translation greet.hello is missing in every locale.'
  const snippet = 'There is no snippet foot.'
  expect((await copy({ to, keys })).body.changes).toMatchObject([
    { key: 'translated', action: 'create', missing: [hello] },
    { key: 'rendered', action: 'create', missing: [snippet, hello] },
  ])
  const refused = await copy({ to, keys, apply: true, publish: true })
  expect(outcomeOf(refused)).toBe('409 request/conflict')
  expect(JSON.stringify(refused.body)).toContain(snippet)
  expect((await campaignsOf(to)).filter(({ key }) => keys.includes(key))).toEqual([])

  const written = await copy({ to, keys: ['translated'], apply: true, publish: true })
  expect(written.body).toMatchObject({ applied: true, changes: [{ missing: [hello] }] })
  await put(to, 'snippets/foot', { source: '{{ "greet.bye" | t }}' })
  await put(to, 'translations/de', { greet: greeting })
  expect((await copy({ to, keys })).body.changes).toMatchObject([
    { key: 'translated', missing: [] },
    { key: 'rendered', missing: ['The translation greet.bye is missing in every locale.'] },
  ])
  expect((await copy({ to, keys, apply: true, publish: true })).body.applied).toBe(true)
})

test('publishing and a copy name the enrichers that the environment lacks, wherever their steps are', async () => {
  const key = given.demo.environments.dev.sdkSecretKey
  const look = { id: 'look', type: 'enrich', enricher: 'lookup', onError: 'continue' }
  const cases = [{ key: 'all', when: 'true', steps: [look, { id: 'again', type: 'enrich', enricher: 'lookup' }] }]
  const steps = [{ id: 'split', type: 'branch', branches: cases }]
  const body = { key: 'enriched', trigger: { event: 'order.enriched' }, steps }
  const message = 'There is no enricher lookup here: the step fails until it is added.'
  const warnings = [0, 1].map((at) => ({ path: `steps[0].branches[0].steps[${at}].enricher`, line: null, message }))
  const created = await given.call<{ id: string }>('POST', '/v1/campaigns', { key, body })
  expect(created).toMatchObject({ status: 201, body: { warnings } })
  const publish = `/v1/campaigns/${created.body.id}/publish`
  expect((await given.call('POST', publish, { key })).body).toMatchObject({ warnings })
  const enricher = { body: { url: 'https://192.0.2.1/' } }
  await given.call('PUT', '/v1/enrichers/lookup', { key, ...enricher })
  expect((await given.call('POST', publish, { key })).body).toMatchObject({ warnings: [] })
  const copied = async () => (await copy({ to, keys: ['enriched'] })).body.changes
  expect(await copied()).toMatchObject([{ key: 'enriched', action: 'create', missing: [message] }])
  const admin = await dashboard.signIn(given.demo.dashboard.email, given.demo.dashboard.password)
  await admin.call('PUT', `/v1/dashboard/environments/${to}/enrichers/lookup`, enricher)
  expect(await copied()).toMatchObject([{ key: 'enriched', missing: [] }])
})

test('a copy whose texts are too long in the target says so, and does not name them as missing', async () => {
  const put = (env: string, name: string, source: string) =>
    editor.call('PUT', `/v1/dashboard/environments/${env}/snippets/${name}`, { body: { source } })
  const names = Array.from({ length: 9 }, (_, at) => `long${at}`)
  for (const name of names) {
    expect((await put(given.demo.environments.dev.id, name, 'short')).status).toBe(200)
    expect((await put(to, name, 'x'.repeat(30_000))).status).toBe(200)
  }
  await given.publish(titled('long', names.map((name) => `{% render "${name}" %}`).join('')))
  const tooLong = 'The translations and snippets of a campaign have at most 262144 characters.'
  const [change] = (await copy({ to, keys: ['long'] })).body.changes
  expect(change).toEqual({ key: 'long', action: 'create', difference: [], missing: [], tooLong })
  const refused = await copy({ to, keys: ['long'], apply: true })
  expect(outcomeOf(refused)).toBe('409 request/conflict')
  expect(refused.body).toMatchObject({
    message: `Nothing was written. "long": ${tooLong} Those there have more: shorten them first.`,
  })
})

test('a copy goes to another environment of the same organisation alone, and names campaigns that exist', async () => {
  const other = (await dashboard.cli.json<{ id: string }>('org create --name Elsewhere')).id
  const away = (await dashboard.cli.json<{ id: string }>(`env create --org ${other} --name away`)).id
  for (const wrong of [away, 'env_00000000000', 'nothing']) {
    expect(outcomeOf(await copy({ to: wrong, apply: true }))).toBe('404 request/not-found')
  }
  const own = given.demo.environments.dev.id
  expect(outcomeOf(await copy({ to: own, apply: true }))).toBe('409 request/conflict')
  expect(outcomeOf(await copy({ to, keys: ['unknown'] }))).toBe('404 campaign/not-found')
})
