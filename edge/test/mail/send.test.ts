// Tests mails over a real SMTP server: what arrives, and what its record says after each answer of the server.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { FunnelAnswer, Page } from '../../../contract/api.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { PERSON } from '../support/given-mails.ts'
import { type GivenSmtp, givenSmtp } from '../support/given-smtp.ts'
import { openSandbox } from '../support/open-sandbox.ts'

const SOON_MS = [1, 1, 1, 1, 1]
const SOON = { timeout: 60_000, interval: 20 }

let smtp: GivenSmtp
let given: GivenEdge
let key: string
let campaignId: string

const mailCampaign = (campaignKey: string, event: string) =>
  inboxCampaign(campaignKey, event, {
    steps: [
      { id: 'tell', type: 'inbox', title: 'Paid' },
      {
        id: 'mail',
        type: 'email',
        subject: 'Order {{ event.properties.orderId }}',
        preheader: 'Thank you',
        markdown: '# Hello {{ user.name }}\n\n[Your order](https://shop.example/orders/{{ event.properties.orderId }})',
        unless: { read: 'tell' },
      },
    ],
  })

beforeAll(async () => {
  smtp = await givenSmtp()
  given = await givenEdge(
    {
      SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
      EMAIL_FROM: 'Shop <hello@shop.example>',
      OUTBOUND_ALLOW: '127.0.0.0/8',
    },
    { mailPausesMs: { attempts: SOON_MS } },
  )
  await openSandbox(given)
  key = given.demo.environments.dev.sdkSecretKey
  campaignId = await given.publish(mailCampaign('order', 'order.paid'))
})
afterEach(() => {
  smtp.behave = () => 'take'
  smtp.refuse = () => null
})
afterAll(async () => {
  await given.stop()
  await smtp.stop()
})

interface Delivery {
  messageId: string
  status: string
  statusReason: string | null
  provider: string | null
  providerMessageId: string | null
  attempts: number
  lastError: string | null
  sentAt: string | null
  deliveredAt: string | null
}

/** @returns the record of the mail as soon as its status is one of these. */
async function recordOf(eventId: string, ...statuses: string[]): Promise<Delivery> {
  const path = `/v1/deliveries?eventId=${eventId}&channel=email`
  return expect
    .poll(
      async () => {
        const [record] = (await given.call<Page<Delivery>>('GET', path, { key })).body.data
        return statuses.includes(record?.status ?? '') ? record : undefined
      },
      { timeout: 60_000, interval: 20 },
    )
    .toBeDefined()
    .then(async () => (await given.call<Page<Delivery>>('GET', path, { key })).body.data[0] as Delivery)
}

async function order(userId: string, user: object = { email: `${userId}@example.org`, name: 'Zoë "Z" 🎈' }) {
  const tracked = await given.track({ name: 'order.paid', userId, user, properties: { orderId: '7' } })
  return tracked.body.eventId
}
const mailsTo = (userId: string) => smtp.mails.filter(({ to }) => to[0] === `${userId}@example.org`)

test('an event becomes a mail with both parts, and its acceptance the delivery of the funnel', async () => {
  const record = await recordOf(await order('payer'), 'sent')
  expect(record).toMatchObject({
    provider: 'smtp',
    attempts: 1,
    lastError: null,
    statusReason: null,
    deliveredAt: null,
  })
  expect(record.sentAt).not.toBeNull()
  const [mail] = mailsTo('payer')
  expect(mail?.parsed).toMatchObject({
    from: { name: 'Shop', address: 'hello@shop.example' },
    to: [{ name: 'Zoë "Z" 🎈', address: 'payer@example.org' }],
    subject: 'Order 7',
    messageId: record.providerMessageId,
  })
  expect(mail?.parsed.html).toContain('Your order</a>')
  expect(mail?.parsed.text).toContain('https://shop.example/orders/7')
  expect(mail?.parsed.headers.map(({ key: name }) => name)).toEqual(
    expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']),
  )
  const detail = await given.call<{ timeline: object[] }>('GET', `/v1/deliveries/${record.messageId}`, { key })
  expect(detail.body.timeline).toMatchObject([{ eventType: 'send', implied: false, automated: false }])
  const funnel = await given.call<FunnelAnswer>('GET', `/v1/campaigns/${campaignId}/stats?channel=email`, { key })
  expect(funnel.body.steps.map(({ count }) => count)).toEqual([1, 0, 0, 0])
})

test('a refused recipient fails the mail with the words of the server', async () => {
  smtp.behave = () => ({ code: 550, message: 'No such mailbox here' })
  const record = await recordOf(await order('refused'), 'failed')
  expect(record).toMatchObject({ statusReason: 'provider-error', attempts: 1, sentAt: null })
  expect(record.lastError).toContain('No such mailbox here')
})

