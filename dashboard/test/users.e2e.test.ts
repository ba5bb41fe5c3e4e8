// Tests the pages of users: search, inbox as the user has it, preferences, export, erasure with its record; and suppressions.

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolationsAround, type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
const order = (userId: string, orderId: string) => ({
  name: 'order.shipped',
  userId,
  properties: { orderId, summary: 'Monstera', total: 48 },
})

beforeAll(async () => {
  given = await givenDashboard()
  await given.call('PUT', '/v1/users/ann', { name: 'Ann Byron', email: 'ann@example.com', locale: 'en' })
  await given.call('PUT', '/v1/users/bob', { email: 'bob@example.com' })
  for (const orderId of ['A-1', 'A-2']) await given.track(order('ann', orderId))
})
afterAll(() => given?.stop())

const dialog = (page: Page) => page.locator('wa-dialog[open]')

test('users are found by a beginning, which is in the address, and opened', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('users'), 'Users')
  const rows = page.locator('tbody tr')
  await expect.poll(() => rows.count()).toBeGreaterThan(1)
  const search = page.getByRole('searchbox')
  await search.fill('bob@')
  await page.keyboard.press('Enter')
  await expect.poll(() => rows.count()).toBe(1)
  expect(new URL(page.url()).searchParams.get('q')).toBe('bob@')
  await search.fill('nobody')
  await page.keyboard.press('Enter')
  await page.getByText('No user matches').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await search.fill('Ann B')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Ann Byron' }).click()
  await page.getByRole('heading', { level: 1, name: 'Ann Byron' }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('the inbox is shown in rows of the widget that lead to the delivery, and looking at it records nothing', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('users/ann'), 'Ann Byron')
  const inbox = page.locator('nc-user-inbox')
  const rows = inbox.locator('nc-row')
  await expect.poll(() => rows.count()).toBe(2)
  await rows.first().getByText('A-2').first().waitFor()
  await inbox.getByText('2 new in the badge, 2 unopened.').waitFor()
  await page.locator('nc-user-preferences').getByText('No quiet hours.').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await inbox.getByRole('button', { name: 'Archived' }).click()
  await inbox.getByText('No message is archived.').waitFor()
  expect(new URL(page.url()).searchParams.get('filter')).toBe('archived')
  await inbox.getByRole('button', { name: 'All' }).click()
  await inbox
    .getByRole('link', { name: /^Unopened: / })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  const side = page.getByRole('region', { name: 'Delivery' })
  await side.getByText('Event received').waitFor()
  const [first] = (
    await given.call<{ data: { messageId: string; readAt: string | null }[] }>('GET', '/v1/deliveries?userId=ann')
  ).data
  expect(new URL(page.url()).searchParams.get('message')).toBe(first?.messageId)
  expect(first?.readAt).toBeNull()
  expect(faults).toEqual([])
  await page.context().close()
})

test('a user is suppressed and released, and their page says so', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('suppressions'), 'Suppressions')
  await page.getByText('Look up a user or an address').waitFor()
  await page.getByRole('searchbox').fill('bob')
  await page.keyboard.press('Enter')
  await page.getByText('Not suppressed', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Suppress' }).click()
  expect(await dialog(page).getByLabel('User ID or e-mail address').inputValue()).toBe('bob')
  await dialog(page).getByLabel('Channel').selectOption('inbox')
  expect(await findViolationsAround(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Suppress' }).click()
  await page.getByText('bob is suppressed.').waitFor()
  await page.getByText('Decided by an operator').first().waitFor()
  await expect.poll(() => dialog(page).count()).toBe(0)
  expect(await findViolationsAround(page)).toEqual([])
  await page.goto(given.address('users/bob'))
  await page.getByText('Suppressed: Inbox').waitFor()
  await page.getByRole('link', { name: 'Suppressions' }).last().click()
  await page.getByRole('button', { name: 'Remove the suppression of inbox' }).click()
  await dialog(page).getByRole('button', { name: 'Remove' }).click()
  await page.getByText('The suppression is removed.').waitFor()
  await page.getByText('Not suppressed', { exact: true }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('an address is suppressed for mail; the inbox has no addresses, and says so', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('suppressions'), 'Suppressions')
  await page.getByRole('button', { name: 'Suppress' }).click()
  await dialog(page).getByLabel('For', { exact: true }).selectOption('address')
  await dialog(page).getByLabel('User ID or e-mail address').fill('Carol@Example.com')
  await dialog(page).getByLabel('Channel').selectOption('inbox')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('button', { name: 'Suppress' }).click()
  await dialog(page).locator('.field-fault').filter({ hasText: 'has no addresses' }).waitFor()
  await dialog(page).getByLabel('Channel').selectOption('email')
  await dialog(page).getByLabel('Reason').selectOption('bounce')
  await dialog(page).getByRole('button', { name: 'Suppress' }).click()
  await page.getByText('The address bounced').first().waitFor()
  await page.getByLabel('Search for').selectOption('address')
  await page.getByRole('searchbox').fill('carol@example.com')
  await page.keyboard.press('Enter')
  await page.getByText('The address bounced').first().waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('a user is exported as JSON, then erased after typing the ID, with a record in the audit log', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('users/ann'), 'Ann Byron')
  const downloaded = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const file = await downloaded
  expect(file.suggestedFilename()).toBe('user-ann.json')
  const content = JSON.parse(await readFile((await file.path()) ?? '', 'utf8')) as { deliveries: object[] }
  expect(content).toMatchObject({ user: { userId: 'ann', email: 'ann@example.com' } })
  expect(content.deliveries).toHaveLength(2)
  await page.getByRole('button', { name: 'Erase' }).click()
  const erase = dialog(page).getByRole('button', { name: 'Erase' })
  expect(await erase.isDisabled()).toBe(true)
  await dialog(page).getByLabel(/^Type/).fill('ann')
  await erase.click()
  await page.getByRole('heading', { level: 1, name: 'The user is erased' }).waitFor()
  await expect.poll(() => dialog(page).count()).toBe(0)
  expect(await findViolationsAround(page)).toEqual([])
  await page.getByRole('link', { name: 'See the record' }).click()
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
  await page.locator('.log-entry').filter({ hasText: given.demo.dashboard.email }).waitFor()
  await page.goto(given.address('users/ann'))
  await page
    .getByRole('alert')
    .filter({ hasText: /no such user/i })
    .waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})
