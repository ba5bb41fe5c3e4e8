// Tests how campaigns begin: from the gallery, from blank, as a copy, and from JSON with its faults; also by keyboard.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CampaignAnswer } from '../../contract/resources/campaign.ts'
import { findViolationsAround, type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

const dialog = (page: Page) => page.locator('wa-dialog[open]')
const begin = (query: Record<string, string> = {}) =>
  visitSignedIn(given, given.address('campaigns/new', query), 'New campaign')
const idOf = (page: Page) => /\/(cmp_[^/]+)\/edit/.exec(page.url())?.[1] ?? ''
const draftOf = (page: Page) => given.call<CampaignAnswer>('GET', `/v1/campaigns/${idOf(page)}`)

test('a card of the gallery becomes a draft with a free key; search and cards work by keyboard alone', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('campaigns'), 'Campaigns')
  await page.getByRole('link', { name: 'New campaign' }).click()
  await page.getByRole('heading', { level: 1, name: 'New campaign' }).waitFor()
  const cards = page.locator('.gallery-card')
  await expect.poll(() => cards.count()).toBe(10)
  expect(await findViolationsAround(page)).toEqual([])

  const search = page.getByRole('searchbox', { name: 'Search the gallery' })
  await search.fill('message')
  await search.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.insertText(' parcel')
  await page.getByText('Nothing in the gallery').waitFor()
  await search.fill('order warehouse')
  await expect.poll(() => cards.allInnerTexts()).toEqual([expect.stringContaining('Order shipped')])
  await search.press('Enter')
  await dialog(page).getByRole('heading', { name: 'New from “Order shipped”' }).waitFor()
  // The demo has a campaign of that key.
  await expect.poll(() => dialog(page).getByLabel('Key').inputValue()).toBe('order-shipped-2')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('new-name')
  expect(await findViolationsAround(page)).toEqual([])
  await dialog(page).getByLabel('Name').fill('Parcel on its way')
  await expect.poll(() => dialog(page).getByLabel('Key').inputValue()).toBe('parcel-on-its-way')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Parcel on its way' }).waitFor()
  expect(await draftOf(page)).toMatchObject({ key: 'parcel-on-its-way', status: 'draft', currentVersion: null })
  expect(faults).toEqual([])
  await page.context().close()
})

test('a blank campaign has one message; its faults stand at their fields', async () => {
  const { page, faults } = await begin({ from: 'blank' })
  await page.getByLabel('Name').fill('Höhere Preise')
  await expect.poll(() => page.getByLabel('Key').inputValue()).toBe('hohere-preise')
  await page.getByLabel('Key').fill('order-shipped')
  await page.getByLabel('Event', { exact: true }).fill('price..raised')
  await page.getByLabel('Title of the message').fill('Prices rise on {{ event.properties.on }}')
  await page.getByLabel('Title of the message').press('Enter')
  await page.getByText('This is no event name: repeated-separator.').filter({ visible: true }).waitFor()
  await page.getByLabel('Event', { exact: true }).fill('price.raised')
  await page.getByRole('button', { name: 'Create the draft' }).click()
  await page.getByText('Another campaign of this environment has that key.').filter({ visible: true }).waitFor()
  expect(await page.getByLabel('Key').getAttribute('aria-invalid')).toBe('true')
  expect(await findViolationsAround(page)).toEqual([])
  await page.getByLabel('Key').fill('higher-prices')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Höhere Preise' }).waitFor()
  expect((await draftOf(page)).draft).toMatchObject({ key: 'higher-prices', trigger: { event: 'price.raised' } })
  expect(faults).toEqual([])
  await page.context().close()
})

test('a campaign is duplicated from the list and from its own page', async () => {
  const { page, faults } = await begin({ from: 'duplicate' })
  await page.getByRole('searchbox').fill('order shipped')
  await page.keyboard.press('Enter')
  const rows = page.locator('.duplicate-row')
  await expect.poll(async () => (await rows.allInnerTexts()).every((text) => text.includes('Order shipped'))).toBe(true)
  expect(await findViolationsAround(page)).toEqual([])
  await page.getByRole('button', { name: 'Duplicate Order shipped', exact: true }).click()
  await expect.poll(() => dialog(page).getByLabel('Key').inputValue()).toBe('copy-of-order-shipped')
  await dialog(page).getByRole('button', { name: 'Create the draft' }).click()
  await page.getByRole('heading', { level: 1, name: 'Copy of Order shipped' }).waitFor()
  const original = await given.call<CampaignAnswer>('GET', `/v1/campaigns/${given.demo.campaigns['order-shipped']}`)
  expect((await draftOf(page)).draft.steps).toEqual(original.draft.steps)

  await page.goto(given.address(`campaigns/${idOf(page)}`))
  await page.getByRole('link', { name: 'Duplicate it' }).click()
  await expect.poll(() => dialog(page).getByLabel('Name').inputValue()).toBe('Copy of Copy of Order shipped')
  expect(faults).toEqual([])
  await page.context().close()
})

test('JSON is imported pasted and as a file; its faults have paths in the words of the API', async () => {
  const { page, faults } = await begin({ from: 'import' })
  const text = page.getByLabel('Definition', { exact: true })
  await text.fill('{ "key": }')
  await page.getByLabel('Name').fill('X')
  await page.getByRole('button', { name: 'Create the draft' }).click()
  await page.getByText('This is no JSON').waitFor()

  const steps = [{ id: 'tell', type: 'inbox', title: '{{ broken' }]
  const definition = { key: 'welcome', name: 'From Git', trigger: { event: 'a.b' }, steps }
  const file = join(given.settings.DATA_DIR ?? '', 'campaign.json')
  await writeFile(file, JSON.stringify({ id: 'cmp_1', draft: definition }))
  await page.getByLabel('File with the definition').setInputFiles(file)
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('From Git')
  await expect.poll(() => page.getByLabel('Key').inputValue()).toBe('welcome-2')
  await page.getByRole('button', { name: 'Create the draft' }).click()
  await page
    .locator('li', { hasText: /^steps\[0\]\.title / })
    .filter({ visible: true })
    .waitFor()
  expect(await findViolationsAround(page)).toEqual([])

  await text.fill(JSON.stringify({ ...definition, steps: [{ id: 'tell', type: 'inbox', title: 'Whole' }] }, null, 2))
  await page.getByRole('button', { name: 'Create the draft' }).click()
  await page.getByRole('heading', { level: 1, name: 'From Git' }).waitFor()
  expect(await draftOf(page)).toMatchObject({ key: 'welcome-2', name: 'From Git' })
  expect(faults).toEqual([])
  await page.context().close()
})

test('a viewer has no button, and the page says who may', async () => {
  const viewer = await given.join('new-campaign-viewer@example.com', 'viewer')
  const { page, faults } = await visitSignedIn(given, given.address('campaigns'), 'Campaigns', {}, viewer)
  expect(await page.getByRole('link', { name: 'New campaign' }).count()).toBe(0)
  await page.goto(given.address('campaigns/new'))
  await page.getByText('Not for your role').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})
