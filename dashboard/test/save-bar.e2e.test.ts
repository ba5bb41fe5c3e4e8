// Tests the bar of unsaved changes: what it lists, saves in parts and discards, by the keyboard too, and that nothing is left by a slip.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolationsAround, type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard

beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

const bar = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' })
const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click()
const open = () => {
  const { id } = given.demo.environments.dev
  return visitSignedIn(given, given.address(`environments/${id}`), 'dev')
}

test('two parts of a page are saved at once, the one with a fault stays, and its tab shows the fault', async () => {
  const { page, faults } = await open()
  await page.getByLabel('Tokens must expire').waitFor()
  expect(await bar(page).count()).toBe(0)
  await page.getByLabel('Tokens must expire').check()
  await bar(page).getByText('Access: Tokens must expire').waitFor()
  await tab(page, 'Limits')
  await page.getByLabel('Sign-ins of the widget').fill('many')
  await bar(page).getByText('Access: Tokens must expire · Limits: Sign-ins of the widget').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await tab(page, 'E-mail sandbox')
  await page.keyboard.press('Control+s')
  await bar(page).getByText('Not saved: Limits').waitFor()
  await page.getByText('Saved: Access.').waitFor()
  await page.getByText('enter a whole number from 1').waitFor()
  expect(new URL(page.url()).searchParams.get('tab')).toBe('limits')
  expect(await findViolationsAround(page)).toEqual([])
  await page.getByLabel('Sign-ins of the widget').fill('77')
  await bar(page).getByRole('button', { name: 'Save' }).click()
  await page.getByText('The limits are changed.').waitFor()
  await expect.poll(() => bar(page).count()).toBe(0)
  await page.reload()
  await expect.poll(() => page.getByLabel('Sign-ins of the widget').inputValue()).toBe('77')
  await tab(page, 'Access')
  expect(await page.getByLabel('Tokens must expire').isChecked()).toBe(true)
  expect(faults).toEqual([])
  await page.context().close()
})

test('discarding shows what is stored, and what is typed back is no change', async () => {
  const { page, faults } = await open()
  const site = page.getByLabel('Site')
  await site.fill('https://shop.example')
  await bar(page).getByText('Access: Site').waitFor()
  await site.fill('')
  await expect.poll(() => bar(page).count()).toBe(0)
  await site.fill('https://shop.example')
  await bar(page).getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => bar(page).count()).toBe(0)
  expect(await site.inputValue()).toBe('')
  expect(faults).toEqual([])
  await page.context().close()
})

test('who leaves with changes is asked, and stays with what was typed', async () => {
  const { page, faults } = await open()
  const questions: string[] = []
  page.on('dialog', (dialog) => {
    questions.push(dialog.message())
    void dialog.dismiss()
  })
  await page.getByLabel('Site').fill('https://shop.example')
  await bar(page).waitFor()
  await page.getByRole('link', { name: 'Members' }).click()
  await expect.poll(() => questions).toEqual(['Leave without saving? Changes are lost: Access.'])
  expect(await page.getByLabel('Site').inputValue()).toBe('https://shop.example')
  await tab(page, 'Limits')
  expect(questions).toHaveLength(1)
  expect(faults).toEqual([])
  await page.context().close()
})
