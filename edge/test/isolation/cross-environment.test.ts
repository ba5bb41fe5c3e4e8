// Tests the rules between several environments of one organisation.

import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import { SECRET_KINDS } from '../../../contract/tenant.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'
import { within } from '../support/within.ts'
import { type Keys, signedIn, tokenOf } from './credentials.ts'

interface EnvironmentKeys extends Keys {
  webhookSigningSecret: string
}

let given: GivenEdge
let cli: ReturnType<typeof givenNc>
let dev: EnvironmentKeys
let prod: EnvironmentKeys
let staging: EnvironmentKeys

beforeAll(async () => {
  // With its own key it is not a prepared folder, so the audit log has no second start.
  given = await givenEdge({ MASTER_KEY: randomBytes(32).toString('base64') })
  cli = givenNc(given.settings)
  ;({ dev, prod } = given.demo.environments)
  const org = (given.demo.organisation as { id: string }).id
  const { id, secrets } = await cli.json<{ id: string; secrets: Omit<EnvironmentKeys, 'id'> }>(
    `env create --org ${org} --name staging`,
  )
  staging = { ...secrets, id }
  await given.publish(inboxCampaign('hello', 'user.joined'))
  await cli.json(`campaign copy --from ${dev.id} --to ${prod.id} --apply --publish`)
  await cli.json(`campaign copy --from ${dev.id} --to ${staging.id} --apply --publish`)
})
afterAll(() => given.stop())

const eventsOf = async ({ sdkSecretKey: key }: Keys, userId: string) =>
  (await given.call<Page<{ name: string }>>('GET', `/v1/events?userId=${userId}`, { key })).body.data.length

/** Uses node:http, because `fetch` sets `Host` itself. */
function trackAt(host: string, sdkSecretKey: string, userId: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      host,
      'x-forwarded-host': host,
      'x-environment': prod.id,
      authorization: `Bearer ${sdkSecretKey}`,
      'content-type': 'application/json',
    }
    const call = request(`${given.url}/v1/events/track`, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    call.on('error', reject)
    call.end(JSON.stringify({ sdkSecretKey, name: 'user.joined', userId, environment: prod.id }))
  })
}

