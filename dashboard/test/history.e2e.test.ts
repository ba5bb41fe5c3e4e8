// Tests the delivery history: filters in the address, the side view, the live list, the keyboard, and the export.

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
const HEADING = 'Delivery History'

async function ship(userId: string, count = 1): Promise<void> {
  for (let at = 0; at < count; at++) {
    const properties = { orderId: `A-${at}`, summary: 'Monstera', total: 48 }
    await given.track({ name: 'order.shipped', userId, properties })
  }
}

beforeAll(async () => {
  given = await givenDashboard()
  await ship('u_1', 130)
  await ship('u_2', 3)
})
afterAll(() => given?.stop())

const rows = (page: Page) => page.locator('.grid-body [role=row]')
const foot = (page: Page) => page.locator('.history-list .list-foot')

test('only visible rows are in the document, and the rest is loaded by scrolling with the keyboard', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('inbox'), HEADING)
  await rows(page).first().waitFor()
  expect(await rows(page).count()).toBeLessThan(60)
  await page.getByRole('grid').focus()
  await page.keyboard.press('End')
  await expect.poll(() => foot(page).textContent()).toBe('133 deliveries.')
  await page.keyboard.press('End')
  const last = page.locator('[role=row][aria-rowindex="134"]')
  await last.waitFor()
  await expect
    .poll(() => page.getByRole('grid').getAttribute('aria-activedescendant'))
    .toBe(await last.getAttribute('id'))
  expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('134')
  await page.keyboard.press('Home')
  await page.locator('[role=row][aria-rowindex="2"]').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('filters are in the address: set on the page, they are in a link; a link sets them', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('inbox'), HEADING)
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByLabel('Recipient', { exact: true }).fill('u_2')
  await page.getByLabel('Recipient', { exact: true }).press('Enter')
  await expect.poll(() => foot(page).textContent()).toBe('3 deliveries.')
  expect(new URL(page.url()).searchParams.get('userId')).toBe('u_2')
  await page.getByLabel('Status', { exact: true }).selectOption('failed')
  await page.getByText('No delivery matches').waitFor()
  await page.getByRole('button', { name: 'Remove the filter Status' }).click()
  await expect.poll(() => rows(page).count()).toBe(3)
  await page.goBack()
  await page.getByText('No delivery matches').waitFor()
  await page.goto(given.address('inbox', { userId: 'u_2', engagement: 'none', window: '24h' }))
  await expect.poll(() => page.locator('.chip').count()).toBe(3)
  await expect.poll(() => rows(page).count()).toBe(3)
  expect(faults).toEqual([])
  await page.context().close()
})

test('a message is found by its id, and its side view has timeline, content, trace and event', async () => {
  const { data } = await given.call<{ data: { messageId: string }[] }>('GET', '/v1/deliveries?userId=u_2&limit=1')
  const id = data[0]?.messageId ?? ''
  const { page, faults } = await visitSignedIn(given, given.address('inbox'), HEADING)
  await page.getByRole('searchbox').fill(id)
  await page.getByRole('searchbox').press('Enter')
  await expect.poll(() => foot(page).textContent()).toBe('1 delivery.')
  await page.getByRole('grid').focus()
  await page.keyboard.press('Enter')
  const side = page.getByRole('region', { name: 'Delivery' })
  await side.getByText('Event received').waitFor()
  expect(new URL(page.url()).searchParams.get('message')).toBe(id)
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2')
  await side.getByRole('tab', { name: 'Message' }).click()
  const preview = side.locator('nc-message-preview')
  await expect.poll(() => preview.locator('nc-detail [part~=title]').textContent()).toContain('A-')
  await side.getByRole('tab', { name: 'Trace' }).click()
  await side.locator('.trace-step').first().waitFor()
  await side.getByRole('tab', { name: 'Event' }).click()
  await expect
    .poll(() => side.getByRole('region', { name: 'Tracked event as JSON' }).textContent())
    .toContain('"Monstera"')
  await page.keyboard.press('Escape')
  await expect.poll(() => side.count()).toBe(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid')
  expect(faults).toEqual([])
  await page.context().close()
})

test('new deliveries appear by themselves at the top, and wait for a reader further down', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('inbox', { userId: 'u_live' }), HEADING)
  await page.getByText('No delivery matches').waitFor()
  await ship('u_live', 40)
  await expect.poll(() => foot(page).textContent()).toBe('40 deliveries.')
  await page.getByRole('grid').focus()
  await page.keyboard.press('End')
  await ship('u_live', 2)
  await page.getByRole('button', { name: '2 new. Show' }).click()
  await expect.poll(() => foot(page).textContent()).toBe('42 deliveries.')
  expect(faults).toEqual([])
  await page.context().close()
})

test('the export has what is filtered, and can be cancelled', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('inbox', { userId: 'u_2' }), HEADING)
  await rows(page).first().waitFor()
  const downloaded = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const text = await readFile((await (await downloaded).path()) ?? '', 'utf8')
  expect(text.trim().split('\r\n')).toHaveLength(4)
  expect(text).toMatch(/^messageId,correlationId,/)
  await page.getByText('Exported 3 deliveries.').waitFor()
  // An answer that does not end: the export waits until it is cancelled.
  await page.route('**/export.csv*', () => {})
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await page.getByRole('button', { name: 'Cancel the export' }).click()
  await page.getByText('The export is cancelled.').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('a failure shows its message and its correlation id, and another attempt helps', async () => {
  const { page } = await visitSignedIn(given, given.address('events'), 'Events')
  const body = { code: 'service/unavailable', message: 'The store is away.', correlationId: 'c-history-1' }
  await page.route('**/deliveries?*', (route) => route.fulfill({ status: 503, json: body }))
  await page.getByRole('link', { name: HEADING }).click()
  await page.getByText('The store is away.').waitFor()
  await page.getByText('c-history-1').waitFor()
  await page.unroute('**/deliveries?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await rows(page).first().waitFor()
  await page.context().close()
})
