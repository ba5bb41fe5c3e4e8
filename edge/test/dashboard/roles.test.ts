// Tests every route of the dashboard with each role, without a session, with an ended one, and with another organisation's ids.

import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { includesRole, ROLES, type Role } from '../../../contract/role.ts'
import { openExternalStore } from '../../cli/open-store.ts'
import { parseSettings } from '../../config.ts'
import { systemClock } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import { DRAFT } from '../support/draft-environment.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { type DashboardPerson, givenDashboard, outcomeOf } from '../support/given-dashboard.ts'
import { within } from '../support/within.ts'

const PREFIX = '/v1/dashboard/environments/{envId}'

interface Operation {
  security?: Record<string, unknown>[]
  requestBody?: object
  'x-dashboard-role'?: Role
}

interface Route {
  method: string
  /** Path with `{name}` for a parameter, as the dashboard calls it. */
  path: string
  /** Method and path as docs/dashboard.md has them. */
  name: string
  /** `environment`: named by the path, so that its organisation must have completed the onboarding. */
  kind: 'environment' | 'member' | 'person'
  role: Role
  takesBody: boolean
}

let given: GivenEdge
let dashboard: ReturnType<typeof givenDashboard>
let routes: Route[]
let org: string
let envId: string
const people = {} as Record<Role, DashboardPerson>
/** The owner of another organisation. */
let stranger: DashboardPerson
let strangeEnvId: string
/** A person whose session was ended. */
let ended: DashboardPerson

beforeAll(async () => {
  given = await givenEdge()
  dashboard = givenDashboard(given)
  org = given.demo.organisation.id
  envId = given.demo.environments.prod.id
  for (const role of ROLES) people[role] = await dashboard.join(org, `${role}@example.com`, role)
  const other = (await dashboard.cli.json<{ id: string }>('org create --name Elsewhere')).id
  strangeEnvId = (await dashboard.cli.json<{ id: string }>(`env create --org ${other} --name away`)).id
  stranger = await dashboard.join(other, 'stranger@example.com', 'owner')
  ended = await dashboard.signIn('owner@example.com')
  await ended.call('POST', '/v1/dashboard/auth/sign-out')
  routes = await readRoutes()
})
afterAll(() => given.stop())

async function readRoutes(): Promise<Route[]> {
  const reference = await given.call<{ paths: Record<string, Record<string, Operation>> }>('GET', '/openapi.json')
  return Object.entries(reference.body.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([verb, operation]): Route[] => {
      const [scheme] = Object.keys(operation.security?.[0] ?? {})
      const role = operation['x-dashboard-role']
      if (scheme !== 'dashboardSession' && role === undefined) return []
      const method = verb.toUpperCase()
      const takesBody = operation.requestBody !== undefined
      const served = scheme !== 'dashboardSession' ? path.replace('/v1', PREFIX) : path
      const kind = served.includes('{envId}') ? 'environment' : role === undefined ? 'person' : 'member'
      const name = `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`
      return [{ method, path: served, name, kind, role: role ?? 'viewer', takesBody }]
    }),
  )
}

/** Fills in an environment and an organisation, and for all other records ids that do not exist. */
function pathOf({ path }: Route, ids: { envId: string; org: string }): string {
  return path
    .replace('{envId}', ids.envId)
    .replace('{org}', ids.org)
    .replace(/\{eventId\}/, 'evt_00000000000')
    .replace(/\{\w+\}/g, 'nothing')
}

async function ask(person: DashboardPerson, route: Route, ids = { envId, org }, headers = {}): Promise<string> {
  const body = route.takesBody ? { body: {} } : {}
  return outcomeOf(await person.call(route.method, pathOf(route, ids), { ...body, headers }))
}

/** Returns the routes whose outcome differs, with that outcome. */
async function differing(of: Route[], expected: string, askOne: (route: Route) => Promise<string>): Promise<string[]> {
  const different: string[] = []
  for (const route of of) {
    const outcome = await askOne(route)
    if (outcome !== expected) different.push(`${route.name}: ${outcome}`)
  }
  return different
}

