// Tests the pages of campaigns: states, pause and resume, the typed confirmation, a test, the funnel and its files.

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolationsAround, type GivenDashboard, givenDashboard, mailOf, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
  const properties = { orderId: 'A-1', summary: 'Monstera', total: 48 }
  await given.track({ name: 'order.shipped', userId: 'u_1', properties })
})
afterAll(() => given?.stop())

const NAME = 'Order shipped'
const shipped = (query: Readonly<Record<string, string>> = {}) =>
  given.address(`campaigns/${given.demo.campaigns['order-shipped']}`, query)
const statusOf = async () =>
  (await given.call<{ status: string }>('GET', `/v1/campaigns/${given.demo.campaigns['order-shipped']}`)).status
const dialog = (page: Page) => page.locator('wa-dialog[open]')

test('the list leads to a campaign, which is paused and resumed after a question', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('campaigns'), 'Campaigns')
  await page.getByRole('link', { name: NAME, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: NAME }).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => dialog(page).count()).toBe(0)
  expect(await statusOf()).toBe('active')
  await page.getByRole('button', { name: 'Pause' }).click()
  await dialog(page).getByRole('button', { name: 'Pause' }).click()
  await page.getByText(`“${NAME}” is paused.`).waitFor()
  expect(await statusOf()).toBe('paused')
  await page.getByRole('button', { name: 'Resume' }).click()
  await dialog(page).getByRole('button', { name: 'Resume' }).click()
  await page.getByText('active again').waitFor()
  expect(await statusOf()).toBe('active')
  expect(faults).toEqual([])
  await page.context().close()
})

test('a campaign that others have changed meanwhile is shown as it is now before it is changed', async () => {
  const id = given.demo.campaigns['order-shipped'] ?? ''
  const { draft } = await given.call<{ draft: Record<string, unknown> }>('GET', `/v1/campaigns/${id}`)
  const copy = { ...draft, key: 'of-two', name: 'Of two', trigger: { event: 'of.two' } }
  const made = await given.call<{ id: string }>('POST', '/v1/campaigns', copy)
  const { page, faults } = await visitSignedIn(given, given.address(`campaigns/${made.id}`), 'Of two')
  await given.call('PUT', `/v1/campaigns/${made.id}`, { ...copy, name: 'Of both' })
  await page.getByRole('button', { name: 'Publish' }).click()
  await dialog(page).getByRole('button', { name: 'Publish' }).click()
  await dialog(page).getByText('has changed it meanwhile.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Of both', includeHidden: true }).waitFor()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => dialog(page).count()).toBe(0)
  await page.getByRole('button', { name: 'Publish' }).click()
  await dialog(page).getByRole('button', { name: 'Publish' }).click()
  await page.getByText('is published as version 1.').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('archiving wants the key of the campaign typed', async () => {
  const id = given.demo.campaigns['order-shipped'] ?? ''
  const { draft } = await given.call<{ draft: Record<string, unknown> }>('GET', `/v1/campaigns/${id}`)
  const copy = { ...draft, key: 'for-the-archive', name: 'For the archive' }
  const made = await given.call<{ id: string }>('POST', '/v1/campaigns', copy)
  const { page, faults } = await visitSignedIn(given, given.address(`campaigns/${made.id}`), 'For the archive')
  await page.getByRole('button', { name: 'Archive' }).click()
  const archive = dialog(page).getByRole('button', { name: 'Archive' })
  expect(await archive.isDisabled()).toBe(true)
  await dialog(page).getByLabel(/^Type/).fill('for-the-archive')
  await archive.click()
  await page.getByText('“For the archive” is archived.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Publish' }).count()).toBe(0)
  expect(faults).toEqual([])
  await page.context().close()
})

