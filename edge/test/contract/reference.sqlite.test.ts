// Tests that the API reference matches the served API, so that a generated client can send and read every field.
// SQLite alone: the reference is the same on both engines, and other journeys make each call on both.

import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ERRORS } from '../../../contract/errors.ts'
import { KEY_MAY_MANAGE } from '../../../contract/tenant.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { markdownTable, withTable } from '../support/page-table.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
}

interface Operation {
  summary: string
  tags: string[]
  'x-dashboard-role'?: string
  security?: Record<string, unknown>[]
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>
}

interface Reference {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

let given: GivenEdge
let reference: Reference
beforeAll(async () => {
  given = await givenEdge()
  reference = (await given.call<Reference>('GET', '/openapi.json')).body
})
afterAll(() => given.stop())

function operation(method: string, path: string): Operation {
  const found = reference.paths[path]?.[method]
  if (found === undefined) throw new Error(`the reference has no ${method} ${path}`)
  return found
}

const resolved = (schema: Schema | undefined): Schema | undefined =>
  schema?.$ref === undefined ? schema : reference.components.schemas[schema.$ref.split('/').pop() as string]

/** Returns the type of a field of a body, by its path. */
function typeOf(method: string, path: string, ...fields: string[]): unknown {
  let schema = resolved(operation(method, path).requestBody?.content['application/json']?.schema)
  for (const field of fields) schema = resolved(schema?.properties?.[field])
  return schema?.type
}

test.each<[string, string, string[], ...string[]]>([
  ['patch', '/v1/inbox/messages/{id}', ['snoozedUntil'], 'string', 'number'],
  ['put', '/v1/users/{userId}', ['attributes'], 'object'],
  ['put', '/v1/users/{userId}', ['email'], 'string'],
  ['post', '/v1/events/track', ['user', 'attributes'], 'object'],
  ['put', '/v1/inbox/preferences', ['quietHours'], 'object'],
])('%s %s allows null for %j', (method, path, fields, ...types) => {
  expect(typeOf(method, path, ...fields)).toEqual([...types, 'null'])
})

test.each([
  ['post', '/v1/events/track', 'Idempotency-Key'],
  ['get', '/v1/inbox/changes', 'If-None-Match'],
])('%s %s has the header %s', (method, path, name) => {
  expect(operation(method, path).parameters).toContainEqual(expect.objectContaining({ name, in: 'header' }))
})

/** Returns the names of the fields of the JSON that a call answers, the lists among them apart; undefined without JSON. */
function answerOf({ responses }: Operation): { names: string[]; lists: string[] } | undefined {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const schema = resolved(answer?.content?.['application/json']?.schema)
  if (schema === undefined) return undefined
  const fields = Object.entries(schema.properties ?? {})
  const lists = fields.filter(([, field]) => resolved(field)?.type === 'array').map(([name]) => name)
  return { names: fields.map(([name]) => name), lists: schema.type === 'array' ? [''] : lists }
}

test('every list is { data, nextCursor }', () => {
  const paths = Object.keys(reference.paths)
  const hasItems = (path: string) =>
    paths.some((other) => other.startsWith(`${path}/{`) && !other.includes('}/', path.length + 2))
  const found: string[] = []
  for (const [path, { get }] of Object.entries(reference.paths)) {
    const answer = get && answerOf(get)
    if (answer === undefined) continue
    const { names, lists } = answer
    const isList = hasItems(path) || lists.includes('data') || lists.includes('') || names.join() === lists.join()
    if (!isList || lists.length === 0) continue
    found.push(path)
    expect([lists, names], path).toEqual([['data'], expect.arrayContaining(['data', 'nextCursor'])])
  }
  expect(found.length).toBeGreaterThan(25)
})

test('every deletion answers { deleted }, and that of an inbox message the inbox', () => {
  const answers = Object.entries(reference.paths).flatMap(([path, { delete: operation }]) =>
    operation === undefined ? [] : [[path, answerOf(operation)?.names]],
  )
  expect(answers.length).toBeGreaterThan(15)
  const ofMessage = '/v1/inbox/messages/{id}'
  expect(answers).toEqual(answers.map(([path]) => [path, [path === ofMessage ? 'inbox' : 'deleted']]))
})

test('the changes route lists the answer 304 without a body', () => {
  expect(operation('get', '/v1/inbox/changes').responses['304']).toEqual({ description: expect.any(String) })
})

test('links of mails list the page of a broken one', () => {
  const links = Object.entries(reference.paths).filter(([path]) => /^\/v1\/t\/[cup]\//.test(path))
  expect(links).toHaveLength(3)
  for (const [path, methods] of links)
    for (const { responses } of Object.values(methods))
      expect([path, Object.keys(responses['404']?.content ?? {})]).toEqual([path, ['text/html']])
})

test('every call of the widget lists the refusal of a forbidden origin', () => {
  const calls = Object.values(reference.paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ security }) => security?.some((scheme) => 'widgetSession' in scheme))
  expect(calls.length).toBeGreaterThan(8)
  for (const { responses } of calls) expect(responses['403']?.description).toContain('authorization/not-allowed')
})

/** Resources of which a list is a part, by the name of that part (contract, sections 5, 6, 10 and 15; paths are bounded). */
const PARTS: Record<string, string> = {
  'GET /v1/inbox/changes': 'changes',
  'GET /v1/inbox/preferences': 'categories',
  'GET /v1/users/{userId}/preferences': 'categories',
  'GET /v1/campaigns/{id}/stats/series': 'points',
  'GET /v1/campaigns/{id}/stats/flow': 'steps',
  'GET /v1/event-names/{name}/properties': 'paths',
  'GET /v1/stats': 'steps',
  'GET /v1/stats/series': 'points',
  'GET /v1/deliveries/{messageId}/mail': 'warnings',
  'GET /v1/sources/{sourceId}': 'mappings',
  'GET /v1/dashboard/auth/me': 'organisations',
  'GET /v1/dashboard/organisations/{org}': 'regions',
  'GET /v1/dashboard/organisations/{org}/notification-configs/{configId}': 'categories',
  'GET /v1/dashboard/organisations/{org}/notification-configs/{configId}/mail-preview': 'warnings',
}

