// Tests that an editor sends again what failed: one message, one to themself, a run, an event, and all of a filter.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations, type GivenDashboard, givenDashboard, overflowOf, signIn, visit } from './given-dashboard.ts'

let given: GivenDashboard
let campaignId: string
const BODY = '{{ event.properties.text }}{{ event.properties.text }}'
const stepsOf = (body: string) => [{ id: 'tell', type: 'inbox', title: 'Your order', body: '', data: { body } }]
const campaignOf = (body: string) => ({
  key: 'again',
  name: 'Again',
  trigger: { event: 'again' },
  steps: stepsOf(body),
})
const USERS = ['zoe', 'yan', 'xavier-with-a-very-long-name-of-many-characters']
beforeAll(async () => {
  given = await givenDashboard()
  campaignId = (await given.call<{ id: string }>('POST', '/v1/campaigns', campaignOf(BODY))).id
  await given.call('POST', `/v1/campaigns/${campaignId}/publish`, {})
  for (const userId of USERS) await given.track({ name: 'again', userId, properties: { text: 'x'.repeat(40_000) } })
})
afterAll(() => given?.stop())

const failed = (message?: string) =>
  given.address('inbox', { campaignId, status: 'failed', ...(message !== undefined && { message }) })
const dialog = (page: Page) => page.locator('wa-dialog[open]')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const listed = async (query: string) =>
  (
    await given.call<{ data: { messageId: string; userId: string; status: string }[] }>(
      'GET',
      `/v1/deliveries?campaignId=${campaignId}&${query}`,
    )
  ).data

test.each(['light', 'dark'] as const)('%s: the buttons and dialogs have no violation and fit', async (colorScheme) => {
  const [message] = await listed('status=failed')
  const { page, faults } = await visit(given, failed(message?.messageId), { colorScheme })
  await signIn(page, given)
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await button(page, 'Send to me…').waitFor()
    await button(page, 'Run again…').waitFor()
    expect(await findViolations(page)).toEqual([])
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    await page.locator('nc-delivery-view').getByRole('button', { name: 'Send again…' }).click()
    await dialog(page).getByLabel('Version').waitFor()
    expect(await findViolations(page)).toEqual([])
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await dialog(page).waitFor({ state: 'detached' })
  }
  expect(faults).toEqual([])
  await page.context().close()
})

test('a viewer has no such button', async () => {
  const viewer = await given.join('viewer@example.com', 'viewer')
  const [message] = await listed('status=failed')
  const { page } = await visit(given, failed(message?.messageId))
  await signIn(page, given, viewer)
  await page.getByText('Failed: ').first().waitFor()
  expect(await page.getByRole('button', { name: /again…|to me…/ }).count()).toBe(0)
  await page.context().close()
})

test('one message is sent again, first in vain and then with the mended version; the result is shown', async () => {
  const [message] = await listed('status=failed&userId=zoe')
  const { page, faults } = await visit(given, failed(message?.messageId))
  await signIn(page, given)
  const again = page.locator('nc-delivery-view').getByRole('button', { name: 'Send again…' })
  await again.click()
  await dialog(page).getByRole('button', { name: 'Send again' }).click()
  await page.getByText('It failed again: The template failed.').waitFor()
  await given.call('PUT', `/v1/campaigns/${campaignId}`, campaignOf('mended'))
  await given.call('POST', `/v1/campaigns/${campaignId}/publish`, {})
  await again.click()
  await dialog(page).getByRole('button', { name: 'Send again' }).click()
  await page.getByText('The message is sent again.').waitFor()
  await page.getByText('Delivered to the inbox.').waitFor()
  expect(await listed('status=delivered&userId=zoe')).toHaveLength(1)

  await button(page, 'Send to me…').click()
  await dialog(page).getByLabel('Your user ID').fill('me')
  await dialog(page).getByRole('button', { name: 'Send to me' }).click()
  await page.getByText('The test is sent.').waitFor()
  await page.locator('nc-delivery-view').getByText('Test', { exact: true }).waitFor()
  await button(page, 'Send to me…').click()
  expect(await dialog(page).getByLabel('Your user ID').inputValue()).toBe('me')
  expect(faults).toEqual([])
  await page.context().close()
})

test('an event runs again from its page, and so does its failed run', async () => {
  const [message] = await given
    .call<{ data: { eventId: string }[] }>('GET', `/v1/deliveries?campaignId=${campaignId}&userId=yan&status=failed`)
    .then(({ data }) => data)
  const { page, faults } = await visit(given, given.address(`events/${message?.eventId}`))
  await signIn(page, given)
  await page.getByRole('button', { name: /^Run run_.* again$/ }).click()
  await dialog(page).getByRole('button', { name: 'Run again' }).click()
  await page.getByText('The run goes on.').waitFor()
  expect(await listed('status=delivered&userId=yan')).toHaveLength(1)
  await page.goto(given.address(`events/${message?.eventId}`))
  await button(page, 'Run again…').first().click()
  await dialog(page).getByRole('button', { name: 'Run again' }).click()
  await page.getByText('The event runs again.').waitFor()
  await expect.poll(() => listed('status=delivered&userId=yan')).toHaveLength(2)
  expect(faults).toEqual([])
  await page.context().close()
})

test('all of a filter are counted first, then sent again at a pace, with their progress and a stop', async () => {
  const { page, faults } = await visit(given, failed())
  await signIn(page, given)
  const begin = async (pace: string) => {
    await button(page, 'Send again…').click()
    await dialog(page).getByLabel('How many a minute').fill(pace)
    await dialog(page).getByRole('button', { name: 'Count them' }).click()
    await page.getByRole('heading', { name: 'Send 4 messages again' }).waitFor()
    await dialog(page).getByRole('button', { name: 'Send again' }).click()
  }
  await begin('1')
  await page.getByText('1 of 4 messages: 1 again').waitFor()
  expect(await findViolations(page)).toEqual([])
  await button(page, 'Stop').click()
  await page.locator('nc-again-all').getByText('stopped').waitFor()
  await button(page, 'Hide').click()
  await begin('6000')
  await page.getByText('4 of 4 messages: 4 again').waitFor()
  await page.setViewportSize({ width: 360, height: 800 })
  expect(await findViolations(page)).toEqual([])
  expect(await overflowOf(page)).toBeLessThanOrEqual(0)
  expect(faults).toEqual([])
  await page.context().close()
})
