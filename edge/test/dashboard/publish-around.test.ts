// Tests that where an environment asks for approval, no call of a key brings to users what nobody approved.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import { type GivenEdge, inboxCampaign } from '../support/given.ts'
import { type GivenApproval, givenApproval } from '../support/given-approval.ts'
import { type DashboardPerson, outcomeOf } from '../support/given-dashboard.ts'

let given: GivenEdge
let ann: DashboardPerson
let bob: DashboardPerson
let path: string
let key: string
let setRules: GivenApproval['setRules']
beforeAll(async () => {
  ;({ given, ann, bob, path, key, setRules } = await givenApproval())
})
beforeEach(() => setRules())
afterAll(() => given.stop())

/** Publishes with the approval of a second person. @returns the id of the campaign, whose draft differs since then */
async function givenChanged(name: string): Promise<string> {
  const steps = (title: string) => ({ steps: [{ id: 'tell', type: 'inbox', title }] })
  const { body } = await ann.call<CampaignAnswer>('POST', `${path}/campaigns`, {
    body: inboxCampaign(name, name, steps('approved')),
  })
  const own = `${path}/campaigns/${body.id}`
  const asked = await ann.call<CampaignAnswer>('POST', `${own}/publish`)
  const revision = asked.body.pendingPublish?.revision
  expect((await bob.call('POST', `${own}/publish/approve`, { body: { revision } })).status).toBe(200)
  expect((await ann.call('PUT', own, { body: inboxCampaign(name, name, steps('unread')) })).status).toBe(200)
  return body.id
}

async function titlesOf(userId: string): Promise<string[]> {
  const { body } = await given.call<{ data: { title: string }[] }>('GET', `/v1/deliveries?userId=${userId}`, { key })
  return body.data.map(({ title }) => title)
}

describe('a test', () => {
  test('by a key is refused, of the stored draft and of a definition', async () => {
    const id = await givenChanged('tested')
    const definition = inboxCampaign('tested', 'tested', { steps: [{ id: 'tell', type: 'inbox', title: 'Anything' }] })
    for (const body of [{ userId: 'victim' }, { userId: 'victim', definition }]) {
      const refused = await given.call('POST', `/v1/campaigns/${id}/test`, { key, body })
      expect([outcomeOf(refused), refused.body.message]).toEqual([
        '403 authorization/not-allowed approval',
        'In prod a second person approves what is published: an sdkSecretKey sends no test. Test in the dashboard.',
      ])
    }
    expect(await titlesOf('victim')).toEqual([])
    // What sends nothing stays.
    for (const [step, body] of [
      ['preview', { stepId: 'tell', definition }],
      ['dry-run', { definition }],
      ['explain', { userId: 'victim', event: {}, definition }],
    ] as const)
      expect((await given.call('POST', `/v1/campaigns/${id}/${step}`, { key, body })).status).toBe(200)
    await setRules({ requirePublishApproval: false })
    expect((await given.call('POST', `/v1/campaigns/${id}/test`, { key, body: { userId: 'victim' } })).status).toBe(200)
  })

  test('by a person is sent', async () => {
    const id = await givenChanged('tested-by-people')
    const sent = await ann.call('POST', `${path}/campaigns/${id}/test`, { body: { userId: 'tester' } })
    expect(sent.status).toBe(200)
    expect(await titlesOf('tester')).toEqual(['unread'])
  })
})

test('a key sends by events, resumes, and sends again in the approved version alone', async () => {
  const name = 'around'
  const id = await givenChanged(name)
  for (const step of ['pause', 'resume']) await given.call('POST', `/v1/campaigns/${id}/${step}`, { key })
  const tracked = await given.track({ name, userId: 'zoe' }, 'prod')
  expect(tracked.status).toBe(202)
  await expect.poll(() => titlesOf('zoe')).toEqual(['approved'])
  await given.call('POST', `/v1/events/${tracked.body.eventId}/run-again`, { key, body: { idempotencyKey: 'k1' } })
  await expect.poll(() => titlesOf('zoe')).toEqual(['approved', 'approved'])
  const { body } = await given.call<{ data: { messageId: string }[] }>('GET', '/v1/deliveries?userId=zoe', { key })
  const again = `/v1/deliveries/${body.data[0]?.messageId}/send-to-me`
  for (const version of ['now', 'then'])
    expect((await given.call('POST', again, { key, body: { userId: 'bob', version } })).status).toBe(200)
  expect(await titlesOf('bob')).toEqual(['approved', 'approved'])
  // A test of a person is no way to send its draft to somebody else.
  const tested = await ann.call<{ messageIds: string[] }>('POST', `${path}/campaigns/${id}/test`, {
    body: { userId: 'tester' },
  })
  const other = `/v1/deliveries/${tested.body.messageIds[0]}/send-to-me`
  const then = await given.call('POST', other, { key, body: { userId: 'eve', version: 'then' } })
  expect(outcomeOf(then)).toBe('409 request/conflict version-gone')
  expect((await given.call('POST', other, { key, body: { userId: 'eve', version: 'now' } })).status).toBe(200)
  expect(await titlesOf('eve')).toEqual(['approved'])
})
