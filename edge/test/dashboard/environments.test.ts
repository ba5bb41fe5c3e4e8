// Tests settings and secrets of environments by people, and the check of user tokens.

import { createHmac } from 'node:crypto'
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type DashboardPerson, givenDashboard, outcomeOf } from '../support/given-dashboard.ts'
import { givenNc } from '../support/given-nc.ts'
import { within } from '../support/within.ts'

interface Created {
  id: string
  secrets: Record<'sdkSecretKey' | 'authSecretKey' | 'frontApiKey' | 'webhookSigningSecret', string>
}

let given: GivenEdge
let dashboard: ReturnType<typeof givenDashboard>
let admin: DashboardPerson
let org: string
beforeAll(async () => {
  given = await givenEdge({ REGION_HOSTS: 'eu=https://eu.example.com' })
  dashboard = givenDashboard(given)
  org = given.demo.organisation.id
  admin = await dashboard.join(org, 'admin@example.com', 'admin')
})
afterAll(() => given.stop())

async function create(name: string, settings: object = {}): Promise<Created & { path: string }> {
  const path = `/v1/dashboard/organisations/${org}/environments`
  const { status, body } = await admin.call<Created>('POST', path, { body: { name, ...settings } })
  expect(status).toBe(201)
  return { ...body, path: `/v1/dashboard/environments/${body.id}` }
}

const list = (key: string) => given.call('GET', '/v1/campaigns', { key })

describe('an environment', () => {
  test('is created with keys that work, which no other answer has', async () => {
    const made = await create('staging', { isProduction: true, allowedOrigins: ['https://shop.example'] })
    expect(made).toMatchObject({
      name: 'staging',
      organisation: org,
      isProduction: true,
      sdkKeyMayManage: false,
      host: 'https://eu.example.com',
      state: 'enabled',
    })
    expect((await list(made.secrets.sdkSecretKey)).status).toBe(200)
    const read = await admin.call('GET', made.path)
    expect(read.body).toMatchObject({ id: made.id, frontApiKey: made.secrets.frontApiKey })
    const all = await admin.call<{ data: { id: string; name: string }[] }>(
      'GET',
      `/v1/dashboard/organisations/${org}/environments`,
    )
    expect(all.body.data.map(({ name }) => name)).toEqual(['staging', 'prod', 'dev'])
    for (const { body } of [read, all]) {
      for (const kind of ['sdkSecretKey', 'authSecretKey', 'webhookSigningSecret'] as const) {
        expect(JSON.stringify(body)).not.toContain(made.secrets[kind])
      }
    }
  })

  test('has a name of its own in the organisation, and the refusal names the field', async () => {
    const path = `/v1/dashboard/organisations/${org}/environments`
    const results = await Promise.all(
      ['Twin', ' twin'].map((name) => admin.call<{ id: string }>('POST', path, { body: { name } })),
    )
    expect(results.map(outcomeOf).sort()).toEqual(['201', '409 request/conflict'])
    const refused = results.find(({ status }) => status === 409)
    const message = 'Another environment of this organisation has that name.'
    expect(refused?.body).toMatchObject({ message, details: [{ path: 'name', message }] })
    const other = await create('other')
    const rename = (name: string) => admin.call('PUT', other.path, { body: { name } })
    expect(await rename('TWIN ')).toMatchObject({ status: 409, body: { details: [{ path: 'name' }] } })
    expect((await rename('OTHER')).status).toBe(200)
    const cli = await givenNc(given.settings).nc(`env change --env ${other.id} --name twin`)
    expect(cli.err).toContain(message)
  })

  test('has a source of each name, and the refusal names the field', async () => {
    const { path } = await create('with sources')
    const add = (name: string) =>
      admin.call<{ id: string }>('POST', `${path}/sources`, { body: { name, provider: 'segment' } })
    const [shop, crm] = [await add('Shop'), await add('CRM')]
    const message = 'Another source of this environment has that name.'
    const conflict = { status: 409, body: { code: 'request/conflict', message, details: [{ path: 'name', message }] } }
    expect(await add(' shop ')).toMatchObject(conflict)
    const rename = (name: string) => admin.call('PUT', `${path}/sources/${crm.body.id}`, { body: { name } })
    expect(await rename('SHOP')).toMatchObject(conflict)
    expect(await rename('crm')).toMatchObject({ status: 200 })
    expect(shop.status).toBe(201)
  })

  test('is created with an identity provider, and not at all with one that cannot verify tokens', async () => {
    const provider = { issuer: 'i', audience: 'a', jwksUrl: 'https://i.example/jwks', algorithms: ['RS256'] }
    const made = await create('provided', { identityProvider: provider, rateLimits: { track: 9 } })
    expect(made).toMatchObject({
      identityProvider: { ...provider, clientClaim: 'aud', claims: { userId: 'sub' } },
      rateLimits: { track: 9 },
    })
    const path = `/v1/dashboard/organisations/${org}/environments`
    const faults = [{ algorithms: ['HS256'] }, { clientClaim: 'sub' }, { issuer: 'https://{domain}/' }]
    for (const fault of faults) {
      const body = { name: 'refused', identityProvider: { ...provider, ...fault } }
      expect(outcomeOf(await admin.call('POST', path, { body }))).toBe('400 request/invalid-body')
    }
    const all = await admin.call<{ data: { name: string }[] }>('GET', path)
    expect(all.body.data.map(({ name }) => name)).not.toContain('refused')
  })

  test('takes all of a change or nothing, and logs what was before and after', async () => {
    const { id, path, secrets } = await create('changing')
    const put = (body: object) => admin.call<Record<string, unknown>>('PUT', path, { body })
    const wrong = await put({ name: 'Changed', allowedOrigins: ['nonsense'] })
    expect(outcomeOf(wrong)).toBe('400 request/invalid-body')
    expect((await admin.call('GET', path)).body).toMatchObject({ name: 'changing', allowedOrigins: [] })
    const claims = { userId: 'sub' }
    const provider = { issuer: 'i', audience: 'a', jwksUrl: 'https://i.example/jwks', algorithms: ['RS256'] }
    const changed = await put({
      name: 'Changed',
      allowedOrigins: ['https://shop.example'],
      requireExpiringTokens: true,
      sdkKeyMayManage: false,
      identityProvider: provider,
      rateLimits: { track: 5 },
    })
    expect(changed.body).toMatchObject({
      name: 'Changed',
      requireExpiringTokens: true,
      identityProvider: { ...provider, claims },
      rateLimits: { track: 5 },
      frontApiKey: secrets.frontApiKey,
    })
    // Without a difference nothing is written.
    expect((await put({ name: 'Changed' })).status).toBe(200)
    expect(outcomeOf(await put({ notificationConfigId: 'cfg_00000000000' }))).toBe('404 notification/config-not-found')
    expect((await put({ identityProvider: null, rateLimits: null })).body).toMatchObject({ identityProvider: null })
    const entries = await dashboard.cli.json<{ action: string; who: string; detail: { difference: string } }[]>(
      `audit list --env ${id}`,
    )
    expect(entries.map(({ action }) => action)).toEqual(['env.change', 'env.change', 'env.create'])
    expect(entries[1]).toMatchObject({ who: admin.email })
    expect(entries[1]?.detail.difference.split('\n')).toEqual(
      expect.arrayContaining(['~ name: "changing" → "Changed"', '~ sdkKeyMayManage: true → false']),
    )
  })

  test('that a person disables refuses its key, and is served again when it is enabled', async () => {
    const { path, secrets } = await create('switched')
    const status = async () => (await list(secrets.sdkSecretKey)).status
    expect(await status()).toBe(200)
    const disabled = await admin.call('PUT', path, { body: { disabled: true } })
    expect(disabled.body).toMatchObject({ disabled: true, state: 'disabled', disabledAt: expect.any(String) })
    await within(2000, async () => expect(await status()).toBe(401))
    expect((await admin.call('PUT', path, { body: { disabled: false } })).body).toMatchObject({ disabledAt: null })
    await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 60_000 })
  })
})

