// Tests single sign-on of the dashboard by an OpenID Connect provider whose answers the test decides.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Role } from '../../../contract/role.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type DashboardPerson, givenDashboard, PASSWORD } from '../support/given-dashboard.ts'
import { type GivenNameServer, givenNameServer } from '../support/given-name-server.ts'
import { CLIENT, type GivenProvider, givenProvider, type Identity } from '../support/given-provider.ts'

const AUTH = '/v1/dashboard/auth'
const lines: string[] = []

let given: GivenEdge
let dashboard: ReturnType<typeof givenDashboard>
let provider: GivenProvider
let names: GivenNameServer
/** A new organisation for each test, with an owner of its own. */
let org: string
let owner: DashboardPerson
let count = 0
beforeAll(async () => {
  names = await givenNameServer()
  const { findTexts } = names
  given = await givenEdge({ TRUSTED_PROXIES: '1' }, { writeLog: (line) => lines.push(line), findTexts })
  dashboard = givenDashboard(given)
})
afterAll(async () => {
  await given.stop()
  await names.stop()
})
beforeEach(async () => {
  count++
  provider = await givenProvider()
  org = (await dashboard.cli.json<{ id: string }>(`org create --name Organisation${count}`)).id
  owner = await dashboard.join(org, `owner${count}@example.com`, 'owner')
})
afterEach(async () => {
  // The next test proves the same domain.
  await owner.call('DELETE', path())
  await provider.stop()
})

const path = () => `${AUTH}/organisations/${org}/single-sign-on`
const outcomeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
  [status, body.code, body.reason].filter((part) => part !== undefined).join(' ')
const set = (more: object = {}, by = owner) =>
  by.call('PUT', path(), { body: { issuer: provider.issuer, ...CLIENT, domains: ['example.com'], ...more } })

const prove = (domain = 'example.com', by = owner) => by.call('POST', `${path()}/prove-domain`, { body: { domain } })
const recordName = (domain: string) => `_nc-single-sign-on.${domain}`

/** Sets the single sign-on with a proved domain. */
async function setProved(more: object = {}): Promise<void> {
  await set(more)
  names.records.set(recordName('example.com'), ['v=spf1 -all', `nc-organisation=${org}`])
  expect(outcomeOf(await prove())).toBe('200')
}

const cookieIn = ({ headers }: Response) => headers.get('set-cookie')?.split(';')[0] ?? ''
/** Each test has an address of its own, because one address may begin 60 sign-ins a minute. */
const visit = (address: string, cookie = '') =>
  fetch(address, { redirect: 'manual', headers: { cookie, 'x-forwarded-for': `192.0.2.${count}` } })

/** Begins a sign-in. Returns the cookie, and the address to which the provider sends the browser back. */
async function begin(identity: Identity) {
  provider.identity = identity
  const response = await visit(`${given.url}${AUTH}/oidc/${org}/start`)
  const location = response.headers.get('location') ?? ''
  return { cookie: cookieIn(response), callback: provider.authorize(location), location }
}

/** Ends a sign-in. Returns the reason why it failed, or the person. */
async function end({ callback, cookie }: { callback: string; cookie: string }) {
  const response = await visit(callback, cookie)
  const location = new URL(response.headers.get('location') ?? '')
  if (location.pathname === '/sign-in') return { error: location.searchParams.get('error') }
  expect([response.status, location.pathname]).toEqual([303, `/org/${org}/app/home`])
  return { person: dashboard.personOf('by single sign-on', cookieIn(response)) }
}
const signIn = async (identity: Identity) => end(await begin(identity))

async function signedIn(identity: Identity): Promise<DashboardPerson> {
  const { person, error } = await signIn(identity)
  if (person === undefined) throw new Error(`single sign-on failed: ${error}`)
  return person
}
const me = async (person: DashboardPerson) =>
  (await person.call<{ person: { email: string; name: string }; organisations: object[] }>('GET', `${AUTH}/me`)).body
