// Tests the addresses in mails: the pixel, the links, unsubscribing, and that nothing but a signed one does anything.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FunnelAnswer, Page } from '../../../contract/api.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'

const PERSON = { 'user-agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605.1.15 Safari/605.1.15' }
const TARGET = 'https://shop.example/orders/7?a=1&b=%20x#part'

let given: GivenEdge
let key: string
let users = 0
const campaigns: Record<string, string> = {}

beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
  for (const category of ['orders', null]) {
    const name = category ?? 'plain'
    campaigns[name] = await given.publish({
      key: name,
      name,
      category,
      trigger: { event: name },
      steps: [
        { id: 'tell', type: 'inbox', title: 'Sent' },
        {
          id: 'mail',
          type: 'email',
          subject: 'Sent',
          markdown: `[Look](${TARGET}) or [here](/help), or mailto:<a@b.example>`,
        },
      ],
    })
  }
})
afterAll(() => given.stop())

interface Timeline {
  status: string
  timeline: { eventType: string; automated: boolean; implied: boolean; source: string }[]
}

/** Sends a mail to a new user. @returns its id, and the addresses in it */
async function sendMail(event = 'orders') {
  const userId = `reader-${++users}`
  await given.track({ name: event, userId, user: { email: `${userId}@example.org`, name: userId } })
  const list = async () => {
    const { data } = (
      await given.call<Page<{ messageId: string; to: { address: string } }>>('GET', '/v1/email/mailbox', { key })
    ).body
    return data.find(({ to }) => to.address === `${userId}@example.org`)
  }
  await expect.poll(list, { timeout: 20_000 }).toBeDefined()
  const messageId = (await list())?.messageId ?? ''
  await expect.poll(() => typesOf(messageId), { timeout: 20_000 }).toEqual(['send'])
  const { html, eml } = (
    await given.call<{ html: string; eml: string }>('GET', `/v1/email/mailbox/${messageId}`, { key })
  ).body
  const find = (pattern: RegExp) => new URL(pattern.exec(html)?.[1] ?? '').pathname
  const [click = '', help = ''] = [...html.matchAll(/href="([^"]*\/v1\/t\/c\/[^"]*)"/g)].map(
    ([, url = '']) => new URL(url).pathname,
  )
  const unsubscribe = /List-Unsubscribe: ?<([^>]+)>/.exec(eml.replace(/\r\n[ \t]/g, ''))?.[1] ?? ''
  return {
    userId,
    messageId,
    click,
    help,
    open: find(/src="([^"]*\/v1\/t\/o\/[^"]*)"/),
    unsubscribe: new URL(unsubscribe).pathname,
  }
}

const visit = (path: string, options: RequestInit = {}) =>
  fetch(given.url + path, { redirect: 'manual', ...options, headers: { ...PERSON, ...options.headers } })
const timelineOf = async (messageId: string) =>
  (await given.call<Timeline>('GET', `/v1/deliveries/${messageId}`, { key })).body.timeline
const typesOf = async (messageId: string) => (await timelineOf(messageId)).map(({ eventType }) => eventType)
const preferencesOf = async (userId: string) =>
  (await given.call<{ categories: { key: string }[] }>('GET', `/v1/users/${userId}/preferences`, { key })).body

test('the pixel reports an opening, and is not kept', async () => {
  const { messageId, open } = await sendMail()
  expect((await visit(open, { method: 'HEAD' })).status).toBe(200)
  expect(await typesOf(messageId)).toEqual(['send'])
  const answer = await visit(open)
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({ 'content-type': 'image/gif', 'cache-control': 'no-store' })
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(20)
  expect(await timelineOf(messageId)).toMatchObject([
    { eventType: 'send' },
    { eventType: 'read', implied: true },
    { eventType: 'opened', implied: false, automated: false, source: 'pixel' },
  ])
})

test('a link registers the click and leads on, byte for byte', async () => {
  const { messageId, click, help } = await sendMail()
  expect((await visit(click, { method: 'HEAD' })).status).toBe(302)
  expect(await typesOf(messageId)).toEqual(['send'])
  const answer = await visit(click)
  expect(answer.status).toBe(302)
  expect(Object.fromEntries(answer.headers)).toMatchObject({ location: TARGET, 'referrer-policy': 'no-referrer' })
  expect(await typesOf(messageId)).toEqual(['send', 'read', 'opened', 'clicked'])
  expect((await visit(help)).headers.get('location')).toBe(`${given.url}/help`)
})

test.each([
  ['a prefetch', { 'sec-purpose': 'prefetch;prerender' }],
  ['a filter of mails', { 'user-agent': 'Mimecast URL Scanner' }],
  ['a program without a name', { 'user-agent': '' }],
])('%s is recorded and not counted', async (_, headers) => {
  const { messageId, click, open } = await sendMail()
  await visit(open, { headers })
  expect((await visit(click, { headers })).headers.get('location')).toBe(TARGET)
  const events = (await timelineOf(messageId)).filter(({ eventType }) => eventType !== 'send')
  expect(events).toMatchObject([
    { eventType: 'opened', automated: true },
    { eventType: 'clicked', automated: true },
  ])
  await visit(click)
  expect((await timelineOf(messageId)).find(({ eventType }) => eventType === 'clicked')).toMatchObject({
    automated: false,
  })
})

