// Tests that an environment can ask for a second person's approval, and for a role, before anything is published there.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CampaignAnswer, CampaignVersionAnswer, PendingPublish } from '../../../contract/resources/campaign.ts'
import type { CopiedCampaigns } from '../../../contract/resources/campaign-copy.ts'
import { type Answer, type GivenEdge, inboxCampaign } from '../support/given.ts'
import { type GivenApproval, givenApproval } from '../support/given-approval.ts'
import { type DashboardPerson, outcomeOf } from '../support/given-dashboard.ts'
import { givenNc } from '../support/given-nc.ts'

type Read = CampaignAnswer & { message?: string }

let given: GivenEdge
let owner: DashboardPerson
let admin: DashboardPerson
let ann: DashboardPerson
let bob: DashboardPerson
let viewer: DashboardPerson
let path: string
let org: string
let key: string
let setRules: GivenApproval['setRules']
beforeAll(async () => {
  ;({ given, owner, admin, ann, bob, viewer, path, org, key, setRules } = await givenApproval())
})
beforeEach(() => setRules())
afterAll(() => given.stop())

let count = 0
/** Creates a campaign as a draft. */
async function givenDraft(by = ann, name = `approval-${count++}`) {
  const definition = (title: string) => inboxCampaign(name, name, { steps: [{ id: 'tell', type: 'inbox', title }] })
  const created = await by.call<CampaignAnswer>('POST', `${path}/campaigns`, { body: definition('first') })
  expect(created.status).toBe(201)
  const own = `${path}/campaigns/${created.body.id}`
  return {
    name,
    id: created.body.id,
    read: async (as = viewer) => (await as.call<Read>('GET', own)).body,
    put: (as: DashboardPerson, title: string) => as.call<Read>('PUT', own, { body: definition(title) }),
    act: (as: DashboardPerson, step: string, body?: object) =>
      as.call<Read>('POST', `${own}/${step}`, body === undefined ? {} : { body }),
    versions: async () => (await viewer.call<{ data: CampaignVersionAnswer[] }>('GET', `${own}/versions`)).body.data,
    audit: async () => {
      const all = await owner.call<{ data: { action: string; who: string; subject: string; detail: object }[] }>(
        'GET',
        `/v1/dashboard/organisations/${org}/audit-log?action=campaign&limit=100`,
      )
      return all.body.data.filter(({ subject }) => subject === name)
    },
  }
}
type Draft = Awaited<ReturnType<typeof givenDraft>>

/** Asks, and returns the revision that names the request. */
async function ask(draft: Draft, as = ann, body?: object): Promise<number> {
  const asked = await draft.act(as, 'publish', body)
  expect(asked.status).toBe(200)
  return asked.body.pendingPublish?.revision ?? -1
}

const said = ({ status, body }: Answer<Read>) => `${outcomeOf({ status, body })}: ${body.message}`

test('a new environment asks for nothing; its admins set both, and nobody else does', async () => {
  const { body } = await admin.call('GET', `/v1/dashboard/environments/${given.demo.environments.dev.id}`)
  expect(body).toMatchObject({ requirePublishApproval: false, publishRole: 'editor' })
  for (const change of [{ requirePublishApproval: false }, { publishRole: 'admin' }])
    expect(outcomeOf(await ann.call('PUT', path, { body: change }))).toBe('403 authorization/not-allowed role')
  expect((await viewer.call('GET', path)).body).toMatchObject({ requirePublishApproval: true, publishRole: 'editor' })
  expect((await admin.call('PUT', path, { body: { publishRole: 'owner' } })).status).toBe(400)
  const cli = givenNc(given.settings)
  const change = `env change --env ${given.demo.environments.prod.id} --publish-approval no --publish-role admin`
  expect(await cli.json(change)).toMatchObject({ requirePublishApproval: false, publishRole: 'admin' })
})

