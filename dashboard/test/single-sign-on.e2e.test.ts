// Tests the single sign-on in a browser: its settings and domains, the sign-in with its refusals, and what it asks before.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenNameServer, givenNameServer } from '../../edge/test/support/given-name-server.ts'
import { CLIENT, type GivenProvider, givenProvider } from '../../edge/test/support/given-provider.ts'
import { findFreePort } from '../../tools/servers/server-process.ts'
import {
  type Account,
  findViolationsAround,
  type GivenDashboard,
  givenDashboard,
  signIn,
  visit,
  visitSignedIn,
} from './given-dashboard.ts'

const RECORD = '_nc-single-sign-on.example.com'

let given: GivenDashboard
let provider: GivenProvider
let names: GivenNameServer
beforeAll(async () => {
  const port = String(await findFreePort())
  provider = await givenProvider()
  names = await givenNameServer()
  // The provider of the test is on this machine, and of another site.
  const settings = { PORT: port, PUBLIC_URL: `http://localhost:${port}`, OUTBOUND_ALLOW: '127.0.0.0/8' }
  given = await givenDashboard(settings, { findTexts: names.findTexts })
})
afterAll(async () => {
  await given?.stop()
  await provider?.stop()
  await names?.stop()
})

const dialog = (page: Page) => page.locator('wa-dialog[open]')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await heading(page, 'Sign in')
}

/** Goes from the page of sign-in through the provider, which signs the account in. */
async function signOn(page: Page, { email }: Pick<Account, 'email'>, organisation = given.demo.organisation.id) {
  provider.identity = { sub: email, email, email_verified: true }
  await page.goto(`${given.url}/sign-in`)
  await page.getByRole('button', { name: 'Single sign-on' }).click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('organisation')
  await page.keyboard.type(organisation)
  await page.keyboard.press('Enter')
}

test('an owner sets the single sign-on up', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('settings'), 'Organisation')
  const card = page.locator('nc-single-sign-on')
  await card.getByLabel('Issuer').fill(`${provider.issuer}/nothing`)
  await card.getByLabel('Client ID').fill(CLIENT.clientId)
  await card.getByLabel('Client secret').fill(CLIENT.clientSecret)
  await card.getByLabel('Domains of e-mail addresses').fill('example.com')
  await page.keyboard.press('Enter')
  await card.locator('.field-fault').waitFor()
  await card.getByLabel('Issuer').fill(provider.issuer)
  await card.getByRole('button', { name: 'Set up' }).click()
  await page.getByText('The single sign-on is saved.').waitFor()
  await card.getByText('Sign-in begins').waitFor()
  expect(await page.content()).not.toContain(CLIENT.clientSecret)
  expect(await card.getByLabel('Client secret').inputValue()).toBe('')
  await card.getByText('Not proved').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  expect(faults).toEqual([])
  await page.context().close()
})

test('a person accepts the provider in an own session, and is signed in by it from then on', async () => {
  const member = await given.join('accepts@example.com', 'editor')
  const { page, faults } = await visit(given, `${given.url}/sign-in`)
  await signOn(page, member)
  await heading(page, 'Is this your account?')
  expect(await findViolationsAround(page)).toEqual([])
  await button(page, 'Sign in to accept').click()
  await heading(page, 'Sign in')
  await signIn(page, given, member)
  await heading(page, 'Accept the single sign-on?')
  expect(await findViolationsAround(page)).toEqual([])
  await button(page, 'Accept').click()
  await heading(page, 'Home')
  await signOut(page)
  await signOn(page, member)
  await heading(page, 'Home')
  await page.goto(given.address('account'))
  await page.getByText('You are signed in by the single sign-on').waitFor()
  expect(await page.getByLabel('Current password').count()).toBe(0)
  expect(await findViolationsAround(page)).toEqual([])
  expect(faults).toEqual([])
  await page.context().close()
})