test('a test is sent to one user and is shown in the history', async () => {
  const { page, faults } = await visitSignedIn(given, shipped(), NAME)
  await page.getByRole('button', { name: 'Send a test' }).click()
  await dialog(page).getByLabel('User ID').fill('u_test')
  await dialog(page)
    .getByLabel(/^Properties/)
    .fill('{')
  await dialog(page).getByRole('button', { name: 'Send the test' }).click()
  await dialog(page).getByText('no JSON object').waitFor()
  await dialog(page)
    .getByLabel(/^Properties/)
    .fill('{ "orderId": "T-1", "summary": "Fern", "total": 12 }')
  await dialog(page).getByRole('button', { name: 'Send the test' }).click()
  await page.getByRole('heading', { level: 1, name: 'Delivery History' }).waitFor()
  const side = page.getByRole('region', { name: 'Delivery' })
  await side.getByText('Test', { exact: true }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('the mails of a draft are previewed with the newest event, another sample and its fault, and sent as a test', async () => {
  const steps = [
    {
      id: 'first',
      type: 'email',
      subject: 'Order {{ event.properties.orderId }}',
      markdown: '# Hello {{ user.name }}',
    },
    { id: 'second', type: 'email', subject: 'How was it?', html: '<h1>Tell us</h1>' },
  ]
  const draft = { key: 'letters', name: 'Letters', trigger: { event: 'order.letters' }, steps }
  const { id } = await given.call<{ id: string }>('POST', '/v1/campaigns', draft)
  await given.call('PUT', '/v1/users/ada', { email: 'ada@example.com', name: 'Ada' })
  await given.call('PUT', '/v1/users/bob', { email: 'bob@example.com', name: 'Bob' })
  await given.track({ name: 'order.letters', userId: 'ada', properties: { orderId: 'A-7' } })
  const { page, faults } = await visitSignedIn(given, given.address(`campaigns/${id}`, { tab: 'messages' }), 'Letters')
  const card = page.locator('nc-draft-preview')
  await mailOf(page).getByRole('heading', { name: 'Hello Ada' }).waitFor()
  await card.getByText('Order A-7').waitFor()
  await card.getByText('Ada <ada@example.com>').waitFor()
  expect(await findViolationsAround(page)).toEqual([])

  await card.getByLabel('User ID').fill('bob')
  await card.getByLabel('Properties of the event').fill('{ "orderId": "B-8" }')
  await card.getByRole('button', { name: 'Preview' }).click()
  await mailOf(page).getByRole('heading', { name: 'Hello Bob' }).waitFor()
  await card.getByText('Order B-8').waitFor()
  await card.getByLabel('Step').selectOption('second')
  await card.getByRole('button', { name: 'Preview' }).click()
  await mailOf(page).getByRole('heading', { name: 'Tell us' }).waitFor()
  await card.getByLabel('Properties of the event').fill('no JSON')
  await card.getByRole('button', { name: 'Preview' }).click()
  await card.getByRole('alert').filter({ hasText: 'no JSON object' }).waitFor()

  await card.getByLabel('Properties of the event').fill('{ "orderId": "C-9" }')
  await card.getByRole('button', { name: 'Send as a test' }).click()
  expect(await dialog(page).getByLabel('User ID').inputValue()).toBe('bob')
  await dialog(page).getByRole('button', { name: 'Send the test' }).click()
  const side = page.getByRole('region', { name: 'Delivery' })
  await side.getByText('Test', { exact: true }).waitFor()
  await side.getByText('Sent', { exact: true }).waitFor()
  const { data } = await given.call<{ data: { to: { address: string }; subject: string }[] }>(
    'GET',
    '/v1/email/mailbox',
  )
  expect(data.map(({ to, subject }) => `${to.address}: ${subject}`)).toContain('bob@example.com: Order C-9')
  expect(faults).toEqual([])
  await page.context().close()
})

test('the funnel shows what happens within seconds, by window, and is saved as PNG and CSV', async () => {
  const { page, faults } = await visitSignedIn(given, shipped({ tab: 'funnel' }), NAME)
  const delivered = page.locator('.funnel-table').first().locator('tbody tr').first().locator('td').first()
  await expect.poll(() => delivered.textContent()).toBe('1')
  await given.track({ name: 'order.shipped', userId: 'u_2', properties: { orderId: 'A-2', summary: 'Fern', total: 5 } })
  await expect.poll(() => delivered.textContent()).toBe('2')
  await page.getByRole('button', { name: '24 hours' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('window')).toBe('24h')
  await expect.poll(() => delivered.textContent()).toBe('2')
  for (const [button, start] of [
    ['PNG', Buffer.from('\x89PNG', 'latin1')],
    ['CSV', Buffer.from('version,branch,step,count,percentOfPrevious,percentOfDelivered\r\n,,delivery,2,,\r\n')],
  ] as const) {
    const downloaded = page.waitForEvent('download')
    await page.getByRole('button', { name: button }).click()
    const bytes = await readFile((await (await downloaded).path()) ?? '')
    expect(bytes.subarray(0, start.length)).toEqual(start)
  }
  expect(faults).toEqual([])
  await page.context().close()
})

test('the list draws the deliveries of the last days, and the page of a campaign says why messages were not sent', async () => {
  await given.call('POST', '/v1/suppressions', { userId: 'u_silent', channel: 'inbox' })
  const properties = { orderId: 'A-3', summary: 'Fern', total: 5 }
  await given.track({ name: 'order.shipped', userId: 'u_silent', properties })
  const { data } = await given.call<{ data: { isTest: boolean }[] }>('GET', '/v1/deliveries?status=delivered')
  const { page, faults } = await visitSignedIn(given, given.address('campaigns'), 'Campaigns')
  const counted = data.filter(({ isTest }) => !isTest)
  const row = page.locator('tbody tr').filter({ hasText: NAME }).first()
  await expect.poll(() => row.locator('.sparkline-sum').textContent()).toBe(String(counted.length))
  expect(await row.locator('polyline').getAttribute('points')).toMatch(/^2,22 .* 94,2$/)
  await row.getByRole('link', { name: NAME }).click()
  await page.getByRole('tab', { name: 'Funnel' }).click()
  const card = page.locator('nc-not-sent')
  const reason = card.locator('tbody tr')
  await expect
    .poll(() => reason.allInnerTexts())
    .toEqual([expect.stringMatching(/The user or the address is suppressed\s+suppressed\s+Skipped\s+1/)])
  await page.getByRole('button', { name: 'Email' }).click()
  await card.getByText('No message was skipped').waitFor()
  await page.getByRole('button', { name: 'Inbox', exact: true }).click()
  await card.getByRole('link', { name: 'The user or the address is suppressed' }).click()
  await page.getByText('1 delivery.').waitFor()
  expect(new URL(page.url()).searchParams.get('statusReason')).toBe('suppressed')
  expect(faults).toEqual([])
  await page.context().close()
})

test('two versions are compared field by field', async () => {
  const id = given.demo.campaigns['order-shipped'] ?? ''
  const { draft } = await given.call<{ draft: Record<string, unknown> }>('GET', `/v1/campaigns/${id}`)
  await given.call('PUT', `/v1/campaigns/${id}`, { ...draft, name: 'Order shipped again' })
  const { page, faults } = await visitSignedIn(given, shipped({ tab: 'versions' }), /Order shipped/)
  await page.getByText('Draft has changes').waitFor()
  const row = page.locator('.difference tbody tr')
  await expect
    .poll(() => row.allInnerTexts())
    .toEqual([expect.stringMatching(/Changed\s+name\s+Order shipped\s+Order shipped again/)])
  await page.getByRole('button', { name: 'Publish' }).click()
  await dialog(page).getByRole('button', { name: 'Publish' }).click()
  await page.getByText('is published as version 2.').waitFor()
  await expect.poll(() => page.getByText('Draft has changes').count()).toBe(0)
  expect(faults).toEqual([])
  await page.context().close()
})
