// Tests that strangers who guess passwords and codes do not keep people out of their own accounts.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type GivenEdge, givenEdge } from '../support/given.ts'
import { givenDashboard, outcomeOf, PASSWORD } from '../support/given-dashboard.ts'
import { joinProtected } from '../support/given-second-factor.ts'

const AUTH = '/v1/dashboard/auth'
const WRONG = '401 auth/unauthenticated wrong-credentials'
const LIMITED = '429 request/rate-limited'

let given: GivenEdge
let dashboard: ReturnType<typeof givenDashboard>
let org: string
beforeAll(async () => {
  given = await givenEdge({ TRUSTED_PROXIES: '1' })
  dashboard = givenDashboard(given)
  org = given.demo.organisation.id
})
afterAll(() => given.stop())

let addresses = 0
/** An address that no other test uses: each has its own limits. */
const newAddress = () => `198.51.${100 + Math.floor(++addresses / 250)}.${addresses % 250}`

const post = (path: string, body: object, from: string, cookie = '') =>
  given.call('POST', `${AUTH}/${path}`, { body, headers: { 'x-nc-request': '1', 'x-forwarded-for': from, cookie } })
const signIn = (email: string, from: string, more: { password?: string; cookie?: string; code?: string } = {}) => {
  const { cookie, ...given } = { password: PASSWORD, ...more }
  return post('sign-in', { email, ...given }, from, cookie)
}
const deviceIn = ({ headers }: Pick<Answer, 'headers'>) =>
  headers
    .getSetCookie()
    .find((line) => line.startsWith('nc_device='))
    ?.split(';')[0] ?? ''

/** Signs in as a browser that keeps its device cookie. */
async function knownBrowser(email: string): Promise<string> {
  const device = deviceIn(await signIn(email, newAddress()))
  expect(device).toMatch(/^nc_device=nc_device_/)
  return device
}

/** Tries wrong passwords at the same moment. Returns how often each outcome occurred. */
async function guess(email: string, from: string, times: number, cookie = '') {
  const answers = await Promise.all(
    Array.from({ length: times }, () => signIn(email, from, { password: 'wrong password', cookie })),
  )
  const outcomes = answers.map(outcomeOf)
  return { wrong: outcomes.filter((one) => one === WRONG).length, total: outcomes.length }
}

/** Uses up the attempts that an account has from all unknown addresses. */
async function guessFromEverywhere(email: string): Promise<void> {
  for (let network = 0; network < 12; network++) {
    expect(await guess(email, newAddress(), 5)).toEqual({ wrong: 5, total: 5 })
  }
}
const join = (email: string) => dashboard.join(org, email, 'editor')

describe('wrong passwords', () => {
  test('64 of them from one address leave the account open elsewhere', async () => {
    const { email } = await join('one-address@example.com')
    expect(await guess(email, newAddress(), 64)).toEqual({ wrong: 5, total: 64 })
    expect((await signIn(email, newAddress())).status).toBe(200)
  })

  test('from many addresses close the account to unknown browsers, and not to one that signed in before', async () => {
    const { email } = await join('many-addresses@example.com')
    const device = await knownBrowser(email)
    await guessFromEverywhere(email)
    expect(outcomeOf(await signIn(email, newAddress()))).toBe(LIMITED)
    expect((await signIn(email, newAddress(), { cookie: device })).status).toBe(200)
  })

  test('in a browser that signed in before are limited to five a minute, also from other addresses', async () => {
    const { email } = await join('own-guesses@example.com')
    const device = await knownBrowser(email)
    const outcomes: string[] = []
    for (let attempt = 0; attempt < 6; attempt++) {
      outcomes.push(outcomeOf(await signIn(email, newAddress(), { password: 'wrong password', cookie: device })))
    }
    expect(outcomes).toEqual([...Array(5).fill(WRONG), LIMITED])
    // They are not those of anybody else.
    expect((await signIn(email, newAddress())).status).toBe(200)
  })

  test('for many accounts from one address are limited by the address', async () => {
    const from = newAddress()
    const outcomes: string[] = []
    for (let account = 0; account < 62; account++) {
      outcomes.push(outcomeOf(await signIn(`sprayed${account}@example.com`, from, { password: 'wrong password' })))
    }
    expect(outcomes.slice(0, 60).every((one) => one === WRONG)).toBe(true)
    expect(outcomes.slice(60)).toEqual([LIMITED, LIMITED])
  })

  test('of strangers do not keep a signed-in person from a new password', async () => {
    const person = await join('signed-in@example.com')
    const from = newAddress()
    await guessFromEverywhere(person.email)
    await guess(person.email, from, 5)
    const change = (currentPassword: string) =>
      person.call('PUT', `${AUTH}/password`, {
        body: { currentPassword, password: 'another password' },
        headers: { 'x-forwarded-for': from },
      })
    for (let attempt = 0; attempt < 4; attempt++) expect(outcomeOf(await change('wrong password'))).toBe(WRONG)
    expect((await change(PASSWORD)).status).toBe(200)
    for (let attempt = 0; attempt < 5; attempt++) await change('wrong password')
    expect(outcomeOf(await change('another password'))).toBe(LIMITED)
  })
})

