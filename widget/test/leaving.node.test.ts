// What somebody did reaches the service in its order, and also when the page goes in the same moment.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { type GivenSite, givenSite } from './given-site.ts'
import { mount } from './mount.ts'

const ROW = 'notification-center article.row'
let site: GivenSite

beforeAll(async () => {
  site = await givenSite()
})

afterAll(() => site?.stop())

async function opened(userId: string): Promise<Page> {
  const page = await (await site.browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.goto(site.host.url)
  await fillInbox(site.edge, userId)
  await mount(page, site.edge, userId)
  await page.locator('notification-center [part~=bell]').click()
  await page.locator(ROW).first().waitFor()
  return page
}

const idsOf = (page: Page): Promise<string[]> =>
  page.locator(ROW).evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.id ?? ''))

/** Presses the key on each element, or the element itself, and follows a link, all in one task, which is still on when the other page is there. */
async function pressAndLeave(page: Page, selector: string, key?: string): Promise<void> {
  const left = page.waitForURL('**/elsewhere')
  await page.evaluate(
    ([selector, key]) => {
      const root = document.querySelector('notification-center')?.shadowRoot
      for (const element of root?.querySelectorAll<HTMLElement>(selector ?? '') ?? [])
        if (key === undefined) element.click()
        else element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }))
      location.href = '/elsewhere'
      // Nothing that waits for the disk or the network goes on before the page goes.
      for (const from = performance.now(); performance.now() - from < 500; );
    },
    [selector, key],
  )
  await left
}

async function shown(userId: string): Promise<string[]> {
  return (await site.edge.page(await site.edge.signIn(userId))).data.map(({ id }) => id)
}

test('rows that are archived one after the other as the page goes stay archived', async () => {
  const page = await opened('leaver')
  expect((await idsOf(page)).length).toBeGreaterThan(2)
  await pressAndLeave(page, 'article.row', 'e')
  await expect.poll(() => shown('leaver')).toEqual([])
  await page.context().close()
})

test('what is deleted as the page goes stays deleted', async () => {
  const page = await opened('remover')
  const [, ...others] = await idsOf(page)
  await page.locator(ROW).first().press('x')
  await page.locator('notification-center .bulk .spring').waitFor()
  await pressAndLeave(page, '.bulk .spring button:last-of-type')
  await expect.poll(() => shown('remover')).toEqual(others)
  await page.context().close()
})

test('what is opened while its mark as unread is on its way has no dot in the end', async () => {
  const page = await opened('opener')
  const first = page.locator(ROW).first()
  const isUnopened = async () => (await site.edge.page(await site.edge.signIn('opener'))).data[0]?.unopened
  await first.press('Enter')
  await expect.poll(isUnopened).toBe(false)
  await page.keyboard.press('Escape')
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const asked = page.waitForRequest((request) => request.method() === 'PATCH')
  await page.route('**/v1/inbox/messages/*', async (route) => {
    if (route.request().method() === 'PATCH') await held
    await route.continue()
  })
  await first.press('u')
  await asked
  await first.press('Enter')
  await page.locator('notification-center .detail-scroll').waitFor()
  // Out of its turn it would go in this time.
  await page.waitForRequest('**/event/register', { timeout: 500 }).catch(() => undefined)
  release()
  await page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await expect.poll(isUnopened).toBe(false)
  await page.locator('notification-center .tool', { hasText: 'Mark as unread' }).waitFor()
  await page.context().close()
})
