// Tests the pixel and the links in mails, and that nothing but a signed address does anything.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FunnelAnswer } from '../../../contract/api.ts'
import { parseId } from '../../lib/id.ts'
import { type GivenMails, givenMails, tokens } from '../support/given-mails.ts'

const TARGET = 'https://shop.example/orders/7?a=1&b=%20x#part'

let mails: GivenMails
let ordersId: string

beforeAll(async () => {
  mails = await givenMails()
  const markdown = `[Look](${TARGET}) or [here](/help), or mailto:<a@b.example>`
  ordersId = await mails.publishMail('orders', { markdown }, { category: 'orders' })
})
afterAll(() => mails.edge.stop())

const sendMail = async (event = 'orders') => {
  const sent = await mails.sendMail(event)
  return { ...sent, click: sent.clicks[0] ?? '', help: sent.clicks[1] ?? '' }
}
const visit: GivenMails['visit'] = (path, options) => mails.visit(path, options)
const timelineOf = (messageId: string) => mails.timelineOf(messageId)
const typesOf = async (messageId: string) => (await timelineOf(messageId)).map(({ eventType }) => eventType)

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
  expect((await visit(help)).headers.get('location')).toBe(`${mails.edge.url}/help`)
})

test.each([
  ['a prefetch', { 'sec-purpose': 'prefetch;prerender' }],
  ['a preview of Safari', { 'x-purpose': 'preview' }],
  ['a check of Office', { 'user-agent': 'Microsoft Office Existence Discovery' }],
  ['a filter of mails', { 'user-agent': 'Mimecast URL Scanner' }],
  ['a program without a name', { 'user-agent': '' }],
  ['the picture proxy of Apple', { 'user-agent': 'Mozilla/5.0' }],
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
  const session = await mails.edge.signIn(userId)
  await visit(click)
  const page = await mails.edge.page(session)
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
  const answer = await mails.edge.call<{ results: object[] }>('POST', path, { body: { linkToken } })
  expect(answer).toMatchObject({
    status: 200,
    body: { results: [{ messageId: first.messageId, eventType: 'clicked', recorded: true }] },
  })
  expect((await mails.edge.call('POST', path, { body: { linkToken } })).body).toMatchObject({
    results: [{ recorded: false }],
  })
  const second = await sendMail()
  const session = await mails.edge.signIn('somebody')
  const withSession = { session, body: { linkToken: second.click.split('/').at(-1) } }
  expect(await mails.edge.call('POST', path, withSession)).toMatchObject({ status: 200 })
  for (const body of [{ linkToken: 'x' }, { linkToken: 7 }, {}, { messageId: first.messageId, eventType: 'opened' }]) {
    expect(await mails.edge.call('POST', path, { body })).toMatchObject({
      status: 401,
      body: { code: 'auth/invalid-session' },
    })
  }
  const funnel = `/v1/campaigns/${ordersId}/stats?channel=email`
  const { steps } = (await mails.edge.call<FunnelAnswer>('GET', funnel, { key: mails.key })).body
  expect(steps[3]?.count).toBeGreaterThanOrEqual(2)
})

test('the picture proxy of Gmail shows an opening, and clicks nothing', async () => {
  const { messageId, click, open } = await sendMail()
  const headers = {
    'user-agent': 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  }
  await visit(open, { headers })
  await visit(click, { headers })
  const events = (await timelineOf(messageId)).filter(({ eventType }) => /opened|clicked/.test(eventType))
  expect(events).toMatchObject([
    { eventType: 'opened', automated: false },
    { eventType: 'clicked', automated: true },
  ])
})

test('a telephone of the brand Cubot is no bot', async () => {
  const { messageId, open } = await sendMail()
  await visit(open, {
    headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 13; CUBOT KING KONG) Chrome/126.0 Mobile' },
  })
  expect((await timelineOf(messageId)).at(-1)).toMatchObject({ eventType: 'opened', automated: false })
})

test('a link with letters beyond ASCII leads on, and one that is too long for a token stays as it is', async () => {
  const long = `https://shop.example/${'a'.repeat(3000)}`
  const links = ['https://shop.example/straße', 'https://例え.example/😀?q=ü', long]
  await mails.publishMail('foreign', { html: links.map((link) => `<a href="${link}">Look</a>`).join('') })
  const { clicks, html, messageId } = await sendMail('foreign')
  const locations = await Promise.all(clicks.map(async (path) => (await visit(path)).headers.get('location')))
  expect(locations).toEqual(links.slice(0, 2).map((link) => new URL(link).href))
  expect(html).toContain(`href="${long}"`)
  expect(await typesOf(messageId)).toContain('clicked')
})

test('a token that names a mail of another environment does nothing there', async () => {
  const { messageId } = await sendMail()
  const number = parseId('message', messageId) ?? 0
  const own = tokens.read((await sendMail()).click.split('/').at(-1) ?? '', 'click')?.environmentId ?? 0
  const foreign = { environmentId: own + 1, messageId: number }
  await visit(`/v1/t/o/${tokens.sign({ ...foreign, kind: 'open', target: null })}.gif`)
  await visit(`/v1/t/c/${tokens.sign({ ...foreign, kind: 'click', target: TARGET })}`)
  const unsubscribe = `/v1/t/u/${tokens.sign({ ...foreign, kind: 'unsubscribe', target: null })}`
  expect(await (await visit(unsubscribe, { method: 'POST' })).text()).toContain('no longer known')
  expect(await typesOf(messageId)).toEqual(['send'])
})

test('the register call keeps time and source, and refuses faults only of those who have a token', async () => {
  const path = '/v1/notification/event/register'
  const { messageId, click } = await sendMail()
  const linkToken = click.split('/').at(-1)
  const faulty = await mails.edge.call('POST', path, { body: { linkToken, occurredAt: 'yesterday' } })
  expect(faulty).toMatchObject({ status: 400, body: { code: 'request/invalid-body' } })
  expect(await typesOf(messageId)).toEqual(['send'])
  const stranger = { linkToken: 'x', occurredAt: 'yesterday' }
  expect(await mails.edge.call('POST', path, { body: stranger })).toMatchObject({ status: 401 })
  const sentAt = (await timelineOf(messageId))[0]?.at ?? ''
  const body = { linkToken, occurredAt: sentAt, source: 'own-redirect' }
  const answer = await mails.edge.call('POST', path, { body })
  expect(answer.body).toEqual({ results: [{ messageId, eventType: 'clicked', recorded: true }] })
  const clicked = (await timelineOf(messageId)).find(({ eventType }) => eventType === 'clicked')
  expect(clicked).toMatchObject({ source: 'own-redirect', at: sentAt })
})

test('after an erasure a link still leads on, and the page says that nothing is left', async () => {
  const { userId, click, open, unsubscribe } = await sendMail()
  await mails.edge.call('DELETE', `/v1/users/${userId}`, { key: mails.key })
  expect((await visit(click)).headers.get('location')).toBe(TARGET)
  expect((await visit(open)).status).toBe(200)
  expect(await (await visit(unsubscribe, { method: 'POST' })).text()).toContain('no longer known')
})
