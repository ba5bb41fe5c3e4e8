// Tests the rotation of secrets with the keyboard alone, and what each step does to the old and the new value.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations, type GivenDashboard, givenDashboard, overflowOf, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

const dialog = (page: Page) => page.locator('wa-dialog[open]')
const secrets = () => given.address(`environments/${given.demo.environments.dev.id}/secrets`)
const statusWith = async (key: string) =>
  (await fetch(`${given.url}/v1/campaigns`, { headers: { authorization: `Bearer ${key}` } })).status
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent?.replace(/\s+/g, ' ').trim() ?? '')

/** Presses Tab until the element with these words, or with this `#id`, has the focus. */
async function tabTo(page: Page, target: string): Promise<void> {
  const hasFocus = async () =>
    target.startsWith('#')
      ? page.evaluate((id) => document.activeElement?.matches(id) === true, target)
      : (await focused(page)) === target
  for (let presses = 0; presses < 60; presses++) {
    if (await hasFocus()) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not reach "${target}".`)
}

test('the keyboard alone rotates, extends and retires a secret; each value works exactly as the state shows', async () => {
  const old = given.demo.environments.dev.sdkSecretKey
  const { page, faults } = await visitSignedIn(given, secrets(), 'Secrets')
  const card = page.getByRole('region', { name: 'SDK secret key' })
  const host = page.getByRole('region', { name: 'Where these keys are valid' })
  expect(await host.locator('code').textContent()).toBe(new URL(given.url).origin)
  await host.getByRole('button', { name: 'Copy host' }).waitFor()
  await card.getByText('Single', { exact: true }).waitFor()

  await tabTo(page, 'Rotate: SDK secret key')
  await page.keyboard.press('Enter')
  await dialog(page).getByLabel('The old value is accepted for').waitFor()
  await tabTo(page, '#overlap-overlap')
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('ArrowUp')
  await tabTo(page, 'Rotate')
  await page.keyboard.press('Enter')
  const value =
    (await dialog(page)
      .getByText(/^nc_sdk_/)
      .textContent()) ?? ''
  expect(await findViolations(page)).toEqual([])
  // Neither the Escape key nor a press beside the dialog loses the value, and there is no cross.
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  expect(await dialog(page).getByRole('button', { name: 'Close' }).count()).toBe(0)
  await dialog(page).getByText(value).waitFor()
  await tabTo(page, 'Done')
  await page.keyboard.press('Enter')
  await card.getByText('Overlap', { exact: true }).waitFor()
  await expect.poll(() => focused(page)).toBe('SDK secret key')
  await expect.poll(() => page.content()).not.toContain(value)
  await card.getByText(/ends in/).waitFor()
  expect(await card.getByText(/ends in/).textContent()).toMatch(/(60 min|1\.0 h)/)
  expect(await findViolations(page)).toEqual([])
  expect([await statusWith(old), await statusWith(value)]).toEqual([200, 200])

  await tabTo(page, 'Extend: SDK secret key')
  await page.keyboard.press('Enter')
  await dialog(page).getByLabel('From now on, for').waitFor()
  await tabTo(page, 'Extend')
  await page.keyboard.press('Enter')
  await page.locator('.notice', { hasText: 'is accepted for longer' }).waitFor()
  await expect.poll(() => card.getByText(/ends in/).textContent()).toMatch(/24\.0 h|1\.0 d/)

  await expect.poll(() => dialog(page).count()).toBe(0)
  await tabTo(page, 'Retire the old value: SDK secret key')
  await page.keyboard.press('Enter')
  await dialog(page).getByText('The old value was last used').waitFor()
  await dialog(page).getByText('It may be in use.').waitFor()
  await tabTo(page, '#confirm-typed')
  await page.keyboard.type('dev')
  await page.keyboard.press('Enter')
  await card.getByText('Single', { exact: true }).waitFor()
  await card.getByText('Retired value').waitFor()
  expect([await statusWith(old), await statusWith(value)]).toEqual([403, 200])
  expect(faults).toEqual([])
  await page.context().close()
})

test('a replacement at once names what fails, and wants the name of the environment typed', async () => {
  const { page, faults } = await visitSignedIn(given, secrets(), 'Secrets')
  const card = page.getByRole('region', { name: 'Auth secret key' })
  await card.getByRole('button', { name: 'Replace at once' }).click()
  await dialog(page).getByText('the widget sessions that they opened end').waitFor()
  const replace = dialog(page).getByRole('button', { name: 'Replace at once' })
  expect(await replace.isDisabled()).toBe(true)
  await dialog(page).getByLabel(/^Type/).fill('dev')
  await replace.click()
  await dialog(page)
    .getByText(/^nc_auth_/)
    .waitFor()
  const value =
    (await dialog(page)
      .getByText(/^nc_auth_/)
      .textContent()) ?? ''
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => dialog(page).count()).toBe(0)
  expect(await page.content()).not.toContain(value)
  await card.getByRole('button', { name: 'Show' }).click()
  await dialog(page).getByRole('button', { name: 'Show' }).click()
  await dialog(page).getByText(value).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test.each(['light', 'dark'] as const)('%s: an overlap has no violation, wide and narrow', async (colorScheme) => {
  const { id } = given.demo.environments.prod
  const url = given.address(`environments/${id}/secrets`)
  const { page, faults } = await visitSignedIn(given, url, 'Secrets', { colorScheme })
  const card = page.getByRole('region', { name: 'Front API key' })
  const rotate = card.getByRole('button', { name: 'Rotate' })
  const overlap = card.getByText('Overlap', { exact: true })
  await rotate.or(overlap).waitFor()
  // The second of both runs finds the overlap that the first began.
  if (await rotate.isVisible()) {
    await rotate.click()
    await dialog(page).getByRole('button', { name: 'Rotate' }).click()
    await dialog(page).getByRole('button', { name: 'Done' }).click()
  }
  await overlap.waitFor()
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await findViolations(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
  }
  expect(faults).toEqual([])
  await page.context().close()
})
