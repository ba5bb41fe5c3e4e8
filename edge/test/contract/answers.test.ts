// Tests that each operation of the API reference answers what its schema says, without an undocumented field.

import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthAnswer, InboxPage } from '../../../contract/api.ts'
import { findFreePort } from '../../../tools/servers/server-process.ts'
import { countTwoCrashes } from '../support/count-crashes.ts'
import { type Answer, type CallOptions, type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { cookieOf, givenDashboard, PASSWORD } from '../support/given-dashboard.ts'
import { type GivenMailApi, givenMailApi } from '../support/given-mail-api.ts'
import { type GivenNameServer, givenNameServer } from '../support/given-name-server.ts'
import { CLIENT, type GivenProvider, givenProvider } from '../support/given-provider.ts'
import { codeAt } from '../support/given-second-factor.ts'
import { signedHeaders } from '../support/given-sources.ts'
import { EVENTS_OF } from '../support/provider-events.ts'
import { type Components, type Schema, validatorOf } from '../support/schema-arbitrary.ts'
import { createSoftAuthenticator } from '../support/soft-authenticator.ts'
import { answerRequests, callAgain, callEnricher, callMailbox, callTexts } from './environment-calls.ts'

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
interface Reference {
  components: { schemas: Components }
  paths: Record<string, Record<string, Operation>>
}

let given: GivenEdge
let mail: GivenMailApi
let names: GivenNameServer
let reference: Reference
let session: AuthAnswer
const answered = new Set<string>()

beforeAll(async () => {
  mail = await givenMailApi()
  names = await givenNameServer()
  given = await givenEdge(mail.env, { outbound: mail.outbound, findTexts: names.findTexts })
  const { body } = await given.call<Reference>('GET', '/openapi.json')
  reference = closed(body, body.components.schemas) as Reference
  session = await given.signIn('u_1')
})
afterAll(async () => {
  await given.stop()
  await mail.stop()
  await names.stop()
})

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
  options: CallOptions & { query?: string; to?: GivenEdge; base?: string } = {},
): Promise<T> {
  const [method = '', path = ''] = operation.split(' ')
  const isWidget = path.startsWith('/v1/inbox') || path.startsWith('/v1/notification')
  const { to = given } = options
  const credential =
    options.base !== undefined ? {} : isWidget ? { session } : { key: given.demo.environments.dev.sdkSecretKey }
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
  const inBase = options.base === undefined ? target : target.replace('/v1', options.base)
  const { status, body } = await to.call<T>(method, inBase + (options.query ?? ''), { ...credential, ...options })
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
  await call('GET /v1/campaigns/counts')
  await call('GET /v1/campaigns/{id}', { id })
  await call('PUT /v1/campaigns/{id}', { id }, { body: definition })
  await call('GET /v1/campaigns/{id}/versions', { id })
  await call('GET /v1/campaigns/{id}/versions/{version}', { id, version: 1 })
  await call('POST /v1/campaigns/{id}/text-changes', { id }, { body: {} })
  await call('POST /v1/campaigns/{id}/preview', { id }, { body: { stepId: 'tell', event } })
  await call('POST /v1/campaigns/{id}/dry-run', { id }, { body: { event } })
  await call('POST /v1/campaigns/{id}/explain', { id }, { body: { userId: 'u_1', event } })
  await call('POST /v1/campaigns/{id}/test', { id }, { body: { userId: 'u_1', event } })
  for (const more of ['', '/series', '/flow']) await call(`GET /v1/campaigns/{id}/stats${more}`, { id })
  for (const path of ['/stats', '/stats/campaigns', '/stats/series', '/stats/online']) await call(`GET /v1${path}`)
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
  const { data: names } = await call<{ data: { name: string }[] }>('GET /v1/event-names')
  await call('GET /v1/event-names/{name}/properties', { name: names[0]?.name ?? '' })
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
  await call('GET /v1/users')
  await call('GET /v1/users/{userId}/inbox', { userId })
  for (const part of ['preferences', 'topics']) await call(`GET /v1/users/{userId}/${part}`, { userId })
  await call('POST /v1/users/{userId}/inbox/mark-read', { userId }, { body: { messageIds: [messageId] } })
  await call('PUT /v1/topics/{key}/subscribers', { key: 'news' }, { body: { add: [userId] } })
  await call('GET /v1/topics/{key}/subscribers', { key: 'news' })
  await call('GET /v1/topics')
  await call('GET /v1/users/{userId}/export', { userId })
  await call('PUT /v1/users/{userId}', { userId }, { body: { locale: 'english' } })
  const { data: doubts } = (await call('GET /v1/doubts')) as { data: { id: string }[] }
  await call('DELETE /v1/doubts/{id}', { id: doubts[0]?.id ?? '' })
  await call('POST /v1/suppressions', {}, { body: { userId } })
  await call('GET /v1/suppressions', {}, { query: `?userId=${userId}` })
  await call('DELETE /v1/suppressions', {}, { query: `?userId=${userId}` })
  await call('DELETE /v1/inbox/session')
  await call('POST /v1/users/{userId}/sign-out', { userId })
  await call('DELETE /v1/users/{userId}', { userId })
}