describe('an organisation with several environments', () => {
  test('has its own secrets for each of them', async () => {
    const all = [dev, prod, staging].flatMap((keys) => SECRET_KINDS.map((kind) => keys[kind]))
    expect(new Set(all).size).toBe(SECRET_KINDS.length * 3)
    const listed = await cli.json<{ name: string; organisation: string }[]>('env list')
    expect(listed.map(({ name }) => name)).toEqual(['dev', 'prod', 'staging'])
    expect(new Set(listed.map(({ organisation }) => organisation)).size).toBe(1)
  })

  test('has its creation in the audit log, as the first entries', async () => {
    const entries = await cli.json<{ action: string; subject: string; environment: string | null }[]>(
      'audit list --who SEED_DEMO --limit 1000',
    )
    expect(entries.reverse().map(({ action, subject }) => `${action} ${subject}`)).toEqual([
      `org.create ${(given.demo.organisation as { id: string }).id}`,
      `member.add ${given.demo.dashboard.email}`,
      'env.create dev',
      'env.create prod',
      ...Object.values(given.demo.sources).map(({ id }) => `source.create ${id}`),
    ])
  })

  test('stores events sent to a production host with a dev key in dev alone', async () => {
    for (const host of ['api.example.com', 'prod.example.com:443', new URL(given.url).host]) {
      expect(await trackAt(host, dev.sdkSecretKey, 'hosted')).toBe(202)
    }
    expect([await eventsOf(dev, 'hosted'), await eventsOf(prod, 'hosted'), await eventsOf(staging, 'hosted')]).toEqual([
      3, 0, 0,
    ])
  })

  test('shows production notifications in a dev frontend that uses the production Front API Key', async () => {
    for (const keys of [prod, prod, dev]) {
      const body = { sdkSecretKey: keys.sdkSecretKey, name: 'user.joined', userId: 'dana' }
      await given.call('POST', '/v1/events/track', { key: keys.sdkSecretKey, body })
    }
    const headers = { origin: 'http://localhost:5173' }
    const body = { apiKey: prod.frontApiKey, userId: 'dana', token: tokenOf(prod, 'dana') }
    const { status, body: session } = await given.call<Awaited<ReturnType<typeof given.signIn>>>(
      'POST',
      '/v1/users/auth',
      { body, headers },
    )
    expect(status).toBe(200)
    expect(session.environment).toMatchObject({ id: prod.id, name: 'prod', isProduction: true })
    expect((await given.page(session)).data).toHaveLength(2)
    expect((await given.page(await signedIn(given, dev, 'dana'))).data).toHaveLength(1)
  })

  test.each([
    ["one environment's token with another's Front API Key", () => [prod.frontApiKey, tokenOf(dev, 'dana')], 401],
    ['the same with the environments exchanged', () => [dev.frontApiKey, tokenOf(prod, 'dana')], 401],
    ['a token for another user', () => [dev.frontApiKey, tokenOf(dev, 'vera')], 401],
    ['an invalid token', () => [dev.frontApiKey, '0'.repeat(64)], 401],
  ] as const)('does not sign in %s', async (_, keysOf, expected) => {
    const [apiKey, token] = keysOf()
    const { status, body } = await given.call('POST', '/v1/users/auth', { body: { apiKey, userId: 'dana', token } })
    expect([status, body.code]).toEqual([expected, 'auth/invalid-token-signature'])
    expect(body.message).toBe('The user token could not be verified.')
  })

  test('refuses a secret in the place of another kind', async () => {
    const { sdkSecretKey, frontApiKey, authSecretKey, webhookSigningSecret } = dev
    for (const apiKey of [sdkSecretKey, authSecretKey, webhookSigningSecret]) {
      const answer = await given.call('POST', '/v1/users/auth', { body: { apiKey, userId: 'a', token: 'b' } })
      expect([answer.status, answer.body.code]).toEqual([401, 'auth/invalid-api-key'])
    }
    for (const key of [frontApiKey, authSecretKey, webhookSigningSecret]) {
      expect(await given.call('GET', '/v1/events', { key })).toMatchObject({ status: 403 })
    }
    const body = { sdkSecretKey: prod.sdkSecretKey, name: 'user.joined', userId: 'mixed' }
    const mixedKeys = await given.call('POST', '/v1/events/track', { key: sdkSecretKey, body })
    expect([mixedKeys.status, mixedKeys.body.code]).toEqual([401, 'auth/tracking-secret-key'])
    expect([await eventsOf(dev, 'mixed'), await eventsOf(prod, 'mixed')]).toEqual([0, 0])
  })

  test('has settings per environment: what its key may manage, and whether tokens must expire', async () => {
    const key = staging.sdkSecretKey
    const create = async () => (await given.call('POST', '/v1/campaigns', { key, body: {} })).body.code
    const auth = { apiKey: staging.frontApiKey, userId: 'dana', token: tokenOf(staging, 'dana') }
    const signIn = async () => (await given.call('POST', '/v1/users/auth', { body: auth })).body.code
    expect([await create(), await signIn()]).toEqual(['campaign/invalid-definition', undefined])
    await cli.json(`env change --env ${staging.id} --key-may-manage no --expiring-tokens yes --name stage`)
    const retryOptions = { timeout: 60_000, interval: 20 }
    await vi.waitUntil(async () => (await create()) === 'authorization/not-allowed', retryOptions)
    expect(await signIn()).toBe('auth/invalid-token-signature')
    expect(await given.call('GET', '/v1/campaigns', { key })).toMatchObject({ status: 200 })
    expect(await cli.nc(`env change --env ${staging.id} --production perhaps`)).toMatchObject({ code: 2 })
    await cli.json(`env change --env ${staging.id} --key-may-manage yes --expiring-tokens no --name staging`)
    await vi.waitUntil(async () => (await signIn()) === undefined, retryOptions)
    const [entry] = await cli.json<{ action: string; detail: object }[]>(`audit list --env ${staging.id} --action env`)
    const detail = { name: 'staging', sdkKeyMayManage: true, requireExpiringTokens: false }
    expect(entry).toMatchObject({ action: 'env.change', detail })
  })

  test('refuses every call of a disabled environment within a second, serves the others, and accepts calls when enabled', async () => {
    const session = await signedIn(given, staging, 'dana')
    const statuses = async () => {
      const key = staging.sdkSecretKey
      const auth = { apiKey: staging.frontApiKey, userId: 'dana', token: tokenOf(staging, 'dana') }
      return [
        (await given.call('GET', '/v1/events', { key })).status,
        (await given.call('GET', '/v1/inbox/messages', { session })).status,
        (await given.call('POST', '/v1/users/auth', { body: auth })).status,
      ]
    }
    expect(await statuses()).toEqual([200, 200, 200])
    await cli.json(`env disable --env ${staging.id}`)
    await within(1000, async () => expect(await statuses()).toEqual([401, 401, 401]))
    expect(await given.call('GET', '/v1/events', { key: prod.sdkSecretKey })).toMatchObject({ status: 200 })
    await cli.json(`env enable --env ${staging.id}`)
    await vi.waitUntil(async () => (await statuses()).every((status) => status === 200), {
      timeout: 60_000,
      interval: 20,
    })
  })
})

test('a campaign refers to a config of its own organisation, and two codes of 404 separate unknown from foreign ones', async () => {
  const key = dev.sdkSecretKey
  const createWithConfig = (notificationConfigId: string) =>
    given.call('POST', '/v1/campaigns', { key, body: inboxCampaign('named', 'e', { notificationConfigId }) })
  const otherOrganisation = (await cli.json<{ id: string }>('org create --name Away')).id
  const foreignConfig = await createConfig(otherOrganisation, 'Secret wording')
  const answer = await createWithConfig(foreignConfig)
  expect([answer.status, answer.body.code]).toEqual([404, 'authorization/unauthorizedConfigIdForOrganisation'])
  expect(JSON.stringify(answer.body)).not.toContain('Secret wording')
  const unknown = await createWithConfig('cfg_00000000011')
  expect([unknown.status, unknown.body.code]).toEqual([404, 'notification/config-not-found'])
  const ownConfig = await createConfig((given.demo.organisation as { id: string }).id, 'Ours')
  expect(await createWithConfig(ownConfig)).toMatchObject({
    status: 201,
    body: { draft: { notificationConfigId: ownConfig } },
  })
})

async function createConfig(org: string, name: string): Promise<string> {
  const file = `${given.dataDir}/config.json`
  await writeFile(file, JSON.stringify({ name }))
  return (await cli.json<{ id: string }>(`config create --org ${org} --from ${file}`)).id
}
