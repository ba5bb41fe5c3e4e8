// Tests the webhooks of providers of mail: verified calls become statuses, delivery events and suppressions, once each.

import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type GivenMailApi, givenMailApi } from '../support/given-mail-api.ts'
import { givenNc } from '../support/given-nc.ts'
import { openSandbox } from '../support/open-sandbox.ts'
import {
  EVENTS_OF,
  type ProviderEvents,
  type SignedCall,
  SNS_HOST,
  signSns,
  writeCall,
} from '../support/provider-events.ts'

const { SENDGRID, POSTMARK, SES } = EVENTS_OF
const LATER = '{"errors":[{"message":"Later, please"}],"Message":"Later, please"}'
const SIGNATURE = 'x-twilio-email-event-webhook-signature'

interface Integration {
  id: string
  webhookUrl: string
  webhookCredentials?: { username: string; password: string }
}

interface Delivery {
  messageId: string
  status: string
  timeline: { eventType: string; automated: boolean; source: string; implied: boolean }[]
}

let given: GivenEdge
let api: GivenMailApi
/** Its calls are signed. */
let signed: Integration
/** Its calls have a password. */
let unsigned: Integration
let users = 0

beforeAll(async () => {
  api = await givenMailApi()
  // It takes no mail before the end of the test, so that reports alone prove that one was taken.
  api.answer = { status: 503, text: LATER, headers: { 'retry-after': '1200' } }
  given = await givenEdge(api.env, { outbound: api.outbound })
  await openSandbox(given)
  signed = await create(SENDGRID)
  unsigned = await create(POSTMARK)
  await given.publish({
    key: 'letters',
    name: 'Letters',
    trigger: { event: 'letter' },
    steps: [{ id: 'tell', type: 'email', subject: 'Hello', html: '<p>Hello</p>' }],
  })
})
afterAll(async () => {
  await given.stop()
  await api.stop()
})

const keyOf = () => given.demo.environments.dev.sdkSecretKey

async function create(written: ProviderEvents, changes: object = {}): Promise<Integration> {
  const { provider } = written
  const body = { name: `${provider} ${++users}`, provider, credentials: { ...api.credentialsOf(written), ...changes } }
  return (await given.call<Integration>('POST', '/v1/email/integrations', { key: keyOf(), body })).body
}

/** Tracks an event whose mail is handed to each integration, and taken by none. */
async function queueMail() {
  const userId = `reader-${++users}`
  const address = `${userId}@example.com`
  const { body } = await given.track({ name: 'letter', userId, user: { email: address } })
  const path = `/v1/deliveries?eventId=${body.eventId}`
  const list = async () => (await given.call<Page<Delivery>>('GET', path, { key: keyOf() })).body.data
  await expect.poll(list).toMatchObject([{ lastError: '503: Later, please' }])
  const [message] = await list()
  if (message === undefined) throw new Error('no message')
  return { messageId: message.messageId, address, userId }
}

async function post(to: Integration | string, { headers, body }: SignedCall) {
  const path = typeof to === 'string' ? to : new URL(to.webhookUrl).pathname
  const answer = await fetch(given.url + path, { method: 'POST', headers, body })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown>, headers: answer.headers }
}

interface Sent {
  headers?: Record<string, string>
  path?: string
}

/** Sends a call of SendGrid, signed before `headers` replace some of its own. */
function report(content: unknown, { headers, path }: Sent = {}) {
  const call = SENDGRID.sign(typeof content === 'string' ? content : JSON.stringify([content].flat()))
  return post(path ?? signed, { ...call, headers: { ...call.headers, ...headers } })
}

/** An event of SendGrid, with its own names of fields in `more`. */
function eventOf(means: string, messageId: string, more: Record<string, unknown> = {}): unknown {
  const named = SENDGRID.events.find((one) => one.means === means) ?? { name: 'processed', means: 'deferred' }
  const event = { ...named, messageId, address: 'reader@example.com', fields: { ...named.fields, ...more } }
  return (SENDGRID.contentOf(event) as unknown[])[0]
}

const cli = () => givenNc(given.settings)

