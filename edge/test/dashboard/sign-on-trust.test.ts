// Tests whose accounts the identity provider of an organisation may sign in to, and what a browser is asked before.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type DashboardPerson, givenDashboard, outcomeOf, PASSWORD } from '../support/given-dashboard.ts'
import { type GivenNameServer, givenNameServer } from '../support/given-name-server.ts'
import { CLIENT, type GivenProvider, givenProvider } from '../support/given-provider.ts'

const AUTH = '/v1/dashboard/auth'
const QUESTION = `${AUTH}/sign-in/single-sign-on`

let given: GivenEdge
let dashboard: ReturnType<typeof givenDashboard>
let names: GivenNameServer
let provider: GivenProvider
let count = 0
/** The organisation of the provider, whose owner is hostile in some tests, with a domain of its own. */
let org: string
let owner: DashboardPerson
let domain: string
beforeAll(async () => {
  names = await givenNameServer()
  given = await givenEdge({ TRUSTED_PROXIES: '1' }, { findTexts: names.findTexts })
  dashboard = givenDashboard(given)
})
afterAll(async () => {
  await given.stop()
  await names.stop()
})
beforeEach(async () => {
  count++
  domain = `tenant${count}.example`
  provider = await givenProvider()
  ;({ org, owner } = await newOrganisation())
  await set([domain])
})
afterEach(() => provider.stop())

async function newOrganisation() {
  const { id } = await dashboard.cli.json<{ id: string }>('org create --name Tenant')
  const person = await dashboard.join(id, `owner-of-${id.toLowerCase()}@example.com`, 'owner')
  return { org: id, owner: person }
}
const settings = () => `${AUTH}/organisations/${org}/single-sign-on`
const set = (domains: string[], newMemberRole: string | null = null) =>
  owner.call('PUT', settings(), { body: { issuer: provider.issuer, ...CLIENT, domains, newMemberRole } })
const publish = (of = org) => names.records.set(`_nc-single-sign-on.${domain}`, [`nc-organisation=${of}`])
const prove = () => owner.call('POST', `${settings()}/prove-domain`, { body: { domain } })
async function setProved(newMemberRole: string | null = null): Promise<void> {
  await set([domain], newMemberRole)
  publish()
  expect(outcomeOf(await prove())).toBe('200')
}

/** Keeps cookies as a browser does. */
class Browser {
  readonly cookies = new Map<string, string>()
  readonly #address = `203.0.113.${count}`

  get cookie(): string {
    return [...this.cookies].map((pair) => pair.join('=')).join('; ')
  }

