// Tests keys in a deployment of another region: they work only in their own one, and the refusal says which that is.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'

const HOSTS = { REGION_HOSTS: 'eu=https://eu.example.com,us=https://us.example.com' }

/** In the region `eu`. */
let given: GivenEdge
/** In the region `us`: without and with the hosts of both. */
let other: GivenEdge
let otherWithHosts: GivenEdge
beforeAll(async () => {
  given = await givenEdge(HOSTS)
  other = await givenEdge({ REGION: 'us' })
  otherWithHosts = await givenEdge({ REGION: 'us', ...HOSTS })
})
afterAll(async () => {
  for (const edge of [given, other, otherWithHosts]) await edge.stop()
})

/** The answers of a server to keys of `given`. */
async function answersOf(edge: GivenEdge) {
  const { frontApiKey: apiKey, sdkSecretKey: key } = given.demo.environments.dev
  const event = { sdkSecretKey: key, name: 'region.seen', userId: 'u' }
  return {
    tracked: await edge.call('POST', '/v1/events/track', { key, body: event }),
    listed: await edge.call('GET', '/v1/campaigns', { key }),
    signedIn: await edge.call('POST', '/v1/users/auth', { body: { apiKey, userId: 'u', token: 'x' } }),
  }
}

test('keys of another region are unknown, and both regions are named', async () => {
  expect((await answersOf(given)).tracked.status).toBe(202)
  const naming = { message: expect.stringMatching(/"eu".*"us"/) }
  const refused = { status: 403, body: { code: 'auth/invalid-authorization', ...naming } }
  const { tracked, listed, signedIn } = await answersOf(other)
  expect(tracked).toMatchObject(refused)
  expect(listed).toMatchObject(refused)
  expect(signedIn).toMatchObject({ status: 401, body: { code: 'auth/invalid-api-key', ...naming } })
  expect(signedIn.body).not.toMatchObject({ message: expect.stringContaining('http') })
})

test('commands whose REGION is another one take that of the server', async () => {
  const { id: org } = given.demo.organisation
  const cli = givenNc({ ...given.settings, REGION: 'us' })
  expect((await cli.nc('doctor')).out).not.toContain('is in eu')
  const created = await cli.json<{ secrets: Record<string, string> }>(`env create --org ${org} --name late`)
  expect(created.secrets.sdkSecretKey).toMatch(/^nc_sdk_eu_/)
})

test("with REGION_HOSTS the refusal contains the host of the key's region, and an environment has the host of its own", async () => {
  const message = expect.stringContaining('https://eu.example.com')
  const { tracked, listed, signedIn } = await answersOf(otherWithHosts)
  for (const refused of [tracked, listed]) {
    expect(refused).toMatchObject({ status: 403, body: { code: 'auth/invalid-authorization', message } })
  }
  expect(signedIn).toMatchObject({ status: 401, body: { code: 'auth/invalid-api-key', message } })
  const { id } = given.demo.environments.dev
  const expected = { id, host: 'https://eu.example.com' }
  const cli = givenNc(given.settings)
  expect(await cli.json(`env show --env ${id}`)).toMatchObject(expected)
  expect((await cli.nc(`env show --env ${id}`)).out).toMatch(/Host +https:\/\/eu\.example\.com/)
  expect(await cli.json('env list')).toContainEqual(expect.objectContaining(expected))
  const created = await cli.json(`env create --org ${given.demo.organisation.id} --name hosted`)
  expect(created).toMatchObject({ host: 'https://eu.example.com' })
  // Without the hosts of regions it has the public address.
  const inUs = other.demo.environments.dev.id
  expect(await givenNc(other.settings).json(`env show --env ${inUs}`)).toMatchObject({ host: other.url })
})
