// Tests passkeys in a real Chromium with a virtual authenticator, on an edge that browsers reach as localhost.
// SQLite alone: the store's suite keeps passkeys on both engines.

import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHROMIUM_FLAGS, programPath } from '../../../tools/programs/programs.ts'
import { findFreePort } from '../../../tools/servers/server-process.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenDashboard, PASSWORD } from '../support/given-dashboard.ts'
import { joinProtected } from '../support/given-second-factor.ts'
import { type GivenSmtp, givenSmtp } from '../support/given-smtp.ts'

const AUTH = '/v1/dashboard/auth'

let given: GivenEdge
let dashboard: ReturnType<typeof givenDashboard>
let browser: Browser
let smtp: GivenSmtp
let site: string
beforeAll(async () => {
  const port = await findFreePort()
  site = `http://localhost:${port}`
  smtp = await givenSmtp()
  const mail = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}?tls=none`, OUTBOUND_ALLOW: '127.0.0.0/8' }
  given = await givenEdge({ PORT: String(port), PUBLIC_URL: site, ...mail })
  dashboard = givenDashboard(given)
  // Its log has an id of the virtual device, which looks like a token.
  const args = [...CHROMIUM_FLAGS, '--log-level=3']
  browser = await chromium.launch({ executablePath: programPath('chromium'), args })
})
afterAll(async () => {
  await browser?.close()
  await given?.stop()
  await smtp?.stop()
})

interface Outcome {
  status: number
  body: Record<string, unknown>
}

/** Opens a page of the site in a new browser profile with a device that verifies its user. */
async function openPage() {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${site}/healthz`)
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { context, page, cdp, authenticatorId }
}

/** Calls the API as a script of the page does. */
function call(page: Page, method: string, path: string, body: unknown = undefined): Promise<Outcome> {
  return page.evaluate(
    async ([method, path, body]) => {
      const headers = { 'content-type': 'application/json', 'x-nc-request': '1' }
      const response = await fetch(path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
    [method, `${AUTH}/${path}`, body] as const,
  )
}

/** Lets the device answer options, in the form that is sent to the server. */
function register(page: Page, options: object): Promise<object> {
  return page.evaluate(async (given) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(given as PublicKeyCredentialCreationOptionsJSON)
    return ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON() as object
  }, options)
}
function assert(page: Page, options: object): Promise<{ id: string }> {
  return page.evaluate(async (given) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(given as PublicKeyCredentialRequestOptionsJSON)
    return ((await navigator.credentials.get({ publicKey })) as PublicKeyCredential).toJSON() as { id: string }
  }, options)
}

async function addPasskey(page: Page, name: string): Promise<Outcome> {
  const { body: options } = await call(page, 'POST', 'passkeys/options', { password: PASSWORD })
  return call(page, 'POST', 'passkeys', { name, response: await register(page, options) })
}
const signInByPassword = (page: Page, email: string) => call(page, 'POST', 'sign-in', { email, password: PASSWORD })
async function signInByPasskey(page: Page): Promise<Outcome> {
  const { body: options } = await call(page, 'POST', 'sign-in/passkey/options')
  return call(page, 'POST', 'sign-in/passkey', await assert(page, options))
}
const outcomeOf = ({ status, body }: Outcome) =>
  [status, body.code, body.reason].filter((part) => part !== undefined).join(' ')

/** Makes a page with a signed-in person who has one passkey. */
async function openWithPasskey(email: string) {
  await dashboard.join(given.demo.organisation.id, email, 'editor')
  const opened = await openPage()
  await signInByPassword(opened.page, email)
  const added = await addPasskey(opened.page, 'Laptop')
  if (added.status !== 201) throw new Error(`passkey refused: ${JSON.stringify(added.body)}`)
  return { ...opened, id: String(added.body.id) }
}

