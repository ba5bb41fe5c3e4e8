// Tests tenant isolation on every listed route: another tenant or an invalid credential reads and changes nothing.

import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import { parseId } from '../../lib/id.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type GivenMailApi, givenMailApi } from '../support/given-mail-api.ts'
import { givenNc } from '../support/given-nc.ts'
import { createAsk, type IsolationRequest, leaksIn, type Received, replaceVarying } from './ask.ts'
import { type Keys, type RefusedCredential, refusedCredentials } from './credentials.ts'
import { type Owned, ownedByEnvironment, ownedByUser, readTables, rowsOf } from './dump.ts'
import { bodiesOf, pathOf, queriesOf, RECORD_PATH, ROTATES, requireKnownPublic } from './fixtures.ts'
import { type Route, readRoutes } from './routes.ts'
import { createTenant, type Names, secretsOf, type Tenant, UNKNOWN_NAMES } from './tenant.ts'

let given: GivenEdge
let mail: GivenMailApi
let routes: Route[]
let caller: ReturnType<typeof createAsk>
let victim: Tenant
/** Another user of the victim's environment. */
let otherUser: Tenant
/** Another environment of the same organisation, and one of another organisation. */
let otherTenants: Tenant[]
let refused: RefusedCredential[]
let secrets: string[]

beforeAll(async () => {
  mail = await givenMailApi()
  given = await givenEdge(mail.env, { outbound: mail.outbound })
  const cli = givenNc(given.settings)
  caller = createAsk(given)
  routes = await readRoutes(given)
  const organisation = (await cli.json<{ id: string }>('org create --name Elsewhere')).id
  const createEnv = async (name: string): Promise<Keys> => {
    const { id, secrets: values } = await cli.json<{ id: string; secrets: Omit<Keys, 'id'> }>(
      `env create --org ${organisation} --name ${name}`,
    )
    return { ...values, id }
  }
  const { dev, prod } = given.demo.environments
  await cli.json(`env change --env ${prod.id} --key-may-manage yes`)
  const mayManage = async () => (await given.call('POST', '/v1/campaigns', { key: prod.sdkSecretKey, body: {} })).status
  await vi.waitUntil(async () => (await mayManage()) === 400, { timeout: 60_000 })
  victim = await createTenant(given, mail, dev, 'vera')
  otherUser = await createTenant(given, mail, dev, 'nadja')
  otherTenants = [
    await createTenant(given, mail, prod, 'paul'),
    await createTenant(given, mail, await createEnv('away'), 'anton'),
  ]
  refused = await refusedCredentials(given, cli, createEnv)
  secrets = secretsOf(victim)
})
afterAll(async () => {
  await given.stop()
  await mail.stop()
})

/** Returns the routes of a kind of caller. */
const routesOf = (kind: Route['caller']) => routes.filter((route) => route.caller === kind)

async function expectUnchanged(
  owned: (tables: Awaited<ReturnType<typeof readTables>>) => Owned,
  callRoutes: () => Promise<void>,
) {
  const before = await readTables(given)
  const columns = owned(before)
  const rows = rowsOf(before, columns)
  expect(Object.values(rows).flat().length).toBeGreaterThan(5)
  await callRoutes()
  expect(rowsOf(await readTables(given), columns)).toEqual(rows)
}

const environmentOf = ({ keys }: Tenant) => parseId('environment', keys.id) ?? 0

/** Compares two values; a failure prints the request and the answer. */
function expectReceived(request: IsolationRequest, received: Received, expected: unknown, actual: unknown) {
  const line = `${request.method} ${request.path} ${JSON.stringify(request.body ?? '')}\n${received.text}`
  expect(actual, line).toEqual(expected)
}