const verified = (email: string, sub = `sub of ${email}`): Identity => ({
  sub,
  email,
  email_verified: true,
  name: 'Ada',
})
const member = (name: string, role: Role = 'editor') => dashboard.join(org, `${name}${count}@example.com`, role)

describe('the settings', () => {
  test('have no revision of removed ones, and while there are none `If-Match` fits nothing', async () => {
    const removed = await set()
    await set({ domains: ['example.org'] })
    await owner.call('DELETE', path())
    const putAt = (ifMatch: string) =>
      owner.call('PUT', path(), {
        body: { issuer: provider.issuer, ...CLIENT, domains: ['example.com'] },
        headers: { 'if-match': ifMatch },
      })
    const tags = ['*', '"0"', '"1"', removed.headers.get('etag') ?? '']
    for (const tag of tags) {
      const { status, body } = await putAt(tag)
      expect([tag, status, body.code, body.changedBy]).toEqual([tag, 409, 'request/conflict', owner.email])
    }
    expect(outcomeOf(await owner.call('GET', path()))).toBe('404 request/not-found not-set-up')
    await set()
    for (const tag of tags.slice(1)) expect([tag, (await putAt(tag)).status]).toEqual([tag, 409])
    expect((await putAt('*')).status).toBe(200)
  })

  test('are set by an owner, answered without the secret, and changed without naming it again', async () => {
    expect(outcomeOf(await owner.call('GET', path()))).toBe('404 request/not-found not-set-up')
    const missing = await set({ clientSecret: undefined })
    expect([outcomeOf(missing), JSON.stringify(missing.body.details)]).toEqual([
      '400 request/invalid-body',
      expect.stringContaining('clientSecret'),
    ])
    const { status, body } = await set({ domains: ['Example.com', 'example.org'] })
    const proofOf = (domain: string) => ({
      domain,
      record: { name: recordName(domain), value: `nc-organisation=${org}` },
      provedBy: null,
      provedAt: null,
      missingSince: null,
    })
    expect([status, body]).toEqual([
      200,
      {
        issuer: provider.issuer,
        clientId: CLIENT.clientId,
        domains: ['example.com', 'example.org'],
        domainProofs: [proofOf('example.com'), proofOf('example.org')],
        newMemberRole: null,
        redirectUri: `${given.url}${AUTH}/oidc/${org}/callback`,
        startUrl: `${given.url}${AUTH}/oidc/${org}/start`,
        updatedAt: expect.any(String),
        revision: expect.any(Number),
      },
    ])
    expect((await owner.call('GET', path())).headers.get('etag')).toBe(`"${body.revision}"`)
    const asked = {
      body: { issuer: provider.issuer, ...CLIENT, domains: ['example.com'], newMemberRole: 'viewer' },
      headers: { 'if-match': '"0"' },
    }
    expect((await owner.call('PUT', path(), asked)).body).toMatchObject({
      code: 'request/conflict',
      changedBy: owner.email,
      changedAt: body.updatedAt,
    })
    expect((await set({ clientSecret: undefined, newMemberRole: 'viewer' })).body).toMatchObject({
      newMemberRole: 'viewer',
      domains: ['example.com'],
    })
    names.records.set(recordName('example.com'), [`nc-organisation=${org}`])
    await prove()
    expect((await signIn(verified('anybody@example.com'))).error).toBeUndefined()
    const entries = await dashboard.cli.json<{ action: string; who: string; detail: { difference: string } }[]>(
      `audit list --org ${org} --action org.set-single-sign-on`,
    )
    expect(entries[0]).toMatchObject({ who: owner.email, detail: { newClientSecret: false } })
    expect(entries[0]?.detail.difference.split('\n')).toEqual([
      '- domains[1]: "example.org"',
      '~ newMemberRole: null → "viewer"',
    ])
    expect(JSON.stringify(entries)).not.toContain('a secret of the client')
  })

  test.each([
    ['an address that is none', { issuer: 'login.example.com' }],
    ['an internal address', { issuer: 'https://10.0.0.1' }],
    ['plain HTTP to a public address', { issuer: 'http://8.8.8.8' }],
    ['a domain that is none', { domains: ['example'] }],
    ['owners as new members', { newMemberRole: 'owner' }],
  ])('with %s are refused', async (_, more) => {
    expect(outcomeOf(await set(more))).toBe('400 request/invalid-body')
  })

  test('with an issuer whose discovery document is of another one are refused', async () => {
    const answer = await set({ issuer: `${provider.issuer}/other` })
    expect(answer.body.message).toContain('discovery document')
  })

  test('of another client end the sessions and links of the former one; a removal does so too', async () => {
    await setProved()
    const person = await member('linked')
    const first = await signedIn(verified(person.email, 'first'))
    expect((await signIn(verified(person.email, 'second'))).error).toBe('linked-otherwise')
    await set({ clientSecret: 'another' })
    expect((await first.call('GET', `${AUTH}/me`)).status).toBe(200)
    await set({ clientId: 'another client' })
    expect((await first.call('GET', `${AUTH}/me`)).status).toBe(401)
    await set()
    // The domain stays proved: it is of the organisation, not of its provider.
    const second = await signedIn(verified(person.email, 'second'))
    expect((await owner.call('DELETE', path())).body).toEqual({ deleted: true })
    expect((await second.call('GET', `${AUTH}/me`)).status).toBe(401)
    const start = await visit(`${given.url}${AUTH}/oidc/${org}/start`)
    expect(start.headers.get('location')).toContain('error=not-set-up')
  })
})