const countOf = async (cdp: CDPSession, authenticatorId: string) =>
  (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials

test('a person registers a passkey, signs in with it alone, renames and removes it', async () => {
  const { page, context, id } = await openWithPasskey('passkey@example.com')
  expect(id).toMatch(/^pky_/)
  await call(page, 'POST', 'sign-out')
  expect(outcomeOf(await call(page, 'GET', 'me'))).toBe('401 auth/unauthenticated')
  const signedIn = await signInByPasskey(page)
  expect(signedIn.body).toMatchObject({ person: { email: 'passkey@example.com' }, session: { organisationId: null } })
  expect((await call(page, 'GET', 'me')).status).toBe(200)
  const cookies = await context.cookies()
  expect(cookies.find(({ name }) => name === 'nc_passkey')).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  const { body } = await call(page, 'GET', 'passkeys')
  expect(body.data).toMatchObject([{ id, name: 'Laptop', lastUsedAt: expect.any(String) }])
  expect((await call(page, 'PUT', `passkeys/${id}`, { name: 'Desk' })).body).toMatchObject({ name: 'Desk' })
  expect((await call(page, 'DELETE', `passkeys/${id}`)).body).toEqual({ deleted: true })
  expect(outcomeOf(await call(page, 'DELETE', `passkeys/${id}`))).toBe('404 request/not-found')
  await call(page, 'POST', 'sign-out')
  // The device still has it, but the server does not.
  expect(outcomeOf(await signInByPasskey(page))).toBe('401 auth/unauthenticated unknown-passkey')
  const entries = await dashboard.cli.json<{ action: string; who: string; detail: object }[]>(
    'audit list --action passkey --limit 3',
  )
  expect(entries.map(({ action }) => action)).toEqual(['passkey.remove', 'passkey.rename', 'passkey.add'])
  expect(entries[1]).toMatchObject({ who: 'passkey@example.com', detail: { from: 'Laptop', to: 'Desk' } })
})

test('a passkey that is added or removed is mailed to its person', async () => {
  const email = 'informed@example.com'
  const { page, id } = await openWithPasskey(email)
  const subjects = () => smtp.mails.filter(({ to }) => to[0] === email).map(({ parsed }) => parsed.subject)
  const invited = 'Invitation to Demo'
  await expect.poll(subjects).toEqual([invited, 'A passkey was added'])
  expect((await call(page, 'DELETE', `passkeys/${id}`)).body).toEqual({ deleted: true })
  await expect.poll(subjects).toEqual([invited, 'A passkey was added', 'A passkey was removed'])
  // EMAIL_FROM is not set.
  expect(smtp.mails[0]?.from).toBe('no-reply@localhost')
})

test('a reset keeps passkeys, or removes them for whoever lost the account to somebody', async () => {
  const email = 'robbed@example.com'
  const { page, id } = await openWithPasskey(email)
  async function reset(more: object) {
    const { link } = await dashboard.cli.json<{ link: string }>(`member reset --email ${email}`)
    return dashboard.post('password-reset/confirm', { token: link.split('#')[1], password: PASSWORD, ...more })
  }
  expect((await reset({})).body).toEqual({ changed: true, passkeysRemoved: 0 })
  expect((await signInByPasskey(page)).status).toBe(200)
  expect(outcomeOf(await reset({ removePasskeys: 'yes' }))).toBe('400 request/invalid-body')
  expect((await reset({ removePasskeys: true })).body).toEqual({ changed: true, passkeysRemoved: 1 })
  expect(outcomeOf(await call(page, 'GET', 'me'))).toBe('401 auth/unauthenticated')
  expect(outcomeOf(await signInByPasskey(page))).toBe('401 auth/unauthenticated unknown-passkey')
  const subjects = () => smtp.mails.filter(({ to }) => to[0] === email).map(({ parsed }) => parsed.subject)
  await expect.poll(subjects).toContain('All passkeys were removed')
  const entries = await dashboard.cli.json<{ action: string; subject: string }[]>('audit list --limit 2')
  expect(entries).toMatchObject([{ action: 'passkey.remove', subject: id }, { action: 'person.reset-password' }])
})

test('an answer works once, for its challenge and in its browser', async () => {
  const { page } = await openWithPasskey('replay@example.com')
  const { body: options } = await call(page, 'POST', 'sign-in/passkey/options')
  const answer = await assert(page, options)
  const elsewhere = await dashboard.post('sign-in/passkey', answer)
  expect(outcomeOf(elsewhere)).toBe('401 auth/unauthenticated challenge-ended')
  expect((await call(page, 'POST', 'sign-in/passkey', answer)).status).toBe(200)
  expect(outcomeOf(await call(page, 'POST', 'sign-in/passkey', answer))).toBe(
    '401 auth/unauthenticated challenge-ended',
  )
  await call(page, 'POST', 'sign-in/passkey/options')
  // An answer to the former challenge.
  expect(outcomeOf(await call(page, 'POST', 'sign-in/passkey', answer))).toBe(
    '401 auth/unauthenticated unknown-passkey',
  )
})

test('a device whose counter went back is refused, as a copy would be', async () => {
  const { page, cdp, authenticatorId } = await openWithPasskey('copied@example.com')
  expect((await signInByPasskey(page)).status).toBe(200)
  expect((await signInByPasskey(page)).status).toBe(200)
  const [credential] = await countOf(cdp, authenticatorId)
  if (credential === undefined) throw new Error('The device has no credential.')
  expect(credential.signCount).toBeGreaterThan(2)
  await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: credential.credentialId })
  await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount: 1 } })
  expect(outcomeOf(await signInByPasskey(page))).toBe('401 auth/unauthenticated unknown-passkey')
})

