// Tests sign-in, sessions, passwords and members of the dashboard on a running edge.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { cookieOf, type DashboardPerson, givenDashboard, PASSWORD } from '../support/given-dashboard.ts'
import { within } from '../support/within.ts'

const AUTH = '/v1/dashboard/auth'
const lines: string[] = []

let given: GivenEdge
let dashboard: ReturnType<typeof givenDashboard>
let org: string
let owner: DashboardPerson
beforeAll(async () => {
  given = await givenEdge({}, { writeLog: (line) => lines.push(line) })
  dashboard = givenDashboard(given)
  org = given.demo.organisation.id
  owner = await dashboard.signIn(given.demo.dashboard.email, given.demo.dashboard.password)
})
afterAll(() => given.stop())

/** Returns status and code of an answer in one text. */
const outcomeOf = ({ status, body }: { status: number; body: { code?: unknown } }) =>
  `${status} ${body.code ?? ''}`.trim()
const linkIn = (message: string) =>
  lines.map((line) => JSON.parse(line) as { msg: string; link?: string }).findLast(({ msg }) => msg === message)?.link

describe('sign-in', () => {
  test('of the demo owner sets a cookie that no page script reads, and answers no token', async () => {
    const { email, password } = given.demo.dashboard
    const answer = await dashboard.post('sign-in', { email: ` ${email.toUpperCase()} `, password })
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^nc_session=nc_dash_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^nc_device=nc_device_[\w-]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(JSON.stringify(answer.body)).not.toContain('nc_dash_')
    const me = await owner.call('GET', `${AUTH}/me`)
    expect(me.body).toMatchObject({
      person: { email },
      organisations: [{ id: org, role: 'owner', onboardingCompleted: true }],
      session: { isCurrent: true },
    })
  })

  test('answers the same for a wrong password and an unknown address', async () => {
    const wrong = await dashboard.post('sign-in', { email: given.demo.dashboard.email, password: 'not the password' })
    const unknown = await dashboard.post('sign-in', { email: 'nobody@example.com', password: 'not the password' })
    expect(outcomeOf(wrong)).toBe('401 auth/unauthenticated')
    expect({ ...unknown.body, correlationId: '' }).toEqual({ ...wrong.body, correlationId: '' })
    expect(wrong.headers.get('set-cookie')).toBeNull()
  })

  test('is refused from the sixth wrong attempt of an account on, for a known and an unknown one alike', async () => {
    const { email } = await dashboard.join(org, 'often@example.com', 'viewer')
    for (const address of [email, 'unknown@example.com']) {
      const outcomes: string[] = []
      for (let count = 0; count < 6; count++) {
        outcomes.push(outcomeOf(await dashboard.post('sign-in', { email: address, password: 'wrong password' })))
      }
      expect(outcomes.slice(0, 5)).toEqual(Array(5).fill('401 auth/unauthenticated'))
      expect(outcomes[5]).toBe('429 request/rate-limited')
    }
    const right = await dashboard.post('sign-in', { email, password: PASSWORD })
    expect(outcomeOf(right)).toBe('429 request/rate-limited')
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test.each<[string, Record<string, string>, string]>([
    ['without the header and without an origin', {}, '403 authorization/not-allowed'],
    ['of another site', { origin: 'https://evil.example' }, '403 authorization/not-allowed'],
    ['of a sandboxed page', { origin: 'null' }, '403 authorization/not-allowed'],
    ['with another value', { 'x-nc-request': '2' }, '403 authorization/not-allowed'],
  ])('and other writes %s are refused', async (_, headers, expected) => {
    const { email, password } = given.demo.dashboard
    const signIn = await given.call('POST', `${AUTH}/sign-in`, { body: { email, password }, headers })
    expect(outcomeOf(signIn)).toBe(expected)
    const { cookie } = owner
    const signOut = await given.call('POST', `${AUTH}/sign-out`, { headers: { cookie, ...headers } })
    expect(outcomeOf(signOut)).toBe(expected)
    expect((await owner.call('GET', `${AUTH}/me`)).status).toBe(200)
  })

  test('from a page of this site needs no header', async () => {
    const { email, password } = given.demo.dashboard
    const headers = { origin: new URL(given.url).origin }
    expect((await given.call('POST', `${AUTH}/sign-in`, { body: { email, password }, headers })).status).toBe(200)
  })
})

describe('a session', () => {
  test('is refused without its cookie, with another one, and with two', async () => {
    const invented = `nc_session=nc_dash_${'a'.repeat(43)}`
    for (const cookie of [
      '',
      'nc_session=',
      invented,
      `${invented}; ${owner.cookie}`,
      owner.cookie.replace('nc_', ''),
    ]) {
      expect(outcomeOf(await given.call('GET', `${AUTH}/me`, { headers: { cookie } }))).toBe('401 auth/unauthenticated')
    }
  })

  test('is listed, and ended by its person alone', async () => {
    const person = await dashboard.join(org, 'sessions@example.com', 'viewer')
    const other = await dashboard.signIn(person.email)
    const list = await person.call<{ data: { id: string; isCurrent: boolean }[] }>('GET', `${AUTH}/sessions`)
    expect(list.body.data.map(({ isCurrent }) => isCurrent)).toEqual([false, true])
    const [newest] = list.body.data
    expect(outcomeOf(await owner.call('DELETE', `${AUTH}/sessions/${newest?.id}`))).toBe('404 request/not-found')
    expect((await person.call('DELETE', `${AUTH}/sessions/${newest?.id}`)).status).toBe(200)
    expect(outcomeOf(await other.call('GET', `${AUTH}/me`))).toBe('401 auth/unauthenticated')
    const out = await person.call('POST', `${AUTH}/sign-out`)
    expect(out.headers.get('set-cookie')).toMatch(/^nc_session=; Max-Age=0;/)
    expect(outcomeOf(await person.call('GET', `${AUTH}/me`))).toBe('401 auth/unauthenticated')
  })
})

describe('a password', () => {
  test('is changed with the current one, and other sessions end', async () => {
    const person = await dashboard.join(org, 'change@example.com', 'viewer')
    const other = await dashboard.signIn(person.email)
    const change = (currentPassword: string, password: string) =>
      person.call('PUT', `${AUTH}/password`, { body: { currentPassword, password } })
    expect(outcomeOf(await change(PASSWORD, 'short'))).toBe('400 request/invalid-body')
    expect(outcomeOf(await change('wrong password', 'another password'))).toBe('401 auth/unauthenticated')
    expect((await change(PASSWORD, 'another password')).status).toBe(200)
    expect((await person.call('GET', `${AUTH}/me`)).status).toBe(200)
    expect(outcomeOf(await other.call('GET', `${AUTH}/me`))).toBe('401 auth/unauthenticated')
    expect((await dashboard.signIn(person.email, 'another password')).cookie).not.toBe('')
  })

  test('is reset once by the link in the log of this loopback server; the answer tells nothing', async () => {
    const person = await dashboard.join(org, 'forgot@example.com', 'viewer')
    const known = await dashboard.post('password-reset', { email: person.email })
    const unknown = await dashboard.post('password-reset', { email: 'nobody@example.com' })
    for (const { status, body } of [known, unknown]) {
      expect([status, body]).toEqual([202, { accepted: true, sendsMail: false }])
    }
    const token = (await vi.waitUntil(() => linkIn('password reset requested'), { timeout: 60_000 })).split('#')[1]
    const confirm = (password: string) => dashboard.post('password-reset/confirm', { token, password })
    expect(outcomeOf(await confirm('short'))).toBe('400 request/invalid-body')
    expect((await confirm('a new password')).status).toBe(200)
    expect(outcomeOf(await confirm('another new password'))).toBe('404 request/not-found')
    expect(outcomeOf(await person.call('GET', `${AUTH}/me`))).toBe('401 auth/unauthenticated')
    await dashboard.signIn(person.email, 'a new password')
    const { link } = await dashboard.cli.json<{ link: string }>(`member reset --email ${person.email}`)
    const byOperator = await dashboard.post('password-reset/confirm', { token: link.split('#')[1], password: PASSWORD })
    expect(byOperator.status).toBe(200)
  })
})

describe('an invitation', () => {
  test('is made by an admin, shown in the log, listed, and accepted once', async () => {
    const admin = await dashboard.join(org, 'admin@example.com', 'admin')
    const body = { email: 'New@Example.com', role: 'editor' }
    const path = `${AUTH}/organisations/${org}/invitations`
    const created = await admin.call('POST', path, { body })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ email: 'new@example.com', role: 'editor', linkInLog: true, mail: null })
    const link = linkIn('invitation created') ?? ''
    expect(link).toMatch(/\/dashboard\/accept-invitation#nc_invite_[\w-]{43}$/)
    expect(JSON.stringify(created.body)).not.toContain('nc_invite_')
    const token = link.split('#')[1]
    const accept = () => dashboard.post('invitations/accept', { token, name: 'New', password: PASSWORD })
    const list = await admin.call<{ data: { id: string }[] }>('GET', path)
    expect(list.body.data[0]).toMatchObject({ id: created.body.id, email: 'new@example.com' })
    const accepted = await accept()
    expect(accepted.body).toMatchObject({ person: { name: 'New' }, organisations: [{ id: org, role: 'editor' }] })
    expect(outcomeOf(await accept())).toBe('404 request/not-found')
    expect(outcomeOf(await admin.call('DELETE', `${path}/${created.body.id}`))).toBe('404 request/not-found')
    const person = dashboard.personOf('new@example.com', cookieOf(accepted))
    expect(outcomeOf(await person.call('POST', path, { body }))).toBe('403 authorization/not-allowed')
  })

  test('of a known address needs the password of that account', async () => {
    const other = (await dashboard.cli.json<{ id: string }>('org create --name Other')).id
    const person = await dashboard.join(org, 'both@example.com', 'viewer')
    const token = await dashboard.invite(other, person.email, 'owner')
    const accept = (password: string) => dashboard.post('invitations/accept', { token, password })
    expect(outcomeOf(await accept('not the password'))).toBe('401 auth/unauthenticated')
    expect((await accept(PASSWORD)).body).toMatchObject({
      organisations: [
        { id: org, role: 'viewer' },
        { id: other, role: 'owner' },
      ],
    })
  })

  test('that is revoked is refused', async () => {
    const token = await dashboard.invite(org, 'revoked@example.com', 'viewer')
    const path = `${AUTH}/organisations/${org}/invitations`
    const list = await owner.call<{ data: { id: string; email: string }[] }>('GET', path)
    const { id } = list.body.data.find(({ email }) => email === 'revoked@example.com') ?? {}
    expect((await owner.call('DELETE', `${path}/${id}`)).status).toBe(200)
    const accepted = await dashboard.post('invitations/accept', { token, password: PASSWORD })
    expect(outcomeOf(accepted)).toBe('404 request/not-found')
  })
})

test('an admin neither revokes nor replaces the invitation of an owner', async () => {
  const path = `${AUTH}/organisations/${org}/invitations`
  const admin = await dashboard.join(org, 'next-admin@example.com', 'admin')
  const made = await owner.call<{ id: string }>('POST', path, {
    body: { email: 'next-owner@example.com', role: 'owner' },
  })
  expect(made.status).toBe(201)
  const replaced = await admin.call('POST', path, { body: { email: 'next-owner@example.com', role: 'viewer' } })
  expect(outcomeOf(replaced)).toBe('403 authorization/not-allowed')
  expect(outcomeOf(await admin.call('DELETE', `${path}/${made.body.id}`))).toBe('403 authorization/not-allowed')
  expect((await owner.call('DELETE', `${path}/${made.body.id}`)).status).toBe(200)
})

describe('members', () => {
  const path = () => `${AUTH}/organisations/${org}/members`
  const idOf = async (person: DashboardPerson) =>
    (await person.call<{ person: { id: string } }>('GET', `${AUTH}/me`)).body.person.id

  test('are listed for each role in pages, and for nobody of another organisation', async () => {
    const other = (await dashboard.cli.json<{ id: string }>('org create --name Elsewhere')).id
    const stranger = await dashboard.join(other, 'stranger@example.com', 'owner')
    const first = await owner.call<{ data: object[]; nextCursor: string }>('GET', `${path()}?limit=1`)
    expect(first.body.data).toHaveLength(1)
    expect((await owner.call('GET', `${path()}?limit=1&cursor=${first.body.nextCursor}`)).status).toBe(200)
    for (const id of [org, 'org_00000000000', 'org_', '%E0']) {
      const answer = await stranger.call('GET', `${AUTH}/organisations/${id}/members`)
      expect(outcomeOf(answer)).toBe('403 authorization/organisation-not-authorized-for-this-user')
    }
    const foreignCursor = await stranger.call(
      'GET',
      `${AUTH}/organisations/${other}/members?cursor=${first.body.nextCursor}`,
    )
    expect(outcomeOf(foreignCursor)).toBe('400 request/invalid-query')
  })

  test('an admin manages members up to admins; only owners manage owners', async () => {
    const admin = await dashboard.join(org, 'manager@example.com', 'admin')
    const viewer = await dashboard.join(org, 'managed@example.com', 'viewer')
    const [viewerId, ownerId] = [await idOf(viewer), await idOf(owner)]
    const change = (by: DashboardPerson, id: string, role: string) =>
      by.call('PUT', `${path()}/${id}`, { body: { role } })
    expect(outcomeOf(await change(viewer, viewerId, 'owner'))).toBe('403 authorization/not-allowed')
    expect(outcomeOf(await change(admin, viewerId, 'owner'))).toBe('403 authorization/not-allowed')
    expect(outcomeOf(await change(admin, ownerId, 'viewer'))).toBe('403 authorization/not-allowed')
    expect(outcomeOf(await admin.call('DELETE', `${path()}/${ownerId}`))).toBe('403 authorization/not-allowed')
    expect((await change(admin, viewerId, 'editor')).body).toMatchObject({ role: 'editor' })
    expect(outcomeOf(await change(admin, 'per_00000000000', 'viewer'))).toBe('404 user/not-found')
    expect(outcomeOf(await change(owner, ownerId, 'viewer'))).toBe('409 request/conflict')
    expect(outcomeOf(await owner.call('DELETE', `${path()}/${ownerId}`))).toBe('409 request/conflict')
    const entries = await dashboard.cli.json<{ action: string; who: string; actor: string }[]>(
      `audit list --org ${org} --action member.change-role`,
    )
    expect(entries[0]).toMatchObject({ actor: 'dashboard', who: 'manager@example.com' })
  })

  test('a removed member has no session a second later, removed by the command line too', async () => {
    const [first, second, leaving] = [
      await dashboard.join(org, 'removed1@example.com', 'editor'),
      await dashboard.join(org, 'removed2@example.com', 'editor'),
      await dashboard.join(org, 'leaving@example.com', 'viewer'),
    ]
    expect((await owner.call('DELETE', `${path()}/${await idOf(first)}`)).status).toBe(200)
    await dashboard.cli.json(`member remove --org ${org} --email ${second.email} --yes`)
    expect((await leaving.call('DELETE', `${path()}/${await idOf(leaving)}`)).status).toBe(200)
    for (const person of [first, second, leaving]) {
      const read = async () => outcomeOf(await person.call('GET', `${AUTH}/me`))
      await within(1000, async () => expect(await read()).toBe('401 auth/unauthenticated'))
    }
    const { out } = await dashboard.cli.nc(`member list --org ${org}`)
    expect(out).not.toContain('removed')
  })

  test('removed from one of several organisations stay signed in, and lose that organisation within a second', async () => {
    const other = (await dashboard.cli.json<{ id: string }>('org create --name Kept')).id
    const person = await dashboard.join(org, 'several@example.com', 'editor')
    const accepted = await dashboard.post('invitations/accept', {
      token: await dashboard.invite(other, person.email, 'owner'),
      password: PASSWORD,
    })
    expect(accepted.status).toBe(200)
    const environment = `/v1/dashboard/environments/${given.demo.environments.dev.id}/campaigns`
    expect((await person.call('GET', environment)).status).toBe(200)
    expect((await owner.call('DELETE', `${path()}/${await idOf(person)}`)).status).toBe(200)
    const refused = '403 authorization/organisation-not-authorized-for-this-user'
    await within(1000, async () => expect(outcomeOf(await person.call('GET', path()))).toBe(refused))
    expect(outcomeOf(await person.call('GET', environment))).toBe(refused)
    expect((await person.call('GET', `${AUTH}/me`)).body).toMatchObject({ organisations: [{ id: other }] })
    expect((await person.call('GET', `${AUTH}/organisations/${other}/members`)).status).toBe(200)
  })
})

test('a server that browsers reach by HTTPS has the prefixed cookie, and shows no link', async () => {
  const lines: string[] = []
  const writeLog = (line: string) => void lines.push(line)
  const secure = await givenEdge({ PUBLIC_URL: 'https://notifications.example.com' }, { writeLog })
  try {
    const { email, password } = secure.demo.dashboard
    const remote = givenDashboard(secure)
    const answer = await remote.post('sign-in', { email, password })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-nc_session=nc_dash_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      expect.stringMatching(/^__Host-nc_device=nc_device_[\w-]+; .*; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ])
    const person = remote.personOf(email, cookieOf(answer))
    const path = `${AUTH}/organisations/${secure.demo.organisation.id}/invitations`
    const created = await person.call('POST', path, { body: { email: 'a@example.com', role: 'viewer' } })
    expect(created.body).toMatchObject({ linkInLog: false })
    expect((await remote.post('password-reset', { email })).status).toBe(202)
    // Whoever reads the log must not become the person.
    await expect.poll(() => lines.join('')).toContain('nc -- member reset')
    expect(lines.join('')).toContain('nc -- member invite')
    expect(lines.join('')).not.toMatch(/nc_reset_|nc_invite_|dashboard\/(reset-password|accept-invitation)/)
  } finally {
    await secure.stop()
  }
})
