// Tests the palette: everything is found by one field, with the keyboard alone, and the history's search finds users.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations, type GivenDashboard, givenDashboard, overflowOf, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
  await given.call('PUT', '/v1/users/zoe', { email: 'zoe@example.com', name: 'Zoë' })
})
afterAll(() => given?.stop())

const ORDER = { name: 'order.shipped', properties: { orderId: 'A-1', summary: 'Monstera', total: 48 } }
const field = (page: Page) => page.getByRole('combobox', { name: 'Search and go' })
const options = (page: Page) => page.getByRole('dialog', { name: 'Search and go' }).getByRole('option')

async function goTo(page: Page, text: string, option: RegExp): Promise<void> {
  await page.keyboard.press('Control+k')
  await field(page).waitFor()
  await page.keyboard.type(text)
  await options(page).filter({ hasText: option }).first().waitFor()
  for (
    let presses = (await options(page).allInnerTexts()).findIndex((one) => option.test(one));
    presses > 0;
    presses--
  ) {
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await expect.poll(() => field(page).isVisible()).toBe(false)
}

test('users, campaigns, events, ids, pages and actions are found by the keyboard alone', async () => {
  const eventId = await given.track({ ...ORDER, userId: 'zoe' })
  const { page, faults } = await visitSignedIn(given, given.address('home'), 'Home')
  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
  await goTo(page, 'zoe@', /Zoë · zoe@example.com · zoe\s*User/)
  await heading('Zoë')
  await goTo(page, 'shipped', /Order shipped\s*Campaign/)
  await heading('Order shipped')
  await goTo(page, 'order.shipped', /order\.shipped\s*Events of this name/)
  await heading('Events')
  expect(new URL(page.url()).searchParams.get('name')).toBe('order.shipped')
  await goTo(page, eventId, /Event/)
  await heading('order.shipped')
  await goTo(page, 'rotate', /Rotate a secret\s*Action/)
  await heading('Secrets')
  await goTo(page, 'audit', /Audit log\s*Page/)
  await heading('Audit log')
  expect(faults).toEqual([])
  await page.context().close()
})

test('Enter opens nothing that an earlier text found, and nothing is called missing before the answer', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('home'), 'Home')
  await page.keyboard.press('Control+k')
  await field(page).fill('zoe@')
  await options(page).filter({ hasText: 'Zoë' }).waitFor()
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(/\/users\?q=nobody/, async (route) => {
    await held
    await route.continue()
  })
  await field(page).fill('nobody@example.com')
  expect(await options(page).count()).toBe(0)
  await page.getByText('Searching…').waitFor()
  await page.keyboard.press('Enter')
  answer()
  await options(page).filter({ hasText: 'Deliveries with this correlation ID' }).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test.each([
  'msg_of_a_customer',
  '../x',
  'a b%2Fc',
  'who?#1&env=x',
  '<img src=x onerror=alert(1)>',
  '\u202Egnp.exe',
  'w'.repeat(256),
])('a user whose id is %j is found, and has a page', async (userId) => {
  await given.track({ ...ORDER, userId })
  const { page, faults } = await visitSignedIn(given, given.address('home'), 'Home')
  await page.keyboard.press('Control+k')
  await field(page).fill(userId)
  const entry = options(page).filter({ has: page.getByText('User', { exact: true }) })
  await entry.first().waitFor()
  expect(await overflowOf(page)).toBe(0)
  await entry
    .filter({ has: page.getByText(userId, { exact: true }) })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: userId, exact: true }).waitFor()
  await page.locator('.life li').first().waitFor()
  await page.reload()
  await page.locator('.life li').first().waitFor()
  await page.setViewportSize({ width: 360, height: 800 })
  expect(await overflowOf(page)).toBe(0)
  expect(faults).toEqual([])
  await page.context().close()
})

test('the button opens it, Escape closes it and gives the focus back, and it has no violation', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('home'), 'Home')
  const button = page.getByRole('button', { name: /^Search/ })
  await button.click()
  await options(page).first().waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await findViolations(page)).toEqual([])
  }
  await page.keyboard.insertText('a pasted text '.repeat(100))
  await page.getByText('Nothing is found.').waitFor()
  await field(page).fill('')
  await page.keyboard.type('nothing of this name')
  await page.getByText('Nothing is found.').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('search-button')
  expect(faults).toEqual([])
  await page.context().close()
})

test('the search of the history finds a user, and the event of a correlation of which no message came', async () => {
  await given.track({ ...ORDER, userId: 'zoe' })
  const quiet = await given.call<{ correlationId: string }>('POST', '/v1/events/track', {
    ...{ sdkSecretKey: given.demo.environments.dev.sdkSecretKey, name: 'nobody.listens', userId: 'zoe' },
  })
  const { page, faults } = await visitSignedIn(given, given.address('inbox'), 'Delivery History')
  const search = page.getByRole('searchbox', { name: 'Search by ID, or by user' })
  await search.fill('zoe@example.com')
  await search.press('Enter')
  await page.getByRole('list', { name: 'Filters that are set' }).getByText('Recipient: zoe').waitFor()
  await page.goto(given.address('inbox'))
  await search.fill(quiet.correlationId)
  await search.press('Enter')
  await page.getByText('has this correlation ID. No message came of it.').waitFor()
  await page.getByRole('link', { name: 'nobody.listens' }).click()
  await page.getByRole('heading', { level: 1, name: 'nobody.listens' }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})