test('a registration needs the password, and its answer belongs to the person who began it', async () => {
  const { page } = await openWithPasskey('first@example.com')
  const wrong = await call(page, 'POST', 'passkeys/options', { password: 'not the password' })
  expect(outcomeOf(wrong)).toBe('401 auth/unauthenticated wrong-credentials')
  // The device has a passkey of this person already.
  const { body: options } = await call(page, 'POST', 'passkeys/options', { password: PASSWORD })
  await expect(register(page, options)).rejects.toThrow(/InvalidStateError|excluded|previously registered/i)
  const other = await openPage()
  await dashboard.join(given.demo.organisation.id, 'second@example.com', 'viewer')
  await signInByPassword(other.page, 'second@example.com')
  const begun = await call(other.page, 'POST', 'passkeys/options', { password: PASSWORD })
  const response = await register(other.page, begun.body)
  await signInByPassword(other.page, 'first@example.com')
  const taken = await call(other.page, 'POST', 'passkeys', { name: 'Taken', response })
  expect(outcomeOf(taken)).toBe('401 auth/unauthenticated challenge-ended')
})

test('a passkey, which is two factors, signs in a person with one-time codes', async () => {
  const { person, nextCode } = await joinProtected(dashboard, given.demo.organisation.id, 'both@example.com')
  const { page } = await openPage()
  await call(page, 'POST', 'sign-in', { email: person.email, password: PASSWORD, code: nextCode() })
  expect((await addPasskey(page, 'Phone')).status).toBe(201)
  await call(page, 'POST', 'sign-out')
  expect((await signInByPasskey(page)).body).toMatchObject({ person: { email: person.email } })
})

test('where browsers reach the server by an IP address, the answer says that passkeys need a host name', async () => {
  const other = await givenEdge()
  try {
    const remote = givenDashboard(other)
    const answer = await remote.post('sign-in/passkey/options', {})
    expect(outcomeOf(answer)).toBe('409 request/conflict passkeys-need-host-name')
    expect(answer.body.message).toContain('PUBLIC_URL has the address 127.0.0.1')
  } finally {
    await other.stop()
  }
})
