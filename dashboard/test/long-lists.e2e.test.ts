// Tests pages whose lists are longer than one page: counts, filters and choices reach what is not loaded.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { inboxCampaign } from '../../edge/test/support/given.ts'
import { findViolationsAround, type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
/** Of the oldest campaign, which no first page has. */
let oldestId: string
beforeAll(async () => {
  given = await givenDashboard()
  const create = (key: string) => given.call<{ id: string }>('POST', '/v1/campaigns', inboxCampaign(key, 'long.list'))
  for (let number = 1; number <= 12; number++) {
    const { id } = await create(`running-${number}`)
    if (number === 1) oldestId = id
    await given.call('POST', `/v1/campaigns/${id}/publish`)
  }
  for (let number = 1; number <= 105; number++) await create(`sketch-${number}`)
})
afterAll(() => given?.stop())

const pill = (name: string) => `nav[aria-label="Campaigns by state"] a:has-text("${name}") .pill-count`

test('campaigns are counted, filtered and searched on the server', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('campaigns'), 'Campaigns')
  const { data } = await given.call<{ data: { status: string }[] }>('GET', '/v1/campaigns?status=active&limit=100')
  await expect.poll(() => page.locator(pill('Draft')).textContent()).toBe('105')
  expect(await page.locator(pill('Active')).textContent()).toBe(String(data.length))
  await page.getByRole('link', { name: /^Active/ }).click()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(data.length)
  await page.getByRole('searchbox').fill('RUNNING-1')
  await page.getByRole('searchbox').press('Enter')
  await expect.poll(() => page.locator('tbody tr').count()).toBe(4)
  await expect.poll(() => page.locator(pill('All')).textContent()).toBe('4')
  await page.getByRole('link', { name: /^Draft/ }).click()
  await page.getByText('No campaign matches').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  expect(faults).toEqual([])
  await page.context().close()
})

test('the filter of the history finds a campaign that no page has loaded, by the keyboard too', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('inbox'), 'Delivery History')
  const field = page.getByRole('combobox', { name: 'Campaign' })
  await field.fill('running-1')
  const options = page.locator('nc-campaign-filter').getByRole('option')
  await expect.poll(() => options.count()).toBe(4)
  await field.press('ArrowUp')
  expect(await findViolationsAround(page)).toEqual([])
  await field.press('Enter')
  await expect.poll(() => new URL(page.url()).searchParams.get('campaignId')).toBe(oldestId)
  await page.locator('.chip').filter({ hasText: 'running-1' }).waitFor()
  await page.reload()
  await page.locator('.chip').filter({ hasText: 'running-1' }).waitFor()
  expect(await field.inputValue()).toBe('running-1')
  await field.fill('')
  await field.press('Enter')
  await expect.poll(() => new URL(page.url()).searchParams.has('campaignId')).toBe(false)
  await field.fill('sketch-105')
  await options.filter({ hasText: 'sketch-105' }).click()
  await page.locator('.chip').filter({ hasText: 'sketch-105' }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('a version is compared that the table of versions has not loaded', async () => {
  for (let version = 2; version <= 22; version++) {
    const draft = { ...inboxCampaign('running-1', 'long.list'), name: `Version ${version}` }
    await given.call('PUT', `/v1/campaigns/${oldestId}`, draft)
    await given.call('POST', `/v1/campaigns/${oldestId}/publish`)
  }
  const { page, faults } = await visitSignedIn(
    given,
    given.address(`campaigns/${oldestId}`, { tab: 'versions' }),
    'Version 22',
  )
  const card = page.locator('nc-versions')
  await card.getByRole('button', { name: 'Load more' }).waitFor()
  await card.getByLabel('From').selectOption('1')
  await card.getByText('Version 22', { exact: true }).last().waitFor()
  await expect.poll(() => card.locator('.difference').textContent()).toMatch(/running-1\s*Version 22/)
  expect(faults).toEqual([])
  await page.context().close()
})
