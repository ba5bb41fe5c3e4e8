// Tests that what is published after an approval has the texts that its draft had when it was asked for.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import { type Answer, type GivenEdge, inboxCampaign } from '../support/given.ts'
import { givenApproval } from '../support/given-approval.ts'
import { type DashboardPerson, outcomeOf } from '../support/given-dashboard.ts'

type Read = CampaignAnswer & { message?: string }

let given: GivenEdge
let owner: DashboardPerson
let ann: DashboardPerson
let bob: DashboardPerson
let path: string
beforeAll(async () => {
  ;({ given, owner, ann, bob, path } = await givenApproval())
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
])('an approval is refused after a change of %s', async (_, change, names) => {
  await putTexts()
  const draft = await givenAsked()
  await change()
  const reason = `This has changed after it was asked for: ${names}.`
  expect(await draft.read()).toMatchObject({
    currentVersion: null,
    pendingPublish: { state: 'changed', askedBy: ann.email, endedBy: expect.stringMatching(/^sec_/), reason },
  })
  expect(said(await draft.approve())).toBe(refusal(names))
  // Also with the former texts it is void, until it is asked again.
  await putTexts()
  expect(said(await draft.approve())).toBe(refusal(names))
  await draft.ask()
  expect((await draft.read()).pendingPublish).toMatchObject({ state: 'waiting', reason: null })
  expect((await draft.approve()).body).toMatchObject({ currentVersion: 1, warnings: [] })
})

test('an approval is refused after a person has removed a snippet', async () => {
  await putTexts()
  const draft = await givenAsked()
  await ann.call('DELETE', `${path}/snippets/inner`)
  expect((await draft.read()).pendingPublish).toMatchObject({ state: 'changed', endedBy: ann.email })
  expect(said(await draft.approve())).toBe(refusal('the snippet inner'))
})

test('an approval is taken after a change of what the draft does not use', async () => {
  await putTexts()
  const draft = await givenAsked()
  const other = await givenAsked('Hello')
  await putTexts()
  await put('snippets', 'unused', { source: 'new' })
  await put('translations', 'de-AT', { ...MESSAGES['de-AT'], other: 'Neu' })
  await put('translations', 'es', { other: 'Otra' })
  expect((await draft.approve()).body).toMatchObject({ currentVersion: 1 })
  await put('snippets', 'inner', { source: 'new' })
  expect((await other.approve()).body).toMatchObject({ currentVersion: 1 })
})

test('of two approvals after another locale stands in, both are refused, and the request ends once', async () => {
  await putTexts()
  const draft = await givenAsked()
  const organisation = `/v1/dashboard/organisations/${given.demo.organisation.id}`
  expect((await owner.call('POST', `${organisation}/settings`, { body: { locale: 'de-AT' } })).status).toBe(201)
  const answers = await Promise.all([draft.approve(), draft.approve()])
  expect(answers.map(said)).toEqual([refusal('the default locale'), refusal('the default locale')])
  expect((await draft.read()).pendingPublish).toMatchObject({ state: 'changed', endedBy: null })
  const { body } = await owner.call<{ data: { action: string; who: string; subject: string; detail: object }[] }>(
    'GET',
    `${organisation}/audit-log?action=campaign&limit=100`,
  )
  expect(body.data.filter(({ subject }) => subject === draft.name)).toMatchObject([
    {
      action: 'campaign.void-publish',
      who: bob.email,
      detail: { askedBy: ann.email, reason: 'This has changed after it was asked for: the default locale.' },
    },
    { action: 'campaign.ask-publish' },
    { action: 'campaign.create' },
  ])
})

test('asked beside a change of a text, it waits with the new text, or it is void', async () => {
  for (const round of Array.from({ length: 6 }, (_, at) => at)) {
    await putTexts()
    const draft = await givenAsked()
    await put('snippets', 'inner', { source: `other ${round}` })
    await Promise.all([draft.ask(), put('snippets', 'inner', { source: `new ${round}` })])
    const { pendingPublish } = await draft.read()
    const { status } = await draft.approve()
    expect([pendingPublish?.state, status]).toEqual(
      pendingPublish?.state === 'waiting' ? ['waiting', 200] : ['changed', 409],
    )
  }
})