/** Returns every way to name a record: in the path, each query and each body. All other names are the caller's own. */
function variantsOf(route: Route, own: Names) {
  const variants: ((names: Names, credential: string) => { path: string; body: object | undefined })[] = []
  const bodies = bodiesOf(route)
  const [plain] = bodies
  if (route.path.includes('{')) {
    variants.push((names, credential) => ({ path: pathOf(route, names), body: plain?.(own, credential) }))
  }
  for (const [query, value] of queriesOf(route)) {
    variants.push((names, credential) => ({
      path: `${pathOf(route, own)}?${query}=${encodeURIComponent(value(names))}`,
      body: plain?.(own, credential),
    }))
  }
  for (const body of ROTATES.has(route.name) ? bodies.slice(1) : bodies) {
    variants.push((names, credential) => ({ path: pathOf(route, own), body: body(names, credential) }))
  }
  return variants
}

/**
 * Calls each route with names that do not exist, then with those of the victim: the answers must be equal,
 * and contain nothing of the victim except `common`.
 */
async function callRoutesAs(otherTenant: Tenant, kind: 'key' | 'widget', common: string[] = []): Promise<void> {
  const forbidden = secrets.filter((secret) => !common.includes(secret))
  // Reads come first: after its writes the caller may read names that it has chosen itself.
  const own: IsolationRequest[] = []
  const readsFirst = routesOf(kind).sort((a, b) => Number(b.method === 'GET') - Number(a.method === 'GET'))
  for (const route of readsFirst) {
    for (const variant of variantsOf(route, otherTenant.names)) {
      const answers: string[] = []
      for (const names of [UNKNOWN_NAMES, victim.names]) {
        // A new session, because one of the routes ends it.
        const credential = kind === 'key' ? otherTenant.keys.sdkSecretKey : (await otherTenant.signIn()).sessionToken
        const { path, body } = variant(names, credential)
        const request: IsolationRequest = { method: route.method, path, authorization: `Bearer ${credential}`, body }
        const received = await caller.ask(request)
        if (route.method !== 'GET') own.push(request)
        expectReceived(request, received, [], leaksIn(received, [request, ...own], forbidden))
        if (RECORD_PATH.test(route.path) && path === pathOf(route, names))
          expectReceived(request, received, 404, received.status)
        answers.push(
          common.reduce((text, one) => text.replaceAll(one, '<requested>'), replaceVarying(received.text, names)),
        )
      }
      expect(answers[1], route.name).toBe(answers[0])
    }
  }
}