describe('a sign-in', () => {
  beforeEach(() => setProved())

  test('asks the provider with PKCE, state and nonce, and its cookie is out of reach of page scripts', async () => {
    const { location } = await begin(verified('anybody@example.com'))
    const query = Object.fromEntries(new URL(location).searchParams)
    expect(query).toMatchObject({
      scope: 'openid email profile',
      client_id: CLIENT.clientId,
      code_challenge_method: 'S256',
    })
    expect([query.state, query.nonce, query.code_challenge].every((text) => (text?.length ?? 0) >= 43)).toBe(true)
    const start = await visit(`${given.url}${AUTH}/oidc/${org}/start`)
    expect(start.headers.get('set-cookie')).toMatch(
      /^nc_single_sign_on=nc_chal_[\w-]{43}; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })

  test('links a member by a verified address, and from then on by the subject', async () => {
    const person = await member('subject')
    const first = await signedIn(verified(person.email.toUpperCase(), 'one'))
    expect(await me(first)).toMatchObject({
      person: { email: person.email },
      organisations: [{ id: org, role: 'editor' }],
    })
    const later = await signedIn({ sub: 'one', email: 'renamed@elsewhere.example', email_verified: false })
    expect((await me(later)).person.email).toBe(person.email)
    const entries = await dashboard.cli.json<object[]>(`audit list --org ${org} --action member.link-single-sign-on`)
    expect(entries).toMatchObject([{ who: person.email, detail: { identity: 'one', issuer: provider.issuer } }])
  })

  test('reads the address from the userinfo endpoint where the ID token has none', async () => {
    const person = await member('userinfo')
    provider.hidesProfile = true
    expect((await me(await signedIn(verified(person.email)))).person.email).toBe(person.email)
  })

  test.each<[string, Identity, string]>([
    ['an address that is not verified', { sub: 'x', email: 'new@example.com', email_verified: false }, 'not-linked'],
    ['an address that may be verified', { sub: 'x', email: 'new@example.com' }, 'not-linked'],
    ['no address', { sub: 'x' }, 'not-linked'],
    ['an address of another domain', verified('new@elsewhere.example'), 'not-linked'],
    ['an address below a listed domain', verified('new@sub.example.com'), 'not-linked'],
    ['an address that ends like a listed domain', verified('new@evilexample.com'), 'not-linked'],
    ['a person who is not invited', verified('new@example.com'), 'not-member'],
  ])('with %s is refused; new members are let in where only the invitation is missing', async (_, identity, error) => {
    expect((await signIn(identity)).error).toBe(error)
    await set({ newMemberRole: 'viewer' })
    expect((await signIn(identity)).error).toBe(error === 'not-member' ? undefined : error)
  })

  test('makes an invited person a member, once, with the role of the invitation', async () => {
    const email = `invited${count}@example.com`
    const token = await dashboard.invite(org, email, 'admin')
    const person = await signedIn(verified(email))
    expect(await me(person)).toMatchObject({ person: { email, name: 'Ada' }, organisations: [{ role: 'admin' }] })
    const accepted = await dashboard.post('invitations/accept', { token, password: PASSWORD })
    expect(outcomeOf(accepted)).toBe('404 request/not-found')
    // The account has no password that anybody could guess.
    for (const password of ['', ' ', PASSWORD]) {
      expect((await dashboard.post('sign-in', { email, password })).status).toBeGreaterThanOrEqual(400)
    }
    const { link } = await dashboard.cli.json<{ link: string }>(`member reset --email ${email}`)
    await dashboard.post('password-reset/confirm', { token: link.split('#')[1], password: PASSWORD })
    expect((await dashboard.signIn(email)).cookie).not.toBe('')
  })

  test('ends with the membership, and does not come back without an invitation', async () => {
    const person = await member('leaver')
    const session = await signedIn(verified(person.email, 'leaver'))
    await dashboard.cli.json(`member remove --org ${org} --email ${person.email} --yes`)
    expect((await session.call('GET', `${AUTH}/me`)).status).toBe(401)
    expect((await signIn(verified(person.email, 'leaver'))).error).toBe('not-member')
    await dashboard.invite(org, person.email, 'viewer')
    const again = await signedIn(verified(person.email, 'leaver'))
    expect((await me(again)).organisations).toMatchObject([{ role: 'viewer' }])
  })

  test('works once, and only in the browser that began it', async () => {
    const person = await member('once')
    const begun = await begin(verified(person.email))
    expect((await end({ ...begun, cookie: '' })).error).toBe('challenge-ended')
    expect((await end(begun)).error).toBeUndefined()
    expect((await end(begun)).error).toBe('challenge-ended')
    const [mine, other] = [await begin(verified(person.email)), await begin(verified(person.email))]
    // The answer of another browser's sign-in.
    expect((await end({ cookie: mine.cookie, callback: other.callback })).error).toBe('single-sign-on-failed')
  })

  test('begins 60 times a minute for an address', async () => {
    const starts: number[] = []
    for (let attempt = 0; attempt < 61; attempt++) {
      starts.push((await visit(`${given.url}${AUTH}/oidc/org_00000000000/start`)).status)
    }
    expect([starts.slice(0, 60).every((status) => status === 303), starts[60]]).toEqual([true, 429])
  })

  test('of one organisation is not taken for another one', async () => {
    const person = await member('other')
    const begun = await begin(verified(person.email))
    await owner.call('DELETE', path())
    const former = org
    org = (await dashboard.cli.json<{ id: string }>('org create --name Another')).id
    owner = await dashboard.join(org, `another${count}@example.com`, 'owner')
    await set({ newMemberRole: 'admin' })
    const callback = begun.callback.replace(former, org)
    expect((await end({ cookie: begun.cookie, callback })).error).toBe('challenge-ended')
  })
})

describe('an answer of the provider', () => {
  const now = () => Math.floor(Date.now() / 1000)
  beforeEach(() => setProved({ newMemberRole: 'viewer' }))

  test.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>]>([
    ['another issuer', (claims) => ({ ...claims, iss: 'https://login.example.com' })],
    ['another audience', (claims) => ({ ...claims, aud: 'another client' })],
    ['another nonce', (claims) => ({ ...claims, nonce: 'another' })],
    ['no nonce', ({ nonce: _, ...claims }) => claims],
    ['an end in the past', (claims) => ({ ...claims, iat: now() - 900, exp: now() - 600 })],
    ['no subject', ({ sub: _, ...claims }) => claims],
  ])('whose ID token has %s is refused', async (_, change) => {
    provider.changeClaims = change
    expect((await signIn(verified('anybody@example.com'))).error).toBe('single-sign-on-failed')
    provider.changeClaims = (claims) => claims
    expect((await signIn(verified('anybody@example.com'))).error).toBeUndefined()
  })

  test('whose ID token is signed by a foreign key is refused', async () => {
    provider.usesForeignKey = true
    expect((await signIn(verified('anybody@example.com'))).error).toBe('single-sign-on-failed')
  })

  test('that denies the sign-in, or does not come, ends at the page of sign-in; the log has the cause', async () => {
    const { cookie, callback } = await begin(verified('anybody@example.com'))
    const denied = new URL(callback)
    denied.searchParams.delete('code')
    denied.searchParams.set('error', 'access_denied')
    expect((await end({ cookie, callback: denied.href })).error).toBe('single-sign-on-denied')
    const begun = await begin(verified('anybody@example.com'))
    await provider.stop()
    expect((await end(begun)).error).toBe('provider-unreachable')
    const failed = lines.map((line) => JSON.parse(line) as { msg: string; reason?: string; level: string })
    expect(failed.findLast(({ msg }) => msg === 'single sign-on failed')).toMatchObject({
      level: 'warn',
      reason: 'provider-unreachable',
    })
  })
})

