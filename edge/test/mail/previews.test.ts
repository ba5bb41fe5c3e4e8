// Tests mails that people look at: a sent one as it was sent, and the preview of a layout with its faults.

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ComposedMail, SentMailAnswer } from '../../../contract/resources/mail.ts'
import { readTables } from '../isolation/dump.ts'
import { type DashboardPerson, givenDashboard, outcomeOf } from '../support/given-dashboard.ts'
import { type GivenMails, givenMails } from '../support/given-mails.ts'

let mails: GivenMails
let owner: DashboardPerson
let viewer: DashboardPerson
let org: string
let configId: string

const LAYOUT = '<p>Shop</p>{{ content }}<a href="{{ unsubscribeUrl }}">Stop</a>'
const EMAIL = { senderName: 'Shop', senderAddress: 'hello@shop.example', tracking: { opens: false, clicks: false } }

const configs = () => `/v1/dashboard/organisations/${org}/notification-configs`
const layouts = () => `/v1/dashboard/organisations/${org}/mail-layouts`

async function setConfig(email: object): Promise<void> {
  const { status } = await owner.call('PUT', `${configs()}/${configId}`, { body: { name: 'Previews', email } })
  expect(status).toBe(200)
}

beforeAll(async () => {
  mails = await givenMails()
  const { demo } = mails.edge
  org = demo.organisation.id
  const { email, password } = demo.dashboard
  const dashboard = givenDashboard(mails.edge)
  owner = await dashboard.signIn(email, password)
  viewer = await dashboard.join(org, 'preview-viewer@example.com', 'viewer')
  const body = { name: 'Previews', email: { ...EMAIL, layout: LAYOUT } }
  configId = (await owner.call<{ id: string }>('POST', configs(), { body })).body.id
  const markdown = '# Hello {{ user.name }}\n\n[Orders](https://shop.example/orders?a=1&b=2)'
  await mails.publishMail('previewed', { markdown, preheader: 'Soon' }, { notificationConfigId: configId })
  await mails.publishMail('tracked', { markdown })
})
afterAll(() => mails.edge.stop())

/** Sends mails until the changed config is in effect; by one of before a mail may fail. @returns the first one that contains the text */
async function sendWith(text: string): ReturnType<GivenMails['sendMail']> {
  const find = async () => {
    const sent = await mails.sendMail('previewed').catch(() => undefined)
    return sent?.html.includes(text) === true ? sent : undefined
  }
  return vi.waitUntil(find, { timeout: 60_000 })
}

const readMail = (messageId: string) =>
  mails.edge.call<SentMailAnswer>('GET', `/v1/deliveries/${messageId}/mail`, { key: mails.key })

test('a sent mail is shown as it was sent, but for the link of its recipient', async () => {
  const sent = await mails.sendMail('previewed')
  const { status, body } = await readMail(sent.messageId)
  expect(status).toBe(200)
  expect(sent.html).toContain('<p>Shop</p>')
  expect(body.html).toBe(sent.html.replace(/href="[^"]*\/v1\/t\/[up]\/[^"]*"/g, 'href="#"'))
  expect(body).toMatchObject({
    subject: 'Sent',
    preheader: 'Soon',
    from: { name: 'Shop', address: 'hello@shop.example' },
    to: { name: sent.userId, address: `${sent.userId}@example.org` },
    configChangedAt: null,
  })
  expect(body.text).toContain(`Hello ${sent.userId}`)
})

test('looking at a tracked mail counts nothing, and contains no signed address', async () => {
  const sent = await mails.sendMail('tracked')
  expect(sent.clicks).toHaveLength(1)
  const { body } = await readMail(sent.messageId)
  expect(body.html).not.toContain('/v1/t/')
  expect(body.html).toContain('href="https://shop.example/orders?a=1&amp;b=2"')
  const timeline = await mails.timelineOf(sent.messageId)
  expect(timeline.map(({ eventType }) => eventType)).toEqual(['send'])
})