  #keep({ headers }: Pick<Response, 'headers'>): void {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.cookies.set(name, value)
    }
  }

  async visit(url: string, headers: Record<string, string> = {}): Promise<URL> {
    const sent = { cookie: this.cookie, 'x-forwarded-for': this.#address, ...headers }
    const response = await fetch(url, { redirect: 'manual', headers: sent })
    this.#keep(response)
    return new URL(response.headers.get('location') ?? '')
  }

  async call(method: string, path: string, body?: object, headers: Record<string, string> = { 'x-nc-request': '1' }) {
    const sent = { cookie: this.cookie, 'x-forwarded-for': this.#address, ...headers }
    const answer = await given.call(method, path, { headers: sent, ...(body !== undefined && { body }) })
    this.#keep(answer)
    return answer
  }

  signIn = async (email: string) =>
    expect(outcomeOf(await this.call('POST', `${AUTH}/sign-in`, { email, password: PASSWORD }))).toBe('200')

  /** The address of the person who is signed in, with the organisations; undefined when nobody is. */
  async me() {
    const { body } = await this.call('GET', `${AUTH}/me`)
    const { person, organisations } = body as { person?: { email: string }; organisations?: { id: string }[] }
    return person && { email: person.email, organisations: organisations?.map(({ id }) => id) }
  }

  /** Goes through the provider, which signs the given person in. Returns where the browser is in the end. */
  async signOn(email: string, { sub = `sub of ${email}`, headers = {} } = {}): Promise<string> {
    provider.identity = { sub, email, email_verified: true, name: 'Ada' }
    const there = await this.visit(`${given.url}${AUTH}/oidc/${org}/start`, headers)
    const { pathname, searchParams } = await this.visit(provider.authorize(there.href))
    return searchParams.get('error') ?? pathname
  }

  readonly question = () => this.call('GET', QUESTION)
  readonly answer = async (headers?: Record<string, string>) =>
    outcomeOf(await this.call('POST', QUESTION, undefined, headers))
}
const inbox = () => `/org/${org}/app/home`
const ASKED = '/dashboard/continue-sign-in'
const isKnown = async (email: string) => {
  const { out } = await dashboard.cli.nc(`member reset --email ${email}`)
  return out.includes('reset-password')
}

describe('a provider that names the address of a domain that is not proved', () => {
  test('neither signs in as the account of that address, nor joins or changes it', async () => {
    const other = await newOrganisation()
    const victim = await dashboard.join(other.org, `victim${count}@other.example`, 'owner')
    await set(['other.example'], 'admin')
    await dashboard.invite(org, victim.email, 'admin')
    const browser = new Browser()
    expect(await browser.signOn(victim.email)).toBe(ASKED)
    expect(await browser.me()).toBeUndefined()
    expect((await browser.question()).body).toMatchObject({
      ask: 'accept',
      email: victim.email,
      organisation: { id: org, name: 'Tenant' },
      signedInAs: null,
      mayAnswer: false,
    })
    expect(await browser.answer()).toBe('403 authorization/not-allowed own-session')
    // The attacker has an account of the own organisation, whose session is full.
    await browser.signIn(owner.email)
    expect(await browser.answer()).toBe('403 authorization/not-allowed own-session')
    expect(await browser.me()).toEqual({ email: owner.email, organisations: [org] })
    expect((await victim.call('GET', `${AUTH}/me`)).body.organisations).toMatchObject([{ id: other.org }])
    const members = await owner.call<{ data: { email: string }[] }>('GET', `${AUTH}/organisations/${org}/members`)
    expect(members.body.data.map(({ email }) => email)).toEqual([owner.email])
  })

  test('makes no account of an unknown address, also with an invitation; the answer tells nothing of accounts', async () => {
    const email = `unknown${count}@${domain}`
    await set([domain], 'viewer')
    await dashboard.invite(org, email, 'viewer')
    const browser = new Browser()
    expect(await browser.signOn(email)).toBe(ASKED)
    const known = await dashboard.join((await newOrganisation()).org, `known${count}@${domain}`, 'viewer')
    const other = new Browser()
    expect(await other.signOn(known.email)).toBe(ASKED)
    const [first, second] = [(await browser.question()).body, (await other.question()).body]
    expect({ ...first, email: '', expiresAt: '' }).toEqual({ ...second, email: '', expiresAt: '' })
    expect(await isKnown(email)).toBe(false)
    expect(await isKnown(known.email)).toBe(true)
  })

  test('signs in once the person has accepted it in a session of the own password', async () => {
    const { email } = await dashboard.join(org, `member${count}@${domain}`, 'editor')
    const browser = new Browser()
    expect(await browser.signOn(email)).toBe(ASKED)
    await browser.signIn(email)
    expect((await browser.question()).body).toMatchObject({ ask: 'accept', signedInAs: email, mayAnswer: true })
    expect(await browser.answer({ origin: 'https://evil.example' })).toBe('403 authorization/not-allowed cross-site')
    const session = browser.cookies.get('nc_session')
    expect(await browser.answer()).toBe('200')
    // The person stays in the own session.
    expect(browser.cookies.get('nc_session')).toBe(session)
    expect(await browser.answer()).toBe('401 auth/unauthenticated challenge-ended')
    const next = new Browser()
    expect(await next.signOn(email)).toBe(inbox())
    expect(await next.me()).toEqual({ email, organisations: [org] })
    const action = 'member.link-single-sign-on'
    expect(await dashboard.cli.json(`audit list --org ${org} --action ${action}`)).toMatchObject([{ who: email }])
    // Another identity of the provider with the same address is another person to it.
    expect(await new Browser().signOn(email, { sub: 'another' })).toBe(ASKED)
  })

  test('is not accepted in a session of a single sign-on', async () => {
    await setProved()
    const { email } = await dashboard.join(org, `limited${count}@${domain}`, 'editor')
    const browser = new Browser()
    expect(await browser.signOn(email)).toBe(inbox())
    const former = { org, owner, provider }
    ;({ org, owner } = await newOrganisation())
    provider = await givenProvider()
    await set([domain], 'viewer')
    expect(await browser.signOn(email)).toBe(ASKED)
    expect(await browser.answer()).toBe('403 authorization/not-allowed own-session')
    await provider.stop()
    ;({ org, owner, provider } = former)
  })
})

describe('a domain', () => {
  test('is proved by its record alone, by owners, and lets the provider create the accounts of invited people', async () => {
    const failed = async () => outcomeOf(await prove())
    expect(await failed()).toBe('409 request/conflict record-missing')
    for (const text of ['', `nc-organisation=${org}x`, `nc-organisation=${given.demo.organisation.id}`]) {
      names.records.set(`_nc-single-sign-on.${domain}`, [text])
      expect(await failed()).toBe('409 request/conflict record-missing')
    }
    names.records.set(domain, [`nc-organisation=${org}`])
    expect(await failed()).toBe('409 request/conflict record-missing')
    names.failure = 'servfail'
    expect(await failed()).toBe('503 service/unavailable dns-unreachable')
    names.failure = undefined
    publish()
    const admin = await dashboard.join(org, `admin${count}@example.com`, 'admin')
    const byAdmin = await admin.call('POST', `${settings()}/prove-domain`, { body: { domain } })
    expect(outcomeOf(byAdmin)).toBe('403 authorization/not-allowed role')
    const other = await owner.call('POST', `${settings()}/prove-domain`, { body: { domain: 'unlisted.example' } })
    expect(outcomeOf(other)).toBe('409 request/conflict domain-not-listed')
    expect((await prove()).body).toMatchObject({ domainProofs: [{ domain, provedBy: 'dns', missingSince: null }] })

    const [invited, stranger] = [`invited${count}@${domain}`, `stranger${count}@${domain}`]
    await dashboard.invite(org, invited, 'editor')
    expect(await new Browser().signOn(invited)).toBe(inbox())
    expect(await isKnown(invited)).toBe(true)
    expect(await new Browser().signOn(stranger)).toBe('not-member')
    expect(await isKnown(stranger)).toBe(false)
  })

  test('belongs to one organisation; another one proves it after the first has given it up', async () => {
    await setProved()
    const first = { org, owner }
    const second = await newOrganisation()
    ;({ org, owner } = second)
    await set([domain])
    publish()
    expect(outcomeOf(await prove())).toBe('409 request/conflict domain-taken')
    ;({ org, owner } = first)
    await set(['elsewhere.example'])
    ;({ org, owner } = second)
    expect(outcomeOf(await prove())).toBe('200')
  })
})

describe('a browser', () => {
  const twoMembers = async () => {
    await setProved()
    const mine = await dashboard.join(org, `mine${count}@${domain}`, 'editor')
    const other = await dashboard.join(org, `other${count}@${domain}`, 'editor')
    return [mine.email, other.email] as const
  }

  test('in which another person is signed in asks before it continues, and then ends that session', async () => {
    const [mine, other] = await twoMembers()
    const browser = new Browser()
    await browser.signIn(mine)
    const former = dashboard.personOf(mine, `nc_session=${browser.cookies.get('nc_session')}`)
    expect(await browser.signOn(other)).toBe(ASKED)
    expect(await browser.me()).toEqual({ email: mine, organisations: [org] })
    expect((await browser.question()).body).toMatchObject({
      ask: 'continue',
      email: other,
      signedInAs: mine,
      mayAnswer: true,
    })
    // Without the header of the own pages, and in another browser, nothing changes.
    expect(await browser.answer({})).toBe('403 authorization/not-allowed cross-site')
    expect(await new Browser().answer()).toBe('401 auth/unauthenticated challenge-ended')
    expect(await browser.me()).toMatchObject({ email: mine })
    expect(await browser.answer()).toBe('200')
    expect(await browser.me()).toEqual({ email: other, organisations: [org] })
    expect((await former.call('GET', `${AUTH}/me`)).status).toBe(401)
  })

  test('of the same person, or of nobody, is not asked', async () => {
    const [mine] = await twoMembers()
    const browser = new Browser()
    expect(await browser.signOn(mine)).toBe(inbox())
    await browser.signIn(mine)
    expect(await browser.signOn(mine)).toBe(inbox())
  })

  test('that another site has sent is asked who it becomes', async () => {
    const [mine] = await twoMembers()
    for (const site of ['cross-site', 'same-site']) {
      const browser = new Browser()
      expect(await browser.signOn(mine, { headers: { 'sec-fetch-site': site } })).toBe(ASKED)
      expect(await browser.me()).toBeUndefined()
      expect((await browser.question()).body).toMatchObject({ ask: 'continue', email: mine, signedInAs: null })
      expect(await browser.answer()).toBe('200')
      expect(await browser.me()).toEqual({ email: mine, organisations: [org] })
    }
    for (const site of ['same-origin', 'none']) {
      expect(await new Browser().signOn(mine, { headers: { 'sec-fetch-site': site } })).toBe(inbox())
    }
  })

  test('is asked in vain when settings or membership changed meanwhile', async () => {
    const [mine, other] = await twoMembers()
    const browser = new Browser()
    await browser.signIn(mine)
    expect(await browser.signOn(other)).toBe(ASKED)
    await dashboard.cli.json(`member remove --org ${org} --email ${other} --yes`)
    expect(await browser.answer()).toBe('403 authorization/not-allowed not-member')
    expect(await browser.signOn(mine, { sub: 'second' })).toBe(inbox())
    await browser.signIn(mine)
    await dashboard.join(org, `third${count}@${domain}`, 'editor')
    expect(await browser.signOn(`third${count}@${domain}`)).toBe(ASKED)
    await owner.call('DELETE', settings())
    expect(outcomeOf(await browser.question())).toBe('401 auth/unauthenticated challenge-ended')
    expect(await browser.answer()).toBe('401 auth/unauthenticated challenge-ended')
    expect(await browser.me()).toMatchObject({ email: mine })
  })
})
