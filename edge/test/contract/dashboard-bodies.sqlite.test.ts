// Tests bodies of people against the API reference: those that it allows are accepted from an owner, and others are refused.
// SQLite alone: what is tested lies before the store.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { ADJUST } from '../support/adjust-bodies.ts'
import {
  type BodyChecks,
  findAccepted,
  findRefused,
  nameOf,
  type Operation,
  operationsOf,
  type Reference,
} from '../support/check-bodies.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { type DashboardPerson, givenDashboard } from '../support/given-dashboard.ts'
import { type GivenProvider, givenProvider } from '../support/given-provider.ts'

type Checked = { code?: string; details?: object }

const PREFIX = '/v1/dashboard/environments'
const SET_UP = '/v1/dashboard/auth/setup'
const SETTINGS = '/v1/dashboard/organisations/{org}/settings'
/** Bodies whose password is verified, which takes long by design. */
const VERIFIED = ['DashboardSignIn', 'PasswordChange', 'TotpBegin', 'SecondFactorProof']

let given: GivenEdge
/** An edge without members, for each test. */
let empty: GivenEdge
let dashboard: ReturnType<typeof givenDashboard>
let provider: GivenProvider
let checks: BodyChecks
let owner: DashboardPerson
/** Owns organisations that have no settings yet, one after the other. */
let founder: DashboardPerson
let founded: string
/** By the name of a parameter of a path. */
let ids: Record<string, string>
/** The campaign that is written. */
let changedId: string
let count = 0

beforeAll(async () => {
  given = await givenEdge({ TRUSTED_PROXIES: '1' })
  dashboard = givenDashboard(given)
  provider = await givenProvider()
  owner = await join()
  founder = await join()
  founded = await found()
  const member = await dashboard.join(given.demo.organisation.id, 'member@example.com', 'viewer')
  const me = await member.call<{ person: { id: string } }>('GET', '/v1/dashboard/auth/me')
  const org = given.demo.organisation.id
  await owner.call('POST', SETTINGS.replace('{org}', org), { body: {} })
  const configs = `/v1/dashboard/organisations/${org}/notification-configs`
  const config = await owner.call<{ id: string }>('POST', configs, { body: { name: 'Changed' } })
  ids = {
    org,
    envId: given.demo.environments.prod.id,
    personId: me.body.person.id,
    configId: config.body.id,
    kind: 'webhookSigningSecret',
    id: await given.publish(inboxCampaign('bodies', 'bodies')),
    userId: 'u_1',
    key: 'news',
  }
  changedId = await given.publish(inboxCampaign('changed', 'changed'))
  const reference = (await given.call<Reference>('GET', '/openapi.json')).body
  checks = {
    operations: operations(reference),
    components: reference.components.schemas,
    // An issuer is read when it is set.
    adjust: { ...ADJUST, SingleSignOnSettings: (value) => ({ ...value, issuer: provider.issuer }) },
    fixed: { SingleSignOnSettings: { clientSecret: 'x' } },
    send,
  }
})
afterAll(async () => {
  await provider.stop()
  await given.stop()
})

beforeEach(async () => {
  empty = await givenEdge({ SEED_DEMO: 'false' })
})
afterEach(() => empty.stop())

const join = () => dashboard.join(given.demo.organisation.id, `owner${count++}@example.com`, 'owner')

/** A person may have a hundred organisations. */
async function found(): Promise<string> {
  const path = '/v1/dashboard/auth/organisations'
  const { status, body } = await founder.call<{ id: string }>('POST', path, { body: { name: 'Founded' } })
  if (status === 201) return body.id
  founder = await join()
  return found()
}

/** Returns the dashboard's own operations, and those of keys as the dashboard serves them. */
function operations(reference: Reference): Operation[] {
  return operationsOf(reference).flatMap(({ path, described, ...operation }) => {
    const isSlow = VERIFIED.includes(nameOf(operation.schema))
    if (path.startsWith('/v1/dashboard/')) return [{ ...operation, path, isSlow }]
    if (described['x-dashboard-role'] === undefined) return []
    return [{ ...operation, path: path.replace('/v1', `${PREFIX}/${given.demo.environments.dev.id}`) }]
  })
}

async function send({ method, path }: Operation, body: unknown) {
  if (path === SET_UP) return empty.call<Checked>('POST', path, { body, headers: { 'x-nc-request': '1' } })
  const createsSettings = path === SETTINGS && method === 'post'
  const named = {
    ...ids,
    ...(method === 'put' && { id: changedId, name: 'written' }),
    ...(createsSettings && { org: founded }),
  }
  const target = path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => named[name as keyof typeof named] ?? (name === 'locale' ? 'de' : 'none'),
  )
  // Each call comes from an address of its own, because one address has few attempts a minute.
  const headers = { 'x-forwarded-for': `2001:db8:${(count++).toString(16)}::1` }
  const call = (person: DashboardPerson) => person.call<Checked>(method.toUpperCase(), target, { body, headers })
  const answer = await call(createsSettings ? founder : owner)
  if (createsSettings && answer.status === 201) founded = await found()
  // So does one account.
  if (answer.status !== 429) return answer
  owner = await join()
  return call(owner)
}

test('bodies that the reference allows are not refused as invalid', async () => {
  expect(await findRefused(checks)).toEqual([])
})

test('bodies that the reference forbids are refused', async () => {
  const { accepted, sent } = await findAccepted(checks)
  expect(accepted).toEqual([])
  // Some bodies of each operation cannot be made invalid.
  expect(sent).toBeGreaterThan(5 * checks.operations.length)
})
