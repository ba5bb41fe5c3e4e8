// Tests that who asked to publish never approves it, by whatever session, role and membership, and that others still can.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import { inboxCampaign } from '../support/given.ts'
import { type GivenApproval, givenApproval } from '../support/given-approval.ts'
import { type DashboardPerson, outcomeOf } from '../support/given-dashboard.ts'

let all: GivenApproval
beforeAll(async () => {
  all = await givenApproval()
})
beforeEach(() => all.setRules())
afterAll(() => all.given.stop())

const ASKED = '403 authorization/not-allowed approval'

let count = 0
/** @returns a call of the campaign that this person has asked to publish */
async function givenAsked(by: DashboardPerson) {
  const name = `people-${count++}`
  const { body } = await by.call<CampaignAnswer>('POST', `${all.path}/campaigns`, { body: inboxCampaign(name, name) })
  const own = `${all.path}/campaigns/${body.id}`
  const asked = await by.call<CampaignAnswer>('POST', `${own}/publish`)
  const revision = asked.body.pendingPublish?.revision
  return async (as: DashboardPerson, step = 'approve') => {
    const answer = await as.call('POST', `${own}/publish/${step}`, { body: { revision } })
    return { ...answer, outcome: outcomeOf(answer) }
  }
}

const leave = (email: string) => all.dashboard.cli.json(`member remove --org ${all.org} --email ${email} --yes`)

test('another session, another role and a new membership are the same person', async () => {
  const { dashboard, org, bob } = all
  const cleo = await dashboard.join(org, 'cleo@example.com', 'editor')
  const answer = await givenAsked(cleo)
  expect((await answer(await dashboard.signIn('cleo@example.com'))).outcome).toBe(ASKED)
  await dashboard.cli.json(`member role --org ${org} --email cleo@example.com --role admin`)
  expect((await answer(cleo)).outcome).toBe(ASKED)
  await leave(cleo.email)
  expect((await answer(cleo)).status).toBeGreaterThanOrEqual(401)
  await dashboard.post('invitations/accept', {
    token: await dashboard.invite(org, 'Cleo@Example.com', 'admin'),
    password: 'a long password',
  })
  expect((await answer(await dashboard.signIn('CLEO@example.com'))).outcome).toBe(ASKED)
  expect((await answer(bob)).body).toMatchObject({ currentVersion: 1 })
})

test('the request of a member who has left is approved, or withdrawn by an admin', async () => {
  const { dashboard, org, bob, admin } = all
  const dora = await dashboard.join(org, 'dora@example.com', 'editor')
  const [first, second] = [await givenAsked(dora), await givenAsked(dora)]
  await leave(dora.email)
  expect((await first(bob)).status).toBe(200)
  expect((await second(bob, 'withdraw')).outcome).toBe('403 authorization/not-allowed role')
  expect((await second(admin, 'withdraw')).status).toBe(200)
})

test('once nobody has to approve, who asked is told to publish', async () => {
  const answer = await givenAsked(all.ann)
  await all.setRules({ requirePublishApproval: false })
  expect((await answer(all.ann)).body.message).toBe(
    'In prod nobody has to approve any more: publish it, or withdraw it.',
  )
})
