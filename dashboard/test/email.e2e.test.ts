// Tests the pages of e-mail: adding an integration, faults, a test mail with the server's answer, change and removal.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenSmtp, givenSmtp } from '../../edge/test/support/given-smtp.ts'
import { findViolationsAround, type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
let smtp: GivenSmtp
beforeAll(async () => {
  smtp = await givenSmtp()
  given = await givenDashboard({ OUTBOUND_ALLOW: '127.0.0.0/8' })
})
afterAll(async () => {
  await given?.stop()
  await smtp?.stop()
})

const card = (page: Page) => page.locator('nc-integration-card')
const trial = (page: Page) => page.locator('nc-integration-test')

test('an integration is added, sends a test mail, is changed and removed', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('email'), 'Email')
  await page.getByText('No integrations yet').waitFor()
  await card(page).getByLabel('Name', { exact: true }).fill('Main')
  await card(page).getByLabel(/^Host/).fill('not a host')
  await page.keyboard.press('Enter')
  await card(page).getByRole('alert').filter({ hasText: 'credentials.host' }).waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await card(page).getByLabel(/^Host/).fill(smtp.host)
  await card(page).getByLabel('Port').fill(String(smtp.port))
  await card(page)
    .getByLabel(/^Encryption/)
    .selectOption('none')
  await card(page).getByLabel('Sender’s address').fill('hello@shop.example')
  await card(page).getByRole('button', { name: 'Add' }).click()
  await page.getByRole('heading', { level: 1, name: 'Main' }).waitFor()
  await page.getByText('Not used yet').waitFor()

  await trial(page).getByLabel('To').fill('somebody@example.org')
  await page.keyboard.press('Enter')
  await trial(page).getByText('Taken').waitFor()
  expect(smtp.mails.map(({ to, from }) => ({ to, from }))).toEqual([
    { to: ['somebody@example.org'], from: 'hello@shop.example' },
  ])
  smtp.behave = () => ({ code: 550, message: 'Nobody here' })
  await trial(page).getByRole('button', { name: 'Send' }).click()
  await trial(page).getByText('Nobody here').waitFor()
  expect(await findViolationsAround(page)).toEqual([])

  await card(page).getByText('The credentials are stored, and cannot be read.').waitFor()
  await card(page).getByLabel('Priority').fill('5000')
  await page.keyboard.press('Enter')
  await card(page).getByRole('alert').filter({ hasText: '1000' }).waitFor()
  await card(page).getByLabel('Priority').fill('3')
  await card(page).getByLabel('Mails per second at most').fill('2.5')
  await page.keyboard.press('Enter')
  await page.getByText('The integration is saved.').waitFor()
  await page.reload()
  await card(page).getByLabel('Mails per second at most').waitFor()
  expect(await card(page).getByLabel('Mails per second at most').inputValue()).toBe('2.5')

  await page.getByRole('button', { name: 'Remove' }).click()
  await page.locator('wa-dialog[open]').getByLabel(/^Type/).fill('Main')
  await page.keyboard.press('Enter')
  await page.getByText('No integrations yet').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('each refused credential is marked at its field, and its faults go with the provider', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('email'), 'Email')
  await card(page).getByLabel('Name', { exact: true }).fill('Marked')
  await card(page).getByLabel(/^Host/).fill('not a host')
  await card(page).getByLabel('Port').fill('99999')
  await page.keyboard.press('Enter')
  const marked = card(page).locator('[aria-invalid=true]')
  await expect
    .poll(() => marked.evaluateAll((all) => all.map((one) => one.getAttribute('name'))))
    .toEqual(['credentials.host', 'credentials.port'])
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('credentials.host')
  expect(await card(page).locator('.failure-details li:visible').count()).toBe(0)
  expect(await findViolationsAround(page)).toEqual([])
  await card(page).getByLabel('Provider').selectOption('postmark')
  await expect.poll(() => card(page).locator('.form-error').textContent()).toBe('')
  expect(await marked.count()).toBe(0)
  expect(faults).toEqual([])
  await page.context().close()
})

test('a provider that signs nothing gets an address with a password, shown once', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('email'), 'Email')
  await card(page).getByLabel('Provider').selectOption('brevo')
  await card(page).getByLabel('Name', { exact: true }).fill('Brevo')
  await card(page).getByLabel('API key').fill('xkeysib-1')
  await card(page).getByRole('button', { name: 'Add' }).click()
  const once = page.locator('wa-dialog[open]')
  await once.getByText('/v1/webhooks/brevo/whi_').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await once.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('heading', { level: 1, name: 'Brevo' }).waitFor()
  expect(await page.getByText('xkeysib-1').count()).toBe(0)
  expect(faults).toEqual([])
  await page.context().close()
})

test('a credential that was typed for one provider is never shown in a field of another', async () => {
  const { page } = await visitSignedIn(given, given.address('email'), 'Email')
  const choose = (provider: string) => card(page).getByLabel('Provider').selectOption(provider)
  const typed = () =>
    card(page)
      .locator('input')
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
  await choose('postmark')
  await card(page).getByLabel(/token/i).fill('typed-token')
  for (const provider of ['smtp', 'sendgrid', 'mailgun', 'postmark']) {
    await choose(provider)
    await expect.poll(typed).not.toContain('typed-token')
  }
})

test('a viewer reads integrations, and may neither test nor change them', async () => {
  const viewer = await given.join('mail-viewer@example.com', 'viewer')
  const { page, faults } = await visitSignedIn(given, given.address('email'), 'Email', {}, viewer)
  await page.getByRole('link', { name: 'Brevo' }).click()
  await card(page).getByLabel('Priority').waitFor()
  expect(await card(page).getByLabel('Priority').isDisabled()).toBe(true)
  expect(await trial(page).count()).toBe(0)
  expect(await page.locator('main wa-button').count()).toBe(0)
  expect(faults).toEqual([])
  await page.context().close()
})