test('a server that is busy is asked again, six times at most', async () => {
  let asked = 0
  smtp.behave = (_count, to) => {
    if (to !== 'patient@example.org') return 'take'
    return ++asked < 3 ? { code: 451, message: 'Later, please' } : 'take'
  }
  expect(await recordOf(await order('patient'), 'sent')).toMatchObject({ attempts: 3, status: 'sent' })
  expect(mailsTo('patient')).toHaveLength(1)
  smtp.behave = () => ({ code: 451, message: 'Later, please' })
  const record = await recordOf(await order('given-up'), 'failed')
  expect(record).toMatchObject({ statusReason: 'retries-exhausted', attempts: 6 })
  expect(record.lastError).toContain('Later, please')
})

test('a server that ends a used connection before the mail costs no attempt', async () => {
  await recordOf(await order('before'), 'sent')
  let refused = 0
  smtp.refuse = (to) => {
    if (to !== 'renewed@example.org' || ++refused > 1) return null
    return { code: 421, message: '4.7.0 Too many mails on this connection' }
  }
  expect(await recordOf(await order('renewed'), 'sent')).toMatchObject({ attempts: 1, lastError: null })
  expect([refused, mailsTo('renewed').length]).toEqual([2, 1])
})

test('a mail whose outcome is not known is not sent again', async () => {
  smtp.behave = (_count, to) => (to === 'unknown@example.org' ? 'cut' : 'take')
  expect(await recordOf(await order('unknown'), 'failed')).toMatchObject({
    statusReason: 'outcome-unknown',
    attempts: 1,
  })
  expect(mailsTo('unknown')).toHaveLength(1)
})

test('a click of a person, not of a filter, proves that a mail of unknown outcome has arrived', async () => {
  smtp.behave = (_count, to) => (to === 'clicker@example.org' ? 'cut' : 'take')
  const eventId = await order('clicker')
  const { messageId } = await recordOf(eventId, 'failed')
  const link = /href="([^"]*\/v1\/t\/c\/[^"]*)"/.exec(mailsTo('clicker')[0]?.parsed.html ?? '')?.[1] ?? ''
  const visit = (agent: string) =>
    fetch(given.url + new URL(link).pathname, { redirect: 'manual', headers: { 'user-agent': agent } })
  expect((await visit('Mimecast URL Scanner')).status).toBe(302)
  expect(await recordOf(eventId, 'failed')).toMatchObject({ statusReason: 'outcome-unknown' })
  expect((await visit(PERSON['user-agent'])).status).toBe(302)
  expect(await recordOf(eventId, 'sent')).toMatchObject({ statusReason: null, attempts: 1 })
  const detail = await given.call<{ timeline: { eventType: string }[] }>('GET', `/v1/deliveries/${messageId}`, { key })
  expect(detail.body.timeline.map(({ eventType }) => eventType).sort()).toEqual(['clicked', 'opened', 'read', 'send'])
})

test('the rules are asked again before each attempt: who has read the message meanwhile gets no mail', async () => {
  const session = await given.signIn('reader')
  smtp.behave = async (_count, to) => {
    if (to !== 'reader@example.org') return 'take'
    const [message] = (await given.page(session)).data
    await given.register(session, [{ messageId: message?.id ?? '', eventType: 'read' }])
    return { code: 451, message: 'Later, please' }
  }
  expect(await recordOf(await order('reader'), 'skipped')).toMatchObject({ statusReason: 'condition', attempts: 1 })
  expect(mailsTo('reader')).toEqual([])
})

test('an address that is suppressed meanwhile gets no mail', async () => {
  smtp.behave = async () => {
    await given.call('POST', '/v1/suppressions', { key, body: { address: 'gone@example.org', reason: 'complaint' } })
    return { code: 451, message: 'Later, please' }
  }
  expect(await recordOf(await order('gone'), 'skipped')).toMatchObject({ statusReason: 'suppressed' })
})

test('a mail waits while its campaign is paused', async () => {
  const paused = await given.publish(mailCampaign('paused', 'paused.order'))
  smtp.behave = async () => {
    await given.call('POST', `/v1/campaigns/${paused}/pause`, { key })
    return { code: 451, message: 'Later, please' }
  }
  const tracked = await given.track({ name: 'paused.order', userId: 'waits', user: { email: 'waits@example.org' } })
  const { eventId } = tracked.body
  await expect.poll(async () => (await recordOf(eventId, 'sending')).lastError).toContain('Later, please')
  smtp.behave = () => 'take'
  await given.call('POST', `/v1/campaigns/${paused}/resume`, { key })
  expect(await recordOf(eventId, 'sent')).toMatchObject({ attempts: 2 })
})