describe('a device cookie', () => {
  /** Whether it opens the account after strangers have closed it. */
  const opens = async (email: string, cookie: string, password = PASSWORD) =>
    outcomeOf(await signIn(email, newAddress(), { cookie, password }))

  test('of another account, changed, or without a signature is no device cookie', async () => {
    const [{ email }, other] = [await join('owner-of-device@example.com'), await join('other-device@example.com')]
    const [device, foreign] = [await knownBrowser(email), await knownBrowser(other.email)]
    const [name = '', token = ''] = device.split('=')
    const text = Buffer.from(token.replace('nc_device_', ''), 'base64url').toString('utf8')
    const encode = (changed: string) => `${name}=nc_device_${Buffer.from(changed, 'utf8').toString('base64url')}`
    const [id = '', issuedAt = '', random = '', signature = ''] = text.split('.')
    await guessFromEverywhere(email)
    expect(await opens(email, encode(text))).toBe('200')
    for (const cookie of [
      foreign,
      encode([id, Number(issuedAt) + 1, random, signature].join('.')),
      encode([id, issuedAt, `${random}A`, signature].join('.')),
      encode([id, issuedAt, random, ''].join('.')),
      encode([id, issuedAt, random].join('.')),
      `${name}=nc_device_${'A'.repeat(60)}`,
      `${name}=`,
    ]) {
      expect(await opens(email, cookie)).toBe(LIMITED)
    }
  })

  test('ends with a new password, and with a reset; the browser of the change gets another one', async () => {
    const person = await join('new-password@example.com')
    const { email } = person
    const device = await knownBrowser(email)
    const body = { currentPassword: PASSWORD, password: 'another password' }
    const renewed = deviceIn(await person.call('PUT', `${AUTH}/password`, { body }))
    await guessFromEverywhere(email)
    expect(await opens(email, device, 'another password')).toBe(LIMITED)
    expect(await opens(email, renewed, 'another password')).toBe('200')
    const { link } = await dashboard.cli.json<{ link: string }>(`member reset --email ${email}`)
    const reset = { token: link.split('#')[1], password: PASSWORD }
    expect((await post('password-reset/confirm', reset, newAddress())).status).toBe(200)
    expect(await opens(email, renewed)).toBe(LIMITED)
  })

  test('stays after the sign-out', async () => {
    const person = await join('signed-out@example.com')
    const signedOut = await person.call('POST', `${AUTH}/sign-out`)
    expect(signedOut.headers.getSetCookie().filter((line) => line.startsWith('nc_device='))).toEqual([])
  })
})

describe('wrong codes', () => {
  const enter = async (first: Answer, code: string, device = '') => {
    const challenge = first.headers.get('set-cookie')?.split(';')[0] ?? ''
    return post('sign-in/second-factor', { code }, newAddress(), `${challenge}; ${device}`)
  }

  test('of somebody who has the password do not make the person wait in an own browser', async () => {
    const { person, nextCode } = await joinProtected(dashboard, org, 'guessed-codes@example.com')
    const { email } = person
    const signedIn = await enter(await signIn(email, newAddress()), nextCode())
    const device = deviceIn(signedIn)
    // As many as it takes until the account waits for minutes.
    const guesses = Array.from({ length: 12 }, () => signIn(email, newAddress(), { code: '000000' }))
    const outcomes = (await Promise.all(guesses)).map(outcomeOf)
    expect(outcomes).toContain(LIMITED)
    const code = nextCode()
    expect(outcomeOf(await enter(await signIn(email, newAddress()), code))).toBe(LIMITED)
    expect((await enter(await signIn(email, newAddress(), { cookie: device }), code, device)).status).toBe(200)
  })
})

describe('requests of a reset', () => {
  test('of strangers from many addresses leave the person the own one', async () => {
    const { email } = await join('flooded-resets@example.com')
    const request = async (from: string) => outcomeOf(await post('password-reset', { email }, from))
    for (let network = 0; network < 13; network++) {
      const from = newAddress()
      for (let times = 0; times < 5; times++) expect(await request(from)).toBe('202')
      expect(await request(from)).toBe(LIMITED)
    }
    expect(await request(newAddress())).toBe('202')
  })
})
