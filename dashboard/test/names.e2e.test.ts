// Tests that lists show titles and names before ids, and the exact time of a moment on hover and focus.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolationsAround, type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
let eventId: string

beforeAll(async () => {
  given = await givenDashboard()
  await given.call('PUT', '/v1/users/u_zoe', { name: 'Zoë Ångström' })
  const properties = { orderId: 'A-1', summary: 'Monstera', total: 48 }
  eventId = await given.track({ name: 'order.shipped', userId: 'u_zoe', properties })
})
afterAll(() => given?.stop())

test('the history has the title, the recipient and the campaign by name, and its side view their ids as well', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('inbox'), 'Delivery History')
  const row = page.locator('[data-message]').first()
  await row.getByText('Your order A-1 is on its way').waitFor()
  expect(await row.getByText('Zoë Ångström').count()).toBe(1)
  expect(await row.getByText('Order shipped').count()).toBe(1)
  await row.click()
  const side = page.getByRole('region', { name: 'Delivery' })
  await side.getByRole('heading', { name: 'Your order A-1 is on its way' }).waitFor()
  await side.locator('.facts').first().getByText('u_zoe').waitFor()
  await side.getByRole('link', { name: 'Order shipped' }).waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  expect(faults).toEqual([])
  await page.context().close()
})

test('an event names its user, its campaigns and its messages', async () => {
  const { page, faults } = await visitSignedIn(given, given.address(`events/${eventId}`), 'order.shipped')
  await page.getByRole('link', { name: 'Zoë Ångström' }).waitFor()
  await page.getByText('Run of Order shipped v1 for Zoë Ångström').waitFor()
  await page.getByRole('link', { name: 'Your order A-1 is on its way' }).click()
  await page.getByRole('region', { name: 'Delivery' }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('the exact time of a moment is shown on hover, while its row has the focus, and not after Escape', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('events'), 'Events')
  const tip = page.getByRole('tooltip')
  const link = page.getByRole('link', { name: 'order.shipped' })
  await page.locator('nc-moment').filter({ visible: true }).first().hover()
  await tip.waitFor()
  expect(await tip.textContent()).toMatch(/20\d\d.*:\d\d:\d\d/)
  expect(await findViolationsAround(page, [1440])).toEqual([])
  await page.keyboard.press('Escape')
  await tip.waitFor({ state: 'hidden' })
  await page.getByPlaceholder('User ID').focus()
  await page.keyboard.press('Tab')
  await expect.poll(() => link.getAttribute('aria-describedby')).toBe('exact-time')
  await tip.waitFor()
  await page.keyboard.press('Shift+Tab')
  await tip.waitFor({ state: 'hidden' })
  expect(await link.getAttribute('aria-describedby')).toBeNull()
  expect(faults).toEqual([])
  await page.context().close()
})
