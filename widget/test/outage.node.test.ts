// The service goes away while a page is there: the page is told once, and the bar says whether it is the device's network or the service. Over a line that can be cut.

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { type Line, openLine } from './browsers/line.ts'
import { type GivenSite, givenOwnSite } from './given-site.ts'
import { has } from './has.ts'
import { mount } from './mount.ts'

const UNREACHED = 'The service can’t be reached'
const OFFLINE = 'You’re offline'
let line: Line
let site: GivenSite

beforeAll(async () => {
  line = await openLine()
  site = await givenOwnSite(line)
})

afterAll(async () => {
  await site?.stop()
  await line?.close()
})

async function opened(context: BrowserContext, userId: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(site.host.url)
  await page.evaluate(() => {
    const told: string[] = []
    Object.assign(globalThis, { told })
    document.addEventListener('nc-error', (event) => {
      told.push(`${Reflect.get(event, 'code')} ${Reflect.get(event.target ?? {}, 'state')}`)
    })
  })
  await mount(page, site.edge, userId, { 'base-url': line.url })
  await has(page, 'state', 'ready')
  await page.evaluate(`document.querySelector('notification-center').show()`)
  return page
}

const told = (page: Page): Promise<string[]> => page.evaluate('told')
const bar = (page: Page) => page.locator('notification-center [part~=offline]')

test('every tab is told once when the service goes away, and once when it goes again', async () => {
  const context = await site.browser.newContext()
  await fillInbox(site.edge, 'told')
  const pages = [await opened(context, 'told'), await opened(context, 'told')]
  for (const page of pages) expect(await told(page)).toEqual([])
  for (const times of [1, 2]) {
    line.cut()
    for (const page of pages) await has(page, 'state', 'offline')
    for (const page of pages) expect(await told(page)).toEqual(new Array(times).fill('client/no-answer offline'))
    line.mend()
    for (const page of pages) {
      await page.evaluate(() => dispatchEvent(new Event('online')))
      await has(page, 'state', 'ready')
    }
  }
  await context.close()
})

test('the bar says that the service is away, or that the device is offline', async () => {
  const context = await site.browser.newContext()
  await fillInbox(site.edge, 'barred')
  const page = await opened(context, 'barred')
  line.cut()
  await bar(page).getByText(UNREACHED).waitFor()
  await context.setOffline(true)
  await bar(page).getByText(OFFLINE).waitFor()
  await context.setOffline(false)
  await bar(page).getByText(UNREACHED).waitFor()
  line.mend()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await bar(page).waitFor({ state: 'detached' })
  await context.close()
})

test('the bar lies above the first snoozed message, and not over it', async () => {
  const context = await site.browser.newContext({ reducedMotion: 'reduce' })
  await fillInbox(site.edge, 'lowered')
  const page = await opened(context, 'lowered')
  const center = page.locator('notification-center')
  await center.locator('[part~=row]').first().focus()
  await page.keyboard.press('h')
  // A change that has no answer when the line is cut is put back, and the list is empty.
  const kept = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await center.locator('.sheet .choice').first().click()
  await kept
  await center.getByRole('tab', { name: 'Snoozed' }).click()
  const row = center.locator('[part~=row]')
  await expect.poll(() => row.count()).toBe(1)
  line.cut()
  await bar(page).getByText(UNREACHED).waitFor()
  const [over, below] = [await bar(page).boundingBox(), await row.boundingBox()]
  expect(below?.y).toBeGreaterThanOrEqual((over?.y ?? 0) + (over?.height ?? 0))
  line.mend()
  await context.close()
})
