// Parts of the built widget that cannot be fetched: each says so where somebody waits for it, with a way to try again (issue, widget: errors with "try again").

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GivenEdge } from '../../edge/test/support/given.ts'
import type { HostPage } from '../gallery/host-page.ts'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { type GivenSite, givenSite } from './given-site.ts'
import { mount } from './mount.ts'

const SLOW = 60_000
let site: GivenSite
let edge: GivenEdge
let host: HostPage
let browser: Browser

beforeAll(async () => {
  site = await givenSite()
  ;({ edge, host, browser } = site)
}, SLOW)

afterAll(() => site?.stop())

/** A page on which these files do not come until `come` is called. */
async function without(userId: string, ...names: string[]): Promise<{ page: Page; come: () => void }> {
  const page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(20_000)
  let isBlocked = true
  for (const name of names) {
    await page.route(new RegExp(`/${name}\\.js$`), (route) => (isBlocked ? route.abort() : route.continue()))
  }
  await page.goto(host.url)
  await mount(page, edge, userId)
  return {
    page,
    come: () => {
      isBlocked = false
    },
  }
}

test('a panel that does not come is spoken for by its bell, and comes when it is asked for again', {
  timeout: SLOW,
}, async () => {
  const { page, come } = await without('no-panel', 'everyday')
  const missing = page.locator('notification-center .missing')
  await page.locator('notification-center [part~=bell]').click()
  await expect.poll(() => missing.textContent()).toContain('Try again')
  // Closed, it is silent; opened, it says so again.
  await page.locator('notification-center [part~=bell]').click()
  await missing.waitFor({ state: 'detached' })
  await page.locator('notification-center [part~=bell]').click()
  await missing.waitFor()
  come()
  await missing.click()
  await page.locator('notification-center .panel.open').waitFor()
  expect(await missing.count()).toBe(0)
})

test('times to snooze to and settings say that they did not come', { timeout: SLOW }, async () => {
  const userId = 'no-parts'
  await fillInbox(edge, userId)
  const { page, come } = await without(userId, 'rare', 'settings')
  const notice = page.locator('notification-center .notice')
  await page.locator('notification-center[data-ready]').waitFor()
  await page.locator('notification-center [part~=bell]').click()
  await page.locator('notification-center [part~=row]').first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('h')
  await expect.poll(() => notice.textContent()).toContain('Try again')
  await page.locator('notification-center .gear').click()
  await expect.poll(() => notice.textContent()).toContain('Try again')
  come()
  await notice.locator('button').click()
  await page.locator('notification-center .settings').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('notification-center .settings').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.locator('notification-center .sheet').waitFor()
})
