// Tests `If-Match` on every other change than those of campaigns and configs: it is compared, or refused by name.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type GivenEdge, givenEdge } from '../support/given.ts'
import { type DashboardPerson, givenDashboard } from '../support/given-dashboard.ts'

let given: GivenEdge
let owner: DashboardPerson
beforeAll(async () => {
  given = await givenEdge()
  owner = await givenDashboard(given).signIn(given.demo.dashboard.email, given.demo.dashboard.password)
})
afterAll(() => given.stop())

const organisation = () => `/v1/dashboard/organisations/${given.demo.organisation.id}`
const environment = () => `/v1/dashboard/environments/${given.demo.environments.dev.id}`
const etagOf = ({ headers }: Answer) => headers.get('etag') ?? ''
const MAIL = { name: 'relay', provider: 'smtp', credentials: { host: 'mail.example.com', port: '587' }, priority: 10 }

interface Resource {
  read: string
  write: string
  /** Absent: it stays as long as the organisation. */
  remove?: string
  /** A body that differs for each number. */
  body(number: number): object
}

/** Makes an own one of each, so that the tests of one do not meet. */
const RESOURCES: Record<string, () => Promise<Resource>> = {
  async environment() {
    const made = await owner.call<{ id: string }>('POST', `${organisation()}/environments`, {
      body: { name: 'revised' },
    })
    const path = `/v1/dashboard/environments/${made.body.id}`
    const remove = `${path}?confirm=revised`
    return { read: path, write: path, remove, body: (number) => ({ siteUrl: `https://shop.example/${number}` }) }
  },
  async source() {
    const path = `${environment()}/sources`
    const made = await owner.call<{ id: string }>('POST', path, { body: { name: 'revised', provider: 'segment' } })
    const own = `${path}/${made.body.id}`
    expect(etagOf(made)).toBe(etagOf(await owner.call('GET', own)))
    return { read: own, write: own, remove: own, body: (number) => ({ name: `revised ${number}` }) }
  },
  async integration() {
    const path = `${environment()}/email/integrations`
    const made = await owner.call<{ id: string }>('POST', path, { body: MAIL })
    const own = `${path}/${made.body.id}`
    expect(etagOf(made)).toBe(etagOf(await owner.call('GET', own)))
    return { read: own, write: own, remove: own, body: (number) => ({ ...MAIL, priority: 20 + number }) }
  },
  async organisation() {
    const path = `${organisation()}/settings`
    await owner.call('POST', path, { body: {} })
    return { read: organisation(), write: path, body: (number) => ({ retentionDays: 400 + number }) }
  },
}

describe.each(Object.keys(RESOURCES))('a change of the %s', (noun) => {
  let one: Resource
  const put = (number: number, ifMatch?: string) =>
    owner.call('PUT', one.write, {
      body: one.body(number),
      ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
    })
  beforeAll(async () => {
    one = await (RESOURCES[noun] as () => Promise<Resource>)()
  })

  test('is made at the revision of the ETag, which it replaces', async () => {
    const first = etagOf(await owner.call('GET', one.read))
    expect(first).toMatch(/^"\d+"$/)
    const changed = await put(1, first)
    expect([changed.status, etagOf(changed) === first]).toEqual([200, false])
    expect(etagOf(await owner.call('GET', one.read))).toBe(etagOf(changed))
    expect((await put(1, '*')).status).toBe(200)
  })

  test('at another revision is a conflict that names who changed it, and when; nothing is changed', async () => {
    const first = etagOf(await owner.call('GET', one.read))
    const from = Date.now()
    await put(2)
    const before = await owner.call('GET', one.read)
    for (const wrong of [first, `W/${etagOf(before)}`, 'nonsense', '']) {
      const { status, body } = await put(3, wrong)
      expect({ wrong, status, body }).toMatchObject({
        wrong,
        status: 409,
        body: {
          code: 'request/conflict',
          details: [{ path: '', message: expect.stringContaining(noun) }],
          changedBy: given.demo.dashboard.email,
        },
      })
      const changedAt = Date.parse(String(body.changedAt))
      expect(changedAt).toBeGreaterThanOrEqual(from)
      expect(changedAt).toBeLessThanOrEqual(Date.now())
    }
    expect((await owner.call('GET', one.read)).body).toEqual(before.body)
  })

  test('of two at one revision one is made', async () => {
    const current = etagOf(await owner.call('GET', one.read))
    const statuses = await Promise.all([11, 12, 13].map(async (number) => (await put(number, current)).status))
    expect(statuses.sort()).toEqual([200, 409, 409])
  })

  test('its removal is made at the revision of the ETag alone', async () => {
    if (one.remove === undefined) return
    const remove = (ifMatch: string) => owner.call('DELETE', one.remove ?? '', { headers: { 'if-match': ifMatch } })
    const first = etagOf(await owner.call('GET', one.read))
    await put(21)
    expect(await remove(first)).toMatchObject({
      status: 409,
      body: { code: 'request/conflict', changedBy: given.demo.dashboard.email, changedAt: expect.any(String) },
    })
    const current = etagOf(await owner.call('GET', one.read))
    expect(await remove(current)).toMatchObject({ status: 200, body: { deleted: true } })
    expect([403, 404]).toContain((await owner.call('GET', one.read)).status)
  })
})

test.each([
  ['PUT', '/users/if-match', { name: 'Ann' }],
  ['DELETE', '/users/u_1', undefined],
  ['PUT', '/enrichers/if-match', { url: 'https://shop.example/enrich' }],
  ['PUT', '/topics/if-match/subscribers', { add: ['u_1'] }],
  ['PUT', '/snippets/if-match', { text: 'x' }],
  ['POST', '/sources', { name: 'if-match', provider: 'segment' }],
] as const)('%s %s has no revision to compare, and says so', async (method, path, body) => {
  const headers = { 'if-match': '"1"' }
  const answer = await owner.call(method, `${environment()}${path}`, { body, headers })
  expect(answer).toMatchObject({ status: 409, body: { code: 'request/conflict', reason: 'no-revision' } })
  if (method === 'PUT' && !path.startsWith('/topics')) {
    expect((await owner.call('GET', `${environment()}${path}`)).status).toBe(404)
  }
})

test('every change of the document either takes If-Match or names the conflict', async () => {
  type Operation = { parameters?: { name: string }[]; responses: Record<string, unknown>; security?: object[] }
  const { body } = await given.call<{ paths: Record<string, Record<string, Operation>> }>('GET', '/openapi.json')
  for (const [path, operations] of Object.entries(body.paths)) {
    const { put } = operations
    if (put !== undefined) expect([path, '409' in put.responses]).toEqual([path, true])
    const takesIt = (one?: Operation) => one?.parameters?.some(({ name }) => name === 'If-Match') ?? false
    if (operations.delete !== undefined) expect([path, takesIt(operations.delete)]).toEqual([path, takesIt(put)])
  }
})

test('a key and a session of the element are refused alike', async () => {
  const key = given.demo.environments.dev.sdkSecretKey
  const headers = { 'if-match': '"1"' }
  expect((await given.call('PUT', '/v1/users/if-match', { key, body: {}, headers })).body.reason).toBe('no-revision')
  const session = await given.signIn('u_1')
  const preferences = await given.call('PUT', '/v1/inbox/preferences', { session, body: {}, headers })
  expect(preferences.body.reason).toBe('no-revision')
})
