// Tests the examples of other platforms in a real browser: one notification each, none for a repeat or a wrong signature.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveBrowser, shareBrowser } from '../tools/test/one-browser.ts'
import { PLATFORMS, type Platform } from './backend/example-payloads.ts'
import { badge, bell, findViolations, type GivenDemo, givenDemo, rows, visit } from './test/browser.ts'

let given: GivenDemo
let browser: Browser

beforeAll(async () => {
  given = await givenDemo()
  browser = await shareBrowser()
})

afterAll(async () => {
  await leaveBrowser()
  await given?.stop()
})

const NEWS: Record<Platform, { name: string; campaign: string; title: string | RegExp }> = {
  stripe: { name: 'Stripe', campaign: 'stripe-payment-failed', title: 'Your payment of 74 EUR failed' },
  segment: { name: 'Segment', campaign: 'segment-order-completed', title: /^Thank you for order L-\d+$/ },
  hubspot: { name: 'HubSpot', campaign: 'hubspot-contact-linked', title: 'Plant advice knows your plants now' },
  intercom: { name: 'Intercom', campaign: 'intercom-reply', title: 'Ada from the greenhouse answered you' },
  customerio: {
    name: 'Customer.io',
    campaign: 'customerio-email-bounced',
    title: 'Our mail to mira@example.com came back',
  },
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const outcome = (page: Page, platform: Platform) => page.locator(`[data-platform="${platform}"] [role="status"]`)
const titles = (page: Page) => rows(page).locator('[part~="title"]')

async function openPlatforms(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Other platforms' }).check()
  await page.getByRole('heading', { name: 'Events from other platforms' }).waitFor()
}

/** Messages that the campaign has made. */
async function madeBy(platform: Platform): Promise<number | undefined> {
  const answer = await given.dev.get(`/v1/campaigns/${given.demo.campaigns[NEWS[platform].campaign]}/stats`)
  return (answer.body as { steps: { count: number }[] }).steps[0]?.count
}

interface Counts {
  accepted: number
  duplicates: number
  refused: number
}

async function countsOf(platform: Platform): Promise<Counts> {
  const source = await given.dev.get(`/v1/sources/${given.demo.sources[platform]?.id}`)
  return (source.body as { counts: Counts }).counts
}

test('each platform’s example is one notification, live in the bell, and its repeat is none', async () => {
  const { page, faults } = await visit(browser, given.edge.url)
  await openPlatforms(page)
  await bell(page).click()
  await page.locator('#bell [part~="empty"]').waitFor()
  for (const [at, platform] of PLATFORMS.entries()) {
    const { name, title } = NEWS[platform]
    await button(page, `Send: ${name}`).click()
    await expect.poll(() => outcome(page, platform).textContent()).toBe('Accepted. A campaign ran. 1 message.')
    await expect.poll(() => titles(page).count()).toBe(at + 1)
    expect((await titles(page).first().textContent())?.trim()).toEqual(
      typeof title === 'string' ? title : expect.stringMatching(title),
    )
    await button(page, `Send the same again: ${name}`).click()
    await expect.poll(() => outcome(page, platform).textContent()).toMatch(/^Repeat\./)
    await expect.poll(() => countsOf(platform)).toMatchObject({ accepted: 1, duplicates: 1, refused: 0 })
    expect(await madeBy(platform)).toBe(1)
  }
  expect(await titles(page).count()).toBe(PLATFORMS.length)
  expect(faults).toEqual([])
  await page.context().close()
})

test('a new example is a second notification, and a wrong signature is refused with its reason', async () => {
  const { page, faults } = await visit(browser, given.edge.url, 'u_108')
  await openPlatforms(page)
  for (const count of ['1', '2']) {
    await button(page, 'Send: Stripe').click()
    await expect.poll(() => badge(page).textContent()).toBe(count)
  }
  const before = await madeBy('hubspot')
  await page.getByLabel('Sign with a wrong secret').check()
  await button(page, 'Send: HubSpot').click()
  await expect.poll(() => outcome(page, 'hubspot').textContent()).toMatch(/^Refused\. The signature does not match/)
  expect(await button(page, 'Send the same again: HubSpot').isVisible()).toBe(false)
  await expect.poll(() => countsOf('hubspot')).toMatchObject({ refused: 1 })
  expect(await madeBy('hubspot')).toBe(before)

  await page.getByRole('tab', { name: 'Sign-in' }).click()
  await page.getByRole('radio', { name: 'prod' }).check()
  await page.getByRole('tab', { name: 'Send' }).click()
  await page.getByText('The demo’s sources are in dev').waitFor()
  expect(await button(page, 'Send: Stripe').isDisabled()).toBe(true)
  expect(faults).toEqual([])
  await page.context().close()
})

test('a paused source answers that it dropped the delivery', async () => {
  const path = `/v1/sources/${given.demo.sources.intercom?.id}`
  const before = await madeBy('intercom')
  await given.dev.post(`${path}/pause`)
  const { page } = await visit(browser, given.edge.url, 'u_7')
  await openPlatforms(page)
  await button(page, 'Send: Intercom').click()
  await expect.poll(() => outcome(page, 'intercom').textContent()).toMatch(/^Paused\./)
  await given.dev.post(`${path}/resume`)
  await button(page, 'Send: Intercom').click()
  await expect.poll(() => outcome(page, 'intercom').textContent()).toMatch(/^Accepted\./)
  await expect.poll(() => madeBy('intercom')).toBe((before ?? 0) + 1)
  await page.context().close()
})

test('the secrets stay on the backend, and axe finds nothing in the list, light and dark', async () => {
  const { page } = await visit(browser, given.edge.url, 'u_axe')
  const received: Promise<string>[] = []
  page.on('response', (response) => {
    if (response.url().includes('/demo/api/')) received.push(response.text())
  })
  await openPlatforms(page)
  for (const platform of PLATFORMS) {
    await button(page, `Send: ${NEWS[platform].name}`).click()
    await expect.poll(() => outcome(page, platform).textContent()).toMatch(/^Accepted\./)
  }
  await page.getByLabel('Sign with a wrong secret').check()
  await button(page, 'Send: Segment').click()
  await expect.poll(() => outcome(page, 'segment').textContent()).toMatch(/^Refused\./)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // A changed colour has its old value until the next frame, so the check repeats.
    await expect.poll(() => findViolations(page), { message: colorScheme }).toEqual([])
  }
  const texts = (await Promise.all(received)).join('\n')
  expect(texts).toContain('"accepted":1')
  for (const { verificationSecret } of Object.values(given.demo.sources)) {
    expect(texts).not.toContain(verificationSecret)
  }
  await page.context().close()
})
