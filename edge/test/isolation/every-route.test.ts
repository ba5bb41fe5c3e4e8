// Tests tenant isolation on every listed route: another tenant or an invalid credential reads and changes nothing.

import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import { parseId } from '../../lib/id.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'
import { type Asked, createAsk, leaksIn, type Received, withoutAsked } from './ask.ts'
import { type Keys, type Refused, refusedCredentials } from './credentials.ts'
import { type Owned, ownedByEnvironment, ownedByUser, readTables, rowsOf } from './dump.ts'
import { bodiesOf, pathOf, queriesOf, RECORD_PATH, requireKnownPublic } from './fixtures.ts'
import { type Route, readRoutes } from './routes.ts'
import { createTenant, type Names, NOBODYS, secretsOf, type Tenant } from './tenant.ts'

let given: GivenEdge
let routes: Route[]
let walker: ReturnType<typeof createAsk>
let victim: Tenant
/** Another user of the victim's environment. */
let neighbour: Tenant
/** Another environment of the same organisation, and one of another organisation. */
let strangers: Tenant[]
let refused: Refused[]
let secrets: string[]

const PATIENCE_MS = 240_000

beforeAll(async () => {
  given = await givenEdge()
  const cli = givenNc(given.settings)
  walker = createAsk(given)
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
  await vi.waitUntil(async () => (await mayManage()) === 400, { timeout: 20_000 })
  victim = await createTenant(given, dev, 'vera')
  neighbour = await createTenant(given, dev, 'nadja')
  strangers = [await createTenant(given, prod, 'paul'), await createTenant(given, await createEnv('away'), 'anton')]
  refused = await refusedCredentials(given, cli, createEnv)
  secrets = secretsOf(victim)
}, PATIENCE_MS)
afterAll(() => given.stop())

/** Returns the routes of a kind of caller. */
const routesOf = (caller: Route['caller']) => routes.filter((route) => route.caller === caller)

async function expectUntouched(
  owned: (tables: Awaited<ReturnType<typeof readTables>>) => Owned,
  walk: () => Promise<void>,
) {
  const before = await readTables(given)
  const whose = owned(before)
  const rows = rowsOf(before, whose)
  expect(Object.values(rows).flat().length).toBeGreaterThan(5)
  await walk()
  expect(rowsOf(await readTables(given), whose)).toEqual(rows)
}

const environmentOf = ({ keys }: Tenant) => parseId('environment', keys.id) ?? 0

/** Compares two values; a failure prints the request and the answer. */
function expectReceived(asked: Asked, received: Received, expected: unknown, actual: unknown) {
  const line = `${asked.method} ${asked.path} ${JSON.stringify(asked.body ?? '')}\n${received.text}`
  expect(actual, line).toEqual(expected)
}

/** Returns every way to name a record: in the path, each query and each body. All other names are the caller's own. */
function waysOf(route: Route, own: Names) {
  const ways: ((names: Names, credential: string) => { path: string; body: object | undefined })[] = []
  const bodies = bodiesOf(route)
  const [plain] = bodies
  if (route.path.includes('{')) {
    ways.push((names, credential) => ({ path: pathOf(route, names), body: plain?.(own, credential) }))
  }
  for (const [query, value] of queriesOf(route)) {
    ways.push((names, credential) => ({
      path: `${pathOf(route, own)}?${query}=${encodeURIComponent(value(names))}`,
      body: plain?.(own, credential),
    }))
  }
  for (const body of bodies) {
    ways.push((names, credential) => ({ path: pathOf(route, own), body: body(names, credential) }))
  }
  return ways
}

/**
 * Calls each route with names that do not exist, then with those of the victim: the answers must be equal,
 * and contain nothing of the victim except `common`.
 */
async function walkAs(stranger: Tenant, caller: 'key' | 'widget', common: string[] = []): Promise<void> {
  const kept = secrets.filter((secret) => !common.includes(secret))
  // Reads come first: after its writes the caller may read names that it has chosen itself.
  const own: Asked[] = []
  const readsFirst = routesOf(caller).sort((a, b) => Number(b.method === 'GET') - Number(a.method === 'GET'))
  for (const route of readsFirst) {
    for (const way of waysOf(route, stranger.names)) {
      const answers: string[] = []
      for (const names of [NOBODYS, victim.names]) {
        // A new session, because one of the routes ends it.
        const credential = caller === 'key' ? stranger.keys.sdkSecretKey : (await stranger.signIn()).sessionToken
        const { path, body } = way(names, credential)
        const asked: Asked = { method: route.method, path, authorization: `Bearer ${credential}`, body }
        const received = await walker.ask(asked)
        if (route.method !== 'GET') own.push(asked)
        expectReceived(asked, received, [], leaksIn(received, [asked, ...own], kept))
        if (RECORD_PATH.test(route.path) && path === pathOf(route, names))
          expectReceived(asked, received, 404, received.status)
        answers.push(common.reduce((text, one) => text.replaceAll(one, '<asked>'), withoutAsked(received.text, names)))
      }
      expect(answers[1], route.name).toBe(answers[0])
    }
  }
}

