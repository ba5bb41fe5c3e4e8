// Tests a store whose deployment has another region: keys work only in their own one.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'

let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge()
})
afterAll(() => given.stop())

const inRegion = async (region: string) => {
  given.settings.REGION = region
  await given.restart()
}

test('keys of the former region are unknown in another region, although the store has them', async () => {
  const { id: org } = given.demo.organisation
  const cli = givenNc(given.settings)
  expect((await given.track({ name: 'region.seen', userId: 'u' })).status).toBe(202)
  await inRegion('us')
  const naming = { message: expect.stringMatching(/"eu".*"us"/) }
  const tracked = await given.track({ name: 'region.seen', userId: 'u' })
  expect(tracked).toMatchObject({ status: 403, body: { code: 'auth/invalid-authorization', ...naming } })
  const { frontApiKey: apiKey } = given.demo.environments.dev
  const signedIn = await given.call('POST', '/v1/users/auth', { body: { apiKey, userId: 'u', token: 'x' } })
  expect(signedIn).toMatchObject({ status: 401, body: { code: 'auth/invalid-api-key', ...naming } })
  expect(await cli.nc('doctor')).toMatchObject({ code: 1, out: expect.stringContaining(`${org} is in eu`) })
  expect(await cli.nc(`env create --org ${org} --name late`)).toMatchObject({ code: 1 })
  expect(signedIn.body).not.toMatchObject({ message: expect.stringContaining('http') })
  await inRegion('eu')
  expect((await given.track({ name: 'region.seen', userId: 'u' })).status).toBe(202)
  expect((await cli.nc('doctor')).out).not.toContain('is in eu')
})

test("with REGION_HOSTS the refusal contains the host of the key's region, and an environment has the host of its own", async () => {
  const { id, frontApiKey: apiKey, sdkSecretKey } = given.demo.environments.dev
  const cli = givenNc(given.settings)
  expect(await cli.json(`env show --env ${id}`)).toMatchObject({ host: null })
  given.settings.REGION_HOSTS = 'eu=https://eu.example.com,us=https://us.example.com'
  await inRegion('us')
  const message = expect.stringContaining('https://eu.example.com')
  const refused = { status: 403, body: { code: 'auth/invalid-authorization', message } }
  expect(await given.track({ name: 'region.seen', userId: 'u' })).toMatchObject(refused)
  expect(await given.call('GET', '/v1/campaigns', { key: sdkSecretKey })).toMatchObject(refused)
  const signedIn = await given.call('POST', '/v1/users/auth', { body: { apiKey, userId: 'u', token: 'x' } })
  expect(signedIn).toMatchObject({ status: 401, body: { code: 'auth/invalid-api-key', message } })
  // The organisation has its region; the setting of this process does not change it.
  const expected = { id, host: 'https://eu.example.com' }
  expect(await cli.json(`env show --env ${id}`)).toMatchObject(expected)
  expect((await cli.nc(`env show --env ${id}`)).out).toMatch(/Host +https:\/\/eu\.example\.com/)
  expect(await cli.json('env list')).toContainEqual(expect.objectContaining(expected))
  await inRegion('eu')
  const created = await cli.json(`env create --org ${given.demo.organisation.id} --name hosted`)
  expect(created).toMatchObject({ host: 'https://eu.example.com' })
})