describe('every route', () => {
  test('has a known caller, and fixtures for its parameters', () => {
    for (const route of routesOf('none')) requireKnownPublic(route)
    for (const route of [...routesOf('key'), ...routesOf('widget')]) {
      pathOf(route, UNKNOWN_NAMES)
      queriesOf(route)
      bodiesOf(route)
    }
    expect(routes.length).toBeGreaterThan(35)
  })

  test('is called when docs/api.md lists it for a key or a widget', async () => {
    const page = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^\| `([A-Z]+ \S+)` \| (\w+)/gm)].filter(([, , kind]) => kind !== 'anyone')
    const called = new Set(routes.map(({ name }) => name.replace(/\{(\w+)\}/g, ':$1')))
    expect(rows.length).toBeGreaterThan(35)
    expect(rows.map(([, name]) => name).filter((name) => !called.has(name ?? ''))).toEqual([])
  })

  test('refuses a missing, malformed or retired credential, and one of a disabled environment', async () => {
    await expectUnchanged(
      (tables) => ownedByEnvironment(tables, environmentOf(victim)),
      async () => {
        for (const route of [...routesOf('key'), ...routesOf('widget')]) {
          const kind = route.caller === 'key' ? 'key' : 'widget'
          for (const { description, authorization, credential, expected } of refused) {
            const body = bodiesOf(route)[0]?.(victim.names, credential)
            const request = { method: route.method, path: pathOf(route, victim.names), authorization, body }
            const received = await caller.ask(request)
            expectReceived(
              request,
              received,
              `${description}: ${expected[kind]}`,
              `${description}: ${received.status} ${received.code}`,
            )
            expectReceived(request, received, [], leaksIn(received, [request], secrets))
          }
        }
      },
    )
  })

  test('refuses a credential of the other kind', async () => {
    const { sessionToken } = await victim.signIn()
    const wrong = { key: [sessionToken, '403'], widget: [victim.keys.sdkSecretKey, '401'] } as const
    for (const kind of ['key', 'widget'] as const) {
      for (const route of routesOf(kind)) {
        const [credential, status] = wrong[kind]
        const body = bodiesOf(route)[0]?.(victim.names, credential)
        const path = pathOf(route, victim.names)
        const request = { method: route.method, path, authorization: `Bearer ${credential}`, body }
        const received = await caller.ask(request)
        expectReceived(request, received, status, String(received.status))
      }
    }
  })

  test.each([0, 1])(
    "answers a key of another environment (%i) the same for the victim's names as for unknown ones",
    async (at) => {
      const otherTenant = otherTenants[at] as Tenant
      await expectUnchanged(
        (tables) => ownedByEnvironment(tables, environmentOf(victim)),
        () => callRoutesAs(otherTenant, 'key'),
      )
    },
  )

  test.each([0, 1])(
    "answers a session of another environment (%i) the same for the victim's names as for unknown ones",
    async (at) => {
      const otherTenant = otherTenants[at] as Tenant
      await expectUnchanged(
        (tables) => ownedByEnvironment(tables, environmentOf(victim)),
        () => callRoutesAs(otherTenant, 'widget'),
      )
    },
  )

  test("answers a session of another user of the same environment the same for the victim's names as for unknown ones", async () => {
    await expectUnchanged(
      (tables) => {
        const row = tables.get('app_user')?.find(({ user_id }) => user_id === victim.names.userId)
        return ownedByUser(tables, Number(row?.user_no), victim.names.userId)
      },
      // Categories belong to the environment: all of its users choose among them.
      () => callRoutesAs(otherUser, 'widget', [victim.names.category]),
    )
  })
})

describe('a cursor', () => {
  test('of another environment or user is refused like an invalid one', async () => {
    const lists = [...routesOf('key'), ...routesOf('widget')].filter(({ query }) => query.includes('cursor'))
    expect(lists.length).toBeGreaterThanOrEqual(7)
    for (const route of lists) {
      const credentialOf = async (tenant: Tenant) =>
        route.caller === 'key' ? tenant.keys.sdkSecretKey : (await tenant.signIn()).sessionToken
      const ask = async (tenant: Tenant, names: Names, query: string) => {
        const subject = route.path === '/v1/suppressions' ? `&userId=${tenant.mark}-second` : ''
        const path = `${pathOf(route, names)}?limit=1${subject}${query}`
        const request = { method: route.method, path, authorization: `Bearer ${await credentialOf(tenant)}` }
        return { request, received: await caller.ask(request) }
      }
      const { request, received } = await ask(victim, victim.names, '')
      const { nextCursor } = JSON.parse(received.body) as Page<unknown>
      expectReceived(request, received, 'string', typeof nextCursor)
      const own = await ask(victim, victim.names, `&cursor=${nextCursor}`)
      expectReceived(own.request, own.received, 200, own.received.status)
      const others = route.caller === 'key' ? otherTenants : [...otherTenants, otherUser]
      for (const other of others) {
        const foreignCursor = await ask(other, other.names, `&cursor=${nextCursor}`)
        const invalid = await ask(other, other.names, '&cursor=nonsense')
        expectReceived(
          foreignCursor.request,
          foreignCursor.received,
          '400 request/invalid-query',
          `400 ${foreignCursor.received.code}`,
        )
        expect(foreignCursor.received.text).toBe(invalid.received.text)
      }
    }
  })
})

test('every route with a key or a session of the widget was called many times', () => {
  const { requests } = caller.count
  const callers = { key: routesOf('key').length, widget: routesOf('widget').length, none: routesOf('none').length }
  process.stdout.write(`tenant isolation: ${routes.length} routes (${JSON.stringify(callers)}), ${requests} requests\n`)
  expect(requests).toBeGreaterThan((callers.key + callers.widget) * 20)
})