describe('every route', () => {
  test('has a known caller, and fixtures for its parameters', () => {
    for (const route of routesOf('none')) requireKnownPublic(route)
    for (const route of [...routesOf('key'), ...routesOf('widget')]) {
      pathOf(route, NOBODYS)
      queriesOf(route)
      bodiesOf(route)
    }
    expect(routes.length).toBeGreaterThan(35)
  })

  test('is called when docs/api.md lists it for a key or a widget', async () => {
    const page = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^\| `([A-Z]+ \S+)` \| (\w+)/gm)].filter(([, , caller]) => caller !== 'anyone')
    const walked = new Set(routes.map(({ name }) => name.replace(/\{(\w+)\}/g, ':$1')))
    expect(rows.length).toBeGreaterThan(35)
    expect(rows.map(([, name]) => name).filter((name) => !walked.has(name ?? ''))).toEqual([])
  })

  test(
    'refuses a missing, malformed or retired credential, and one of a disabled environment',
    async () => {
      await expectUntouched(
        (tables) => ownedByEnvironment(tables, environmentOf(victim)),
        async () => {
          for (const route of [...routesOf('key'), ...routesOf('widget')]) {
            const caller = route.caller === 'key' ? 'key' : 'widget'
            for (const { what, authorization, credential, expected } of refused) {
              const body = bodiesOf(route)[0]?.(victim.names, credential)
              const asked = { method: route.method, path: pathOf(route, victim.names), authorization, body }
              const received = await walker.ask(asked)
              expectReceived(
                asked,
                received,
                `${what}: ${expected[caller]}`,
                `${what}: ${received.status} ${received.code}`,
              )
              expectReceived(asked, received, [], leaksIn(received, [asked], secrets))
            }
          }
        },
      )
    },
    PATIENCE_MS,
  )

  test('refuses a credential of the other kind', async () => {
    const { sessionToken } = await victim.signIn()
    const wrong = { key: [sessionToken, '403'], widget: [victim.keys.sdkSecretKey, '401'] } as const
    for (const caller of ['key', 'widget'] as const) {
      for (const route of routesOf(caller)) {
        const [credential, status] = wrong[caller]
        const body = bodiesOf(route)[0]?.(victim.names, credential)
        const path = pathOf(route, victim.names)
        const asked = { method: route.method, path, authorization: `Bearer ${credential}`, body }
        const received = await walker.ask(asked)
        expectReceived(asked, received, status, String(received.status))
      }
    }
  })

  test.each([0, 1])(
    "answers a key of another environment (%i) the same for the victim's names as for unknown ones",
    async (at) => {
      const stranger = strangers[at] as Tenant
      await expectUntouched(
        (tables) => ownedByEnvironment(tables, environmentOf(victim)),
        () => walkAs(stranger, 'key'),
      )
    },
    PATIENCE_MS,
  )

  test.each([0, 1])(
    "answers a session of another environment (%i) the same for the victim's names as for unknown ones",
    async (at) => {
      const stranger = strangers[at] as Tenant
      await expectUntouched(
        (tables) => ownedByEnvironment(tables, environmentOf(victim)),
        () => walkAs(stranger, 'widget'),
      )
    },
    PATIENCE_MS,
  )

  test(
    "answers a session of another user of the same environment the same for the victim's names as for unknown ones",
    async () => {
      await expectUntouched(
        (tables) => {
          const row = tables.get('app_user')?.find(({ user_id }) => user_id === victim.names.userId)
          return ownedByUser(tables, Number(row?.user_no), victim.names.userId)
        },
        // Categories belong to the environment: all of its users choose among them.
        () => walkAs(neighbour, 'widget', [victim.names.category]),
      )
    },
    PATIENCE_MS,
  )
})

describe('a cursor', () => {
  test(
    'of another environment or user is refused like an invalid one',
    async () => {
      const lists = routes.filter(({ query }) => query.includes('cursor'))
      expect(lists.length).toBeGreaterThanOrEqual(7)
      for (const route of lists) {
        const credentialOf = async (world: Tenant) =>
          route.caller === 'key' ? world.keys.sdkSecretKey : (await world.signIn()).sessionToken
        const ask = async (world: Tenant, names: Names, query: string) => {
          const path = `${pathOf(route, names)}?limit=1${query}`
          const asked = { method: route.method, path, authorization: `Bearer ${await credentialOf(world)}` }
          return { asked, received: await walker.ask(asked) }
        }
        const { asked, received } = await ask(victim, victim.names, '')
        const { nextCursor } = JSON.parse(received.body) as Page<unknown>
        expectReceived(asked, received, 'string', typeof nextCursor)
        const own = await ask(victim, victim.names, `&cursor=${nextCursor}`)
        expectReceived(own.asked, own.received, 200, own.received.status)
        const others = route.caller === 'key' ? strangers : [...strangers, neighbour]
        for (const other of others) {
          const foreign = await ask(other, other.names, `&cursor=${nextCursor}`)
          const nonsense = await ask(other, other.names, '&cursor=nonsense')
          expectReceived(foreign.asked, foreign.received, '400 request/invalid-query', `400 ${foreign.received.code}`)
          expect(foreign.received.text).toBe(nonsense.received.text)
        }
      }
    },
    PATIENCE_MS,
  )
})

test('every route was called many times', () => {
  const { requests } = walker.count
  const callers = { key: routesOf('key').length, widget: routesOf('widget').length, none: routesOf('none').length }
  process.stdout.write(`fence: ${routes.length} routes (${JSON.stringify(callers)}), ${requests} requests\n`)
  expect(requests).toBeGreaterThan(routes.length * 15)
})
