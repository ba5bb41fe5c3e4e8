// The built script in a page under the strictest policy, over the real edge: policy, navigation, outages, tabs.

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import SIZES from '../../.size-limit.json' with { type: 'json' }
import type { GivenEdge } from '../../edge/test/support/given.ts'
import { extendTimeouts, NOTICE_MS } from '../../tools/test/extend-timeouts.ts'
import type { HostPage } from '../gallery/host-page.ts'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { type GivenSite, givenSite } from './given-site.ts'
import { mount } from './mount.ts'
import { queued } from './queued.ts'

let site: GivenSite
let edge: GivenEdge
let host: HostPage
let browser: Browser
let context: BrowserContext
let page: Page
let userNo = 0
let userId = ''

beforeAll(async () => {
  site = await givenSite()
  ;({ edge, host, browser } = site)
})

afterAll(() => site?.stop())

beforeEach(async () => {
  userId = `life-${++userNo}`
  context = await browser.newContext()
  page = await context.newPage()
  await page.addInitScript(extendTimeouts, [NOTICE_MS])
  await page.goto(host.url)
})

afterEach(() => context.close())

const rows = () => page.locator('notification-center article.row')
const ready = () => page.waitForSelector('notification-center[data-ready]', { state: 'attached' })
const open = async () => {
  await page.locator('notification-center [part~=bell]').click()
  await rows().first().waitFor()
}
const found = (kind: 'violations' | 'defects') => page.evaluate((name) => Reflect.get(globalThis, name), kind)
const inboxOf = async () => (await edge.page(await edge.signIn(userId))).data
const stateIs = (state: string) =>
  page.waitForFunction(
    (wanted) => Reflect.get(document.querySelector('notification-center') ?? {}, 'state') === wanted,
    state,
  )

test('no violation and no defect through its whole life', async () => {
  await fillInbox(edge, userId)
  await mount(page, edge, userId, { toasts: 'all' })
  await ready()
  // The socket first states where it stands; what comes after that is an arrival.
  await expect
    .poll(async () => {
      await edge.track({ name: 'release.published', userId, properties: {} })
      return page.locator('notification-center [part~=toast]').count()
    })
    .toBeGreaterThan(0)
  await open()
  await rows().first().click()
  await page.locator('notification-center .tool').nth(1).click()
  await page.locator('notification-center .choice').first().click()
  await rows().nth(1).hover()
  await rows().nth(1).locator('.quick button').nth(1).click()
  await page.locator('notification-center .notice .link').click()
  await rows().nth(1).press('e')
  await page.locator('notification-center [role=tab]').last().click()
  await rows().first().waitFor()
  await page.keyboard.press('?')
  await page.locator('notification-center .keys').waitFor()
  await page.evaluate(() => document.querySelector('notification-center')?.setAttribute('locale', 'ar'))
  await page.locator('notification-center [part~=panel][lang=ar]').waitFor()
  await page.evaluate(async () => {
    const center = document.querySelector('notification-center')
    for (const theme of ['dark', 'light', 'auto']) center?.setAttribute('theme', theme)
    center?.setAttribute('dir', 'rtl')
    await Reflect.get(center ?? {}, 'signOut').call(center)
    center?.remove()
  })
  expect(await found('violations')).toEqual([])
  expect(await found('defects')).toEqual([])
  expect(await page.locator('[style]').count()).toBe(0)
})

test('an everyday session fetches the files whose sizes are held, and no other', async () => {
  const filesOf = (name: string) =>
    (SIZES.find((size) => size.name === name)?.path ?? []).map((path) => path.split('/').at(-1) ?? '').sort()
  const fetched = new Set<string>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/widget/') && response.ok()) fetched.add(pathname.split('/').at(-1) ?? '')
  })
  await page.reload()
  await fillInbox(edge, userId)
  await mount(page, edge, userId)
  await ready()
  await open()
  // By what the element has, not by rows that are drawn: those of before may still come, and one of them has Markdown.
  const newest = () =>
    page.evaluate(() => Reflect.get(document.querySelector('notification-center') ?? {}, 'messages')[0].id as string)
  const before = await newest()
  // Once: of a longer list not every row is in the page, and one of the first is pressed below.
  await edge.track({ name: 'release.published', userId, properties: {} })
  await expect.poll(newest).not.toBe(before)
  await page.locator(`notification-center [data-id="${await newest()}"]`).click()
  await page.locator('notification-center [part~=detail]').waitFor()
  await context.setOffline(true)
  await page.locator('notification-center [part~=offline]').waitFor()
  await context.setOffline(false)
  await stateIs('ready')
  await expect.poll(() => [...fetched].sort()).toEqual(filesOf('an everyday session'))
  // A message with Markdown is the one thing more that an ordinary session may open.
  await page.locator('notification-center .back').click()
  await rows().filter({ hasText: 'HG-20517' }).click()
  await page.locator('notification-center [part~=detail] strong').waitFor()
  await expect.poll(() => [...fetched].sort()).toEqual(filesOf('and a message with Markdown'))
})