test('a mail marks nothing in the inbox', async () => {
  const { userId, click } = await sendMail()
  const session = await given.signIn(userId)
  await visit(click)
  const page = await given.page(session)
  expect(page.inbox).toMatchObject({ unread: 1, unopened: 1 })
  expect(page.data).toMatchObject([{ title: 'Sent', readAt: null, openedAt: null, clickedAt: null }])
})

test('a changed, cut or foreign address does nothing, and leads nowhere', async () => {
  const { messageId, click, open, unsubscribe } = await sendMail()
  const changed = (path: string) => path.replace(/.(?=.{5}$)/, (char) => (char === 'A' ? 'B' : 'A'))
  for (const path of [
    changed(click),
    click.slice(0, -3),
    '/v1/t/c/x',
    click.replace('/c/', '/u/'),
    open.replace('/o/', '/c/'),
  ]) {
    const answer = await visit(path)
    expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 404, null])
    expect(await answer.text()).toContain('This link does not work')
  }
  expect((await visit(changed(open))).headers.get('content-type')).toBe('image/gif')
  expect((await visit(changed(unsubscribe), { method: 'POST' })).status).toBe(404)
  expect(await typesOf(messageId)).toEqual(['send'])
})

test('the register call takes the token of a link, with and without a session', async () => {
  const path = '/v1/notification/event/register'
  const first = await sendMail()
  const linkToken = first.click.split('/').at(-1)
  const answer = await given.call<{ results: object[] }>('POST', path, { body: { linkToken } })
  expect(answer).toMatchObject({
    status: 200,
    body: { results: [{ messageId: first.messageId, eventType: 'clicked', recorded: true }] },
  })
  expect((await given.call('POST', path, { body: { linkToken } })).body).toMatchObject({
    results: [{ recorded: false }],
  })
  const second = await sendMail()
  const session = await given.signIn('somebody')
  const withSession = { session, body: { linkToken: second.click.split('/').at(-1) } }
  expect(await given.call('POST', path, withSession)).toMatchObject({ status: 200 })
  for (const body of [{ linkToken: 'x' }, { linkToken: 7 }, {}, { messageId: first.messageId, eventType: 'opened' }]) {
    expect(await given.call('POST', path, { body })).toMatchObject({
      status: 401,
      body: { code: 'auth/invalid-session' },
    })
  }
  const funnel = `/v1/campaigns/${campaigns.orders}/stats?channel=email`
  const { steps } = (await given.call<FunnelAnswer>('GET', funnel, { key })).body
  expect(steps[3]?.count).toBeGreaterThanOrEqual(2)
})

test('the page asks first, and its button turns off mail of the category', async () => {
  const { userId, unsubscribe } = await sendMail()
  const page = await visit(unsubscribe)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await page.text()).toContain('orders')
  const orderMail = async () => {
    const { eventId } = (await given.track({ name: 'orders', userId })).body
    const path = `/v1/deliveries?eventId=${eventId}&channel=email`
    return (await given.call<Page<{ status: string; statusReason: string | null }>>('GET', path, { key })).body.data[0]
  }
  expect((await orderMail())?.status).not.toBe('skipped')
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  for (const _ of [1, 2]) expect((await visit(unsubscribe, { method: 'POST', body })).status).toBe(200)
  await expect.poll(orderMail, { timeout: 20_000 }).toMatchObject({ status: 'skipped', statusReason: 'preference' })
  expect(JSON.stringify(await preferencesOf(userId))).not.toContain('"email"')
})

test('a mail without a category turns off all that may be turned off', async () => {
  const { userId, unsubscribe } = await sendMail('plain')
  const answer = await visit(unsubscribe, { method: 'POST' })
  expect(await answer.text()).toContain('You are unsubscribed')
  const { eventId } = (await given.track({ name: 'orders', userId })).body
  const path = `/v1/deliveries?eventId=${eventId}&channel=email`
  const { data } = (await given.call<Page<{ status: string }>>('GET', path, { key })).body
  expect(data).toMatchObject([{ status: 'skipped', statusReason: 'preference' }])
})

test('after an erasure a link still leads on, and the page says that nothing is left', async () => {
  const { userId, click, open, unsubscribe } = await sendMail()
  await given.call('DELETE', `/v1/users/${userId}`, { key })
  expect((await visit(click)).headers.get('location')).toBe(TARGET)
  expect((await visit(open)).status).toBe(200)
  expect(await (await visit(unsubscribe, { method: 'POST' })).text()).toContain('no longer known')
})
