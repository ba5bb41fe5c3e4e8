// Tests that each operation of the API reference answers what its schema says, without an undocumented field.

import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthAnswer, InboxPage } from '../../../contract/api.ts'
import { type CallOptions, type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { givenDashboard, PASSWORD } from '../support/given-dashboard.ts'
import { type Components, type Schema, validatorOf } from '../support/schema-arbitrary.ts'

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
interface Reference {
  components: { schemas: Components }
  paths: Record<string, Record<string, Operation>>
}

let given: GivenEdge
let reference: Reference
let session: AuthAnswer
const answered = new Set<string>()

beforeAll(async () => {
  given = await givenEdge()
  const { body } = await given.call<Reference>('GET', '/openapi.json')
  reference = closed(body, body.components.schemas) as Reference
  session = await given.signIn('u_1')
})
afterAll(() => given.stop())

/** Forbids fields that an object of the reference does not name; an object that extends another one gets its fields. */
function closed(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((one) => closed(one, components))
  if (typeof value !== 'object' || value === null) return value
  const { allOf, ...own } = value as Schema & { allOf?: Schema[] }
  const parts = allOf?.map((part) => components[part.$ref?.split('/').pop() ?? ''] ?? part)
  const merged = parts?.every(({ properties }) => properties !== undefined)
    ? { ...own, type: 'object', properties: Object.assign({}, ...parts.map((part) => part.properties)) }
    : value
  const copy: Schema = Object.fromEntries(Object.entries(merged).map(([key, one]) => [key, closed(one, components)]))
  if (parts !== undefined && merged !== value) copy.required = parts.flatMap(({ required = [] }) => required)
  return copy.type !== undefined && copy.properties !== undefined ? { additionalProperties: false, ...copy } : copy
}

/** Calls an operation, whose placeholders `values` replace, and compares the answer with its schema. */
async function call<T>(
  operation: string,
  values: Record<string, string | number> = {},
  options: CallOptions & { query?: string } = {},
): Promise<T> {
  const [method = '', path = ''] = operation.split(' ')
  const isWidget = path.startsWith('/v1/inbox') || path.startsWith('/v1/notification')
  const credential = isWidget ? { session } : { key: given.demo.environments.dev.sdkSecretKey }
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
  const { status, body } = await given.call<T>(method, target + (options.query ?? ''), { ...credential, ...options })
  const schema = reference.paths[path]?.[method.toLowerCase()]?.responses[status]?.content?.['application/json']?.schema
  if (schema === undefined || status >= 300) throw new Error(`${operation} answered ${status}: ${JSON.stringify(body)}`)
  expect({ operation, faults: validatorOf(schema, reference.components.schemas)(body), body }).toMatchObject({
    faults: [],
  })
  answered.add(operation)
  return body
}

async function changeCampaign(id: string): Promise<void> {
  const definition = inboxCampaign('answers', 'answers')
  const event = { userId: 'u_1', properties: { name: 'Ada' } }
  await call('GET /v1/campaigns')
  await call('GET /v1/campaigns/{id}', { id })
  await call('PUT /v1/campaigns/{id}', { id }, { body: definition })
  await call('GET /v1/campaigns/{id}/versions', { id })
  await call('GET /v1/campaigns/{id}/versions/{version}', { id, version: 1 })
  await call('POST /v1/campaigns/{id}/preview', { id }, { body: { stepId: 'tell', event } })
  await call('POST /v1/campaigns/{id}/dry-run', { id }, { body: { event } })
  await call('POST /v1/campaigns/{id}/test', { id }, { body: { userId: 'u_1', event } })
  await call('GET /v1/campaigns/{id}/stats', { id })
  await call('POST /v1/runs/cancel', {}, { body: { campaignKey: 'answers', userId: 'u_1' } })
  await call('POST /v1/campaigns/{id}/pause', { id })
  await call('POST /v1/campaigns/{id}/resume', { id })
  await call('POST /v1/campaigns/{id}/archive', { id })
}

async function readHistory(eventId: string, messageId: string): Promise<void> {
  await call('GET /v1/events')
  const event = await call<{ runs: { runId: string }[] }>('GET /v1/events/{eventId}', { eventId })
  await call('GET /v1/events/{eventId}/runs', { eventId })
  await call('GET /v1/runs/{runId}', { runId: event.runs[0]?.runId ?? '' })
  await call('GET /v1/deliveries')
  await call('GET /v1/deliveries/{messageId}', { messageId })
}

async function useInbox(messages: InboxPage['data']): Promise<void> {
  const [first, second] = messages.map(({ id }) => id) as [string, string]
  await call('PATCH /v1/inbox/messages/{id}', { id: first }, { body: { archived: true } })
  await call('POST /v1/inbox/actions', {}, { body: { ids: [first, 'msg_1'], unopened: false } })
  const events = [first, 'msg_1'].map((messageId) => ({ messageId, eventType: 'clicked', link: '/somewhere' }))
  await call('POST /v1/notification/event/register', {}, { body: { events } })
  await call('POST /v1/inbox/read-all', {}, { body: { seq: 1 } })
  await call('DELETE /v1/inbox/messages/{id}', { id: second })
  // An addition, an update and a removal.
  await call('GET /v1/inbox/changes', {}, { query: `?since=0&epoch=${session.inbox.epoch}` })
  await call('GET /v1/inbox/preferences')
  await call('PUT /v1/inbox/preferences', {}, { body: { quietHours: { start: '22:00', end: '07:30' } } })
}

async function changeUserAndTopic(messageId: string): Promise<void> {
  const userId = 'u_1'
  await call('PUT /v1/users/{userId}', { userId }, { body: { email: 'ada@example.com', timeZone: 'Europe/London' } })
  await call('GET /v1/users/{userId}', { userId })
  await call('POST /v1/users/{userId}/inbox/mark-read', { userId }, { body: { messageIds: [messageId] } })
  await call('PUT /v1/topics/{key}/subscribers', { key: 'news' }, { body: { add: [userId] } })
  await call('GET /v1/topics/{key}/subscribers', { key: 'news' })
  await call('DELETE /v1/inbox/session')
  await call('POST /v1/users/{userId}/sign-out', { userId })
  await call('DELETE /v1/users/{userId}', { userId })
}

async function changeEnricher(): Promise<void> {
  const name = 'profile'
  // Not reachable, so that the trial answers an error.
  await call('PUT /v1/enrichers/{name}', { name }, { body: { url: 'https://127.0.0.1:9/', timeoutMs: 1000 } })
  await call('GET /v1/enrichers')
  await call('GET /v1/enrichers/{name}', { name })
  await call('POST /v1/enrichers/{name}/test', { name }, { body: {} })
  await call('DELETE /v1/enrichers/{name}', { name })
}

async function useDashboard(): Promise<void> {
  const auth = '/v1/dashboard/auth'
  const { organisation, dashboard: owner } = given.demo
  const org = organisation.id
  const people = givenDashboard(given)
  const headersOf = ({ cookie }: { cookie: string }) => ({ headers: { cookie, 'x-nc-request': '1' } })
  const anybody = headersOf({ cookie: '' })
  await call(`POST ${auth}/sign-in`, {}, { ...anybody, body: owner })
  const as = headersOf(await people.signIn(owner.email, owner.password))
  const members = `${auth}/organisations/{org}`
  const invited = { email: 'member@example.com', role: 'viewer' }
  const { id } = await call<{ id: string }>(`POST ${members}/invitations`, { org }, { ...as, body: invited })
  await call(`GET ${members}/invitations`, { org }, as)
  await call(`DELETE ${members}/invitations/{invitationId}`, { org, invitationId: id }, as)
  const token = await people.invite(org, 'ada@example.com', 'viewer')
  await call(`POST ${auth}/invitations/accept`, {}, { ...anybody, body: { token, password: PASSWORD } })
  const ada = headersOf(await people.signIn('ada@example.com'))
  const me = await call<{ person: { id: string } }>(`GET ${auth}/me`, {}, ada)
  const { data } = await call<{ data: { id: string; isCurrent: boolean }[] }>(`GET ${auth}/sessions`, {}, ada)
  const other = data.find(({ isCurrent }) => !isCurrent)
  await call(`DELETE ${auth}/sessions/{sessionId}`, { sessionId: other?.id ?? '' }, ada)
  const passwords = { currentPassword: PASSWORD, password: `${PASSWORD}, and another` }
  await call(`PUT ${auth}/password`, {}, { ...ada, body: passwords })
  await call(`POST ${auth}/sign-out`, {}, ada)
  const { link } = await people.cli.json<{ link: string }>('member reset --email ada@example.com')
  const reset = { token: link.split('#')[1], password: PASSWORD }
  await call(`POST ${auth}/password-reset/confirm`, {}, { ...anybody, body: reset })
  // Last of the two: it makes its link after its answer, in place of the former one.
  await call(`POST ${auth}/password-reset`, {}, { ...anybody, body: { email: 'ada@example.com' } })
  const personId = me.person.id
  await call('GET /v1/dashboard/organisations/{org}/environments', { org }, as)
  await call(`GET ${members}/members`, { org }, as)
  await call(`PUT ${members}/members/{personId}`, { org, personId }, { ...as, body: { role: 'editor' } })
  await call(`DELETE ${members}/members/{personId}`, { org, personId }, as)
}

test('each operation answers what the reference says', async () => {
  const { sdkSecretKey, frontApiKey: apiKey, authSecretKey } = given.demo.environments.dev
  const { id } = await call<{ id: string }>('POST /v1/campaigns', {}, { body: inboxCampaign('answers', 'answers') })
  await call('POST /v1/campaigns/{id}/publish', { id })
  const event = { name: 'answers', userId: 'u_1', properties: { name: 'Ada' } }
  const { eventId } = await call<{ eventId: string }>('POST /v1/events/track', {}, { body: { sdkSecretKey, ...event } })
  await call(
    'POST /v1/events/track/batch',
    {},
    { body: { sdkSecretKey, events: [event, { name: '', userId: 'u_1' }] } },
  )
  const token = createHmac('sha256', authSecretKey).update('u_1').digest('hex')
  await call('POST /v1/users/auth', {}, { body: { apiKey, authType: 'backendToken', userId: 'u_1', token } })
  await expect.poll(async () => (await given.page(session)).data).toHaveLength(2)
  const { data } = await call<InboxPage>('GET /v1/inbox/messages')
  const messageId = data[0]?.id ?? ''

  await useInbox(data)
  await readHistory(eventId, messageId)
  await changeCampaign(id)
  await changeUserAndTopic(messageId)
  await changeEnricher()
  await useDashboard()

  const all = Object.entries(reference.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => Object.values(responses)[0]?.content?.['application/json'] !== undefined)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  )
  expect([...answered].sort()).toEqual(all.sort())
})
