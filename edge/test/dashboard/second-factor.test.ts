// Tests one-time codes and recovery codes of the dashboard on a running edge.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type GivenEdge, givenEdge } from '../support/given.ts'
import { cookieOf, type DashboardPerson, givenDashboard, PASSWORD } from '../support/given-dashboard.ts'
import { codeAt, joinProtected } from '../support/given-second-factor.ts'

const AUTH = '/v1/dashboard/auth'
const FAR_MS = 30 * 24 * 60 * 60 * 1000

let given: GivenEdge
let dashboard: ReturnType<typeof givenDashboard>
let org: string
beforeAll(async () => {
  given = await givenEdge()
  dashboard = givenDashboard(given)
  org = given.demo.organisation.id
})
afterAll(() => given.stop())

const outcomeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
  [status, body.code, body.reason].filter((part) => part !== undefined).join(' ')
const me = async (person: DashboardPerson) => outcomeOf(await person.call('GET', `${AUTH}/me`))

/** The second step of a sign-in, with the cookie of the first one. */
const answer = (first: Pick<Answer, 'headers'>, code: string) =>
  given.call('POST', `${AUTH}/sign-in/second-factor`, {
    body: { code },
    headers: { 'x-nc-request': '1', cookie: cookieOf(first) },
  })
const signIn = (email: string, more = {}) => dashboard.post('sign-in', { email, password: PASSWORD, ...more })

