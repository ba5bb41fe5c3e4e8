// Tests the pages of enrichers: adding, faults, a test call with its answer and with its failure, change and removal.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, type Endpoint, startPlainEndpoint } from '../../edge/test/support/endpoint.ts'
import { findViolationsAround, type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
let endpoint: Endpoint
beforeAll(async () => {
  endpoint = await startPlainEndpoint()
  given = await givenDashboard({ OUTBOUND_ALLOW: '127.0.0.0/8' })
})
afterAll(async () => {
  await given?.stop()
  await endpoint?.close()
})

const dialog = (page: Page) => page.locator('wa-dialog[open]')
const trial = (page: Page) => page.locator('nc-enricher-trial')

test('an enricher is added, called with its answer shown, changed and removed', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('enrichers'), 'Enrichers')
  await page.getByText('No enrichers yet').waitFor()
  await page.getByRole('button', { name: 'Add an enricher' }).click()
  await dialog(page).getByLabel('Name').fill('user-orders')
  await dialog(page).getByLabel('Address').fill('ftp://example.com')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('alert').filter({ hasText: 'This must begin with https://.' }).waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await dialog(page).getByLabel('Address').fill(endpoint.url)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'user-orders' }).waitFor()

  await trial(page).getByLabel('Parameters, as JSON').fill('[1]')
  await trial(page).getByRole('button', { name: 'Call it' }).click()
  await trial(page).getByRole('alert').filter({ hasText: 'no JSON object' }).waitFor()
  await trial(page).getByLabel('Parameters, as JSON').fill('{ "days": 7 }')
  await trial(page).getByLabel('User ID').fill('u_9')
  await page.keyboard.press('Enter')
  await trial(page).getByText('Answered').waitFor()
  expect(await trial(page).locator('.json').textContent()).toContain('"days": 7')
  expect(endpoint.requests.at(-1)?.text).toContain('u_9')
  expect(await findViolationsAround(page)).toEqual([])

  const error = { code: 'enricher-not-found', message: 'Unknown here.' }
  endpoint.handle = (_request, response) => answer(response, 404, { ok: false, name: 'user-orders', error })
  await trial(page).getByRole('button', { name: 'Call it' }).click()
  await trial(page).getByText('Failed', { exact: true }).waitFor()
  await trial(page).getByText('enricher-not-found').waitFor()
  expect(await findViolationsAround(page)).toEqual([])

  const card = page.locator('nc-enricher-card')
  await card.getByLabel('Time limit in milliseconds').fill('5')
  await page.keyboard.press('Enter')
  await card.getByRole('alert').filter({ hasText: '100 to 10000' }).waitFor()
  await card.getByLabel('Time limit in milliseconds').fill('2500')
  await page.keyboard.press('Enter')
  await page.getByText('The enricher is saved.').waitFor()
  await page.getByText('2.5 s', { exact: true }).waitFor()

  await page.getByRole('link', { name: 'Enrichers' }).first().click()
  await page.getByRole('button', { name: 'Add an enricher' }).click()
  await dialog(page).getByLabel('Name').fill('user-orders')
  await dialog(page).getByLabel('Address').fill('https://example.com')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('alert').filter({ hasText: 'of the name user-orders already' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => dialog(page).count()).toBe(0)
  expect(await findViolationsAround(page)).toEqual([])
  await page.getByRole('link', { name: 'user-orders' }).click()
  await page.getByRole('button', { name: 'Remove' }).click()
  const remove = dialog(page).getByRole('button', { name: 'Remove' })
  expect(await remove.isDisabled()).toBe(true)
  await dialog(page).getByLabel(/^Type/).fill('user-orders')
  await page.keyboard.press('Enter')
  await page.getByText('No enrichers yet').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('a viewer reads an enricher, and may neither call nor change it', async () => {
  await given.call('PUT', '/v1/enrichers/read-only', { url: 'https://example.com/enrichers' })
  const viewer = await given.join('viewer@example.com', 'viewer')
  const { page, faults } = await visitSignedIn(given, given.address('enrichers'), 'Enrichers', {}, viewer)
  expect(await page.getByRole('button', { name: 'Add an enricher' }).count()).toBe(0)
  await page.getByRole('link', { name: 'read-only' }).click()
  await page.locator('nc-enricher-card').getByLabel('Address').waitFor()
  expect(await page.locator('nc-enricher-card').getByLabel('Address').isDisabled()).toBe(true)
  expect(await trial(page).count()).toBe(0)
  expect(await page.locator('main wa-button').count()).toBe(0)
  expect(faults).toEqual([])
  await page.context().close()
})
