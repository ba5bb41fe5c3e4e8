// Tests that a change that changes nothing answers as before, and leaves revision, times and audit log as they are: the same
// body again, or the answer of a read.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { type DashboardPerson, givenDashboard } from '../support/given-dashboard.ts'
import { givenNc } from '../support/given-nc.ts'

let given: GivenEdge
let owner: DashboardPerson
beforeAll(async () => {
  given = await givenEdge()
  const { email, password } = given.demo.dashboard
  owner = await givenDashboard(given).signIn(email, password)
})
afterAll(() => given.stop())

const inEnvironment = (path: string) => `/v1/dashboard/environments/${given.demo.environments.dev.id}${path}`
const inOrganisation = (path: string) => `/v1/dashboard/organisations/${given.demo.organisation.id}${path}`
const FROM = { address: 'a@example.com' }
const INTEGRATION = { name: 'Post', provider: 'postmark', from: FROM, credentials: { serverToken: 'key-0815' } }

/** @returns The number of entries in the log of the organisation. */
async function countEntries(): Promise<number> {
  const { body } = await owner.call<{ data: unknown[] }>('GET', inOrganisation('/audit-log?limit=100'))
  return body.data.length
}

/** Sends the same call twice. @returns Both answers, and the number of entries between them. */
async function callAgain(method: string, path: string, body?: unknown) {
  const options = body === undefined ? {} : { body }
  const first = await owner.call(method, path, options)
  expect(first.status, JSON.stringify(first.body)).toBe(200)
  const entries = await countEntries()
  const again = await owner.call(method, path, options)
  return { first, again, entries }
}

/** @returns The id of what is created. */
async function create(path: string, body: unknown): Promise<string> {
  const { body: created } = await owner.call<{ id: string }>('POST', path, { body })
  return created.id
}

async function givenSettings(): Promise<string> {
  await owner.call('POST', inOrganisation('/settings'), { body: {} })
  return inOrganisation('/settings')
}

interface Case {
  /** @returns The path of the resource. */
  path(): Promise<string> | string
  body?: unknown
  method?: string
  /** @returns What a reader of the answer sends back; default: the answer itself. */
  sentBack?: (answer: Record<string, unknown>) => unknown
}

const CASES: Record<string, Case> = {
  campaign: {
    path: async () =>
      inEnvironment(`/campaigns/${await create(inEnvironment('/campaigns'), inboxCampaign('u1', 'u1'))}`),
    body: inboxCampaign('u1', 'u1.other'),
    sentBack: ({ draft }) => draft,
  },
  'notification config': {
    path: async () => {
      const path = inOrganisation('/notification-configs')
      return `${path}/${await create(path, { name: 'Unchanged' })}`
    },
    body: { name: 'Unchanged anew' },
  },
  enricher: { path: () => inEnvironment('/enrichers/unchanged'), body: { url: 'https://192.0.2.1/x?key=1' } },
  translation: { path: () => inEnvironment('/translations/fr'), body: { hello: 'Bonjour' } },
  snippet: { path: () => inEnvironment('/snippets/unchanged'), body: { source: 'Hello' } },
  'source of Stripe': {
    path: async () =>
      inEnvironment(`/sources/${await create(inEnvironment('/sources'), { name: 'C', provider: 'stripe' })}`),
    body: { name: 'C anew' },
  },
  source: {
    path: async () =>
      inEnvironment(`/sources/${await create(inEnvironment('/sources'), { name: 'S', provider: 'segment' })}`),
    body: { name: 'S anew' },
  },
  'paused source': {
    path: async () =>
      inEnvironment(`/sources/${await create(inEnvironment('/sources'), { name: 'P', provider: 'segment' })}/pause`),
    method: 'POST',
  },
  'e-mail integration': {
    path: async () =>
      inEnvironment(`/email/integrations/${await create(inEnvironment('/email/integrations'), INTEGRATION)}`),
    body: { ...INTEGRATION, name: 'Post anew', credentials: { serverToken: 'key-0816' } },
  },
  environment: { path: () => inEnvironment(''), body: { disabled: false, siteUrl: 'https://a.example' } },
  'settings of the organisation': { path: givenSettings, body: { contactEmail: 'a@example.com' } },
}

describe.each(Object.entries(CASES))('the same change of a %s', (name, { path, method = 'PUT', body, sentBack }) => {
  test('is answered as the first one, and is not in the audit log', async () => {
    const at = await path()
    const { first, again, entries } = await callAgain(method, at, body)
    expect([again.status, again.headers.get('etag')]).toEqual([200, first.headers.get('etag')])
    expect(again.body).toEqual(first.body)
    expect(await countEntries()).toBe(entries)
    // The settings of an organisation are read with it, and a pause has no answer of its own.
    if (method !== 'PUT' || name.startsWith('settings')) return
    const { body: read } = await owner.call<Record<string, unknown>>('GET', at)
    const back = await owner.call<Record<string, unknown>>('PUT', at, { body: sentBack?.(read) ?? read })
    expect(back).toMatchObject({ status: 200 })
    expect((await owner.call('GET', at)).body).toEqual(read)
    expect(await countEntries()).toBe(entries)
  })
})

test('a role that a member has, and days of retention that are set, have no entry', async () => {
  const org = given.demo.organisation.id
  const members = `/v1/dashboard/auth/organisations/${org}/members`
  await givenDashboard(given).join(org, 'same@example.com', 'viewer')
  const { body } = await owner.call<{ data: { id: string; email: string }[] }>('GET', members)
  const { id } = body.data.find(({ email }) => email === 'same@example.com') ?? {}
  const role = await callAgain('PUT', `${members}/${id}`, { role: 'editor' })
  expect(role.again.body).toEqual(role.first.body)
  const { nc } = givenNc(given.settings)
  await nc(`retention set --org ${org} --days 30 --yes`)
  const entries = await countEntries()
  await nc(`retention set --org ${org} --days 30 --yes`)
  expect(await countEntries()).toBe(entries)
})