test('there are routes of each kind, and all reads and writes of a key except tracking are among them', async () => {
  const countOf = (kind: Route['kind']) => routes.filter((route) => route.kind === kind).length
  expect(countOf('environment')).toBeGreaterThan(40)
  expect(countOf('member')).toBe(25)
  expect(countOf('person')).toBe(16)
  const page = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8')
  const ofKeys = [...page.matchAll(/^\| `([A-Z]+ \S+)` \| key/gm)].map(([, name]) => name as string)
  const missing = ofKeys.filter((name) => !routes.some((route) => route.name === name))
  expect(missing).toEqual(['POST /v1/events/track', 'POST /v1/events/track/batch'])
})

test('docs/api.md has the least role of each route', async () => {
  const page = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `([A-Z]+ \S+)` \| [^|]+ \| (\w+) \|/gm)].map(
    ([, name, role]) => `${name} ${role}`,
  )
  const served = routes.filter(({ kind }) => kind !== 'person').map(({ name, role }) => `${name} ${role}`)
  expect(served.filter((one) => !rows.includes(one))).toEqual([])
})

test('without a session, with an ended or an invented one, every route answers 401', async () => {
  const invented = dashboard.personOf('nobody', `nc_session=nc_dash_${'A'.repeat(43)}`)
  const byKey = { authorization: `Bearer ${given.demo.environments.prod.sdkSecretKey}` }
  for (const person of [dashboard.personOf('nobody', ''), ended, invented]) {
    const ids = { envId, org }
    expect(await differing(routes, '401 auth/unauthenticated', (route) => ask(person, route, ids, byKey))).toEqual([])
  }
})

test('each role may call exactly the routes that it includes', async () => {
  for (const role of ROLES) {
    const gated = routes.filter(({ kind }) => kind !== 'person')
    const refused = gated.filter((route) => !includesRole(role, route.role))
    const expected = '403 authorization/not-allowed role'
    expect(await differing(refused, expected, (route) => ask(people[role], route))).toEqual([])
    const statuses: string[] = []
    for (const route of gated.filter((one) => includesRole(role, one.role))) {
      const outcome = await ask(people[role], route)
      // Only a viewer who names another member meets a second check, in the flow.
      const isOther = route.name.startsWith('DELETE') && route.path.endsWith('/members/{personId}')
      if (isOther && !includesRole(role, 'admin')) expect(outcome).toBe('403 authorization/not-allowed')
      else if (!/^(200|201|202|400|404|409)/.test(outcome)) statuses.push(`${role} ${route.name}: ${outcome}`)
    }
    expect(statuses).toEqual([])
  }
})

test('a person of another organisation is refused the same for known and unknown environments', async () => {
  const gated = routes.filter(({ kind }) => kind !== 'person')
  const expected = '403 authorization/organisation-not-authorized-for-this-user'
  for (const ids of [
    { envId, org },
    { envId: 'env_00000000000', org: 'org_00000000000' },
    { envId: '%00', org: 'x' },
  ]) {
    expect(await differing(gated, expected, (route) => ask(stranger, route, ids))).toEqual([])
  }
  const strange = { envId: strangeEnvId, org }
  const own = gated.filter(({ kind }) => kind === 'environment')
  expect(await differing(own, expected, (route) => ask(people.owner, route, strange))).toEqual([])
})

test('writes that may come from another site are refused, after the session is checked', async () => {
  const writes = routes.filter(({ method }) => method !== 'GET')
  const headers = { 'x-nc-request': '', origin: 'https://evil.example' }
  const expected = '403 authorization/not-allowed cross-site'
  const ids = { envId, org }
  expect(await differing(writes, expected, (route) => ask(people.owner, route, ids, headers))).toEqual([])
})

test('an unknown method of a path is 405, and an unknown path 404', async () => {
  const path = `/v1/dashboard/environments/${envId}`
  const wrong = await people.owner.call('PATCH', `${path}/campaigns`)
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  expect((await people.owner.call('GET', `${path}/nothing`)).status).toBe(404)
  // Events are tracked by keys alone: here the path is that of an event with the id `track`.
  expect((await people.owner.call('POST', `${path}/events/track`, { body: {} })).status).toBe(405)
  expect(outcomeOf(await people.owner.call('GET', `${path}/events/nothing`))).toBe('404 event/not-found')
})