test('a sent mail keeps its layout and sender when the config changes, also to one that does not render', async () => {
  const sent = await mails.sendMail('previewed')
  const before = (await readMail(sent.messageId)).body
  const senders = { senderName: 'Other', senderAddress: 'other@shop.example' }
  await setConfig({ ...EMAIL, ...senders, layout: `<p>New</p>${LAYOUT}` })
  expect((await readMail(sent.messageId)).body).toEqual(before)
  const later = await sendWith('<p>New</p>')
  const after = (await readMail(later.messageId)).body
  expect(after.html).toContain('<p>New</p>')
  expect(after).toMatchObject({ from: { name: 'Other', address: 'other@shop.example' }, configChangedAt: null })
  await setConfig({ ...EMAIL, layout: `{% for a in (1..60000) %}long enough to pass the limit{% endfor %}${LAYOUT}` })
  expect((await readMail(sent.messageId)).body).toEqual(before)
})

test('mails of one layout share its text', async () => {
  await setConfig({ ...EMAIL, layout: `<p>Shared</p>${LAYOUT}` })
  const { messageId } = await sendWith('<p>Shared</p>')
  await mails.sendMail('previewed')
  const tables = await readTables(mails.edge)
  const kept = tables.get('mail_layout')?.filter((row) => String(row.content).includes('<p>Shared</p>'))
  expect(kept).toHaveLength(1)
  expect((await readMail(messageId)).body.html).toContain('<p>Shared</p>')
})

test('a message without a mail has none to show', async () => {
  const { eventId } = (await mails.edge.track({ name: 'previewed', userId: 'nobody' })).body
  const path = `/v1/deliveries?eventId=${eventId}`
  type Listed = { data: { messageId: string; channel: string; status: string }[] }
  const { data } = (await mails.edge.call<Listed>('GET', path, { key: mails.key })).body
  expect(data.map(({ channel, status }) => `${channel} ${status}`).sort()).toEqual(['email skipped', 'inbox delivered'])
  for (const { messageId } of data) expect(outcomeOf(await readMail(messageId))).toBe('404 message/not-found')
  expect(outcomeOf(await readMail('msg_0'))).toBe('404 message/not-found')
})

test('a layout is previewed with the words of a language, and stores nothing', async () => {
  const preview = (body: object) => owner.call<ComposedMail>('POST', `${layouts()}/preview`, { body })
  const standard = await preview({ locale: 'de' })
  expect(standard.body.html).toContain('Abbestellen')
  const own = await preview({ email: { ...EMAIL, layout: '<h6>{{ senderName }}</h6>{{ content }}' } })
  expect(own.body.html).toContain('<h6>Shop</h6>')
  expect(own.body.from).toEqual({ name: 'Shop', address: 'hello@shop.example' })
  const starting = await owner.call<{ html: string; mjml: string }>('GET', layouts())
  for (const [layoutFormat, layout] of Object.entries(starting.body)) {
    const { status, body } = await preview({ email: { layout, layoutFormat } })
    expect({ layoutFormat, status }).toEqual({ layoutFormat, status: 200 })
    expect(body.html).toContain('Good news, Ada')
  }
})

test('who may not edit a config sees the mails of the stored one, and no others', async () => {
  await setConfig({ ...EMAIL, layout: '<h6>Stored by {{ senderName }}</h6>{{ content }}' })
  const path = `${configs()}/${configId}/mail-preview`
  const { status, body } = await viewer.call<ComposedMail>('GET', `${path}?locale=de`)
  expect(status).toBe(200)
  expect(body.html).toContain('<h6>Stored by Shop</h6>')
  expect(outcomeOf(await viewer.call('GET', `${path}?locale=!`))).toBe('400 request/invalid-query')
  const none = `${configs()}/cfg_00000000000/mail-preview`
  expect(outcomeOf(await viewer.call('GET', none))).toBe('404 notification/config-not-found')
  const draft = await viewer.call('POST', `${layouts()}/preview`, { body: { email: EMAIL } })
  expect(outcomeOf(draft)).toBe('403 authorization/not-allowed role')
})

test.each([
  [{ layout: '<p>\n{% if x %}</p>{{ content }}' }, { path: 'email.layout', position: 4 }],
  [
    { layout: '<mjml><mj-body>{{ content }}\n</mj-column></mj-body></mjml>', layoutFormat: 'mjml' },
    { path: 'email.layout', position: 41 },
  ],
  [{ layout: 'nothing' }, { path: 'email.layout', message: expect.stringContaining('{{ content }}') }],
  [{ replyTo: 'nowhere' }, { path: 'email.replyTo' }],
])('the preview of %j names its fault with its place', async (email, detail) => {
  const { status, body } = await owner.call('POST', `${layouts()}/preview`, { body: { email } })
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 'request/invalid-body', details: [detail] })
})
