// A browser that restores its tabs: all of them begin at the same time, one in view, and one sign-in serves them.

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { type GivenSite, givenSite } from './given-site.ts'
import { has } from './has.ts'
import { mount, tagOf } from './mount.ts'
import { storedSeq } from './stored-seq.ts'

const TABS = 8
let site: GivenSite

beforeAll(async () => {
  site = await givenSite()
})

afterAll(() => site?.stop())

/** Runs in the page, before its scripts: a browser without windows shows every page. */
function hide(): void {
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
}
function show(): void {
  Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
}

/** A browser that has shown this user's inbox before, and the sign-ins from now on. */
async function givenBrowser(userId: string): Promise<{ context: BrowserContext; signIns: string[] }> {
  const { browser, edge, host } = site
  await fillInbox(edge, userId)
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(host.url)
  await mount(page, edge, userId)
  await has(page, 'state', 'ready')
  await expect.poll(() => page.evaluate(storedSeq, userId)).toBeGreaterThan(0)
  await page.close()
  const signIns: string[] = []
  context.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/users/auth')) signIns.push(request.url())
  })
  return { context, signIns }
}

/** Pages without the element yet, so that it begins in all of them at the same time. */
async function openTabs(context: BrowserContext, count: number, isHidden: boolean): Promise<Page[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const page = await context.newPage()
      if (isHidden) await page.addInitScript(hide)
      await page.goto(site.host.url)
      return page
    }),
  )
}

test.each([
  // The one in view waits for nobody: a hidden one may have begun before it.
  ['one in view', 1, 2],
  ['all hidden', 0, 1],
])(`${TABS} restored tabs, %s, share a sign-in, and all hear what comes`, async (_, seen, most) => {
  const userId = `restored-${seen}`
  const { context, signIns } = await givenBrowser(userId)
  const tabs = [...(await openTabs(context, seen, false)), ...(await openTabs(context, TABS - seen, true))]
  await Promise.all(tabs.map((page) => mount(page, site.edge, userId)))
  await Promise.all(tabs.map((page) => has(page, 'state', 'ready')))
  await site.edge.track({ name: 'usage.high', userId, properties: {} })
  await Promise.all(tabs.map((page) => has(page, 'unread', 8)))
  expect(signIns.length).toBeGreaterThan(0)
  expect(signIns.length).toBeLessThanOrEqual(most)
  await context.close()
})

test('a hidden tab that waits begins when it is shown, or when the one before it has no answer', {}, async () => {
  const userId = 'restored-waits'
  const { context, signIns } = await givenBrowser(userId)
  const [first, second, third] = (await openTabs(context, 3, true)) as [Page, Page, Page]
  // Its sign-in hangs, and with it its turn.
  await first.route('**/v1/users/auth', () => {})
  await mount(first, site.edge, userId)
  await expect.poll(() => signIns.length).toBe(1)
  await mount(second, site.edge, userId)
  await mount(third, site.edge, userId)
  await second.evaluate(show)
  await has(second, 'state', 'ready')
  await first.close()
  await has(third, 'state', 'ready')
  // The third one heard it from the second.
  expect(signIns).toHaveLength(2)
  await context.close()
})

test('tabs whose token is another ask for themselves', async () => {
  const userId = 'restored-stranger'
  const { context, signIns } = await givenBrowser(userId)
  const [own, stranger] = (await openTabs(context, 2, true)) as [Page, Page]
  await mount(own, site.edge, userId)
  await mount(stranger, site.edge, userId, { ...tagOf(site.edge, userId), token: 'wrong' })
  await has(own, 'state', 'ready')
  await has(stranger, 'state', 'error')
  expect(signIns).toHaveLength(2)
  await context.close()
})
