// Tests the settings of the organisation and its audit log: changes, faults, the typed confirmation, filters and roles.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolationsAround, type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

const dialog = (page: Page) => page.locator('wa-dialog[open]')
const settings = (page: Page) => page.locator('nc-settings-card')

test('settings are changed; a fault names its field, and fewer days of retention want a typed confirmation', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('settings'), 'Organisation')
  await settings(page).getByLabel('Time zone').fill('Nowhere/Town')
  await page.keyboard.press('Enter')
  await settings(page).getByRole('alert').filter({ hasText: 'This is no time zone' }).waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await settings(page).getByLabel('Time zone').fill('Europe/Paris')
  await settings(page).getByLabel('Contact').fill('ops@example.com')
  await page.keyboard.press('Enter')
  await page.getByText('The settings are saved.').waitFor()
  await settings(page).getByLabel('Retention in days').fill('7')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const save = dialog(page).getByRole('button', { name: 'Save and delete' })
  await save.waitFor()
  expect(await save.isDisabled()).toBe(true)
  await dialog(page).getByLabel(/^Type/).fill('7')
  await page.keyboard.press('Enter')
  await expect.poll(() => dialog(page).count()).toBe(0)
  await page.reload()
  await settings(page).getByLabel('Retention in days').waitFor()
  expect(await settings(page).getByLabel('Retention in days').inputValue()).toBe('7')
  expect(await settings(page).getByLabel('Time zone').inputValue()).toBe('Europe/Paris')
  expect(await settings(page).getByLabel('Contact').inputValue()).toBe('ops@example.com')
  expect(faults).toEqual([])
  await page.context().close()
})

test('the audit log shows who changed what, and its filters are in the address', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('audit-log'), 'Audit log')
  const entries = page.locator('.log-entry')
  await entries.first().waitFor()
  const all = await entries.count()
  await page.getByLabel('Action').selectOption('settings')
  await expect.poll(() => entries.count()).toBe(2)
  expect(new URL(page.url()).searchParams.get('action')).toBe('settings')
  const summary = entries.last().locator('summary')
  expect((await summary.locator('.log-sentence').textContent())?.replace(/\s+/g, ' ').trim()).toBe(
    `${given.demo.dashboard.email} created the settings of ${given.demo.organisation.name}`,
  )
  await summary.focus()
  await page.keyboard.press('Enter')
  const difference = entries.last().locator('.difference tbody tr')
  await expect
    .poll(() => difference.allInnerTexts())
    .toContainEqual(expect.stringMatching(/timeZone\s.*Europe\/Paris/s))
  expect(await entries.last().getByRole('link').getAttribute('href')).toContain('/app/settings')
  expect(await findViolationsAround(page)).toEqual([])

  await page.getByLabel('By', { exact: true }).selectOption('cli')
  await page.getByText('No change matches').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect.poll(() => entries.count()).toBe(all)
  await page.getByLabel('E-mail or key ID').fill(given.demo.dashboard.email)
  await page.keyboard.press('Enter')
  await expect.poll(() => entries.count()).toBe(2)
  await page.getByLabel('To', { exact: true }).fill('2020-01-01T00:00')
  await page.keyboard.press('Tab')
  await page.getByText('No change matches').waitFor()
  await page.goBack()
  await expect.poll(() => entries.count()).toBe(2)
  await page.reload()
  await expect.poll(() => entries.count()).toBe(2)
  expect(faults).toEqual([])
  await page.context().close()
})

test('a long log is read page by page', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('audit-log'), 'Audit log')
  // As many changes as a page has entries, and some.
  await page.evaluate(async (org) => {
    const headers = { 'content-type': 'application/json', 'x-nc-request': '1' }
    const base = `/v1/dashboard/organisations/${org}/settings`
    for (let days = 100; days < 160; days++) {
      const answer = await fetch(base, { method: 'PUT', headers, body: JSON.stringify({ retentionDays: days }) })
      if (!answer.ok) throw new Error(await answer.text())
    }
  }, given.demo.organisation.id)
  await page.goto(given.address('audit-log', { action: 'settings' }))
  const entries = page.locator('.log-entry')
  await expect.poll(() => entries.count()).toBe(50)
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByText('62 changes.').waitFor()
  expect(await entries.count()).toBe(62)
  expect(faults).toEqual([])
  await page.context().close()
})

test('an editor sees the settings, cannot change them, and has no audit log', async () => {
  const editor = await given.join('editor@example.com', 'editor')
  const { page, faults } = await visitSignedIn(given, given.address('settings'), 'Organisation', {}, editor)
  await settings(page).getByLabel('Time zone').waitFor()
  expect(await settings(page).getByLabel('Time zone').isDisabled()).toBe(true)
  expect(await page.locator('main wa-button').count()).toBe(0)
  expect(await page.locator('nc-single-sign-on').count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
  await page.goto(given.address('audit-log'))
  await page.getByText('This needs the role admin.').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})
