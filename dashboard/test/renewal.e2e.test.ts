// Tests the sign-in over the page: the session ends while a form is open, and the form goes on after the password.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer, CallOptions } from '../../edge/test/support/given.ts'
import { givenDashboard as givenPeople, PASSWORD } from '../../edge/test/support/given-dashboard.ts'
import { joinProtected } from '../../edge/test/support/given-second-factor.ts'
import {
  findViolationsAround,
  type GivenDashboard,
  givenDashboard,
  signIn,
  visit,
  visitSignedIn,
} from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

const renewal = (page: Page) => page.locator('nc-renewal wa-dialog[open]')

/** Ends the session as the server does: the browser has no cookie any more. */
const endSession = (page: Page) => page.context().clearCookies()

test('a config that was edited is saved after the sign-in, without a question whether to leave', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('notification-configs'), 'Notification configs')
  page.on('dialog', (asked) => faults.push(`asked: ${asked.message()}`))
  await page.getByRole('button', { name: 'Create a config' }).first().click()
  await page.locator('nc-confirm wa-dialog[open]').getByLabel('Name').fill('Edited')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Edited' }).waitFor()
  await page.getByLabel('Name', { exact: true }).first().fill('Typed before the end')
  await endSession(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await renewal(page).getByLabel('Password').fill('wrong')
  await page.keyboard.press('Enter')
  await renewal(page).getByRole('alert').filter({ hasText: 'The password is wrong.' }).waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await renewal(page).getByLabel('Password').fill(given.demo.dashboard.password)
  await page.keyboard.press('Enter')
  await page.getByText('The config is saved.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Typed before the end' }).waitFor()
  await expect.poll(() => renewal(page).count()).toBe(0)
  expect(faults).toEqual([])
  await page.context().close()
})

test('a dialog keeps its fields below the sign-in, asks again for a call after "Not now", and not for a poll', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('sources'), 'Sources')
  await page.getByRole('button', { name: 'Create a source' }).click()
  const form = page.locator('nc-confirm wa-dialog[open]')
  await form.getByLabel('Name').fill('Kept source')
  await endSession(page)
  await form.getByRole('button', { name: 'Create' }).click()
  await renewal(page).getByRole('button', { name: 'Not now' }).click()
  await page.getByText('Your session has ended. What you typed is still here.').waitFor()
  await expect.poll(() => renewal(page).count()).toBe(0)
  const refused = page.waitForResponse((answer) => answer.status() === 401 && answer.request().method() === 'GET')
  await refused
  expect(await renewal(page).count()).toBe(0)
  await form.getByRole('button', { name: 'Create' }).click()
  await renewal(page).getByLabel('Password').fill(given.demo.dashboard.password)
  await page.keyboard.press('Enter')
  await page.getByText('Copy the secret now.').waitFor()
  await expect.poll(() => page.locator('nc-renewal .band').count()).toBe(0)
  expect(faults).toEqual([])
  await page.context().close()
})

/** Calls the server as a person does. */
async function call<T>(method: string, path: string, { body, headers }: CallOptions = {}): Promise<Answer<T>> {
  const json = { 'content-type': 'application/json', ...headers }
  const response = await fetch(given.url + path, { method, headers: json, body: JSON.stringify(body) })
  return { status: response.status, headers: response.headers, body: (await response.json()) as T }
}

test('a second factor is asked for over the page too', async () => {
  const people = givenPeople({ settings: given.settings, call })
  const { nextCode, person } = await joinProtected(people, given.demo.organisation.id, 'again@example.com')
  const { page, faults } = await visit(given, given.address('account'))
  await signIn(page, given, { email: person.email, password: PASSWORD })
  await page.getByLabel('Code').fill(nextCode())
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
  await endSession(page)
  await page.getByLabel('Current password').fill(PASSWORD)
  await page.getByLabel('New password').fill('another long password')
  await page.keyboard.press('Enter')
  await renewal(page).getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await renewal(page).getByLabel('Code').fill(nextCode())
  await page.keyboard.press('Enter')
  await page.getByText('Your password is changed.').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('five minutes before the end a band says so, and leads to a new session', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('campaigns'), 'Campaigns')
  await page.locator('tbody a').first().waitFor()
  await page.clock.install()
  await page.reload()
  await page.locator('tbody a').first().waitFor()
  expect(await page.locator('nc-renewal .band').count()).toBe(0)
  await page.clock.fastForward('11:54:00')
  expect(await page.locator('nc-renewal .band').count()).toBe(0)
  await page.clock.fastForward('00:02:00')
  await page.getByText(/Your session ends at/).waitFor()
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await renewal(page).getByText('Your session ends soon.').waitFor()
  await renewal(page).getByLabel('Password').fill(given.demo.dashboard.password)
  await page.keyboard.press('Enter')
  await expect.poll(() => renewal(page).count()).toBe(0)
  expect(faults).toEqual([])
  await page.context().close()
})

test('a tab that warns of the end takes over the session of another tab, once it has the focus', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('campaigns'), 'Campaigns')
  await page.locator('tbody a').first().waitFor()
  await page.clock.install()
  await page.reload()
  await page.locator('tbody a').first().waitFor()
  await page.clock.fastForward('11:56:00')
  await page.getByText(/Your session ends at/).waitFor()
  await page.route('**/v1/dashboard/auth/me', async (route) => {
    const response = await route.fetch()
    const me = (await response.json()) as { session: { id: string; expiresAt: string } }
    const expiresAt = new Date(Date.parse(me.session.expiresAt) + 12 * 3_600_000).toISOString()
    await route.fulfill({ response, json: { ...me, session: { ...me.session, id: 'das_other', expiresAt } } })
  })
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect.poll(() => page.locator('nc-renewal .band').count()).toBe(0)
  expect(faults).toEqual([])
  await page.context().close()
})