/** The last call to a provider about a mail, with its recipients. Amazon SES gets the mail itself in base64. */
const addressOf = ({ messageId }: { messageId: string }): string =>
  api.calls.map(({ body }) => body + decodedOf(body)).findLast((call) => call.includes(messageId)) ?? ''

const decodedOf = (body: string) => Buffer.from(/"Data":"([^"]*)/.exec(body)?.[1] ?? '', 'base64').toString()

const deliveryOf = async (messageId: string) =>
  (await given.call<Delivery>('GET', `/v1/deliveries/${messageId}`, { key: keyOf() })).body

const suppressionsOf = async (address: string) => {
  const path = `/v1/suppressions?address=${encodeURIComponent(address)}`
  return (await given.call<Page<{ reason: string }>>('GET', path, { key: keyOf() })).body.data.map((one) => one.reason)
}

test('events of a mail in any order prove its acceptance, and become its status and engagement', async () => {
  const { messageId } = await queueMail()
  expect(await deliveryOf(messageId)).toMatchObject({ status: 'sending', timeline: [] })
  const clicked = eventOf('clicked', messageId, { url: 'https://example.com/offer' })
  const answer = await report([clicked, eventOf('read', messageId), eventOf('odd', messageId)])
  expect(answer).toMatchObject({ status: 200, body: { received: 3, matched: 2, duplicates: 0, ignored: 1 } })
  const after = await deliveryOf(messageId)
  expect(after).toMatchObject({ status: 'sent' })
  expect(after.timeline.map(({ eventType }) => eventType).sort()).toEqual(['clicked', 'opened', 'read', 'send'])
  expect(after.timeline.find(({ eventType }) => eventType === 'clicked')).toMatchObject({
    automated: false,
    source: 'sendgrid',
    implied: false,
  })
  expect(await report(eventOf('delivered', messageId))).toMatchObject({ body: { received: 1, matched: 1 } })
  expect(await deliveryOf(messageId)).toMatchObject({ status: 'delivered' })
})

test('a mail is found by the id of the provider when its own is missing', async () => {
  const { messageId, address } = await queueMail()
  const providerMessageId = `provider-${messageId}`
  await report(eventOf('delivered', messageId, { sg_message_id: providerMessageId }))
  // No hand-over by this integration is recorded, so its id alone matches nothing.
  expect(await report(eventOf('bounced', '', { sg_message_id: providerMessageId }))).toMatchObject({
    body: { received: 1, matched: 0 },
  })
  expect(await suppressionsOf(address)).toEqual([])
})

test.each([
  ['bounced', 'bounced', ['bounce']],
  ['dropped', 'bounced', []],
  ['complaint', 'delivered', ['complaint']],
  ['unsubscribe', 'sent', ['unsubscribe']],
  ['deferred', 'sending', []],
])('%s: the mail is %s, and the address has %j', async (kind, status, reasons) => {
  const { messageId, address } = await queueMail()
  // The address of the mail counts, not the one in the event.
  const answer = await report(eventOf(kind, messageId, { email: 'forwarded@example.com' }))
  expect(answer).toMatchObject({ status: 200, body: { matched: 1 } })
  expect(await deliveryOf(messageId)).toMatchObject({ status })
  expect(await suppressionsOf(address)).toEqual(reasons)
  expect(await suppressionsOf('forwarded@example.com')).toEqual([])
})

test.each([
  ['Postmark', POSTMARK],
  ['Amazon SES', SES],
])('a report of %s on a mail that the sandbox redirected is about the address that got it', async (name, written) => {
  const integration = await create(written)
  const tester = `tester-${written.provider}@shop.example`
  await cli().json(`env set-sandbox --env ${given.demo.environments.dev.id} --mode redirect --address ${tester}`)
  const isRedirected = async () => addressOf(await queueMail()).includes(tester)
  await expect.poll(isRedirected).toBe(true)
  const { messageId, address } = await queueMail()
  // Whatever the sandbox is when the report comes.
  await openSandbox(given)
  for (const means of ['bounced', 'complaint']) {
    const named = written.events.find((one) => one.means === means)
    if (named === undefined) throw new Error(`${name} has no event ${means}`)
    const call = writeCall(written, { ...named, messageId, address: tester })
    const { username = '', password = '' } = integration.webhookCredentials ?? {}
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    const answer = await post(integration, { ...call, headers: { ...call.headers, authorization } })
    expect(answer).toMatchObject({ status: 200, body: { matched: 1 } })
  }
  expect(await deliveryOf(messageId)).toMatchObject({ status: 'bounced' })
  expect(await suppressionsOf(address)).toEqual([])
  expect(await suppressionsOf(tester)).toEqual(['bounce'])
  await expect.poll(isRedirected).toBe(false)
})

