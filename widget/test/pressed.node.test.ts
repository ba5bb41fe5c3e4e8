// What is pressed looks pressed, in light, in dark, and where the colours are the system's.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { type GivenSite, givenSite } from './given-site.ts'
import { mount } from './mount.ts'

let site: GivenSite

beforeAll(async () => {
  site = await givenSite()
})

afterAll(() => site?.stop())

async function opened(userId: string, options: Parameters<Browser['newContext']>[0]): Promise<Page> {
  const { browser, edge, host } = site
  const page = await (await browser.newContext({ reducedMotion: 'reduce', ...options })).newPage()
  await page.goto(host.url)
  await fillInbox(edge, userId)
  await mount(page, edge, userId)
  await page.locator('notification-center [part~=bell]').click()
  await page.locator('notification-center article.row').first().waitFor()
  return page
}

/** How it looks while the mouse is over it, and while it is held down there. */
async function looks(page: Page, selector: string): Promise<[string, string]> {
  const target = page.locator(`notification-center ${selector}`).first()
  const look = () =>
    target.evaluate((each) => {
      const { opacity, outlineStyle, backgroundColor } = getComputedStyle(each)
      const isForced = matchMedia('(forced-colors: active)').matches
      return `${opacity} ${outlineStyle} ${isForced ? '' : backgroundColor}`
    })
  await target.hover()
  const before = await look()
  await page.mouse.down()
  const during = await look()
  // Let go elsewhere, so that nothing happens.
  await page.mouse.move(1, 1)
  await page.mouse.up()
  return [before, during]
}

test.each([
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['forced', { forcedColors: 'active' }],
] as const)('%s: bell, tabs, buttons and rows look different while they are held', async (name, options) => {
  const page = await opened(`pressed-${name}`, options)
  for (const selector of ['[part~=bell]', '.tab[aria-selected=false]', '.gear', 'article.row']) {
    const [before, during] = await looks(page, selector)
    expect(during, selector).not.toBe(before)
  }
  // One that is off cannot be pressed.
  await page.evaluate(`document.querySelector('notification-center').markAllRead()`)
  await page.locator('notification-center .mark-all[aria-disabled]').waitFor()
  const [before, during] = await looks(page, '.mark-all')
  expect(during).toBe(before)
  await page.context().close()
})