describe('one-time codes', () => {
  test('are switched on by a first code, which ends the other sessions', async () => {
    const person = await dashboard.join(org, 'enrol@example.com', 'editor')
    const other = await dashboard.signIn(person.email)
    const begin = (password: string) => person.call('POST', `${AUTH}/totp`, { body: { password } })
    const confirm = (code: string) => person.call('POST', `${AUTH}/totp/confirm`, { body: { code } })
    expect(outcomeOf(await confirm('123456'))).toBe('409 request/conflict second-factor-not-begun')
    expect(outcomeOf(await begin('not the password'))).toBe('401 auth/unauthenticated wrong-credentials')
    const { status, body } = await begin(PASSWORD)
    expect(status).toBe(201)
    expect(body.url).toContain(String(body.secret))
    expect(outcomeOf(await confirm(codeAt(String(body.secret), FAR_MS)))).toBe('401 auth/unauthenticated wrong-code')
    // Not confirmed: the sign-in asks for no code yet.
    expect((await signIn(person.email)).body).toHaveProperty('person')
    const confirmed = await confirm(codeAt(String(body.secret), Date.now()))
    expect(confirmed.body.recoveryCodes).toHaveLength(10)
    expect(await me(person)).toBe('200')
    expect(await me(other)).toBe('401 auth/unauthenticated')
    const state = await person.call('GET', `${AUTH}/second-factor`)
    expect(state.body).toMatchObject({ totp: { isOn: true }, recoveryCodesLeft: 10 })
    expect(outcomeOf(await begin(PASSWORD))).toBe('409 request/conflict second-factor-on')
  })

  test('are asked for at sign-in: a challenge is no session', async () => {
    const { person, nextCode } = await joinProtected(dashboard, org, 'steps@example.com')
    const first = await signIn(person.email)
    expect([first.status, Object.keys(first.body)]).toEqual([200, ['secondFactor']])
    expect(first.headers.get('set-cookie')).toMatch(
      /^nc_second_factor=nc_chal_[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const token = cookieOf(first).split('=')[1] ?? ''
    expect(await me(dashboard.personOf(person.email, `nc_session=${token}`))).toBe('401 auth/unauthenticated')
    expect(await me(dashboard.personOf(person.email, cookieOf(first)))).toBe('401 auth/unauthenticated')
    const code = nextCode()
    expect(outcomeOf(await answer({ headers: new Headers() }, code))).toBe('401 auth/unauthenticated challenge-ended')
    const done = await answer(first, code)
    expect(done.body).toMatchObject({ person: { email: person.email } })
    expect(await me(dashboard.personOf(person.email, cookieOf(done)))).toBe('200')
    expect(outcomeOf(await answer(first, nextCode()))).toBe('401 auth/unauthenticated challenge-ended')
  })

  test('are taken in the same call, and none is taken twice, not at the same moment', async () => {
    const { person, nextCode } = await joinProtected(dashboard, org, 'once@example.com')
    const code = nextCode()
    const answers = await Promise.all([1, 2, 3].map(() => signIn(person.email, { code })))
    const used = '401 auth/unauthenticated wrong-code'
    expect(answers.map(outcomeOf).sort()).toEqual(['200', used, used])
    expect(outcomeOf(await signIn(person.email, { code }))).toBe(used)
    const fresh = nextCode()
    expect(outcomeOf(await signIn(person.email, { code: `${fresh.slice(0, 3)} ${fresh.slice(3)}` }))).toBe('200')
  })

  test('are limited: a challenge takes five, and an account makes each further attempt wait', async () => {
    const { person } = await joinProtected(dashboard, org, 'guess@example.com')
    const first = await signIn(person.email)
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(outcomeOf(await answer(first, '000000'))).toBe('401 auth/unauthenticated wrong-code')
    }
    expect((await answer(first, '000000')).status).toBe(429)
    const second = await signIn(person.email)
    // At the same moment: the wait after the first of them is two seconds or more.
    const limited = await Promise.all([answer(second, '000000'), answer(second, '000000')])
    const refused = limited.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  })

  test('are switched off with password and code', async () => {
    const { person, nextCode } = await joinProtected(dashboard, org, 'off@example.com')
    const off = (password: string, code: string) =>
      person.call('POST', `${AUTH}/totp/off`, { body: { password, code } })
    const code = nextCode()
    expect(outcomeOf(await off('not the password', code))).toBe('401 auth/unauthenticated wrong-credentials')
    expect(outcomeOf(await off(PASSWORD, '000000'))).toBe('401 auth/unauthenticated wrong-code')
    const done = await off(PASSWORD, code)
    expect(done.body).toEqual({ totp: { isOn: false, since: null }, recoveryCodesLeft: 0 })
    expect((await signIn(person.email)).body).toHaveProperty('person')
    expect(outcomeOf(await off(PASSWORD, nextCode()))).toBe('409 request/conflict second-factor-off')
  })

  test('are asked for after an invitation of a known account, and after a reset of the password', async () => {
    const { person, nextCode } = await joinProtected(dashboard, org, 'invited@example.com')
    const other = (await dashboard.cli.json<{ id: string }>('org create --name Second')).id
    const token = await dashboard.invite(other, person.email, 'viewer')
    const accepted = await dashboard.post('invitations/accept', { token, password: PASSWORD })
    expect(Object.keys(accepted.body)).toEqual(['secondFactor'])
    const done = await answer(accepted, nextCode())
    expect(done.body).toMatchObject({ organisations: [{ id: org }, { id: other }] })
    const { link } = await dashboard.cli.json<{ link: string }>(`member reset --email ${person.email}`)
    const reset = { token: link.split('#')[1], password: PASSWORD }
    // A challenge of the former password ends with it.
    const former = await signIn(person.email)
    expect((await dashboard.post('password-reset/confirm', reset)).status).toBe(200)
    expect(outcomeOf(await answer(former, nextCode()))).toBe('401 auth/unauthenticated')
    expect(Object.keys((await signIn(person.email)).body)).toEqual(['secondFactor'])
  })
})

describe('recovery codes', () => {
  test('sign in once each, and are renewed with password and code', async () => {
    const { person, recoveryCodes, nextCode } = await joinProtected(dashboard, org, 'recover@example.com')
    const [first = '', second = '', third = ''] = recoveryCodes
    expect(outcomeOf(await signIn(person.email, { code: first.toUpperCase() }))).toBe('200')
    expect(outcomeOf(await signIn(person.email, { code: first }))).toBe('401 auth/unauthenticated wrong-code')
    const challenge = await signIn(person.email)
    expect(outcomeOf(await answer(challenge, second))).toBe('200')
    const state = async () => (await person.call('GET', `${AUTH}/second-factor`)).body.recoveryCodesLeft
    expect(await state()).toBe(8)
    const body = { password: PASSWORD, code: nextCode() }
    const renewed = await person.call<{ recoveryCodes: string[] }>('POST', `${AUTH}/recovery-codes`, { body })
    expect(renewed.status).toBe(201)
    expect(outcomeOf(await signIn(person.email, { code: third }))).toBe('401 auth/unauthenticated wrong-code')
    expect(outcomeOf(await signIn(person.email, { code: renewed.body.recoveryCodes[0] ?? '' }))).toBe('200')
    expect(await state()).toBe(9)
  })

  test('and one-time codes are switched off by the operator; all of it is in the audit log', async () => {
    const { person, recoveryCodes } = await joinProtected(dashboard, org, 'locked@example.com')
    await signIn(person.email, { code: recoveryCodes[0] })
    const { nc } = dashboard.cli
    const command = `member totp-off --email ${person.email}`
    expect((await nc(command)).code).toBe(2)
    expect((await nc(`${command} --yes`)).out).toContain('signs in without a code')
    expect((await nc(`${command} --yes`)).code).toBe(1)
    expect((await signIn(person.email)).body).toHaveProperty('person')
    const entries = await dashboard.cli.json<{ action: string; who: string; subject: string; detail: object }[]>(
      'audit list --action person --limit 3',
    )
    expect(entries.map(({ action }) => action)).toEqual([
      'person.reset-totp',
      'person.use-recovery-code',
      'person.enable-totp',
    ])
    expect(entries[2]).toMatchObject({ who: person.email, detail: { before: 'off', after: 'on' } })
    expect(entries[0]).toMatchObject({ subject: person.email, detail: { before: 'on', after: 'off' } })
  })
})