describe('a secret', () => {
  interface Rotation {
    kind: string
    state: string
    until: string | null
    value: string
    /** The value by the name of its kind. */
    sdkSecretKey?: string
    previous: { retiresAt: string | null; lastUsedAt: string | null } | null
  }

  test('is rotated with an overlap, extended, and its old value is retired', async () => {
    const { path, secrets } = await create('rotating')
    const post = (verb: string, body?: object) =>
      admin.call<Rotation>('POST', `${path}/secrets/sdkSecretKey/${verb}`, body === undefined ? {} : { body })
    expect(outcomeOf(await post('extend'))).toBe('409 request/conflict')
    expect(outcomeOf(await post('rotate', { overlap: 'PT1M' }))).toBe('400 request/invalid-body')
    const rotated = await post('rotate', { overlap: 'PT1H' })
    expect(rotated).toMatchObject({ status: 200, body: { kind: 'sdkSecretKey', state: 'overlap' } })
    const { value } = rotated.body
    expect(rotated.body.sdkSecretKey).toBe(value)
    expect(rotated.body.until).toBe(rotated.body.previous?.retiresAt)
    expect(outcomeOf(await post('rotate'))).toBe('409 request/conflict')
    expect([(await list(secrets.sdkSecretKey)).status, (await list(value)).status]).toEqual([200, 200])
    const states = await admin.call<{ data: Rotation[] }>('GET', `${path}/secrets`)
    expect(states.body.data.map(({ kind, state }) => [kind, state])).toEqual([
      ['sdkSecretKey', 'overlap'],
      ['authSecretKey', 'single'],
      ['frontApiKey', 'single'],
      ['webhookSigningSecret', 'single'],
    ])
    for (const secret of [value, ...Object.values(secrets)]) {
      expect(JSON.stringify(states.body)).not.toContain(secret)
    }
    const extended = await post('extend', { overlap: 'P2D' })
    expect(Date.parse(extended.body.until ?? '')).toBeGreaterThan(Date.parse(rotated.body.until ?? ''))
    expect(outcomeOf(await post('retire', {}))).toBe('400 request/invalid-body')
    expect((await list(secrets.sdkSecretKey)).status).toBe(200)
    expect(await post('retire', { confirm: true })).toMatchObject({
      status: 200,
      body: { state: 'single', until: null },
    })
    await within(2000, async () => expect((await list(secrets.sdkSecretKey)).status).toBe(403))
    expect((await list(value)).status).toBe(200)
  })

  test('is replaced at once in an emergency, which ends the sessions that it granted', async () => {
    const { path, secrets } = await create('emergency')
    const token = (key: string) => createHmac('sha256', key).update('u').digest('hex')
    const signIn = (key: string) =>
      given.call<{ sessionToken: string }>('POST', '/v1/users/auth', {
        body: { apiKey: secrets.frontApiKey, userId: 'u', token: token(key) },
      })
    const session = await signIn(secrets.authSecretKey)
    const inbox = () => given.call('GET', '/v1/inbox/messages', { key: session.body.sessionToken })
    expect((await inbox()).status).toBe(200)
    const emergency = (body: object) =>
      admin.call<Rotation>('POST', `${path}/secrets/authSecretKey/emergency`, { body })
    expect(outcomeOf(await emergency({}))).toBe('400 request/invalid-body')
    const { body } = await emergency({ confirm: true })
    expect(body).toMatchObject({ state: 'single', until: null })
    await within(2000, async () => expect((await inbox()).status).toBe(401))
    expect([(await signIn(secrets.authSecretKey)).status, (await signIn(body.value)).status]).toEqual([401, 200])
  })

  test('is shown to admins on request, with an entry; of an sdkSecretKey there is none', async () => {
    const { id, path, secrets } = await create('shown')
    const show = (kind: string, by = admin) => by.call('POST', `${path}/secrets/${kind}/show`)
    const { authSecretKey } = secrets
    expect((await show('authSecretKey')).body).toEqual({
      kind: 'authSecretKey',
      authSecretKey,
      values: [authSecretKey],
    })
    expect(outcomeOf(await show('sdkSecretKey'))).toBe('409 request/conflict')
    expect(outcomeOf(await show('password'))).toBe('404 request/not-found')
    const editor = await dashboard.join(org, 'shown@example.com', 'editor')
    expect(outcomeOf(await show('authSecretKey', editor))).toBe('403 authorization/not-allowed role')
    const entries = await dashboard.cli.json<object[]>(`audit list --env ${id} --action secret`)
    expect(entries).toMatchObject([{ action: 'secret.show', who: admin.email, subject: 'authSecretKey' }])
  })
})

