// Tests that running answers are cut within a second when their caller loses the right to them.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginExport, countRefused, trackMuch } from '../support/begin-export.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type DashboardPerson, givenDashboard } from '../support/given-dashboard.ts'
import { within } from '../support/within.ts'

let given: GivenEdge
let owner: DashboardPerson
let org: string
let base: string
beforeAll(async () => {
  given = await givenEdge()
  org = given.demo.organisation.id
  base = `/v1/dashboard/environments/${given.demo.environments.dev.id}`
  const { email, password } = given.demo.dashboard
  owner = await givenDashboard(given).signIn(email, password)
  await trackMuch(given, 'u_much')
})
afterAll(() => given.stop())

const join = (name: string) => givenDashboard(given).join(org, `${name}@example.com`, 'admin')

async function idOf(person: DashboardPerson): Promise<string> {
  return (await person.call<{ person: { id: string } }>('GET', '/v1/dashboard/auth/me')).body.person.id
}

/** @param end Takes the right of the caller. */
async function expectCut(path: string, headers: Record<string, string>, code: string, end: () => Promise<unknown>) {
  const running = await beginExport(given.url, path, headers)
  const before = await countRefused(given.url, code)
  await end()
  await within(1000, async () => expect(await countRefused(given.url, code)).toBeGreaterThan(before))
  expect(await running.readToEnd()).toBe(false)
}

const EXPORT = '/users/u_much/export'
const members = () => `/v1/dashboard/auth/organisations/${org}/members`

test('an export of a person whose membership is lost', async () => {
  const person = await join('removed')
  const id = await idOf(person)
  const refusal = 'auth/unauthenticated'
  await expectCut(base + EXPORT, { cookie: person.cookie }, refusal, () => owner.call('DELETE', `${members()}/${id}`))
})

test('an export of a person who may do less than it needs', async () => {
  const person = await join('viewer')
  const id = await idOf(person)
  await expectCut(base + EXPORT, { cookie: person.cookie }, 'authorization/not-allowed', () =>
    owner.call('PUT', `${members()}/${id}`, { body: { role: 'viewer' } }),
  )
})

test('an export of a session that was ended', async () => {
  const person = await join('ended')
  const refusal = 'auth/unauthenticated'
  await expectCut(base + EXPORT, { cookie: person.cookie }, refusal, () =>
    person.call('POST', '/v1/dashboard/auth/sign-out'),
  )
})

test('an export that a person may read to its end is whole', async () => {
  const running = await beginExport(given.url, base + EXPORT, { cookie: owner.cookie })
  expect(await running.readToEnd()).toBe(true)
})

test('an export of an sdkSecretKey that was replaced in an emergency', async () => {
  const headers = { authorization: `Bearer ${given.demo.environments.dev.sdkSecretKey}` }
  await expectCut(`/v1${EXPORT}`, headers, 'auth/invalid-authorization', () =>
    owner.call('POST', `${base}/secrets/sdkSecretKey/emergency`, { body: { confirm: true } }),
  )
})