async function useIntegration(): Promise<void> {
  const body = { name: 'answers', provider: 'postmark', credentials: mail.credentialsOf(EVENTS_OF.POSTMARK) }
  const path = 'PUT /v1/email/integrations/{integrationId}'
  type Created = { id: string; webhookUrl: string; webhookCredentials: { username: string; password: string } }
  const created = await call<Created>('POST /v1/email/integrations', {}, { body })
  const integrationId = created.id
  await call('GET /v1/email/providers')
  await call('GET /v1/email/integrations')
  await call('GET /v1/email/domains')
  await call(path.replace('PUT', 'GET'), { integrationId })
  await call(path, { integrationId }, { body: { ...body, from: { address: 'shop@example.com' } } })
  await call(`${path.replace('PUT', 'POST')}/test`, { integrationId }, { body: { to: 'ada@example.com' } })
  const { username, password } = created.webhookCredentials
  const headers = { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
  const webhookId = created.webhookUrl.split('/').at(-1) ?? ''
  await call('POST /v1/webhooks/{provider}/{webhookId}', { provider: 'postmark', webhookId }, { headers, body: [] })
  await call(path.replace('PUT', 'DELETE'), { integrationId })
}

/** People alone see a secret again: in the dashboard, by the same operation. */
async function showSecret(sourceId: string): Promise<void> {
  const { organisation, environments } = given.demo
  const { cookie } = await givenDashboard(given).join(organisation.id, 'shown@example.com', 'admin')
  const base = `/v1/dashboard/environments/${environments.dev.id}`
  const as = { headers: { cookie, 'x-nc-request': '1' } }
  await call('POST /v1/sources/{sourceId}/show', { sourceId }, { ...as, base })
  const body = { name: 'signed', provider: 'standardwebhooks' }
  const signed = await call<{ id: string }>('POST /v1/sources', {}, { body })
  const request = 'webhook-id: 1\nwebhook-timestamp: 1600000000\nwebhook-signature: v1,a\n\n{}'
  await call('POST /v1/sources/{sourceId}/try-signature', { sourceId: signed.id }, { ...as, base, body: { request } })
  await call('DELETE /v1/sources/{sourceId}', { sourceId: signed.id })
}

async function useSource(): Promise<void> {
  type Created = { id: string; verificationSecret: string }
  const created = await call<Created>('POST /v1/sources', {}, { body: { name: 'answers', provider: 'stripe' } })
  const sourceId = created.id
  const one = '/v1/sources/{sourceId}'
  const payload = { id: 'evt_1', type: 'payout.paid', data: { object: { id: 'po_1', customer: 'u_1' } } }
  await call('GET /v1/sources')
  await call(`GET ${one}`, { sourceId })
  await call(`PUT ${one}`, { sourceId }, { body: { name: 'others', mappings: [{ providerEvent: '*' }] } })
  await call('POST /v1/sources/try', {}, { body: { provider: 'stripe', payload } })
  await call(`POST ${one}/rotate`, { sourceId }, { body: { overlap: 'PT2H' } })
  await call(`POST ${one}/extend`, { sourceId }, { body: { overlap: 'PT24H' } })
  await showSecret(sourceId)
  await call(`POST ${one}/retire`, { sourceId }, { body: { confirm: true } })
  const body = { confirm: true, verificationSecret: 'whsec_answers' }
  await call(`POST ${one}/emergency`, { sourceId }, { body })
  const receive = async () => {
    const text = JSON.stringify(payload)
    const headers = signedHeaders('stripe', { secret: body.verificationSecret, body: text, url: '' })
    await call(
      'POST /v1/connectors/{provider}/{sourceId}',
      { provider: 'stripe', sourceId },
      { headers, body: payload },
    )
  }
  await receive()
  const delivery = { sourceId, deliveryId: payload.id }
  // Bodies are kept in the background.
  const path = `/v1/sources/${sourceId}/deliveries/${payload.id}`
  const key = given.demo.environments.dev.sdkSecretKey
  await expect
    .poll(async () => (await given.call('GET', path, { key })).body)
    .toMatchObject({ body: expect.any(String) })
  await call(`GET ${one}/deliveries/{deliveryId}`, delivery)
  await call(`POST ${one}/deliveries/{deliveryId}/run`, delivery)
  const time = { from: '2026-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z', pace: 1 }
  await call(`POST ${one}/deliveries/run`, { sourceId }, { body: time })
  await call(`POST ${one}/deliveries/stop`, { sourceId })
  await call(`POST ${one}/pause`, { sourceId })
  await receive()
  await call(`POST ${one}/resume`, { sourceId })
  await call(`GET ${one}/deliveries`, { sourceId })
  await call(`DELETE ${one}`, { sourceId })
}

const asPerson = ({ cookie }: { cookie: string }) => ({ headers: { cookie, 'x-nc-request': '1' } })

async function useDashboard(): Promise<void> {
  const auth = '/v1/dashboard/auth'
  const { organisation, dashboard: owner } = given.demo
  const org = organisation.id
  const people = givenDashboard(given)
  const anybody = asPerson({ cookie: '' })
  await call(`POST ${auth}/sign-in`, {}, { ...anybody, body: owner })
  const as = asPerson(await people.signIn(owner.email, owner.password))
  const members = `${auth}/organisations/{org}`
  const invited = { email: 'member@example.com', role: 'viewer' }
  const { id } = await call<{ id: string }>(`POST ${members}/invitations`, { org }, { ...as, body: invited })
  await call(`GET ${members}/invitations`, { org }, as)
  await call(`DELETE ${members}/invitations/{invitationId}`, { org, invitationId: id }, as)
  const token = await people.invite(org, 'ada@example.com', 'viewer')
  await call(`POST ${auth}/invitations/look`, {}, { ...anybody, body: { token } })
  await call(`POST ${auth}/invitations/accept`, {}, { ...anybody, body: { token, password: PASSWORD } })
  const ada = asPerson(await people.signIn('ada@example.com'))
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
  await useSecondFactor(people, org)
  await useSingleSignOn(as, org)
  const personId = me.person.id
  await call(`GET ${members}/members`, { org }, as)
  await call(`PUT ${members}/members/{personId}`, { org, personId }, { ...as, body: { role: 'editor' } })
  await call(`DELETE ${members}/members/{personId}`, { org, personId }, as)
}

async function useOrganisation(): Promise<void> {
  const { email, password } = given.demo.dashboard
  const as = asPerson(await givenDashboard(given).signIn(email, password))
  const path = '/v1/dashboard/organisations/{org}'
  const { id: org } = await call<{ id: string }>(
    'POST /v1/dashboard/auth/organisations',
    {},
    { ...as, body: { name: 'Acme' } },
  )
  await call(`GET ${path}`, { org }, as)
  await call(`POST ${path}/region`, { org }, { ...as, body: { region: 'eu' } })
  await call(`POST ${path}/settings`, { org }, { ...as, body: {} })
  await call(`PUT ${path}/settings`, { org }, { ...as, body: { locale: 'de' } })
  const content = {
    name: 'Main',
    categories: [{ key: 'orders' }],
    widget: { texts: { en: { title: 'News', unread: { one: '1', other: 'many' } } } },
  }
  const config = await call<{ id: string }>(`POST ${path}/notification-configs`, { org }, { ...as, body: content })
  const configId = config.id
  await call(`GET ${path}/notification-configs`, { org }, as)
  await call(`GET ${path}/notification-configs/{configId}`, { org, configId }, as)
  await call(`PUT ${path}/notification-configs/{configId}`, { org, configId }, { ...as, body: content })
  await call(`GET ${path}/mail-layouts`, { org }, as)
  await call(`POST ${path}/mail-layouts/preview`, { org }, { ...as, body: { locale: 'de' } })
  await call(`GET ${path}/notification-configs/{configId}/mail-preview`, { org, configId }, as)
  const unused = await call<{ id: string }>(
    `POST ${path}/notification-configs`,
    { org },
    { ...as, body: { name: 'unused' } },
  )
  await call(`DELETE ${path}/notification-configs/{configId}`, { org, configId: unused.id }, as)
  const draft = { name: 'dev', notificationConfigId: configId }
  const { id: envId } = await call<{ id: string }>(`POST ${path}/environments`, { org }, { ...as, body: draft })
  await call(`GET ${path}/environments`, { org }, as)
  const next = await call<{ id: string }>(`POST ${path}/environments`, { org }, { ...as, body: { name: 'next' } })
  await useEnvironment(envId, as)
  const copy = { ...as, body: { to: next.id } }
  await call('POST /v1/dashboard/environments/{envId}/copy-campaigns', { envId }, copy)
  await answerRequests(call, given, next.id, as)
  await call('GET /v1/dashboard/environments/{envId}/contents', { envId: next.id }, as)
  const confirmed = { ...as, query: '?confirm=next' }
  await call('DELETE /v1/dashboard/environments/{envId}', { envId: next.id }, confirmed)
  await call(`GET ${path}/audit-log`, { org }, as)
}

async function useEnvironment(envId: string, as: CallOptions): Promise<void> {
  const path = '/v1/dashboard/environments/{envId}'
  await call(`GET ${path}`, { envId }, as)
  const provider = { issuer: 'i', audience: 'a', jwksUrl: 'https://i.example/jwks', algorithms: ['RS256'] }
  const change = { identityProvider: provider, rateLimits: { track: 100, auth: null }, disabled: false }
  await call(`PUT ${path}`, { envId }, { ...as, body: change })
  await call(`GET ${path}/secrets`, { envId }, as)
  const [secret, kind] = [`${path}/secrets/{kind}`, 'authSecretKey']
  await call(`POST ${secret}/rotate`, { envId, kind }, { ...as, body: { overlap: 'PT1H' } })
  await call(`POST ${secret}/extend`, { envId, kind }, { ...as, body: { overlap: 'PT2H' } })
  await call(`POST ${secret}/show`, { envId, kind }, as)
  await call(`POST ${secret}/retire`, { envId, kind }, { ...as, body: { confirm: true } })
  await call(`POST ${secret}/emergency`, { envId, kind }, { ...as, body: { confirm: true } })
  await call(`POST ${path}/test-user`, { envId }, as)
  await call(`POST ${path}/check-token`, { envId }, { ...as, body: { userId: 'u_1', token: 'x' } })
}

async function useSecondFactor(people: ReturnType<typeof givenDashboard>, org: string): Promise<void> {
  const auth = '/v1/dashboard/auth'
  const headersOf = (cookie: string) => ({ headers: { cookie, 'x-nc-request': '1' } })
  const { email, cookie } = await people.join(org, 'codes@example.com', 'viewer')
  const as = headersOf(cookie)
  const password = PASSWORD
  const { secret } = await call<{ secret: string }>(`POST ${auth}/totp`, {}, { ...as, body: { password } })
  const now = Date.now()
  const codes = [0, 1].map((step) => codeAt(secret, now + step * 30_000))
  const confirmed = await call<{ recoveryCodes: string[] }>(
    `POST ${auth}/totp/confirm`,
    {},
    { ...as, body: { code: codes[0] } },
  )
  await call(`GET ${auth}/second-factor`, {}, as)
  const begun = await people.post('sign-in', { email, password })
  // The other answer of a sign-in.
  const challenge = headersOf(cookieOf(begun))
  await call(`POST ${auth}/sign-in`, {}, { ...challenge, body: { email, password } })
  await call(`POST ${auth}/sign-in/second-factor`, {}, { ...challenge, body: { code: codes[1] } })
  const proof = { password, code: confirmed.recoveryCodes[0] }
  const { recoveryCodes } = await call<{ recoveryCodes: string[] }>(
    `POST ${auth}/recovery-codes`,
    {},
    { ...as, body: proof },
  )
  await call(`POST ${auth}/totp/off`, {}, { ...as, body: { password, code: recoveryCodes[0] } })
}

async function usePasskeys(to: GivenEdge, site: string): Promise<void> {
  const auth = '/v1/dashboard/auth'
  const device = createSoftAuthenticator(site)
  const headersOf = (answer: Pick<Answer, 'headers'>, more = '') => ({
    to,
    headers: { cookie: `${cookieOf(answer)}${more}`, 'x-nc-request': '1' },
  })
  const { post } = givenDashboard(to)
  const signedIn = await post('sign-in', { email: 'ada@example.com', password: PASSWORD })
  const as = headersOf(signedIn)
  await call(`POST ${auth}/passkeys/options`, {}, { ...as, body: { password: PASSWORD } })
  const begun = await to.call('POST', `${auth}/passkeys/options`, { ...as, body: { password: PASSWORD } })
  const body = { name: 'Laptop', response: device.register(begun.body) }
  const registering = headersOf(signedIn, `; ${cookieOf(begun)}`)
  const { id: passkeyId } = await call<{ id: string }>(`POST ${auth}/passkeys`, {}, { ...registering, body })
  await call(`POST ${auth}/sign-in/passkey/options`, {}, { to, headers: { 'x-nc-request': '1' } })
  const options = await post('sign-in/passkey/options', {})
  await call(`POST ${auth}/sign-in/passkey`, {}, { ...headersOf(options), body: device.assert(options.body) })
  await call(`GET ${auth}/passkeys`, {}, as)
  await call(`PUT ${auth}/passkeys/{passkeyId}`, { passkeyId }, { ...as, body: { name: 'Desk' } })
  await call(`DELETE ${auth}/passkeys/{passkeyId}`, { passkeyId }, as)
}

async function useSingleSignOn(as: CallOptions, org: string): Promise<void> {
  const operation = 'organisations/{org}/single-sign-on'
  const auth = '/v1/dashboard/auth'
  const provider = await givenProvider()
  const body = { issuer: provider.issuer, ...CLIENT, domains: ['example.com'], newMemberRole: 'viewer' }
  try {
    await call(`PUT ${auth}/${operation}`, { org }, { ...as, body })
    await call(`GET ${auth}/${operation}`, { org }, as)
    names.records.set('_nc-single-sign-on.example.com', [`nc-organisation=${org}`])
    await call(`POST ${auth}/${operation}/prove-domain`, { org }, { ...as, body: { domain: 'example.com' } })
    const headers = { cookie: await askBrowser(provider, org), 'x-nc-request': '1' }
    await call(`GET ${auth}/sign-in/single-sign-on`, {}, { headers })
    await call(`POST ${auth}/sign-in/single-sign-on`, {}, { headers })
    await call(`DELETE ${auth}/${operation}`, { org }, as)
  } finally {
    await provider.stop()
  }
}

/** Goes through the provider as if another site had sent the browser. Returns the cookie of the question. */
async function askBrowser(provider: GivenProvider, org: string): Promise<string> {
  provider.identity = { sub: 'asked', email: 'asked@example.com', email_verified: true }
  const start = `${given.url}/v1/dashboard/auth/oidc/${org}/start`
  const begun = await fetch(start, { redirect: 'manual', headers: { 'sec-fetch-site': 'cross-site' } })
  const callback = provider.authorize(begun.headers.get('location') ?? '')
  return cookieOf(await fetch(callback, { redirect: 'manual', headers: { cookie: cookieOf(begun) } }))
}

/** Gives up two waiting runs, as if two processes had ended with each; runs one again, and drops the other. */
async function useGivenUp(): Promise<void> {
  const steps = [
    { id: 'pause', type: 'delay', for: 'PT1S' },
    { id: 'tell', type: 'inbox', title: 'Late' },
  ]
  const campaignId = await given.publish(inboxCampaign('late', 'late', { steps }))
  const { id: envId, sdkSecretKey: key } = given.demo.environments.dev
  const { eventId } = (await given.track({ name: 'late', userIds: ['u_1', 'u_2'] })).body as { eventId: string }
  const event = await given.call<{ runs: { runId: string }[] }>('GET', `/v1/events/${eventId}`, { key })
  const ids = event.body.runs.map((run) => run.runId)
  for (const id of ids) await countTwoCrashes(given.settings, envId, id)
  const { email, password } = given.demo.dashboard
  const as = asPerson(await givenDashboard(given).signIn(email, password))
  const path = '/v1/dashboard/environments/{envId}/given-up'
  const list = async () =>
    (await call<{ data: { id: string }[] }>(`GET ${path}`, { envId }, as)).data.map((one) => one.id)
  await expect.poll(async () => (await list()).sort()).toEqual([...ids].sort())
  const [id = '', dropped = ''] = ids
  await call(`POST ${path}/{id}/run`, { envId, id }, as)
  await call(`POST ${path}/{id}/drop`, { envId, id: dropped }, as)
  const editors = '/v1/dashboard/environments/{envId}/campaigns/{id}/editors'
  await call(`POST ${editors}`, { envId, id: campaignId }, as)
}

/** On an edge without members, which browsers reach by a host name. */
async function setUp(): Promise<void> {
  const port = String(await findFreePort())
  const site = `http://localhost:${port}`
  const to = await givenEdge({ SEED_DEMO: 'false', PORT: port, PUBLIC_URL: site })
  const path = '/v1/dashboard/auth/setup'
  const body = { email: 'ada@example.com', name: 'Ada', password: PASSWORD, organisationName: 'Engines' }
  try {
    await call(`GET ${path}`, {}, { to })
    await call(`POST ${path}`, {}, { to, body, headers: { 'x-nc-request': '1' } })
    await usePasskeys(to, site)
  } finally {
    await to.stop()
  }
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
  await callEnricher(call)
  await callTexts(call)
  await callMailbox(call, given)
  await callAgain(call, given)
  await useIntegration()
  await useSource()
  await useSource()
  await useDashboard()
  await useOrganisation()
  await useGivenUp()
  await setUp()

  const all = Object.entries(reference.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => Object.values(responses)[0]?.content?.['application/json'] !== undefined)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  )
  expect([...answered].sort()).toEqual(all.sort())
})
