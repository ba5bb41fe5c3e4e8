// Tests pages whose connection, code or record is gone, whose form was refused, and which cannot copy.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolationsAround, type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

test('a page that polls says since when it is old, and goes on by itself', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('inbox'), 'Delivery History')
  await page.getByText('Live', { exact: true }).waitFor()
  await page.context().setOffline(true)
  await page.getByText(/Not up to date since .* out of reach/).waitFor()
  await page.getByText('Live, interrupted').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await page.context().setOffline(false)
  await expect.poll(() => page.getByText('Not up to date since').count()).toBe(0)
  await page.getByText('Live', { exact: true }).waitFor()
  // A page without polls takes the message along no further.
  await page.context().setOffline(true)
  await page.getByText(/Not up to date since/).waitFor()
  await page.context().setOffline(false)
  expect(faults).toEqual([])
  await page.context().close()
})

test('a record that is gone and a page whose code is gone are calm, with a way on', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('campaigns/cmp_gone'), 'Campaign')
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
  await page.getByRole('link', { name: 'Go to the first page' }).waitFor()
  expect(await page.locator('.failure').count()).toBe(0)
  expect(await findViolationsAround(page)).toEqual([])
  await page.route(/\/dashboard\/assets\/users-.*\.js$/, (route) => route.fulfill({ status: 404, body: '' }))
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('heading', { name: 'A new version may be here' }).waitFor()
  await page.unroute(/\/dashboard\/assets\/users-.*\.js$/)
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('a fault stands at its field, marked, until the field is changed', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('settings'), 'Organisation')
  const zone = page.locator('nc-settings-card').getByLabel('Time zone')
  await zone.fill('Nowhere/Town')
  await page.keyboard.press('Enter')
  await expect.poll(() => zone.getAttribute('aria-invalid')).toBe('true')
  const fault = page.locator('nc-settings-card .field', { has: page.getByLabel('Time zone') }).locator('.field-fault')
  expect(await fault.textContent()).toContain('This is no time zone')
  expect(await zone.getAttribute('aria-describedby')).toContain(await fault.getAttribute('id'))
  expect(await zone.evaluate((field) => document.activeElement === field)).toBe(true)
  expect(await findViolationsAround(page)).toEqual([])
  await zone.pressSequentially('x')
  await expect.poll(() => zone.getAttribute('aria-invalid')).toBe(null)
  expect(await fault.count()).toBe(0)
  expect(faults).toEqual([])
  await page.context().close()
})

test('where the browser does not copy, the whole text is selected, and the page says so', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('sources'), 'Sources')
  // As pages without HTTPS find it.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await page.getByRole('link', { name: 'Environments' }).click()
  await page.locator('main tbody a').first().click()
  await page.getByRole('button', { name: /^Copy/ }).first().click()
  await page.getByText('The text is selected: press Ctrl+C').waitFor()
  const selected = await page.getByLabel('Text to copy').evaluate((field) => {
    const { value, selectionStart, selectionEnd } = field as HTMLTextAreaElement
    return [value.length > 0, value.length === selectionEnd - selectionStart, document.activeElement === field]
  })
  expect(selected).toEqual([true, true, true])
  expect(faults).toEqual([])
  await page.context().close()
})
