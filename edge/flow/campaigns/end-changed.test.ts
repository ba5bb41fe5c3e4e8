// Tests that a request to publish never waits with other texts than those that it was asked for with.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseDefinition } from '../../campaign/definition.ts'
import type { Campaigns } from '../../domain/campaign.ts'
import { type GivenFlow, givenFlow, messageCampaign } from '../../test/support/given-flow.ts'
import { createRecordingBus } from '../../test/support/recording-bus.ts'
import { createChooseTexts } from '../texts/choose-texts.ts'
import { createManageTexts } from '../texts/manage-texts.ts'
import { createEndChanged, whyChanged } from './end-changed.ts'
import { createPublishCampaigns } from './publish-campaigns.ts'

const ANN = { by: { actor: 'dashboard', who: 'ann' }, role: 'editor' } as const
const BOB = { by: { actor: 'dashboard', who: 'bob' }, role: 'editor' } as const

let flow: GivenFlow
let environmentId: number
/** Runs before the next campaign is saved. */
let beforeSave: () => Promise<unknown>
beforeEach(async () => {
  flow = await givenFlow()
  environmentId = flow.environment.id
  beforeSave = async () => {}
})
afterEach(async () => flow.close())

async function given() {
  const { stores, clock, environment } = flow
  const chooseTexts = createChooseTexts(stores)
  const campaigns: Campaigns = {
    ...stores.campaigns,
    async save(...written) {
      const run = beforeSave
      beforeSave = async () => {}
      await run()
      return stores.campaigns.save(...written)
    },
  }
  const shared = { campaigns, audit: stores.audit, bus: createRecordingBus(), clock }
  const endChanged = createEndChanged({ ...shared, chooseTexts })
  const { snippets } = createManageTexts({ ...stores, clock, checkTexts: async () => [], endChanged })
  const put = (source: string) => snippets.put(environmentId, 'footer', { source }, BOB.by)
  await put('old')
  const steps = [{ id: 'tell', type: 'inbox', title: "{% render 'footer' %}" }]
  const { id } = await flow.change.create(environmentId, messageCampaign('a', 'e', { steps }))
  const publish = createPublishCampaigns({
    ...shared,
    environments: {
      ...stores.environments,
      find: async () => ({ ...environment, requirePublishApproval: true, revision: 1 }),
    },
    async checkDraft(_, input) {
      const draft = parseDefinition(input)
      return { draft, chosen: await chooseTexts(environmentId, draft) }
    },
    endChanged,
    onAsked() {},
  })
  const ask = () => publish.publish(environmentId, id, ANN)
  const read = async () => (await flow.change.get(environmentId, id)).pendingPublish
  return { id, put, ask, read, approve: (revision: number) => publish.approve(environmentId, id, BOB, revision) }
}

const REASON = 'This has changed after it was asked for: the snippet footer.'

test('a text that changes while somebody asks ends the request, so that the former text cannot come back unseen', async () => {
  const { put, ask, read, approve } = await given()
  beforeSave = () => put('new')
  const asked = await ask()
  expect(await read()).toMatchObject({ state: 'changed', reason: REASON })
  await put('old')
  await expect(approve(asked.pendingPublish?.revision ?? 0)).rejects.toMatchObject({ code: 'request/conflict' })
})

test('a text that changes while somebody approves is not published', async () => {
  const { put, ask, read, approve } = await given()
  const { pendingPublish } = await ask()
  beforeSave = () => put('new')
  await expect(approve(pendingPublish?.revision ?? 0)).rejects.toMatchObject({
    code: 'request/conflict',
    message: `${REASON} The request is void: ask again.`,
  })
  expect(await read()).toMatchObject({ state: 'changed', endedBy: 'bob', reason: REASON })
})

test('a request that ended meanwhile is left as it is', async () => {
  const { id, put, ask, read } = await given()
  await ask()
  // Between the reading of the request and its end.
  beforeSave = () => flow.change.archive(environmentId, id)
  await put('new')
  expect(await read()).toBeUndefined()
})

test('five texts are named, and the rest is counted', () => {
  const snippets = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`s${at}`, 'x']))
  const request = { askedBy: 'ann', askedAt: 1, note: null, revision: 1, endedBy: null, endedAt: null, reason: null }
  expect(whyChanged(request, { translations: {}, fallback: null, snippets, isOpen: false })).toBe(
    'This has changed after it was asked for: the snippet s0, the snippet s1, the snippet s2, the snippet s3, the snippet s4, 2 more.',
  )
  expect(whyChanged(request, undefined)).toBeUndefined()
})
