// Tests links of mails that belong to the recipient or to the customer's site, from saving to the history.
// SQLite alone: links are checked before the store, and composed after it.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { readTables } from '../isolation/dump.ts'
import { type DashboardPerson, givenDashboard, outcomeOf } from '../support/given-dashboard.ts'
import { type GivenMails, givenMails } from '../support/given-mails.ts'

let mails: GivenMails
let owner: DashboardPerson
let dev: string

beforeAll(async () => {
  mails = await givenMails()
  const { demo } = mails.edge
  const { email, password } = demo.dashboard
  owner = await givenDashboard(mails.edge).signIn(email, password)
  dev = `/v1/dashboard/environments/${demo.environments.dev.id}`
  const site = { siteUrl: 'https://shop.example/de/', appSchemes: ['shopapp'] }
  const { status, body } = await owner.call('PUT', dev, { body: site })
  expect({ status, ...site }).toEqual({ status: 200, siteUrl: body.siteUrl, appSchemes: body.appSchemes })
  const configs = `/v1/dashboard/organisations/${demo.organisation.id}/notification-configs`
  const config = { name: 'Own site', siteUrl: 'https://other.example', email: { tracking: { clicks: false } } }
  const made = await owner.call<{ id: string; siteUrl: string }>('POST', configs, { body: config })
  expect(made.body.siteUrl).toBe('https://other.example')
  const html = `<a href="/orders/1">o</a> <a data-nc-track="off" href="/reset?token=s3cret">r</a>
    <a href="{{ unsubscribeUrl }}">stop</a> <a href="{{ preferencesUrl }}">choose</a> <a href="shopapp://orders/1">app</a>`
  await mails.publishMail('sited', { html }, { category: 'orders' })
  await mails.publishMail('other-site', { markdown: '[o](/orders/1)' }, { notificationConfigId: made.body.id })
})
afterAll(() => mails.edge.stop())

const hrefsOf = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)

test('a path begins at the site of the environment, and a config may name another', async () => {
  const { clicks, html } = await mails.sendMail('sited')
  expect((await mails.visit(clicks[0] ?? '')).headers.get('location')).toBe('https://shop.example/de/orders/1')
  expect(hrefsOf(html)).toContain('shopapp://orders/1')
  expect(hrefsOf((await mails.sendMail('other-site')).html)).toContain('https://other.example/orders/1')
})

test('once its mail is sent, the store has no query of an untracked link', async () => {
  const html = '<a data-nc-track="off" href="/reset?token=s3cret-{{ user.name }}">r</a> <a href="/x?a=b">x</a>'
  await mails.publishMail('kept', { html }, { category: 'orders' })
  const sent = await mails.sendMail('kept')
  expect(hrefsOf(sent.html)[0]).toContain(`token=s3cret-${sent.userId}`)
  const messages = (await readTables(mails.edge)).get('message') ?? []
  const stored = messages.map((row) => String(row.snapshot)).filter((text) => text.includes('/reset'))
  expect(stored.length).toBeGreaterThan(0)
  expect(stored.filter((text) => text.includes('s3cret'))).toEqual([])
  expect(stored.some((text) => text.includes('/x?a=b'))).toBe(true)
})

test('an untracked link stays, and the history shows it without its query', async () => {
  const { html, clicks, messageId } = await mails.sendMail('sited')
  expect(hrefsOf(html)).toContain('https://shop.example/de/reset?token=s3cret')
  expect(clicks).toHaveLength(1)
  for (const path of [`/v1/deliveries/${messageId}`, `/v1/deliveries/${messageId}/mail`]) {
    const { status, body } = await mails.edge.call('GET', path, { key: mails.key })
    expect(status).toBe(200)
    expect(JSON.stringify(body)).toContain('/reset')
    expect(JSON.stringify(body)).not.toContain('s3cret')
  }
})

test('a step prints the links of the recipient, and the page of categories turns mails off and on', async () => {
  const { html, unsubscribe, userId } = await mails.sendMail('sited')
  const own = hrefsOf(html).filter((href) => /\/v1\/t\/[up]\//.test(href))
  // The footer has both as well.
  expect(own.map((href) => new URL(href).pathname.slice(0, 8))).toEqual([
    '/v1/t/u/',
    '/v1/t/p/',
    '/v1/t/u/',
    '/v1/t/p/',
  ])
  expect(new URL(own[0] ?? '').pathname).toBe(unsubscribe)
  const { pathname } = new URL(own[1] ?? '')
  const page = await (await mails.visit(pathname)).text()
  expect(page).toContain('Which mails you get')
  const action = /action="([^"]*category=orders[^"]*)"/
    .exec(page)?.[1]
    ?.replaceAll('&amp;', '&')
    .replaceAll('&#38;', '&')
  expect(action).toBe('?category=orders&email=off')
  const off = await (await mails.visit(pathname + action, { method: 'POST' })).text()
  expect(off).toMatch(/category=orders&amp;email=on/)
  await expect
    .poll(() => mails.outcomeOf('sited', userId))
    .toMatchObject({ status: 'skipped', statusReason: 'preference' })
  await mails.visit(`${pathname}?category=orders&email=on`, { method: 'POST' })
  await expect.poll(async () => (await mails.outcomeOf('sited', userId))?.status).not.toBe('skipped')
  expect((await mails.visit(`${pathname}x`)).status).toBe(404)
  expect((await mails.visit(unsubscribe.replace('/u/', '/p/'))).status).toBe(404)
})

test('a refused link without Liquid is a fault with its path', async () => {
  const definition = (step: object) => ({
    ...{ key: 'refused', name: 'Refused', trigger: { event: 'x' } },
    steps: [{ id: 'mail', type: 'email', subject: 's', ...step }],
  })
  for (const [step, path] of [
    [{ markdown: '[a](ftp://x)' }, 'steps[0].markdown'],
    [{ html: '<a href="other-app:x">a</a>' }, 'steps[0].html'],
  ] as const) {
    const answer = await mails.edge.call('POST', '/v1/campaigns', { key: mails.key, body: definition(step) })
    expect(outcomeOf(answer)).toBe('400 campaign/invalid-definition')
    expect(answer.body).toMatchObject({ details: [{ path }] })
  }
})

test.each([
  [{ siteUrl: 'shop.example' }, 'siteUrl'],
  [{ siteUrl: 'javascript:alert(1)' }, 'siteUrl'],
  [{ siteUrl: 'https://shop.example/?a=b' }, 'siteUrl'],
  [{ siteUrl: 'https://a:b@shop.example' }, 'siteUrl'],
  [{ appSchemes: ['ok', 'javascript'] }, 'appSchemes[1]'],
  [{ appSchemes: ['Shop App'] }, 'appSchemes[0]'],
])('%j is refused', async (body, path) => {
  const answer = await owner.call('PUT', dev, { body })
  expect(outcomeOf(answer)).toBe('400 request/invalid-body')
  expect(answer.body).toMatchObject({ details: [{ path }] })
})