test('an organisation whose onboarding is open is gated before roles are checked, but not its members', async () => {
  const store = await openExternalStore(parseSettings(given.settings), systemClock)
  const ids = { org: formatId('organisation', 77), envId: formatId('environment', 78) }
  try {
    const account = await store.people.findAccount('viewer@example.com')
    if (account === undefined) throw new Error('The viewer has joined before.')
    const base = { name: 'New', region: null, onboardedAt: null, retentionDays: 90, createdAt: 1 }
    // The environment is stored first: it would complete the onboarding.
    await store.environments.create({ ...DRAFT, id: 78, organisationId: 77, createdAt: 1 }, [])
    await store.organisations.create({ ...base, id: 77 })
    await store.people.addMember(77, account, 'viewer')
  } finally {
    await store.close()
  }
  const own = routes.filter(({ kind }) => kind === 'environment')
  const askViewer = (route: Route) => ask(people.viewer, route, ids)
  expect(await differing(own, '403 auth/onboarding-not-completed', askViewer)).toEqual([])
  const list = await people.viewer.call('GET', `/v1/dashboard/auth/organisations/${ids.org}/members`)
  expect(list.status).toBe(200)
  const environments = await people.viewer.call('GET', `/v1/dashboard/organisations/${ids.org}/environments`)
  expect(outcomeOf(environments)).toBe('403 auth/onboarding-not-completed')
})

test('a person manages where no key may, reads what a key reads, and the audit log names the person', async () => {
  const path = `/v1/dashboard/environments/${envId}`
  const definition = inboxCampaign('by-person', 'made.by.person')
  const created = await people.editor.call<{ id: string }>('POST', `${path}/campaigns`, { body: definition })
  expect(created.status).toBe(201)
  const { id } = created.body
  expect((await people.editor.call('POST', `${path}/campaigns/${id}/publish`)).status).toBe(200)
  const { sdkSecretKey: key } = given.demo.environments.prod
  const byKey = await given.call('GET', `/v1/campaigns/${id}`, { key })
  expect((await people.viewer.call('GET', `${path}/campaigns/${id}`)).body).toEqual(byKey.body)
  const test = await people.editor.call<{ messageIds: string[] }>('POST', `${path}/campaigns/${id}/test`, {
    body: { userId: 'ann' },
  })
  expect(test.body.messageIds).toHaveLength(1)
  const csv = await people.viewer.call('GET', `${path}/deliveries/export.csv`)
  expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
  const entries = await dashboard.cli.json<{ actor: string; who: string; action: string }[]>(
    `audit list --env ${envId} --action campaign`,
  )
  expect(entries.slice(0, 2)).toMatchObject([
    { actor: 'dashboard', who: 'editor@example.com', action: 'campaign.publish' },
    { actor: 'dashboard', who: 'editor@example.com', action: 'campaign.create' },
  ])
  expect((await people.admin.call('DELETE', `${path}/users/ann`)).body).toEqual({ deleted: true })
  const erasures = await dashboard.cli.json<object[]>(`audit list --env ${envId} --action user.erase`)
  expect(erasures[0]).toMatchObject({ actor: 'dashboard', who: 'admin@example.com', subject: 'a user' })
  const away = `/v1/dashboard/environments/${strangeEnvId}/campaigns/${id}`
  expect(outcomeOf(await stranger.call('GET', away))).toBe('404 campaign/not-found')
})

test('a lower role applies within a second', async () => {
  const person = await dashboard.join(org, 'lowered@example.com', 'editor')
  const path = `/v1/dashboard/environments/${envId}/runs/cancel`
  const cancel = async () => outcomeOf(await person.call('POST', path, { body: {} }))
  expect(await cancel()).toBe('400 request/invalid-body')
  await dashboard.cli.json(`member role --org ${org} --email ${person.email} --role viewer`)
  await within(1000, async () => expect(await cancel()).toBe('403 authorization/not-allowed role'))
})
