// Tests the step `email`: its record in history, CSV and statistics.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FunnelAnswer } from '../../../contract/api.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'

let given: GivenEdge
let key: string
let campaignId: string

beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
  campaignId = await given.publish(
    inboxCampaign('order', 'order.paid', {
      steps: [
        { id: 'tell', type: 'inbox', title: 'Paid' },
        {
          id: 'mail',
          type: 'email',
          subject: 'Order {{ event.properties.orderId }}',
          preheader: 'Thank you',
          html: '<p>{{ event.properties.note }}</p>',
          text: '{{ event.properties.note }}',
          unless: { read: 'tell' },
        },
        { id: 'after', type: 'inbox', title: 'After the mail' },
      ],
    }),
  )
})
afterAll(() => given.stop())

interface Delivery {
  messageId: string
  channel: string
  stepId: string
  status: string
  statusReason: string | null
  lastError: string | null
  attempts: number
  deliveredAt: string | null
  sentAt: string | null
}

async function trackOrder(userId: string, user: object, properties: object = { orderId: '7', note: 'a < b' }) {
  const { eventId } = (await given.track({ name: 'order.paid', userId, user, properties })).body
  const path = `/v1/deliveries?eventId=${eventId}&channel=email`
  const { data } = (await given.call<{ data: Delivery[] }>('GET', path, { key })).body
  return { eventId, mail: data[0] as Delivery }
}

test('an email is sent beside the messages of its run, and its record has the rendered mail', async () => {
  const { eventId, mail } = await trackOrder('payer', { email: 'payer@example.org' })
  expect(mail).toMatchObject({ stepId: 'mail', statusReason: null, lastError: null, deliveredAt: null })
  const detail = await given.call<{ snapshot: object }>('GET', `/v1/deliveries/${mail.messageId}`, { key })
  expect(detail.body.snapshot).toMatchObject({
    title: 'Order 7',
    email: {
      subject: 'Order 7',
      preheader: 'Thank you',
      html: '<p>a &lt; b</p>',
      markdown: null,
      text: 'a < b',
      to: { name: null, address: 'payer@example.org' },
    },
  })
  const event = await given.call<{ runs: { runId: string; state: string }[] }>('GET', `/v1/events/${eventId}`, { key })
  expect(event.body.runs).toMatchObject([{ state: 'completed' }])
  const run = await given.call<{ steps: object[] }>('GET', `/v1/runs/${event.body.runs[0]?.runId}`, { key })
  expect(run.body.steps).toMatchObject([
    { stepId: 'tell', outcome: 'done' },
    { stepId: 'mail', outcome: 'done' },
    { stepId: 'after', outcome: 'done' },
  ])
})

test('an email to a user without an address has a skipped record', async () => {
  const { mail } = await trackOrder('no-address', { name: 'Nobody' })
  expect(mail).toMatchObject({ status: 'skipped', statusReason: 'no-address', lastError: null })
  expect((await trackOrder('blank-address', { email: ' ' })).mail).toMatchObject({ statusReason: 'no-address' })
})

test('a mail counts as delivered on its own channel, and is in the export', async () => {
  await trackOrder('counted', { email: 'counted@example.org' })
  const count = async (channel: string) => {
    const path = `/v1/campaigns/${campaignId}/stats?channel=${channel}`
    return (await given.call<FunnelAnswer>('GET', path, { key })).body.steps[0]?.count ?? 0
  }
  await expect.poll(() => count('email')).toBeGreaterThan(0)
  expect(await count('inbox')).toBeGreaterThan(0)
  const row = async () => {
    const path = '/v1/deliveries/export.csv?channel=email&userId=counted'
    const [head = '', first = ''] = (await given.call<string>('GET', path, { key })).body.split(/\r?\n/)
    return Object.fromEntries(head.split(',').map((name, at) => [name, first.split(',')[at]]))
  }
  await expect.poll(row).toMatchObject({ channel: 'email', status: 'sent', provider: 'mailbox', attempts: '1' })
  expect((await given.page(await given.signIn('counted'))).data.map(({ title }) => title)).toEqual([
    'After the mail',
    'Paid',
  ])
})

test('an email that cannot be rendered fails its run, like a message', async () => {
  await given.publish(
    inboxCampaign('broken', 'broken.mail', {
      steps: [
        { id: 'mail', type: 'email', subject: '{% for i in (1..100000) %}{{ i }}{% endfor %}', markdown: 'x' },
        { id: 'after', type: 'inbox', title: 'x' },
      ],
    }),
  )
  const user = { email: 'a@example.org' }
  const { eventId } = (await given.track({ name: 'broken.mail', userId: 'broken', user })).body
  const { data } = (await given.call<{ data: Delivery[] }>('GET', `/v1/deliveries?eventId=${eventId}`, { key })).body
  expect(data).toMatchObject([
    { stepId: 'after', channel: 'inbox', status: 'failed', statusReason: 'render-error' },
    { channel: 'email', status: 'failed', statusReason: 'render-error' },
  ])
})

test('preview renders an email with the code that sends', async () => {
  const body = { stepId: 'mail', event: { properties: { orderId: '9', note: '<b>' } } }
  const previewed = await given.call('POST', `/v1/campaigns/${campaignId}/preview`, { key, body })
  expect(previewed.status).toBe(200)
  expect(previewed.body).toMatchObject({ title: 'Order 9', email: { subject: 'Order 9', html: '<p>&lt;b&gt;</p>' } })
  const { html, text, from } = previewed.body as { html: string; text: string; from: object }
  expect(previewed.body).toMatchObject({ subject: 'Order 9', preheader: 'Thank you' })
  expect(html).toMatch(/^<!doctype html>/i)
  expect(html).toContain('>&lt;b&gt;</p>')
  expect(html).not.toContain('/v1/t/')
  expect(text).toBe('<b>')
  expect(from).toMatchObject({ address: expect.stringContaining('no-reply@') })
})
