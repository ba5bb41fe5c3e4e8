// Tests the roles of members: a key press changes none, the question says what the role may do, and undo takes it back.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolationsAround, type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

const dialog = (page: Page) => page.locator('wa-dialog[open]')
const roleOf = (page: Page, email: string) => page.getByRole('button', { name: new RegExp(`^Role of ${email}`) })

test('a role changes after a question, an owner is typed, and the change is undone', async () => {
  await given.join('grace@example.com', 'viewer')
  const { page, faults } = await visitSignedIn(given, given.address('members'), 'Members')
  const role = roleOf(page, 'grace@example.com')
  await role.focus()
  for (const key of ['End', 'Home', 'o', 'PageDown']) await page.keyboard.press(key)
  expect(await role.textContent()).toContain('Viewer')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemcheckbox', { name: 'Owner' }).click()
  await dialog(page).getByText('make, lower and remove owners').waitFor()
  const make = dialog(page).getByRole('button', { name: 'Make an owner' })
  expect(await make.isDisabled()).toBe(true)
  expect(await findViolationsAround(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => dialog(page).count()).toBe(0)
  expect(await role.textContent()).toContain('Viewer')

  await role.click()
  await page.getByRole('menuitemcheckbox', { name: 'Owner' }).click()
  await dialog(page).getByLabel(/^Type/).fill('grace@example.com')
  await make.click()
  await page.getByText('has the role owner now.').waitFor()
  await expect.poll(() => role.textContent()).toContain('Owner')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('has the role viewer again.').waitFor()
  await expect.poll(() => role.textContent()).toContain('Viewer')
  expect(faults).toEqual([])
  await page.context().close()
})

test('an owner is invited only after the address is typed again', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('members'), 'Members')
  await page.getByRole('button', { name: 'Invite a member' }).click()
  await dialog(page).getByLabel('E-mail address').fill('boss@example.com')
  expect(
    await dialog(page)
      .getByRole('radio', { name: /^Viewer/ })
      .isChecked(),
  ).toBe(true)
  await dialog(page).getByText('May do everything').waitFor()
  await dialog(page)
    .getByRole('radio', { name: /^Owner/ })
    .check()
  await dialog(page).getByRole('button', { name: 'Invite' }).click()
  const invite = dialog(page).getByRole('button', { name: 'Invite an owner' })
  await invite.waitFor()
  expect(await invite.isDisabled()).toBe(true)
  await dialog(page).getByLabel(/^Type/).fill('boss@example.com')
  await invite.click()
  await page.getByText('boss@example.com is invited.').waitFor()
  await page.getByRole('cell', { name: 'Owner' }).last().waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})