describe('a session of single sign-on', () => {
  beforeEach(() => setProved())

  test('reaches its organisation alone, so that its owners gain nothing elsewhere', async () => {
    // An owner of the demo organisation accepts nothing: being invited is enough for the provider of the other one.
    const demo = given.demo.organisation.id
    const victim = await dashboard.join(demo, `victim${count}@example.com`, 'owner')
    await dashboard.invite(org, victim.email, 'viewer')
    const session = await signedIn(verified(victim.email))
    expect(await me(session)).toMatchObject({
      person: { email: victim.email },
      organisations: [{ id: org, role: 'viewer' }],
    })
    expect((await me(session)).organisations).toHaveLength(1)
    const refused = '403 authorization/organisation-not-authorized-for-this-user'
    expect(outcomeOf(await session.call('GET', `${AUTH}/organisations/${demo}/members`))).toBe(refused)
    const environment = `/v1/dashboard/environments/${given.demo.environments.prod.id}/campaigns`
    expect(outcomeOf(await session.call('GET', environment))).toBe(refused)
    expect((await me(victim)).organisations).toHaveLength(2)
  })

  test('changes nothing of the account, and sees no other session of the person', async () => {
    const person = await member('account')
    const session = await signedIn(verified(person.email))
    const refused = '403 authorization/not-allowed single-sign-on'
    const calls: [string, string, object?][] = [
      ['PUT', 'password', { currentPassword: PASSWORD, password: 'another password' }],
      ['GET', 'second-factor'],
      ['POST', 'totp', { password: PASSWORD }],
      ['POST', 'totp/confirm', { code: '123456' }],
      ['POST', 'totp/off', { password: PASSWORD, code: '123456' }],
      ['POST', 'recovery-codes', { password: PASSWORD, code: '123456' }],
      ['POST', 'passkeys/options', { password: PASSWORD }],
      ['GET', 'passkeys'],
      ['POST', 'organisations', { name: 'Another' }],
      ['DELETE', 'passkeys/pky_00000000000'],
    ]
    for (const [method, route, body] of calls) {
      const answer = await session.call(method, `${AUTH}/${route}`, body === undefined ? {} : { body })
      expect(`${route} ${outcomeOf(answer)}`).toBe(`${route} ${refused}`)
    }
    const list = (by: DashboardPerson) =>
      by.call<{ data: { id: string; organisationId: string | null }[] }>('GET', `${AUTH}/sessions`)
    expect((await list(session)).body.data).toMatchObject([{ organisationId: org, isCurrent: true }])
    const all = (await list(person)).body.data
    expect(all).toHaveLength(2)
    const own = all.find(({ organisationId }) => organisationId === null)?.id
    expect(outcomeOf(await session.call('DELETE', `${AUTH}/sessions/${own}`))).toBe('404 request/not-found')
    expect((await session.call('POST', `${AUTH}/sign-out`)).status).toBe(200)
  })
})