test('a refusal of the provider weighs more than a request of the recipient in one call', async () => {
  const { messageId, address } = await queueMail()
  const both = [eventOf('unsubscribe', messageId, { timestamp: 1 }), eventOf('bounced', messageId, { timestamp: 2 })]
  expect(await report(both)).toMatchObject({ status: 200, body: { received: 2, matched: 2 } })
  expect(await suppressionsOf(address)).toEqual(['bounce'])
})

test('a repeated call counts nothing twice, also when several come at once', async () => {
  const { messageId } = await queueMail()
  const body = [eventOf('opened', messageId), eventOf('clicked', messageId)]
  const answers = await Promise.all([report(body), report(body), report(body)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await report([...body, body[0]])).toMatchObject({ body: { received: 3, matched: 0, duplicates: 3 } })
  const { timeline } = await deliveryOf(messageId)
  expect(timeline.map(({ eventType }) => eventType).sort()).toEqual(['clicked', 'opened', 'read', 'send'])
})

test('mails of another environment are not matched', async () => {
  const { messageId, address } = await queueMail()
  const { id } = given.demo.environments.prod
  const file = `${given.dataDir}/webhook.json`
  await writeFile(file, JSON.stringify(SENDGRID.credentials))
  const flags = `--env ${id} --name away --provider sendgrid --credentials-file ${file}`
  const away = await cli().json<Integration>(`email create ${flags}`)
  const answer = await report(eventOf('bounced', messageId), { path: new URL(away.webhookUrl).pathname })
  expect(answer).toMatchObject({ status: 200, body: { received: 1, matched: 0 } })
  expect(await deliveryOf(messageId)).toMatchObject({ status: 'sending' })
  expect(await suppressionsOf(address)).toEqual([])
})

test('a forged call, or one to another address, changes nothing', async () => {
  const { messageId, address } = await queueMail()
  const body = [eventOf('bounced', messageId)]
  const path = new URL(signed.webhookUrl).pathname
  const { headers } = SENDGRID.sign(JSON.stringify(body))
  const other = SENDGRID.sign('[]').headers[SIGNATURE] ?? ''
  const refusals = [
    [401, 'webhook/invalid-signature', await report(body, { headers: { [SIGNATURE]: other } })],
    [401, 'webhook/invalid-signature', await report(body, { headers: { [SIGNATURE]: '' } })],
    // Signed bytes, written in another way.
    [401, 'webhook/invalid-signature', await report(JSON.stringify(body, null, 2), { headers })],
    [404, 'email-integration/not-found', await report(body, { path: path.replace('sendgrid', 'postmark') })],
    [404, 'email-integration/not-found', await report(body, { path: path.replace('sendgrid', 'pigeon') })],
    [404, 'email-integration/not-found', await report(body, { path: `${path.slice(0, -1)}x` })],
    [404, 'email-integration/not-found', await report(body, { path: path.replace(/whi_.*/, `whi_${'0'.repeat(32)}`) })],
    [404, 'email-integration/not-found', await report(body, { path: path.replace(/whi_.*/, signed.id) })],
    [415, 'request/unsupported-media-type', await report(body, { headers: { 'content-type': 'image/png' } })],
    [415, 'request/unsupported-media-type', await report(body, { headers: { 'content-encoding': 'gzip' } })],
    [413, 'request/payload-too-large', await report(' '.repeat(4 * 1024 * 1024 + 1))],
    [400, 'request/invalid-body', await report('[{"event":')],
  ] as const
  for (const [status, code, answer] of refusals) expect(answer).toMatchObject({ status, body: { code } })
  expect(await deliveryOf(messageId)).toMatchObject({ status: 'sending', timeline: [] })
  expect(await suppressionsOf(address)).toEqual([])
})

test('a provider that signs nothing needs the user name and the password of the address', async () => {
  const { messageId } = await queueMail()
  const { username, password } = unsigned.webhookCredentials as { username: string; password: string }
  const delivered = { name: 'Delivery', means: 'delivered', messageId, address: 'reader@example.com' } as const
  const send = (login: string | null) => {
    const { headers, body } = writeCall(POSTMARK, delivered)
    const authorization = `Basic ${Buffer.from(login ?? '').toString('base64')}`
    return post(unsigned, { body, headers: { ...headers, ...(login !== null && { authorization }) } })
  }
  for (const login of [null, '', `${username}:`, `${username}:${password}x`, `other:${password}`, password, ':']) {
    const refused = await send(login)
    expect(refused).toMatchObject({ status: 401, body: { code: 'webhook/invalid-signature' } })
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic /)
  }
  expect(await deliveryOf(messageId)).toMatchObject({ status: 'sending' })
  const taken = await send(`${username}:${password}`)
  expect(taken).toMatchObject({ status: 200, body: { matched: 1 } })
  expect(taken.headers.get('www-authenticate')).toBeNull()
  const path = `/v1/email/integrations/${unsigned.id}`
  const { state } = (await given.call<{ state: object }>('GET', path, { key: keyOf() })).body
  expect(state).toMatchObject({ lastWebhookAt: expect.stringMatching(/Z$/) })
})