describe('with approval', () => {
  test('a person asks, and another one publishes what was asked for', async () => {
    const draft = await givenDraft()
    const asked = await draft.act(ann, 'publish', { note: 'For Monday' })
    const waiting: PendingPublish = {
      state: 'waiting',
      askedBy: ann.email,
      askedAt: asked.body.updatedAt,
      note: 'For Monday',
      revision: asked.body.revision,
      ...{ endedBy: null, endedAt: null, reason: null },
    }
    expect(asked.body).toMatchObject({ status: 'draft', currentVersion: null, pendingPublish: waiting, warnings: [] })
    expect(await draft.versions()).toEqual([])
    expect((await draft.read()).pendingPublish).toEqual(waiting)
    const listed = await viewer.call<{ data: Read[] }>('GET', `${path}/campaigns?pendingPublish=waiting`)
    expect(listed.body.data.map((one) => one.id)).toContain(draft.id)
    const counts = async () => (await viewer.call('GET', `${path}/campaigns/counts?q=${draft.name}`)).body
    expect(await counts()).toMatchObject({ total: 1, draft: 1, awaitingApproval: 1 })

    const { revision } = waiting
    const approved = await draft.act(bob, 'publish/approve', { revision })
    expect({ pendingPublish: null, ...approved.body }).toMatchObject({
      status: 'active',
      currentVersion: 1,
      pendingPublish: null,
    })
    expect(await draft.versions()).toMatchObject([{ version: 1, publishedBy: bob.email, note: 'For Monday' }])
    expect(await counts()).toMatchObject({ active: 1, awaitingApproval: 0 })
    expect(await draft.audit()).toMatchObject([
      { action: 'campaign.publish', who: bob.email, detail: { version: 1, askedBy: ann.email, note: 'For Monday' } },
      { action: 'campaign.ask-publish', who: ann.email, detail: { version: 1, note: 'For Monday' } },
      { action: 'campaign.create', who: ann.email },
    ])
    expect(said(await draft.act(bob, 'publish/approve', { revision }))).toBe(
      '409 request/conflict request-ended: Nobody asks to publish it any more: it was published or withdrawn meanwhile.',
    )
  })

  test('who asked neither approves nor declines, whatever the role, and nobody asks a second time', async () => {
    for (const asker of [ann, admin, owner]) {
      const draft = await givenDraft()
      const revision = await ask(draft, asker)
      for (const step of ['approve', 'decline'])
        expect(said(await draft.act(asker, `publish/${step}`, { revision, reason: 'No' }))).toBe(
          '403 authorization/not-allowed approval: You asked for it: another person approves or declines it. You can withdraw it.',
        )
      expect(outcomeOf(await draft.act(viewer, 'publish/approve', { revision }))).toMatch(/^403 .* role$/)
      expect(said(await draft.act(bob, 'publish'))).toContain(`409 request/conflict asked: ${asker.email} has asked`)
      expect(await draft.read()).toMatchObject({ currentVersion: null, pendingPublish: { state: 'waiting' } })
    }
  })

  test('a change of the draft makes the request void, for whoever looks and for whoever approves', async () => {
    const draft = await givenDraft()
    const revision = await ask(draft)
    expect((await draft.put(bob, 'first')).body.pendingPublish?.state).toBe('waiting')
    const changed = await draft.put(bob, 'second')
    const ended = { state: 'changed', endedBy: bob.email, endedAt: changed.body.updatedAt, revision }
    expect((await draft.read()).pendingPublish).toMatchObject(ended)
    for (const step of ['approve', 'decline'])
      expect(said(await draft.act(admin, `publish/${step}`, { revision, reason: 'No' }))).toBe(
        `409 request/conflict request-ended: ${bob.email} has changed the draft after it was asked for. The request is void: ask again.`,
      )
    // Back to what was asked for, it is void all the same.
    await draft.put(bob, 'first')
    expect(outcomeOf(await draft.act(admin, 'publish/approve', { revision }))).toBe(
      '409 request/conflict request-ended',
    )

    const second = await ask(draft, bob)
    expect(said(await draft.act(admin, 'publish/approve', { revision }))).toContain(`${bob.email} has asked anew`)
    expect((await draft.act(admin, 'publish/approve', { revision: second })).status).toBe(200)
    expect(await draft.versions()).toHaveLength(1)
  })

  test('a pause is no change of the draft; an archive ends the request', async () => {
    const draft = await givenDraft()
    await draft.act(bob, 'publish/approve', { revision: await ask(draft) })
    await draft.put(ann, 'second')
    const revision = await ask(draft)
    for (const [step, status] of [
      ['pause', 'paused'],
      ['resume', 'active'],
      ['pause', 'paused'],
    ])
      expect((await draft.act(ann, step ?? '')).body).toMatchObject({ status, pendingPublish: { revision } })
    const approved = await draft.act(bob, 'publish/approve', { revision })
    expect(approved.body).toMatchObject({ status: 'paused', currentVersion: 2 })
    await draft.put(ann, 'third')
    await ask(draft)
    expect({ pendingPublish: null, ...(await draft.act(ann, 'archive')).body }).toMatchObject({
      status: 'archived',
      pendingPublish: null,
    })
  })

  test('a request is declined with a reason, which stays to be read, and asked again', async () => {
    const draft = await givenDraft()
    const revision = await ask(draft)
    const reason = 'The title promises too much'
    const declined = await draft.act(bob, 'publish/decline', { revision, reason: ` ${reason} ` })
    expect(declined.body).toMatchObject({
      currentVersion: null,
      pendingPublish: { state: 'declined', askedBy: ann.email, endedBy: bob.email, reason },
    })
    expect(said(await draft.act(admin, 'publish/approve', { revision }))).toContain(`${bob.email} has declined it.`)
    expect((await draft.audit())[0]).toMatchObject({
      action: 'campaign.decline-publish',
      who: bob.email,
      detail: { askedBy: ann.email, reason },
    })
    expect((await draft.put(ann, 'second')).body.pendingPublish?.state).toBe('declined')
    await ask(draft)
    expect((await draft.read()).pendingPublish).toMatchObject({ state: 'waiting', reason: null, endedBy: null })
  })

  test('a reason that nobody can see is none, and neither is such a note', async () => {
    const draft = await givenDraft()
    const revision = await ask(draft, ann, { note: ' \u200b\u2060 ' })
    expect((await draft.read()).pendingPublish?.note).toBeNull()
    for (const reason of ['', ' ', '\u200b', '\u00ad\u200d', '\u3164', '\u2800 \u2800', '\ufe0f'])
      expect(await draft.act(bob, 'publish/decline', { revision, reason })).toMatchObject({
        status: 400,
        body: { details: [{ path: 'reason', message: 'This must not be empty.' }] },
      })
    const reason = '👩\u200d💻 می\u200cخواهم'
    const { body } = await draft.act(bob, 'publish/decline', { revision, reason })
    expect(body.pendingPublish).toMatchObject({ state: 'declined', reason })
  })

  test('who asked withdraws it, and so does an admin, but no other editor', async () => {
    const draft = await givenDraft()
    const revision = await ask(draft)
    expect(said(await draft.act(bob, 'publish/withdraw', { revision }))).toContain(`Only ${ann.email}`)
    expect((await draft.act(ann, 'publish/withdraw', { revision })).body.pendingPublish).toBeUndefined()
    const again = await ask(draft)
    expect((await draft.act(admin, 'publish/withdraw', { revision: again })).body.pendingPublish).toBeUndefined()
    expect(await draft.audit()).toMatchObject([
      { action: 'campaign.withdraw-publish', who: admin.email, detail: { askedBy: ann.email } },
      { action: 'campaign.ask-publish' },
      { action: 'campaign.withdraw-publish', who: ann.email },
      { action: 'campaign.ask-publish' },
      { action: 'campaign.create' },
    ])
    expect(await draft.versions()).toEqual([])
  })

  test('a draft with a fault is refused when it is asked for, at its revision, and not found elsewhere', async () => {
    const draft = await givenDraft()
    const tag = { headers: { 'if-match': '"7"' } }
    const conflict = await ann.call('POST', `${path}/campaigns/${draft.id}/publish`, tag)
    expect(outcomeOf(conflict)).toBe('409 request/conflict')
    const other = path.replace(given.demo.environments.prod.id, given.demo.environments.dev.id)
    for (const step of ['approve', 'decline', 'withdraw']) {
      const url = `${other}/campaigns/${draft.id}/publish/${step}`
      expect(outcomeOf(await bob.call('POST', url, { body: { revision: 1, reason: 'No' } }))).toBe(
        '404 campaign/not-found',
      )
      expect((await draft.act(bob, `publish/${step}`, {})).status).toBe(400)
    }
    await draft.act(ann, 'archive')
    expect(outcomeOf(await draft.act(ann, 'publish'))).toBe('409 campaign/invalid-transition')
  })

  test('a key publishes nothing, and answers no request, also where it may manage', async () => {
    const { body } = await given.call<CampaignAnswer>('POST', '/v1/campaigns', {
      key,
      body: inboxCampaign('by-key', 'k'),
    })
    const refused = await given.call<Read>('POST', `/v1/campaigns/${body.id}/publish`, { key })
    expect(said(refused)).toBe(
      '403 authorization/not-allowed approval: In prod a second person approves what is published: an sdkSecretKey publishes nothing. Publish in the dashboard.',
    )
    const own = `${path}/campaigns/${body.id}/publish`
    const { body: asked } = await ann.call<Read>('POST', own)
    const answer = { key, body: { revision: asked.pendingPublish?.revision } }
    expect((await given.call('POST', `${own}/approve`, answer)).status).toBe(401)
    expect((await given.call('POST', `/v1/campaigns/${body.id}/publish/approve`, answer)).status).toBe(404)
    // It changes the draft, which makes the request void.
    await given.call('PUT', `/v1/campaigns/${body.id}`, { key, body: inboxCampaign('by-key', 'k', { name: 'Other' }) })
    const read = await given.call<Read>('GET', `/v1/campaigns/${body.id}`, { key })
    expect(read.body).toMatchObject({
      currentVersion: null,
      pendingPublish: { state: 'changed', endedBy: expect.stringMatching(/^sec_/) },
    })
    expect(said(await bob.call<Read>('POST', `${own}/approve`, { body: answer.body }))).toBe(
      '409 request/conflict request-ended: A backend with the SDK secret key has changed the draft after it was asked for. The request is void: ask again.',
    )
  })

  test('the operator publishes by the command line, and the audit log says that nobody approved it', async () => {
    const draft = await givenDraft()
    await ask(draft)
    const cli = givenNc(given.settings)
    const target = `--env ${given.demo.environments.prod.id} --key ${draft.name}`
    const ended = 'This ended the request of ann@example.com to publish it.'
    expect((await cli.nc(`campaign publish ${target}`)).out).toContain(ended)
    expect({ pendingPublish: null, ...(await draft.read()) }).toMatchObject({ currentVersion: 1, pendingPublish: null })
    expect((await draft.audit())[0]).toMatchObject({ action: 'campaign.publish', detail: { withoutApproval: true } })
    expect((await cli.nc(`campaign pause ${target}`)).out).not.toContain('request')
    await ask(draft)
    expect((await cli.nc(`campaign archive ${target} --yes`)).out).toContain(ended)
  })

  test('copies of campaigns are asked for, each once', async () => {
    const dev = `/v1/dashboard/environments/${given.demo.environments.dev.id}`
    const keys = [`copied-${count++}`, `copied-${count++}`]
    for (const one of keys) await ann.call('POST', `${dev}/campaigns`, { body: inboxCampaign(one, one) })
    const body = { to: given.demo.environments.prod.id, keys, apply: true, publish: true }
    for (const by of [ann, bob]) expect((await by.call('POST', `${dev}/copy-campaigns`, { body })).status).toBe(200)
    const { data } = (await viewer.call<{ data: Read[] }>('GET', `${path}/campaigns?q=copied-`)).body
    expect(data.map(({ currentVersion, pendingPublish }) => [currentVersion, pendingPublish?.askedBy])).toEqual([
      [null, ann.email],
      [null, ann.email],
    ])
    const [changed = ''] = keys
    const of = await viewer.call<{ data: Read[] }>('GET', `${dev}/campaigns?q=${changed}`)
    const other = { body: inboxCampaign(changed, changed, { name: 'Other' }) }
    await bob.call('PUT', `${dev}/campaigns/${of.body.data[0]?.id}`, other)
    const compare = { ...body, apply: false }
    const { changes } = (await bob.call<CopiedCampaigns>('POST', `${dev}/copy-campaigns`, { body: compare })).body
    // The other one is asked for as it is, and is not asked for again.
    const ends = changes.map(({ key: one, action, endsRequestOf }) => [one, action, endsRequestOf])
    expect(ends).toEqual([
      [changed, 'change', ann.email],
      [keys[1], 'publish', undefined],
    ])
    const cli = givenNc(given.settings)
    const args = `--from ${given.demo.environments.dev.id} --to ${body.to} ${keys.map((one) => `--key ${one}`).join(' ')}`
    const line = `  Ends the request of ${ann.email} to publish it.`
    const linesOf = async (more: string) => (await cli.nc(`campaign copy ${args} ${more}`)).out.split(line).length - 1
    expect([await linesOf(''), await linesOf('--publish')]).toEqual([1, 2])
  })
})

