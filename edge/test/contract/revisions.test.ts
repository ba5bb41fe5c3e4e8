// Tests that a change with `If-Match` is made at that revision alone: of campaigns and notification configs.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { type DashboardPerson, givenDashboard } from '../support/given-dashboard.ts'

let given: GivenEdge
let editor: DashboardPerson
beforeAll(async () => {
  given = await givenEdge()
  editor = await givenDashboard(given).join(given.demo.organisation.id, 'editor@example.com', 'editor')
})
afterAll(() => given.stop())

/** One resource, which its first change makes with `PUT` at any revision. */
interface Resource {
  path: string
  read(): Promise<Answer>
  put(ifMatch?: string): Promise<Answer>
}

const matching = (ifMatch: string | undefined) => (ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } })

async function givenCampaign(key: string): Promise<Resource> {
  const path = `/v1/dashboard/environments/${given.demo.environments.dev.id}/campaigns`
  const { body } = await editor.call<{ id: string }>('POST', path, { body: inboxCampaign(key, key) })
  const own = `${path}/${body.id}`
  return {
    path: own,
    read: () => editor.call('GET', own),
    put: (ifMatch) => editor.call('PUT', own, { body: inboxCampaign(key, `${key}.other`), ...matching(ifMatch) }),
  }
}

async function givenConfig(name: string): Promise<Resource> {
  const path = `/v1/dashboard/organisations/${given.demo.organisation.id}/notification-configs`
  const { body } = await editor.call<{ id: string }>('POST', path, { body: { name } })
  const own = `${path}/${body.id}`
  return {
    path: own,
    read: () => editor.call('GET', own),
    put: (ifMatch) => editor.call('PUT', own, { body: { name: `${name} anew` }, ...matching(ifMatch) }),
  }
}

const etagOf = ({ headers }: Answer) => headers.get('etag') ?? ''

describe.each([
  ['campaign', givenCampaign],
  ['notification config', givenConfig],
] as const)('a %s', (noun, create) => {
  const nameOf = (test: string) => `${noun.split(' ')[0]}-${test}`

  test('has a strong ETag, which each change replaces, and which the answer of a change has', async () => {
    const one = await create(nameOf('etag'))
    const first = etagOf(await one.read())
    expect(first).toMatch(/^"[^"]+"$/)
    const changed = await one.put(first)
    expect([changed.status, etagOf(changed) === first]).toEqual([200, false])
    expect(etagOf(await one.read())).toBe(etagOf(changed))
  })

  test('of another revision is a conflict that names who made the change, and when; nothing is changed', async () => {
    const one = await create(nameOf('conflict'))
    const first = etagOf(await one.read())
    await one.put()
    const before = await one.read()
    const { status, body } = await one.put(first)
    expect({ status, body }).toMatchObject({
      status: 409,
      body: {
        code: 'request/conflict',
        details: [{ path: '', message: expect.stringContaining(noun) }],
        changedBy: 'editor@example.com',
        changedAt: before.body.updatedAt,
      },
    })
    expect((await one.read()).body).toEqual(before.body)
  })

  test.each([
    ['*', 200],
    ['"x", W/"0" , CURRENT', 200],
    ['"a,b",CURRENT', 200],
    ['W/CURRENT', 409],
    ['"x", W/CURRENT', 409],
    ['CURRENT x', 409],
    ['', 409],
  ])('takes If-Match %j: %i', async (header, wanted) => {
    const one = await create(nameOf(`match-${wanted}-x${Buffer.from(header).toString('hex').slice(0, 40)}`))
    const current = etagOf(await one.read())
    expect((await one.put(header.replace('CURRENT', current))).status).toBe(wanted)
  })

  test('that is not there is 404, whatever If-Match says', async () => {
    const one = await create(nameOf('gone'))
    const path = one.path.replace(/[^/]+$/, noun === 'campaign' ? 'cmp_00000000000' : 'cfg_00000000000')
    expect((await editor.call('PUT', path, { body: { name: 'x' }, headers: { 'if-match': '"x"' } })).status).toBe(404)
  })
})

test('each step of a campaign takes If-Match', async () => {
  const { path, read } = await givenCampaign('steps')
  for (const step of ['publish', 'pause', 'resume', 'archive']) {
    const current = etagOf(await read())
    const refused = await editor.call('POST', `${path}/${step}`, { headers: { 'if-match': '"x"' } })
    expect([step, refused.status, refused.body.code]).toEqual([step, 409, 'request/conflict'])
    const done = await editor.call('POST', `${path}/${step}`, { headers: { 'if-match': current } })
    expect([step, done.status]).toEqual([step, 200])
    expect(etagOf(await read())).toBe(etagOf(done))
  }
})

test('a config is removed at its revision, once nothing names it', async () => {
  const org = `/v1/dashboard/organisations/${given.demo.organisation.id}`
  const owner = await givenDashboard(given).signIn(given.demo.dashboard.email, given.demo.dashboard.password)
  const { path, read } = await givenConfig('removed')
  const id = path.split('/').at(-1) ?? ''
  const environment = `/v1/dashboard/environments/${given.demo.environments.dev.id}`
  const remove = (ifMatch: string) => owner.call('DELETE', path, { headers: { 'if-match': ifMatch } })
  const tag = etagOf(await read())

  await owner.call('PUT', environment, { body: { notificationConfigId: id } })
  const definition = inboxCampaign('names-it', 'names-it', { notificationConfigId: id })
  const campaign = await owner.call<{ id: string }>('POST', `${environment}/campaigns`, { body: definition })
  const used = await remove(tag)
  expect([used.status, used.body.code]).toEqual([409, 'request/conflict'])
  expect(JSON.stringify(used.body.details)).toMatch(/environment dev.*campaign names-it/)

  await owner.call('PUT', environment, { body: { notificationConfigId: null } })
  await owner.call('POST', `${environment}/campaigns/${campaign.body.id}/archive`)
  expect((await remove('"x"')).body.changedBy).toBe('editor@example.com')
  expect((await editor.call('DELETE', path)).body.code).toBe('authorization/not-allowed')
  expect((await remove(tag)).body).toEqual({ deleted: true })
  expect((await read()).status).toBe(404)
  const log = await owner.call<{ data: { action: string; subject: string }[] }>('GET', `${org}/audit-log?action=config`)
  expect(log.body.data[0]).toMatchObject({ action: 'config.delete', subject: id })
})

test('of two changes at one revision one is made', async () => {
  const one = await givenCampaign('race')
  const current = etagOf(await one.read())
  const statuses = await Promise.all([1, 2, 3].map(async () => (await one.put(current)).status))
  expect(statuses.sort()).toEqual([200, 409, 409])
})

test('a key that changed a campaign is named by its id', async () => {
  const { path, put } = await givenCampaign('by-key')
  const key = given.demo.environments.dev.sdkSecretKey
  const id = path.split('/').at(-1)
  await given.call('PUT', `/v1/campaigns/${id}`, { key, body: inboxCampaign('by-key', 'by-key.key') })
  expect((await put('"0"')).body.changedBy).toMatch(/^sec_/)
})
