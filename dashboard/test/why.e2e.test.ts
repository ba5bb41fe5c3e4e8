// Tests the sentence on top of a message, an event and a user: what became of it, why, and the remedy.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolationsAround, type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

const ORDER = { name: 'order.shipped', properties: { orderId: 'A-1', summary: 'Monstera', total: 48 } }

test('a message to a suppressed user says why it was not sent, and the suppression is removed there, and put back', async () => {
  await given.call('PUT', '/v1/users/zoe', { email: 'zoe@example.com' })
  await given.call('POST', '/v1/suppressions', { userId: 'zoe', channel: 'inbox' })
  await given.track({ ...ORDER, userId: 'zoe' })
  const { page, faults } = await visitSignedIn(given, given.address('inbox', { userId: 'zoe' }), 'Delivery History')
  await page.getByRole('row').filter({ hasText: 'zoe' }).first().click()
  const side = page.getByRole('region', { name: 'Delivery' })
  await side.getByText('Not sent: zoe is suppressed on this channel.').waitFor()
  await side.getByText(/zoe gets nothing by inbox since .*: Decided by an operator\./).waitFor()
  expect(await findViolationsAround(page, [1440])).toEqual([])
  await side.getByRole('button', { name: 'Remove the suppression of zoe by inbox' }).click()
  await page.getByText('The suppression is removed: inbox sends again.').waitFor()
  await expect.poll(() => side.locator('.suppressed-note').count()).toBe(0)
  const stored = () => given.call<{ data: unknown[] }>('GET', '/v1/suppressions?userId=zoe')
  expect((await stored()).data).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await side.getByText(/zoe gets nothing by inbox since/).waitFor()
  expect((await stored()).data).toMatchObject([{ channel: 'inbox', reason: 'manual' }])
  expect(faults).toEqual([])
  await page.context().close()
})

test('the page of a user says that the address is suppressed, and a viewer has no button', async () => {
  await given.call('PUT', '/v1/users/ben', { email: 'ben@example.com' })
  await given.call('POST', '/v1/suppressions', { address: 'ben@example.com', channel: 'email', reason: 'bounce' })
  const viewer = await given.join('viewer@example.com', 'viewer')
  const { page, faults } = await visitSignedIn(given, given.address('users/ben'), 'ben', {}, viewer)
  await page.getByText(/ben@example\.com gets nothing by email since .*: The address bounced\./).waitFor()
  expect(await page.getByRole('button', { name: /Remove/ }).count()).toBe(0)
  expect(await findViolationsAround(page)).toEqual([])
  expect(faults).toEqual([])
  await page.context().close()
})

test('an event says what it started, and why not more', async () => {
  const id = await given.track({ ...ORDER, userId: 'ada' })
  const nothing = await given.track({ name: 'nobody.listens', userId: 'ada' })
  const { page, faults } = await visitSignedIn(given, given.address(`events/${id}`), 'order.shipped')
  await page.getByText('It started 1 run, and 1 message came of it.').waitFor()
  await page.goto(given.address(`events/${nothing}`))
  await page.getByText('It started nothing: no campaign begins with an event of this name.').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  expect(faults).toEqual([])
  await page.context().close()
})

test('the page of a user shows what happened, newest first and live, and each line leads on', async () => {
  await given.call('PUT', '/v1/users/lea', {})
  await given.track({ ...ORDER, userId: 'lea' })
  const { page, faults } = await visitSignedIn(given, given.address('users/lea'), 'lea')
  const lines = page.locator('.life li')
  await expect
    .poll(() => lines.allInnerTexts())
    .toEqual([
      expect.stringMatching(/^Your order A-1 is on its way\s+Delivered\s+Order shipped · inbox/),
      expect.stringMatching(/^order\.shipped\s+It started 1 run, and 1 message came of it\./),
    ])
  expect(await findViolationsAround(page)).toEqual([])
  await given.track({ name: 'nobody.listens', userId: 'lea' })
  await expect
    .poll(async () => (await lines.allInnerTexts())[0], { timeout: 30_000 })
    .toMatch(/^nobody\.listens\s+It started nothing/)
  await lines.nth(1).getByRole('link', { name: 'Your order A-1' }).click()
  await page.getByText('Delivered to the inbox. It was not in view yet.').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('more of what happened is loaded down to the first event, whatever is polled meanwhile', async () => {
  await given.call('PUT', '/v1/users/max', {})
  for (let at = 0; at < 45; at++)
    await given.track({ name: at < 3 ? 'order.shipped' : 'nobody.listens', userId: 'max' })
  const { page, faults } = await visitSignedIn(given, given.address('users'), 'Users')
  await page.clock.install()
  await page.goto(given.address('users/max'))
  const lines = page.locator('.life li')
  await expect.poll(() => lines.count()).toBe(20)
  let more = 0
  await page.route(/\/(events|deliveries)\?.*cursor=/, async (route) => {
    // The time of four polls passes before the answer to the first press.
    if (more++ === 0) await page.clock.runFor(20_000)
    await route.continue()
  })
  const button = page.getByRole('button', { name: 'Load more' })
  await button.click()
  await expect.poll(() => lines.count()).toBe(40)
  await button.click()
  await expect.poll(() => button.count()).toBe(0)
  expect((await lines.allInnerTexts()).at(-1)).toMatch(/^order\.shipped/)
  expect(faults).toEqual([])
  await page.context().close()
})