test('a mail that a pause makes too late is cancelled, without a resume', async () => {
  const late = await given.publish({ ...mailCampaign('late', 'late.order'), maxLateness: 'PT2S' })
  smtp.behave = async () => {
    await given.call('POST', `/v1/campaigns/${late}/pause`, { key })
    return { code: 451, message: 'Later, please' }
  }
  const tracked = await given.track({ name: 'late.order', userId: 'late', user: { email: 'late@example.org' } })
  expect(await recordOf(tracked.body.eventId, 'cancelled')).toMatchObject({ statusReason: 'paused', attempts: 1 })
  expect(mailsTo('late')).toEqual([])
})

test.each([
  ['a\r\nBcc: victim@example.org', 'no-address'],
  [`${'a'.repeat(400)}@example.org`, 'no-address'],
])('%j is no address, and nothing is sent there', async (email, statusReason) => {
  const before = smtp.mails.length
  const tracked = await given.track({ name: 'order.paid', userId: 'hostile', user: { email }, properties: {} })
  // A profile refuses what is too long or has a control character, and the event with it.
  if (tracked.status === 202) expect(await recordOf(tracked.body.eventId, 'skipped')).toMatchObject({ statusReason })
  else expect(tracked.status).toBe(400)
  expect(smtp.mails).toHaveLength(before)
})

test('120 recipients get one mail each', async () => {
  // Mails are claimed in portions of 50.
  const userIds = Array.from({ length: 120 }, (_, at) => `many-${at}`)
  await Promise.all(
    userIds.map((userId) =>
      given.call('PUT', `/v1/users/${userId}`, { key, body: { email: `${userId}@example.org` } }),
    ),
  )
  await given.track({ name: 'order.paid', userIds, properties: { orderId: '8' } })
  const isOfMany = ({ to }: { to: string[] }) => to[0]?.startsWith('many-')
  await expect.poll(() => smtp.mails.filter(isOfMany).length).toBe(120)
  expect(new Set(smtp.mails.filter(isOfMany).map(({ to }) => to[0])).size).toBe(120)
})

test('a test sends the draft, also one that was never published and one that was changed', async () => {
  const sendTest = async (id: string, userId: string) => {
    await given.call('PUT', `/v1/users/${userId}`, { key, body: { email: `${userId}@example.org` } })
    const body = { userId, event: { properties: { orderId: '8' } } }
    const answer = await given.call<{ messageIds: string[] }>('POST', `/v1/campaigns/${id}/test`, { key, body })
    expect(answer.status).toBe(200)
  }
  const { body } = await given.call<{ id: string }>('POST', '/v1/campaigns', {
    key,
    body: mailCampaign('drafted', 'order.drafted'),
  })
  await sendTest(body.id, 'tester')
  await expect.poll(() => mailsTo('tester').map(({ parsed }) => parsed.subject), SOON).toEqual(['Order 8'])

  await given.call('POST', `/v1/campaigns/${body.id}/publish`, { key })
  const steps = [{ id: 'another', type: 'email', subject: 'Changed', markdown: 'Changed' }]
  const changed = inboxCampaign('drafted', 'order.drafted', { steps })
  expect((await given.call('PUT', `/v1/campaigns/${body.id}`, { key, body: changed })).status).toBe(200)
  await sendTest(body.id, 'tester-2')
  await expect.poll(() => mailsTo('tester-2').map(({ parsed }) => parsed.subject), SOON).toEqual(['Changed'])
  const funnel = await given.call<FunnelAnswer>('GET', `/v1/campaigns/${body.id}/stats?channel=email`, { key })
  expect(funnel.body.steps[0]?.count).toBe(0)
})

test('without a mail server a mail is kept in the mailbox and as a file', async () => {
  const alone = await givenEdge()
  try {
    await alone.publish(mailCampaign('order', 'order.paid'))
    const user = { email: 'kept@example.org', name: 'Kept' }
    await alone.track({ name: 'order.paid', userId: 'kept', user, properties: { orderId: '9' } })
    const ofAlone = { key: alone.demo.environments.dev.sdkSecretKey }
    const list = () => alone.call<Page<{ messageId: string; subject: string }>>('GET', '/v1/email/mailbox', ofAlone)
    await expect.poll(async () => (await list()).body.data.length).toBe(1)
    const [head] = (await list()).body.data
    expect(head).toMatchObject({ subject: 'Order 9', to: { name: 'Kept', address: 'kept@example.org' } })
    const mail = await alone.call<{ html: string; eml: string }>('GET', `/v1/email/mailbox/${head?.messageId}`, ofAlone)
    expect(mail.body.html).toContain('Hello Kept')
    expect((await alone.call('GET', '/v1/email/mailbox/msg_0', ofAlone)).status).toBe(404)
    if (alone.settings.DATABASE_URL !== undefined) return
    const folder = join(alone.dataDir, 'mails')
    // The file follows its row.
    const readKept = () => readFile(join(folder, `${head?.messageId}.eml`), 'utf8').catch(() => null)
    await expect.poll(readKept, SOON).toBe(mail.body.eml)
    expect(await readdir(folder)).toEqual([`${head?.messageId}.eml`])
  } finally {
    await alone.stop()
  }
})