test.each([
  'application/json; charset=utf-8',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
])('the bytes of %s reach the provider unchanged', async (contentType) => {
  const { messageId } = await queueMail()
  const text = ` ${JSON.stringify([eventOf('delivered', messageId)])}\r\n`
  expect(await report(text, { headers: { 'content-type': contentType } })).toMatchObject({ body: { matched: 1 } })
})

test('a subscription is confirmed through the guard, and asked for again when that fails', async () => {
  const topic = await create(SES)
  const confirm = (SubscribeURL: string) =>
    post(topic, signSns({ Type: 'SubscriptionConfirmation', Message: 'Confirm', Token: 'token', SubscribeURL }))
  expect(await confirm(`${SNS_HOST}/?token=1`)).toMatchObject({ status: 200, body: { matched: 0, ignored: 1 } })
  expect(api.confirmed).toEqual(['/?token=1'])
  expect(await confirm(`${SNS_HOST}/?refused`)).toMatchObject({ status: 503 })
  expect(await confirm('https://sns.eu-west-1.amazonaws.com/')).toMatchObject({ status: 503 })
  expect(await confirm('http://169.254.169.254/latest')).toMatchObject({ status: 401 })
})

test('HEAD answers 200, and other methods 405', async () => {
  const path = new URL(signed.webhookUrl).pathname
  const head = await fetch(given.url + path, { method: 'HEAD' })
  expect(head.status).toBe(200)
  for (const method of ['GET', 'PUT', 'DELETE']) {
    expect(await given.call(method, path)).toMatchObject({ status: 405 })
  }
})

test('a long call is taken as a whole', async () => {
  const mails = await Promise.all(Array.from({ length: 20 }, queueMail))
  const body = mails.flatMap(({ messageId }) =>
    ['delivered', 'opened', 'read', 'clicked'].flatMap((kind) =>
      Array.from({ length: 5 }, () => eventOf(kind, messageId)),
    ),
  )
  expect(await report(body)).toMatchObject({ body: { received: 400, matched: 400, duplicates: 0, ignored: 0 } })
  for (const { messageId } of mails) {
    const { status, timeline } = await deliveryOf(messageId)
    expect({ status, types: timeline.length }).toEqual({ status: 'delivered', types: 4 })
  }
})

test('calls over the limit of the environment are refused with 429', async () => {
  const { id } = given.demo.environments.dev
  await givenNc(given.settings).json(`env set-limits --env ${id} --limit webhooks=1`)
  await expect.poll(async () => (await report(eventOf('odd', ''))).status).toBe(429)
  expect(await report(eventOf('odd', ''))).toMatchObject({ body: { code: 'request/rate-limited' } })
})
