// Tests sign-in by the keyboard alone, links of invitations and resets, the end of a session, and sign-out.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer, CallOptions } from '../../edge/test/support/given.ts'
import { givenDashboard as givenPeople, PASSWORD } from '../../edge/test/support/given-dashboard.ts'
import { joinProtected } from '../../edge/test/support/given-second-factor.ts'
import { findViolations, type GivenDashboard, givenDashboard, signIn, visit, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

const heading = 'Home'

/** Calls the server as a person does. */
async function call<T>(method: string, path: string, { body, headers }: CallOptions = {}): Promise<Answer<T>> {
  const json = { 'content-type': 'application/json', ...headers }
  const response = await fetch(given.url + path, { method, headers: json, body: JSON.stringify(body) })
  return { status: response.status, headers: response.headers, body: (await response.json()) as T }
}

test('by the keyboard alone: a deep link leads to the sign-in, and from there to its page', async () => {
  const { page, faults } = await visit(given, given.address('inbox', { status: 'failed' }))
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('email')
  await page.keyboard.type(given.demo.dashboard.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type('a wrong password')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'wrong' }).waitFor()
  await page.keyboard.press('Control+A')
  await page.keyboard.type(given.demo.dashboard.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Delivery History' }).waitFor()
  expect(page.url()).toBe(given.address('inbox', { status: 'failed' }))
  // The next page begins at its heading, for screen readers too.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  expect(await page.title()).toContain('Delivery History')
  expect(faults).toEqual([])
  await page.context().close()
})

test('the session is in no place that a script of the page can read', async () => {
  const { page } = await visitSignedIn(given, given.address('home'), heading)
  const readable = await page.evaluate(() =>
    JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }]),
  )
  expect(readable).not.toMatch(/nc_dash_|nc_session/)
  await page.context().close()
})

test('one browser ends the session of another, which then has to sign in again and comes back', async () => {
  const first = await visitSignedIn(given, given.address('campaigns'), 'Campaigns')
  const second = await visitSignedIn(given, given.address('account'), 'Your account')
  const others = second.page.locator('.session').filter({ hasNotText: 'This one' })
  await others.first().waitFor()
  for (let left = await others.count(); left > 0; left = await others.count()) {
    await others.first().getByRole('button', { name: 'End' }).click()
    await expect.poll(() => others.count()).toBe(left - 1)
  }
  await first.page.getByRole('link', { name: 'Events' }).click()
  await first.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await signIn(first.page, given)
  await first.page.getByRole('heading', { level: 1, name: 'Events' }).waitFor()
  expect([...first.faults, ...second.faults]).toEqual([])
  await first.page.context().close()
  await second.page.context().close()
})

test('after the sign-out, the back button shows nothing of the organisation', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('members'), 'Members')
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByText('Sign out', { exact: true }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goBack()
  // The page of the sign-out has the same heading; this one comes from the refused page.
  await page.waitForURL(/\/sign-in\?next=/)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.getByText(given.demo.dashboard.email).count()).toBe(0)
  expect(faults).toEqual([])
  await page.context().close()
})

test('an account with one-time codes that accepts an invitation is asked for a code, and is then signed in', async () => {
  const people = givenPeople({ settings: given.settings, call })
  const org = (await people.cli.json<{ id: string }>('org create --name Engines')).id
  const { nextCode, person } = await joinProtected(people, given.demo.organisation.id, 'codes@example.com')
  const token = await people.invite(org, person.email, 'viewer')
  const { page, faults } = await visit(given, `${given.url}/dashboard/accept-invitation#${token}`)
  await page.locator('#password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('heading', { level: 1, name: 'Enter your code' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByLabel('Code').fill(nextCode())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /^Account:/ }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('an invitation names organisation, inviter, role and address before a password is asked for', async () => {
  const people = givenPeople({ settings: given.settings, call })
  const org = (await people.cli.json<{ id: string }>('org create --name Gears')).id
  const token = await people.invite(org, 'look@example.com', 'admin')
  const { page, faults } = await visit(given, `${given.url}/dashboard/accept-invitation#${token}`)
  const text = page.locator('.access-text')
  await text.waitFor()
  expect((await text.textContent())?.replace(/\s+/g, ' ')).toContain(
    'An operator of this server invites look@example.com to Gears, as Admin.',
  )
  expect(await findViolations(page)).toEqual([])
  expect(faults).toEqual([])
  await page.context().close()
})

test('an invitation whose link lost its end says so, and another link in the same tab is looked at', async () => {
  const people = givenPeople({ settings: given.settings, call })
  const org = (await people.cli.json<{ id: string }>('org create --name Wheels')).id
  const token = await people.invite(org, 'again@example.com', 'viewer')
  const address = `${given.url}/dashboard/accept-invitation`
  const { page, faults } = await visit(given, address)
  await page.getByRole('alert').filter({ hasText: 'The end of this link is missing.' }).waitFor()
  await page.goto(`${address}#nc_wrong`)
  await page.getByRole('alert').filter({ hasText: 'This link was used or replaced' }).waitFor()
  await page.goto(`${address}#${token}`)
  await page.getByText('again@example.com').waitFor()
  expect(await page.locator('#password').count()).toBe(1)
  expect(faults).toEqual([])
  await page.context().close()
})

test('the pages of one-time links take the token from the address and explain a wrong one', async () => {
  const invited = await visit(given, `${given.url}/dashboard/accept-invitation#nc_wrong`)
  await invited.page.getByRole('alert').filter({ hasText: 'This link was used or replaced' }).waitFor()
  expect(await invited.page.locator('#password').count()).toBe(0)
  expect(invited.faults).toEqual([])
  await invited.page.context().close()
  const { page, faults } = await visit(given, `${given.url}/dashboard/reset-password#nc_wrong`)
  await page.getByRole('heading', { level: 1, name: 'Set a new password' }).waitFor()
  await page.locator('#password').fill('four words and more')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/\w/)
  expect(faults).toEqual([])
  await page.context().close()
})
