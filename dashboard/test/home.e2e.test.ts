// Tests the home: figures, who is online, why messages were not sent, connections, and the list of what to set up next.

import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthAnswer } from '../../contract/api.ts'
import { inboxCampaign } from '../../edge/test/support/given.ts'
import { watchInbox } from '../../edge/test/support/watcher.ts'
import { findViolationsAround, type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

const ORDER = { name: 'order.shipped', properties: { orderId: 'A-1', summary: 'Monstera', total: 48 } }

test('figures, reasons, campaigns and connections of an environment, and each number leads to its messages', async () => {
  for (const userId of ['u_1', 'u_2', 'u_3']) await given.track({ ...ORDER, userId })
  await given.call('POST', '/v1/suppressions', { userId: 'u_silent', channel: 'inbox' })
  await given.track({ ...ORDER, userId: 'u_silent' })
  const { page, faults } = await visitSignedIn(given, `${given.url}/dashboard`, 'Home')
  const figures = page.locator('.figure')
  await expect
    .poll(() => figures.allInnerTexts())
    .toEqual(expect.arrayContaining([expect.stringMatching(/^Delivered\s+3\s+None in the time before$/)]))
  await page.getByText('The same as a table').click()
  const table = page.getByRole('region', { name: 'Figures as a table' })
  const counts = await table.locator('tbody tr td:nth-child(2)').allInnerTexts()
  expect(counts).toHaveLength(169)
  expect(counts.reduce((sum, text) => sum + Number(text), 0)).toBe(3)
  expect(await page.locator('.series rect[data-step="delivery"]').count()).toBeGreaterThanOrEqual(1)
  const top = page.locator('nc-top-campaigns')
  await top.getByRole('link', { name: 'Order shipped' }).waitFor()
  expect(await top.locator('.sparkline-sum').first().textContent()).toBe('3')
  expect(await page.locator('nc-home-lights li').allInnerTexts()).toEqual(
    expect.arrayContaining([expect.stringMatching(/Stripe\s+Not connected yet/)]),
  )
  expect(await findViolationsAround(page)).toEqual([])
  await page.locator('nc-not-sent').getByRole('link', { name: 'The user or the address is suppressed' }).click()
  await page.getByText('1 delivery.').waitFor()
  expect(new URL(page.url()).searchParams.get('statusReason')).toBe('suppressed')
  await page.getByRole('button', { name: 'Remove the filter Reason' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('statusReason')).toBe(null)
  expect(faults).toEqual([])
  await page.context().close()
})

test('long and odd names stay in their cards', async () => {
  for (const [place, name] of ['W'.repeat(100), '<img src=x onerror=alert(1)>', '\u202Egnp.\u05d0'].entries()) {
    const { id } = await given.call<{ id: string }>('POST', '/v1/campaigns', {
      ...inboxCampaign(`odd-${place}`, 'odd.names'),
      name,
    })
    await given.call('POST', `/v1/campaigns/${id}/publish`)
  }
  const source = await given.call<{ id: string }>('POST', '/v1/sources', { name: 'W'.repeat(100), provider: 'stripe' })
  await given.track({ name: 'odd.names', userId: 'u_1' })
  const { page, faults } = await visitSignedIn(given, given.address('home'), 'Home')
  await page.locator('nc-top-campaigns').getByRole('link', { name: 'WWW' }).waitFor()
  await page.locator('nc-home-lights').getByRole('link', { name: 'WWW' }).waitFor()
  expect(await findViolationsAround(page, [1440, 1024, 360])).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  const reach = page
    .locator('.home .card')
    .evaluateAll((cards) => cards.map((card) => card.scrollWidth - card.clientWidth))
  expect(Math.max(...(await reach))).toBe(0)
  expect(faults).toEqual([])
  await page.context().close()
  await given.call('DELETE', `/v1/sources/${source.id}`)
})

test('a user with an open inbox is online, and the step of the widget ticks itself off', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('home'), 'Home')
  const steps = page.locator('nc-next-steps')
  await steps.getByText(/^\d of 6 done$/).waitFor()
  expect(await steps.getByRole('link', { name: 'Show the inbox on your page' }).count()).toBe(1)
  const { frontApiKey, authSecretKey } = given.demo.environments.dev
  const answer = await fetch(`${given.url}/v1/users/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ apiKey: frontApiKey, authType: 'backendToken', userId: 'u_1' },
      token: createHmac('sha256', authSecretKey).update('u_1').digest('hex'),
    }),
  })
  expect(answer.status).toBe(200)
  const watcher = watchInbox(given.url, 'u_1', (await answer.json()) as AuthAnswer)
  const online = page.locator('.figure').filter({ hasText: 'Online now' })
  await expect
    .poll(async () => (await online.allInnerTexts()).join(), { timeout: 60_000 })
    .toMatch(/Online now\s+1\s+user$/)
  await expect
    .poll(() => steps.getByRole('link', { name: 'Show the inbox on your page' }).count(), { timeout: 60_000 })
    .toBe(0)
  watcher.close()
  await expect
    .poll(async () => (await online.allInnerTexts()).join(), { timeout: 60_000 })
    .toMatch(/Online now\s+0\s+users$/)
  expect(faults).toEqual([])
  await page.context().close()
})

test('the window and the channel are in the address, and an environment without anything says so', async () => {
  const { id } = given.demo.environments.prod
  const { page, faults } = await visitSignedIn(given, given.address('home', { env: id }), 'Home')
  await page.getByText('No message was delivered in this window.').waitFor()
  await page.getByText('No campaign has delivered a message in this time.').waitFor()
  await page.getByRole('button', { name: '24 hours' }).click()
  await page.getByRole('button', { name: 'Email' }).click()
  await expect.poll(() => page.url()).toContain('channel=email')
  expect(page.url()).toContain('window=24h')
  expect(await findViolationsAround(page)).toEqual([])
  expect(faults).toEqual([])
  await page.context().close()
})

test('days are those of UTC, by which the server counts, also for a browser in the west', async () => {
  const { points } = await given.call<{ points: { at: string }[] }>('GET', '/v1/stats/series?window=30d')
  const names = [points[0], points.at(-1)].map((point) =>
    new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(point?.at ?? '')),
  )
  const place = { locale: 'en-US', timezoneId: 'America/Los_Angeles' }
  const { page, faults } = await visitSignedIn(given, given.address('home', { window: '30d' }), 'Home', place)
  await expect.poll(() => page.locator('.series-ends span').allInnerTexts()).toEqual(names)
  expect(faults).toEqual([])
  await page.context().close()
})

test('figures of one window are not shown as those of another that the server did not answer', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('home'), 'Home')
  await page.locator('.figure').first().waitFor()
  await page.route(/stats\/series/, (route) => route.abort())
  await page.getByRole('button', { name: '24 hours' }).click()
  await expect.poll(() => page.locator('.figure').count()).toBe(0)
  await page.unroute(/stats\/series/)
  await page.locator('nc-home-figures').getByRole('button').click()
  await page.locator('.figure').first().waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('a viewer sees the figures, and no list of what to set up', async () => {
  const viewer = await given.join('viewer@example.com', 'viewer')
  const { page, faults } = await visitSignedIn(given, given.address('home'), 'Home', {}, viewer)
  await page.locator('.figure').first().waitFor()
  await page.locator('nc-home-lights li').first().waitFor()
  expect(await page.locator('nc-next-steps').count()).toBe(0)
  expect(faults).toEqual([])
  await page.context().close()
})

test('production has its colour in the frame and its name in each question, and other environments have neither', async () => {
  const { id } = given.demo.environments.prod
  const { page, faults } = await visitSignedIn(given, given.address('suppressions', { env: id }), 'Suppressions')
  const isMarked = () => page.evaluate(() => 'production' in document.documentElement.dataset)
  expect(await isMarked()).toBe(true)
  await page.getByRole('button', { name: 'Environment: prod, production' }).waitFor()
  await page.getByRole('button', { name: 'Suppress', exact: true }).click()
  await page.getByText('In prod: production, with real users.').waitFor()
  expect(await findViolationsAround(page, [1440])).toEqual([])
  await page.goto(given.address('suppressions'))
  await page.getByRole('button', { name: 'Suppress', exact: true }).click()
  await page.getByText('The channel sends nothing more to them').waitFor()
  expect(await isMarked()).toBe(false)
  expect(await page.getByText('with real users.').count()).toBe(0)
  expect(faults).toEqual([])
  await page.context().close()
})
