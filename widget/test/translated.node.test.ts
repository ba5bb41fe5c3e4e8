// Pages that the browser's own translation has gone over: it puts its words, in `font` elements, in place of each text.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { extendTimeouts, NOTICE_MS } from '../../tools/test/extend-timeouts.ts'
import type { NotificationCenter } from '../elements/notification-center.ts'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { type GivenSite, givenSite } from './given-site.ts'
import { mount } from './mount.ts'

let site: GivenSite

beforeAll(async () => {
  site = await givenSite()
})

afterAll(() => site?.stop())

async function opened(userId: string): Promise<Page> {
  const page = await (await site.browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.addInitScript(extendTimeouts, [NOTICE_MS])
  await page.goto(site.host.url)
  await mount(page, site.edge, userId)
  await page.locator('notification-center[data-ready]').waitFor({ state: 'attached' })
  await page.evaluate(`document.querySelector('notification-center').show()`)
  await inside(page, 'article.row').first().waitFor()
  return page
}

const inside = (page: Page, selector: string) => page.locator(`notification-center ${selector}`)

/** Runs in the page: as Chromium's translation does it. */
function translate(): void {
  const panel = document.querySelector('notification-center')?.shadowRoot?.querySelector('.panel') as Element
  const walker = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts.filter(({ data }) => data.trim() !== '')) {
    const [outer, inner] = [document.createElement('font'), document.createElement('font')]
    inner.textContent = `«${text.data.trim()}»`
    outer.append(inner)
    text.replaceWith(outer)
  }
}

test('counts, times and days that change take the place of the translated ones', async () => {
  await fillInbox(site.edge, 'translated')
  const page = await opened('translated')
  await page.evaluate(translate)
  const textOf = (selector: string) => inside(page, selector).first().textContent()
  for (const selector of ['.count', '.time', '.day']) expect(await textOf(selector)).toContain('«')
  await page.keyboard.press('Home')
  await page.keyboard.press('u')
  await expect.poll(() => textOf('.count')).toBe('6')
  await page.evaluate(`document.querySelector('notification-center').setAttribute('locale', 'fr')`)
  for (const selector of ['.day', '.time'])
    await expect.poll(() => textOf(selector), { message: selector }).not.toContain('«')
  await page.context().close()
})

test('in a long list no row has the translated words of another message', async () => {
  const properties = (no: number) => ({ who: `Person ${no}`, where: 'Plans', text: `No. ${no}` })
  for (let no = 0; no < 80; no++)
    await site.edge.track({ name: 'comment.added', userId: 'translated-long', properties: properties(no) })
  const page = await opened('translated-long')
  const scrollTo = (top: number) => inside(page, '.scroller').evaluate((list, top) => list.scrollTo(0, top), top)
  // With its second page the list is a long one.
  await expect
    .poll(async () => {
      await scrollTo(1e6)
      return page.evaluate(
        `document.querySelector('notification-center').messages.length > 51 && document.querySelector('notification-center').shadowRoot.querySelector('.windowed') !== null`,
      )
    })
    .toBe(true)
  await page.evaluate(translate)
  await scrollTo(0)
  const wrong = () =>
    page.evaluate(() => {
      const center = document.querySelector('notification-center') as NotificationCenter
      return [...(center.shadowRoot?.querySelectorAll<HTMLElement>('article.row') ?? [])].flatMap((row) => {
        const title = center.messages.find(({ id }) => id === row.dataset.id)?.title ?? 'none'
        return row.querySelector('.title')?.textContent?.includes(title) ? [] : [`${title}: ${row.textContent}`]
      })
    })
  // Rows that it has not seen.
  await expect.poll(() => inside(page, 'article.row:not(:has(font))').count()).toBeGreaterThan(5)
  expect(await wrong()).toEqual([])
  await page.context().close()
})

test('names that change take the place of the translated ones: tabs, what is chosen, a word with “undo”, the heading', {}, async () => {
  const userId = 'translated-names'
  const track = (name: string) => site.edge.track({ name, userId, properties: {} })
  for (const name of ['usage.high', 'payment.failed']) await track(name)
  const page = await opened(userId)
  const names = async () =>
    (await inside(page, '[role=tab]').allTextContents()).map((name) => name.replace(/\d/, '').trim())
  await expect.poll(names).toEqual(['All', 'Unread', 'Account', 'Billing', 'Snoozed', 'Archived'])
  await page.evaluate(translate)
  // One more comes between them.
  await site.edge.track({ name: 'comment.added', userId, properties: { who: 'Mira', where: 'Plans', text: 'Yes' } })
  await expect.poll(async () => (await names()).slice(4)).toEqual(['Mentions', 'Snoozed', 'Archived'])
  const textOf = (selector: string) => inside(page, selector).first().textContent()
  const followed = async (selector: string, words: string, act: () => Promise<void>): Promise<void> => {
    await inside(page, selector).first().waitFor()
    await page.evaluate(translate)
    expect(await textOf(selector)).toContain('«')
    await act()
    await expect.poll(() => textOf(selector), { message: selector }).toBe(words)
  }
  await page.keyboard.press('Home')
  await page.keyboard.press('x')
  await followed('.chosen', '2 selected', async () => {
    await page.keyboard.press('j')
    await page.keyboard.press('x')
  })
  await page.keyboard.press('Escape')
  await page.keyboard.press('e')
  await followed('.notice span', 'Snoozed', async () => {
    await page.keyboard.press('h')
    await inside(page, '.sheet .choice').first().click()
  })
  await followed('.heading', 'Notification settings', () => inside(page, '.gear').click())
  await page.context().close()
})