describe('the role', () => {
  test('of an admin: an editor publishes nothing, and copies nothing that is published', async () => {
    await setRules({ requirePublishApproval: false, publishRole: 'admin' })
    const draft = await givenDraft()
    expect(said(await draft.act(ann, 'publish'))).toBe(
      '403 authorization/not-allowed role: Publishing in prod needs the role admin.',
    )
    const dev = `/v1/dashboard/environments/${given.demo.environments.dev.id}`
    const one = `unpublished-${count++}`
    await ann.call('POST', `${dev}/campaigns`, { body: inboxCampaign(one, one) })
    const body = { to: given.demo.environments.prod.id, keys: [one], apply: true, publish: true }
    expect(outcomeOf(await ann.call('POST', `${dev}/copy-campaigns`, { body }))).toMatch(/^403 .* role$/)
    const copied = await viewer.call<{ data: Read[] }>('GET', `${path}/campaigns?q=${one}`)
    expect(copied.body.data).toEqual([])
    expect((await draft.act(admin, 'publish')).body).toMatchObject({ currentVersion: 1 })
    // An admin has given the key this right.
    const { status } = await given.call('POST', `/v1/campaigns/${draft.id}/publish`, { key })
    expect(status).toBe(200)
  })

  test('of an admin, with approval: an editor asks, and only admins approve or decline', async () => {
    await setRules({ publishRole: 'admin' })
    const draft = await givenDraft()
    const revision = await ask(draft)
    for (const step of ['approve', 'decline'])
      expect(said(await draft.act(bob, `publish/${step}`, { revision, reason: 'No' }))).toBe(
        '403 authorization/not-allowed role: Publishing in prod needs the role admin.',
      )
    expect((await draft.act(admin, 'publish/approve', { revision })).body).toMatchObject({ currentVersion: 1 })
  })

  test('a waiting request ends with the next publication, once no approval is asked for any more', async () => {
    const draft = await givenDraft()
    const revision = await ask(draft)
    await setRules({ requirePublishApproval: false })
    expect({ pendingPublish: null, ...(await draft.act(ann, 'publish')).body }).toMatchObject({
      currentVersion: 1,
      pendingPublish: null,
    })
    expect(outcomeOf(await draft.act(bob, 'publish/approve', { revision }))).toBe('409 request/conflict request-ended')
    expect(await draft.versions()).toHaveLength(1)
  })
})