test('an owner proves the domain by the record that the page shows; members sign in, and each refusal is explained', async () => {
  const { id, name } = given.demo.organisation
  const member = await given.join('sso@example.com', 'editor')
  const owner = await visitSignedIn(given, given.address('settings'), 'Organisation')
  const card = owner.page.locator('nc-single-sign-on')
  const proofs = owner.page.locator('nc-domain-proofs')
  const value = `nc-organisation=${id}`
  await proofs.getByText(value).waitFor()
  await proofs.getByText(RECORD).waitFor()
  expect(await proofs.getByRole('button', { name: /^Copy (name|value) of the record/ }).count()).toBe(2)
  await proofs.getByRole('button', { name: 'Check now' }).click()
  await proofs.getByRole('alert').filter({ hasText: 'is not there yet' }).waitFor()
  expect(await findViolationsAround(owner.page)).toEqual([])
  names.records.set(RECORD, [value])
  await proofs.getByRole('button', { name: 'Check now' }).click()
  await proofs.getByText('Proved', { exact: true }).waitFor()
  expect(await proofs.getByRole('button').count()).toBe(0)
  expect(await findViolationsAround(owner.page)).toEqual([])

  const { page, faults } = await visit(given, `${given.url}/sign-in`)
  await signOn(page, member)
  await heading(page, 'Home')
  await signOut(page)
  await signOn(page, { email: 'stranger@example.com' })
  await page.getByRole('alert').filter({ hasText: 'You are no member of this organisation.' }).waitFor()
  await page.getByText('Correlation ID').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await signOn(page, { email: 'somebody@elsewhere.example' })
  await page.getByRole('alert').filter({ hasText: 'no verified e-mail address' }).waitFor()
  await signOn(page, member, 'org_unknown')
  await page.getByRole('alert').filter({ hasText: 'There is no organisation with this ID' }).waitFor()

  await card.getByRole('button', { name: 'Remove' }).click()
  const remove = dialog(owner.page).getByRole('button', { name: 'Remove' })
  expect(await remove.isDisabled()).toBe(true)
  await dialog(owner.page).getByLabel(/^Type/).fill(name)
  await remove.click()
  await card.getByRole('button', { name: 'Set up' }).waitFor()
  expect([...faults, ...owner.faults]).toEqual([])
  await page.context().close()
  await owner.page.context().close()
})

test('a browser asks before the session of another person ends, and before it follows another site', async () => {
  const [mine, other] = [
    await given.join('mine@example.com', 'editor'),
    await given.join('other@example.com', 'editor'),
  ]
  const { id } = given.demo.organisation
  const owner = await visitSignedIn(given, given.address('settings'), 'Organisation')
  const status = await owner.page.evaluate(
    async ({ path, body }) => {
      const headers = { 'content-type': 'application/json', 'x-nc-request': '1' }
      return (await fetch(path, { method: 'PUT', headers, body: JSON.stringify(body) })).status
    },
    {
      path: `/v1/dashboard/auth/organisations/${id}/single-sign-on`,
      body: { issuer: provider.issuer, ...CLIENT, domains: ['example.com'] },
    },
  )
  expect(status).toBe(200)
  names.records.set(RECORD, [`nc-organisation=${id}`])
  await owner.page.reload()
  await owner.page.getByRole('button', { name: 'Check now' }).click()
  await owner.page.getByText('Proved', { exact: true }).waitFor()
  await owner.page.context().close()

  const { page, faults } = await visitSignedIn(given, given.address('account'), 'Your account', {}, mine)
  await signOn(page, other)
  await heading(page, 'Continue as another person?')
  expect(await findViolationsAround(page)).toEqual([])
  await page.getByRole('link', { name: `Stay signed in as ${mine.email}` }).click()
  await heading(page, 'Home')
  await page.getByRole('button', { name: /^Account: mine/ }).waitFor()
  await signOn(page, other)
  await button(page, `Continue as ${other.email}`).click()
  await heading(page, 'Home')
  await page.getByRole('button', { name: /^Account: other/ }).waitFor()
  await signOut(page)

  // A page of the provider's site links to the sign-in.
  await page.goto(`${provider.issuer}/elsewhere`)
  await page.evaluate((start) => location.assign(start), `${given.url}/v1/dashboard/auth/oidc/${id}/start`)
  await heading(page, 'Continue as another person?')
  await page.getByText('Another site has sent you here.').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await button(page, `Continue as ${other.email}`).click()
  await heading(page, 'Home')
  expect(faults).toEqual([])
  await page.context().close()
})
