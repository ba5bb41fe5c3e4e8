// Tests that a key whose environment does not let it manage cannot take or take away what belongs to users.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { KEY_MAY_MANAGE } from '../../../contract/tenant.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'

let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge()
  await given.track({ name: 'known', userId: 'u_1' }, 'prod')
  await given.track({ name: 'known', userId: 'u_1' })
})
afterAll(() => given.stop())

test.each([
  ['GET', '/v1/users/u_1/export'],
  ['POST', '/v1/suppressions', { userId: 'u_1' }],
  ['DELETE', '/v1/suppressions?userId=u_1'],
  ['DELETE', '/v1/users/u_1'],
])('%s %s', async (method, path, body?: object) => {
  const { dev, prod } = given.demo.environments
  const ask = (key: string) => given.call(method, path, { key, ...(body && { body }) })
  const refused = await ask(prod.sdkSecretKey)
  expect([refused.status, refused.body.code]).toEqual([403, 'authorization/not-allowed'])
  expect(refused.body.message).toContain(KEY_MAY_MANAGE)
  expect((await ask(dev.sdkSecretKey)).status).toBe(200)
})

test.each([
  ['GET', '/v1/users/u_1'],
  ['GET', '/v1/suppressions?userId=u_1'],
  ['PUT', '/v1/users/u_1', { name: 'Ada' }],
  ['PUT', '/v1/topics/news/subscribers', { add: ['u_1'] }],
  ['POST', '/v1/users/u_1/sign-out'],
])('%s %s is for any key', async (method, path, body?: object) => {
  const key = given.demo.environments.prod.sdkSecretKey
  expect((await given.call(method, path, { key, ...(body && { body }) })).status).toBe(200)
})
