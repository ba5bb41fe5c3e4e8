// Tests the pages of shared texts: adding, faults, what a locale lacks, change and removal.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolationsAround, type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

const dialog = (page: Page) => page.locator('wa-dialog[open]')
const text = (page: Page) => page.locator('nc-text-card textarea')
const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()
const toTexts = (page: Page) => page.getByLabel('Breadcrumb').getByRole('link', { name: 'Texts' }).click()

async function addLocale(page: Page, locale: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a locale' }).click()
  await dialog(page).getByLabel('Locale', { exact: true }).fill(locale)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: locale }).waitFor()
}

test('translations and snippets are added, changed and removed', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('texts'), 'Texts')
  await page.getByText('No translations yet').waitFor()
  await page.getByText('No snippets yet').waitFor()
  await addLocale(page, 'en')
  await text(page).fill('{ "order": ')
  await save(page)
  await page.getByRole('alert').filter({ hasText: 'This is no JSON' }).waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await text(page).fill('{ "order": { "shipped": "{count, plural, one {# order" } }')
  await save(page)
  await page.getByRole('alert').filter({ hasText: 'order.shipped' }).waitFor()
  await text(page).fill('{ "order": { "shipped": "Shipped", "paid": "Paid" } }')
  await save(page)
  await page.getByText('The text is saved.').waitFor()
  await expect.poll(() => text(page).inputValue()).toContain('"order.shipped": "Shipped"')

  await toTexts(page)
  await addLocale(page, 'de')
  await text(page).fill('{ "order.paid": "Bezahlt" }')
  await save(page)
  await page.getByText('The text is saved.').waitFor()
  await toTexts(page)
  await page.getByText('1 missing').waitFor()
  await page.getByRole('button', { name: 'Add a locale' }).click()
  await dialog(page).getByLabel('Locale', { exact: true }).fill('de')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('alert').filter({ hasText: 'There are messages in de already.' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  expect(await findViolationsAround(page)).toEqual([])

  await page.getByRole('button', { name: 'Add a snippet' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('signature')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'signature' }).waitFor()
  await text(page).fill('Yours, {{ name }')
  await save(page)
  await page.getByRole('alert').waitFor()
  await text(page).fill('Yours, {{ name }}')
  await save(page)
  await page.getByText('The text is saved.').waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await dialog(page).getByLabel(/^Type/).fill('signature')
  await page.keyboard.press('Enter')
  await page.getByText('No snippets yet').waitFor()
  expect(faults).toEqual([])
})