describe('the check of a token', () => {
  interface Checked {
    ok: boolean
    code?: string
    reason?: string
    user?: object
    leftOut?: object[]
    expiresAt?: string
  }
  const path = () => `/v1/dashboard/environments/${given.demo.environments.dev.id}`
  const check = async (body: object) => (await admin.call<Checked>('POST', `${path()}/check-token`, { body })).body
  const authSecretKey = () => given.demo.environments.dev.authSecretKey
  const seconds = () => Math.floor(Date.now() / 1000)
  const expiring = (userId: string, at: number) =>
    `v2.${at}.${createHmac('sha256', authSecretKey()).update(`v2\n${at}\n${userId}`).digest('hex')}`

  test('answers the user of a valid one, and creates neither user nor session', async () => {
    const token = createHmac('sha256', authSecretKey()).update('unseen').digest('hex')
    expect(await check({ userId: 'unseen', token })).toEqual({ ok: true, user: { userId: 'unseen' } })
    const key = given.demo.environments.dev.sdkSecretKey
    expect((await given.call('GET', '/v1/users/unseen', { key })).status).toBe(404)
    const at = seconds() + 60
    expect(await check({ authType: 'backendToken', userId: 'u', token: expiring('u', at) })).toEqual({
      ok: true,
      user: { userId: 'u' },
      expiresAt: new Date(at * 1000).toISOString(),
    })
  })

  test('explains why a backend token is refused', async () => {
    const token = createHmac('sha256', authSecretKey()).update('u').digest('hex')
    const code = 'auth/invalid-token-signature'
    const expired = expiring('u', seconds() - 60)
    expect(await check({ userId: 'u', token: expired })).toMatchObject({
      ok: false,
      code,
      reason: expect.stringMatching(/^It expired at/),
    })
    expect(await check({ userId: 'other', token })).toMatchObject({
      code,
      reason: expect.stringMatching(/No live authSecretKey/),
    })
    expect(await check({ userId: 'u', token: 'x' })).toMatchObject({
      code,
      reason: expect.stringMatching(/no backend token/),
    })
    expect(await check({ token })).toMatchObject({
      code: 'auth/invalid-inputs',
      reason: expect.stringMatching(/^userId: /),
    })
  })

  test('verifies and explains a JWT of the identity provider and of the registered key', async () => {
    const { identityProvider, signedJwt } = given.demo.environments.dev
    const sign = async (jwk: JWK, algorithm: string, claims: Record<string, unknown>, kid?: string) =>
      new SignJWT({ exp: seconds() + 60, ...claims })
        .setProtectedHeader({ alg: algorithm, ...(kid === undefined ? {} : { kid }) })
        .sign(await importJWK(jwk, algorithm))
    const { issuer: iss, audience: aud, algorithm, kid, privateKeyJwk } = identityProvider
    const byProvider = (claims: Record<string, unknown>) =>
      sign(privateKeyJwk, algorithm, { iss, aud, sub: 'ann', ...claims }, kid)
    const provided = await check({ authType: 'jwt', token: await byProvider({ email: 'ann@example.com' }) })
    expect(provided).toMatchObject({ ok: true, user: { userId: 'ann', email: 'ann@example.com' } })
    expect(provided.expiresAt).toBeDefined()
    const reasonOf = async (claims: Record<string, unknown>) =>
      (await check({ authType: 'jwt', token: await byProvider(claims) })).reason
    expect(await reasonOf({ iss: 'https://evil.example' })).toMatch(/^Its issuer \(iss\) is https:\/\/evil/)
    expect(await reasonOf({ aud: 'other' })).toMatch(/^The claim that names its client \(aud\) is other/)
    expect(await reasonOf({ aud: undefined, azp: aud })).toMatch(/\(aud\) is missing; .* Its azp is: choose azp/)
    expect(await reasonOf({ exp: seconds() - 120 })).toMatch(/^It expired at/)
    expect(await reasonOf({ exp: undefined })).toMatch(/no time of expiry/)
    expect(await reasonOf({ sub: undefined })).toMatch(/^sub: This claim is required\. The token has .*iss, aud/)
    const faulty = await check({ authType: 'jwt', token: await byProvider({ sub: 7, email: 42 }) })
    expect(faulty).toMatchObject({ ok: true, user: { userId: '7' } })
    expect(faulty.leftOut).toContainEqual({ path: 'email', message: 'This claim must be a string.' })

    const signed = await sign(signedJwt.privateKeyJwk, signedJwt.algorithm, { sub: 'bea' })
    expect(await check({ authType: 'signedJwt', token: signed })).toMatchObject({ ok: true, user: { userId: 'bea' } })
    const { privateKey } = await generateKeyPair(signedJwt.algorithm, { extractable: true })
    const forged = await sign(await exportJWK(privateKey), signedJwt.algorithm, { sub: 'bea' })
    expect(await check({ authType: 'signedJwt', token: forged })).toMatchObject({
      ok: false,
      code: 'auth/invalid-token-signature',
      reason: 'Its signature does not match a registered key.',
    })
    expect(await check({ authType: 'signedJwt', token: await byProvider({}) })).toMatchObject({
      reason: expect.stringMatching(/^Its algorithm \(alg\) is RS256/),
    })
    expect(await check({ authType: 'jwt', token: 'a.b.c' })).toMatchObject({ reason: 'This is no JWT.' })
    const reasonFor = async (token: string) => (await check({ authType: 'jwt', token })).reason
    expect(await reasonFor('Bearer a.b.c')).toMatch(/begins with Bearer/)
    expect(await reasonFor('eyJhbGciOiJkaXIifQ..b.c.d')).toMatch(/encrypted/)
    expect(await reasonFor('ya29.opaque'.replace('.', '-'))).toMatch(/the provider alone can read it/)
  })

  test('answers as a sign-in where nothing is registered, and where the environment is disabled', async () => {
    const { path: other } = await create('checked')
    const ask = async (body: object) => (await admin.call<Checked>('POST', `${other}/check-token`, { body })).body
    expect(await ask({ authType: 'jwt', token: 'x' })).toMatchObject({ code: 'auth/no-public-key-registered' })
    await admin.call('PUT', other, { body: { disabled: true } })
    expect(await ask({ authType: 'jwt', token: 'x' })).toMatchObject({
      ok: false,
      code: 'auth/invalid-api-key',
      reason: 'The environment is disabled.',
    })
    expect((await admin.call('POST', `${other}/check-token`, { body: { token: '' } })).status).toBe(400)
  })
})
