// Tests the test user of a person: who gets one, in which environments, and that a trial counts as no use of a key.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthAnswer, Page } from '../../../contract/api.ts'
import type { SecretRotation } from '../../../contract/resources/secret.ts'
import type { TestUserAnswer } from '../../../contract/resources/test-user.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { type DashboardPerson, givenDashboard, outcomeOf } from '../support/given-dashboard.ts'

let given: GivenEdge
let admin: DashboardPerson
let path: string
beforeAll(async () => {
  given = await givenEdge()
  admin = await givenDashboard(given).join(given.demo.organisation.id, 'trial@example.com', 'admin')
  path = `/v1/dashboard/environments/${given.demo.environments.dev.id}`
})
afterAll(() => given.stop())

const begin = async () => (await admin.call<TestUserAnswer>('POST', `${path}/test-user`)).body
const signIn = (body: object) => given.call<AuthAnswer>('POST', '/v1/users/auth', { body })

async function usesOf(kind: string): Promise<string | null | undefined> {
  const { data } = (await admin.call<Page<SecretRotation>>('GET', `${path}/secrets`)).body
  return data.find((one) => one.kind === kind)?.current.lastUsedAt
}

test('the own test user signs in and gets messages, and a trial counts as no use of the keys', async () => {
  const { expiresAt, ...credential } = await begin()
  expect(credential.userId).toMatch(/^test:per_/)
  expect(Date.parse(expiresAt)).toBeLessThanOrEqual(Date.now() + 5 * 60_000)
  const session = await signIn(credential)
  expect(session).toMatchObject({ status: 200, body: { user: { email: 'trial@example.com' } } })
  await given.publish(inboxCampaign('trial', 'trial.begun'))
  await given.track({ name: 'trial.begun', userId: credential.userId, properties: { name: 'you' } })
  expect((await given.page(session.body)).data).toMatchObject([{ title: 'Hello you' }])
  expect([await usesOf('frontApiKey'), await usesOf('authSecretKey')]).toEqual([null, null])

  await given.signIn('a-real-user')
  expect([await usesOf('frontApiKey'), await usesOf('authSecretKey')]).toEqual([expect.any(String), expect.any(String)])
})

test('the token is of that user alone', async () => {
  const { apiKey, token, userId } = await begin()
  for (const other of ['a-real-user', `${userId}0`, 'test:per_1'])
    expect(outcomeOf(await signIn({ apiKey, userId: other, token }))).toBe('401 auth/invalid-token-signature')
  const { userId: ofOther } = await begin()
  expect(ofOther).toBe(userId)
})

test('an editor has none, and nobody has one in production or in an environment of another organisation', async () => {
  const dashboard = givenDashboard(given)
  const editor = await dashboard.join(given.demo.organisation.id, 'trial-editor@example.com', 'editor')
  expect(outcomeOf(await editor.call('POST', `${path}/test-user`))).toBe('403 authorization/not-allowed role')
  const prod = `/v1/dashboard/environments/${given.demo.environments.prod.id}`
  expect(outcomeOf(await admin.call('POST', `${prod}/test-user`))).toBe('409 request/conflict production')
  const { status } = await given.call('POST', `${path}/test-user`)
  expect(status).toBe(401)
})