describe('at the same moment', () => {
  const ROUNDS = Array.from({ length: 6 }, (_, at) => at)
  const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status)

  test('of two approvals one publishes', async () => {
    for (const _ of ROUNDS) {
      const draft = await givenDraft()
      const revision = await ask(draft)
      const answers = await Promise.all(
        [bob, admin, owner, bob].map((by) => draft.act(by, 'publish/approve', { revision })),
      )
      expect(statuses(answers).sort()).toEqual([200, 409, 409, 409])
      expect(await draft.versions()).toHaveLength(1)
      expect((await draft.audit()).filter(({ action }) => action === 'campaign.publish')).toHaveLength(1)
    }
  })

  test('beside a change of the draft, what was asked for is published, or nothing', async () => {
    for (const _ of ROUNDS) {
      const draft = await givenDraft()
      const revision = await ask(draft)
      const [approved, changed] = await Promise.all([
        draft.act(bob, 'publish/approve', { revision }),
        draft.put(ann, 'second'),
      ])
      expect(changed.status).toBe(200)
      const versions = await draft.versions()
      const { draft: now, pendingPublish } = await draft.read()
      expect(now).toMatchObject({ steps: [{ title: 'second' }] })
      if (approved?.status === 200) {
        expect(versions).toMatchObject([{ definition: { steps: [{ title: 'first' }] } }])
        expect(pendingPublish).toBeUndefined()
      } else {
        expect([approved?.status, versions, pendingPublish?.state]).toEqual([409, [], 'changed'])
      }
    }
  })

  test('beside a withdrawal and a refusal, one of the three is taken', async () => {
    for (const _ of ROUNDS) {
      const draft = await givenDraft()
      const revision = await ask(draft)
      const answers = await Promise.all([
        draft.act(ann, 'publish/withdraw', { revision }),
        draft.act(bob, 'publish/approve', { revision }),
        draft.act(admin, 'publish/decline', { revision, reason: 'No' }),
      ])
      const [withdrawn, approved, declined] = statuses(answers)
      // A request that was declined can be withdrawn after that.
      const taken = [approved, declined, withdrawn].filter((status) => status === 200).length
      expect(taken === 1 || (taken === 2 && approved === 409)).toBe(true)
      expect(await draft.versions()).toHaveLength(approved === 200 ? 1 : 0)
    }
  })

  test('two requests are one', async () => {
    for (const _ of ROUNDS) {
      const draft = await givenDraft()
      const answers = await Promise.all([ann, bob].map((by) => draft.act(by, 'publish')))
      expect(statuses(answers).sort()).toEqual([200, 409])
    }
  })
})