test('a click survives the navigation that it causes', async () => {
  await edge.track({ name: 'payment.failed', userId, properties: {} })
  await mount(page, edge, userId)
  await ready()
  await open()
  await Promise.all([page.waitForURL('**/billing'), rows().first().locator('[part~=actions] a').click()])
  await expect.poll(async () => (await inboxOf())[0]?.clickedAt).not.toBeNull()
})

test('reads that could not be sent go out after a reload, once', async () => {
  await edge.track({ name: 'usage.high', userId, properties: {} })
  await context.route('**/event/register', (route) => route.abort())
  await mount(page, edge, userId)
  await ready()
  await open()
  await page.locator('notification-center [part~=badge]').waitFor({ state: 'hidden' })
  // It shows before it is on disk.
  await expect.poll(() => page.evaluate(queued, 'read')).toBe(1)
  await page.reload()
  expect((await inboxOf())[0]?.readAt).toBeNull()
  await context.unroute('**/event/register')
  await mount(page, edge, userId)
  await expect.poll(async () => (await inboxOf())[0]?.readAt).not.toBeNull()
})

test('without the service, a cold start shows the badge and the list that were stored', async () => {
  const { frontApiKey } = edge.demo.environments.dev
  await fillInbox(edge, userId)
  await mount(page, edge, userId)
  await ready()
  await expect
    .poll(() => page.evaluate(storedKeys))
    .toContainEqual(`inbox${JSON.stringify([frontApiKey, edge.url, userId])}`)
  await context.route('**/v1/**', (route) => route.abort())
  await page.reload()
  await mount(page, edge, userId)
  await stateIs('offline')
  await expect.poll(() => page.locator('notification-center [part~=badge]').textContent()).toBe('7')
  await open()
  // Not all are drawn in the first frame.
  await expect.poll(() => rows().count()).toBe(7)
})

test('the server restarts: the widget heals by itself and misses nothing', async () => {
  await mount(page, edge, userId)
  await ready()
  await edge.restart()
  await edge.track({ name: 'usage.high', userId, properties: {} })
  await page.waitForFunction(
    () => Reflect.get(document.querySelector('notification-center') ?? {}, 'unread') === 1,
    undefined,
    {
      timeout: 60_000,
    },
  )
  await stateIs('ready')
})

test('where a WebSocket cannot be had, it asks for changes', async () => {
  await page.addInitScript(() => {
    Reflect.set(
      globalThis,
      'WebSocket',
      class {
        constructor() {
          throw new Error('blocked')
        }
      },
    )
  })
  await page.reload()
  await mount(page, edge, userId)
  await ready()
  await edge.track({ name: 'usage.high', userId, properties: {} })
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await page.waitForFunction(() => Reflect.get(document.querySelector('notification-center') ?? {}, 'unread') === 1)
  await stateIs('ready')
})

test('a sign-out holds in all tabs', async () => {
  await mount(page, edge, userId)
  await ready()
  const other = await context.newPage()
  await other.goto(host.url)
  await mount(other, edge, userId)
  await other.waitForSelector('notification-center[data-ready]', { state: 'attached' })
  await other.evaluate(() => {
    const center = document.querySelector('notification-center')
    return Reflect.get(center ?? {}, 'signOut').call(center)
  })
  await stateIs('signed-out')
})

/** Runs in the page: the keys of what the widget keeps there. */
function storedKeys(): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('notification-center')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const asking = opening.result.transaction('log').objectStore('log').getAllKeys()
      asking.onsuccess = () => resolve(asking.result.map(String))
      asking.onerror = () => reject(asking.error)
    }
  })
}
