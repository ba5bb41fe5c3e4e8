// A store whose deployment was told another region: keys work in their own alone, and the doctor says why (specification section 9, contract section 2).

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

test('keys of the region that it was are unknown under another, whatever the store has', async () => {
  const { id: org } = given.demo.organisation
  const cli = givenNc(given.settings)
  expect((await given.track({ name: 'region.seen', userId: 'u' })).status).toBe(202)
  await inRegion('us')
  const named = { message: expect.stringMatching(/"eu".*"us"/) }
  const tracked = await given.track({ name: 'region.seen', userId: 'u' })
  expect(tracked).toMatchObject({ status: 403, body: { code: 'auth/invalid-authorization', ...named } })
  const { frontApiKey: apiKey } = given.demo.environments.dev
  const signedIn = await given.call('POST', '/v1/users/auth', { body: { apiKey, userId: 'u', token: 'x' } })
  expect(signedIn).toMatchObject({ status: 401, body: { code: 'auth/invalid-api-key', ...named } })
  expect(await cli.nc('doctor')).toMatchObject({ code: 1, out: expect.stringContaining(`${org} is in eu`) })
  expect(await cli.nc(`env create --org ${org} --name late`)).toMatchObject({ code: 1 })
  await inRegion('eu')
  expect((await given.track({ name: 'region.seen', userId: 'u' })).status).toBe(202)
  expect((await cli.nc('doctor')).out).not.toContain('is in eu')
})
