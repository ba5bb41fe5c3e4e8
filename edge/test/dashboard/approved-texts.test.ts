// Tests that what is published after an approval has the texts that its draft had when it was asked for.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import { type Answer, type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { type DashboardPerson, givenDashboard, outcomeOf } from '../support/given-dashboard.ts'

type Read = CampaignAnswer & { message?: string }

let given: GivenEdge
let owner: DashboardPerson
let ann: DashboardPerson
let bob: DashboardPerson
let path: string
beforeAll(async () => {
  given = await givenEdge()
  const { demo } = given
  const dashboard = givenDashboard(given)
  owner = await dashboard.signIn(demo.dashboard.email, demo.dashboard.password)
  ann = await dashboard.join(demo.organisation.id, 'ann@example.com', 'editor')
  bob = await dashboard.join(demo.organisation.id, 'bob@example.com', 'editor')
  path = `/v1/dashboard/environments/${demo.environments.prod.id}`
  const body = { requirePublishApproval: true, sdkKeyMayManage: true }
  expect((await owner.call('PUT', path, { body })).status).toBe(200)
  await putTexts()
})
afterAll(() => given.stop())

const SNIPPETS = { outer: "Bye {% render 'inner' %}", inner: 'old', unused: 'old' }
const MESSAGES = { en: { hello: 'Hello', other: 'Other' }, 'de-AT': { hello: 'Servus', other: 'Andere' } }

/** By a key, as whoever may change texts needs no person. */
async function put(kind: 'snippets' | 'translations', name: string, body: object): Promise<void> {
  const { status } = await given.call('PUT', `/v1/${kind}/${name}`, {
    key: given.demo.environments.prod.sdkSecretKey,
    body,
  })
  expect(status).toBe(200)
}

async function putTexts(): Promise<void> {
  for (const name of ['inner', 'outer', 'unused'] as const) await put('snippets', name, { source: SNIPPETS[name] })
  for (const [locale, messages] of Object.entries(MESSAGES)) await put('translations', locale, messages)
}

let count = 0
async function givenAsked(title = "{{ 'hello' | t }} {% render 'outer' %}") {
  const name = `texts-${count++}`
  const steps = [{ id: 'tell', type: 'inbox', title }]
  const { body } = await ann.call<CampaignAnswer>('POST', `${path}/campaigns`, {
    body: inboxCampaign(name, name, { steps }),
  })
  const own = `${path}/campaigns/${body.id}`
  const ask = async () => {
    const asked = await ann.call<Read>('POST', `${own}/publish`)
    expect(asked.status).toBe(200)
    return asked.body.pendingPublish?.revision ?? -1
  }
  let revision = await ask()
  return {
    name,
    ask: async () => {
      revision = await ask()
    },
    read: async () => (await ann.call<Read>('GET', own)).body,
    approve: () => bob.call<Read>('POST', `${own}/publish/approve`, { body: { revision } }),
  }
}

const said = ({ status, body }: Answer<Read>) => `${outcomeOf({ status, body })}: ${body.message}`
const refusal = (names: string) =>
  `409 request/conflict request-ended: This has changed after it was asked for: ${names}. The request is void: ask again.`

test.each([
  ['a snippet', () => put('snippets', 'outer', { source: "Ciao {% render 'inner' %}" }), 'the snippet outer'],
  ['a snippet of a snippet', () => put('snippets', 'inner', { source: 'new' }), 'the snippet inner'],
  [
    'messages',
    () => put('translations', 'de-AT', { ...MESSAGES['de-AT'], hello: 'Grüß Gott' }),
    'the translations of de-AT',
  ],
  ['a locale that is new', () => put('translations', 'fr', { hello: 'Bonjour' }), 'the translations of fr'],
  [
    'several',
    async () => {
      await put('snippets', 'inner', { source: 'new' })
      await put('translations', 'en', { hello: 'Hi' })
    },
    'the snippet inner, the translations of en',
  ],
])('an approval is refused after a change of %s', async (_, change, names) => {
  await putTexts()
  const draft = await givenAsked()
  await change()
  expect(said(await draft.approve())).toBe(refusal(names))
  const reason = `This has changed after it was asked for: ${names}.`
  expect(await draft.read()).toMatchObject({
    currentVersion: null,
    pendingPublish: { state: 'changed', askedBy: ann.email, endedBy: null, reason },
  })
  // Also with the former texts it is void, until it is asked again.
  await putTexts()
  expect(said(await draft.approve())).toBe(refusal(names))
  await draft.ask()
  expect((await draft.read()).pendingPublish).toMatchObject({ state: 'waiting', reason: null })
  expect((await draft.approve()).body).toMatchObject({ currentVersion: 1, warnings: [] })
})

describe('an approval is taken', () => {
  test('after a change of what the draft does not use, and of what is as it was again', async () => {
    await putTexts()
    const draft = await givenAsked()
    await put('snippets', 'unused', { source: 'new' })
    await put('translations', 'de-AT', { ...MESSAGES['de-AT'], other: 'Neu' })
    await put('translations', 'es', { other: 'Otra' })
    await put('snippets', 'inner', { source: 'new' })
    await put('snippets', 'inner', { source: SNIPPETS.inner })
    expect((await draft.approve()).body).toMatchObject({ currentVersion: 1 })
  })

  test('of a draft without texts, whatever changes', async () => {
    const draft = await givenAsked('Hello')
    await put('snippets', 'inner', { source: 'new' })
    expect((await draft.approve()).body).toMatchObject({ currentVersion: 1 })
  })
})

test('an approval of a draft whose snippet is gone is a fault of the draft, which waits', async () => {
  await putTexts()
  const draft = await givenAsked()
  await ann.call('DELETE', `${path}/snippets/inner`)
  expect(outcomeOf(await draft.approve())).toBe('400 campaign/invalid-definition')
  expect((await draft.read()).pendingPublish?.state).toBe('waiting')
  await put('snippets', 'inner', { source: 'new' })
  expect(said(await draft.approve())).toBe(refusal('the snippet inner'))
})

test('of two approvals after a change both are refused, and the request ends once', async () => {
  await putTexts()
  const draft = await givenAsked()
  await put('snippets', 'inner', { source: 'new' })
  const answers = await Promise.all([draft.approve(), draft.approve()])
  expect(answers.map(said)).toEqual([refusal('the snippet inner'), refusal('the snippet inner')])
  const { organisation } = given.demo
  const log = `/v1/dashboard/organisations/${organisation.id}/audit-log?action=campaign&limit=100`
  const { body } = await owner.call<{ data: { action: string; who: string; subject: string; detail: object }[] }>(
    'GET',
    log,
  )
  expect(body.data.filter(({ subject }) => subject === draft.name)).toMatchObject([
    {
      action: 'campaign.void-publish',
      who: bob.email,
      detail: { askedBy: ann.email, reason: 'This has changed after it was asked for: the snippet inner.' },
    },
    { action: 'campaign.ask-publish' },
    { action: 'campaign.create' },
  ])
})