test('every list is a page: data, nextCursor, limit and cursor', () => {
  let pages = 0
  const faults: string[] = []
  for (const [path, methods] of Object.entries(reference.paths)) {
    const operation = methods.get
    const content = operation?.responses['200']?.content as Record<string, { schema: Schema }> | undefined
    const { properties = {} } = resolved(content?.['application/json']?.schema) ?? {}
    const lists = Object.keys(properties).filter((name) => resolved(properties[name])?.type === 'array')
    const [list] = lists
    if (list === undefined || (lists.length > 1 && list !== 'data') || PARTS[`GET ${path}`] === list) continue
    pages++
    if (list !== 'data' || lists.length > 1) faults.push(`${path} has ${lists}`)
    if (properties.nextCursor?.type?.toString() !== 'string,null') faults.push(`${path} has no nextCursor`)
    for (const name of ['limit', 'cursor']) {
      if (!operation?.parameters?.some((one) => one.in === 'query' && one.name === name))
        faults.push(`${path} has no ${name}`)
    }
  }
  expect(faults).toEqual([])
  expect(pages).toBeGreaterThan(25)
})

/** The parts of the reference, with those of the dashboard as one. */
const areasOf = ({ tags }: Operation) => tags.map((tag) => tag.replace(/^Dashboard .*/, 'Dashboard'))

test('docs/errors.md has each code, with the parts of the reference whose operations list it', async () => {
  const page = new URL('../../../docs/errors.md', import.meta.url)
  const operations = Object.values(reference.paths).flatMap((methods) => Object.values(methods))
  const areas = new Set(operations.flatMap(areasOf))
  const rows = Object.entries(ERRORS).map(([code, { status, message }]) => {
    const listing = operations.filter(({ responses }) => JSON.stringify(responses).includes(`\`${code}\``))
    const where = [...new Set(listing.flatMap(areasOf))]
    const named = where.length === areas.size ? ['all'] : where.length > areas.size / 2 ? ['most'] : where
    return [`\`${code}\``, String(status), message.replace(/\.$/, ''), named.join(', ') || '–']
  })
  expect(rows.filter(([, , , where]) => where !== '–').length).toBeGreaterThan(20)
  const table = markdownTable(['Code', 'Status', 'Message', 'Where'], rows)
  await expect(withTable(await readFile(page, 'utf8'), 'codes', table)).toMatchFileSnapshot(page.pathname)
})

test('every operation names what is answered before routing', () => {
  for (const [path, methods] of Object.entries(reference.paths)) {
    for (const { responses } of Object.values(methods)) {
      expect([path, responses['405']?.description]).toEqual([path, '`request/method-not-allowed`'])
      expect([path, responses['431']?.description]).toEqual([path, '`request/headers-too-large`'])
    }
  }
})

test('docs/api.md says what a key may manage in the words of refusals, of the reference and of the dashboard', async () => {
  expect(await readFile(PAGE, 'utf8')).toContain(KEY_MAY_MANAGE)
  expect(JSON.stringify(reference.components.schemas)).toContain(KEY_MAY_MANAGE)
})

const PAGE = new URL('../../../docs/api.md', import.meta.url)

/** Any key may test the stored draft; a definition of its own asks for one that may manage. */
const MANAGES_IN_PART = '/v1/campaigns/{id}/test'

function callerOf(path: string, { security, responses }: Operation): string {
  const [scheme] = Object.keys(security?.[0] ?? {})
  if (scheme === undefined) return 'anyone'
  if (scheme === 'widgetSession') return 'widget'
  if (scheme === 'dashboardSession') return /\{(?:org|envId)\}/.test(path) ? 'member' : 'person'
  if (path === MANAGES_IN_PART) return 'key'
  return responses['403']?.description.includes('authorization/not-allowed') ? 'key, may manage' : 'key'
}

const routeOf = (method: string, path: string) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`

test('docs/api.md has the routes of the reference, each with its caller and role', async () => {
  const rows = Object.entries(reference.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => [
      `\`${routeOf(method, path)}\``,
      callerOf(path, one),
      one['x-dashboard-role'] ?? '–',
      one.summary,
    ]),
  )
  const table = markdownTable(['Route', 'Caller', 'Role', 'Does'], rows)
  await expect(withTable(await readFile(PAGE, 'utf8'), 'routes', table)).toMatchFileSnapshot(PAGE.pathname)
})

test('every other row of docs/api.md is a file that is served', async () => {
  const documented = [...(await readFile(PAGE, 'utf8')).matchAll(/^\| `([A-Z]+ \/[^`]*)`/gm)].map(
    ([, route = '']) => route,
  )
  const operations = Object.entries(reference.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => routeOf(method, path)),
  )
  // Those of the widget and the dashboard exist only after a build.
  const built = ['GET /widget/*', 'GET /sign-in', 'GET /org/*', 'GET /dashboard/*', 'GET /dashboard/assets/*']
  const files = documented.filter((route) => !operations.includes(route) && !built.includes(route))
  expect(files).toContain('GET /docs')
  for (const route of files) {
    expect((await fetch(`${given.url}${route.replace('GET ', '')}`)).status, route).toBe(200)
  }
})
