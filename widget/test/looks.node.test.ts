// How the built element looks, where it can be measured: one edge for all that begins a line, tabs without room that fade, and what is cut is told.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InboxPreferences } from '../../contract/api.ts'
import { extendTimeouts, NOTICE_MS, TOAST_MS } from '../../tools/test/extend-timeouts.ts'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { type GivenSite, givenSite } from './given-site.ts'
import { mount } from './mount.ts'

const SLOW = 60_000
let site: GivenSite

beforeAll(async () => {
  site = await givenSite()
})

afterAll(() => site?.stop())

type Attributes = Record<string, string>

/** A page with the panel open over seven messages; `before` meets the page first. */
async function opened(attributes: Attributes = {}, before: (page: Page) => Promise<void> = async () => {}) {
  const userId = `looks-${crypto.randomUUID()}`
  const context = await site.browser.newContext({ viewport: { width: 900, height: 700 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await before(page)
  await page.goto(site.host.url)
  await fillInbox(site.edge, userId)
  await mount(page, site.edge, userId, attributes)
  await page.locator('notification-center[data-ready]').waitFor({ state: 'attached' })
  await page.evaluate(`document.querySelector('notification-center').show()`)
  await page.locator('notification-center article.row').nth(6).waitFor({ state: 'attached' })
  return { page, inside: (selector: string) => page.locator(`notification-center ${selector}`) }
}

/** Runs in the page: how far from the start of the panel's line the words, or the box, of each begin. */
function startsOf(selectors: string[]): Record<string, number> {
  const panel = document.querySelector('notification-center')?.shadowRoot?.querySelector('.panel') as HTMLElement
  const outer = panel.getBoundingClientRect()
  const isRtl = getComputedStyle(panel).direction === 'rtl'
  return Object.fromEntries(
    selectors.map((selector) => {
      const range = document.createRange()
      range.selectNodeContents(panel.querySelector(selector) as Element)
      const { left, right } = range.getBoundingClientRect()
      return [selector, Math.round(isRtl ? outer.right - right : left - outer.left)]
    }),
  )
}

describe.each([
  ['left to right', {}],
  ['right to left', { dir: 'rtl' }],
] as [string, Attributes][])('%s', (_, attributes) => {
  test('heading, tabs, days and what lies below them begin on one line', async () => {
    const { page, inside } = await opened(attributes)
    await inside('.tab').first().waitFor()
    const list = await page.evaluate(startsOf, ['.heading', '.tab', '.day'])
    expect(new Set(Object.values(list)), JSON.stringify(list)).toEqual(new Set([23]))
    await page.context().setOffline(true)
    await page.evaluate(`dispatchEvent(new Event('offline'))`)
    await inside('.offline').waitFor()
    const offline = await page.evaluate(startsOf, ['.heading', '.offline'])
    expect(offline['.offline'], JSON.stringify(offline)).toBe(offline['.heading'])
    await page.context().close()
  })

  test('tabs without room fade at the side where more are, also without motion', async () => {
    const { page, inside } = await opened(attributes)
    const ends = () =>
      inside('.tabs').evaluate((line) => {
        const { maskImage } = getComputedStyle(line)
        return { before: maskImage.includes(') 36px'), after: maskImage.includes('(100% - 36px)') }
      })
    await expect.poll(ends).toEqual({ before: false, after: true })
    await inside('.tabs').evaluate((line) =>
      line.scrollBy({ left: getComputedStyle(line).direction === 'rtl' ? -1e4 : 1e4 }),
    )
    await expect.poll(ends).toEqual({ before: true, after: false })
    await page.context().close()
  })
})

test('in a panel from right to left the end of words that are cut is told', async () => {
  const { page, inside } = await opened({ dir: 'rtl' })
  const row = inside('article.row').nth(1)
  const excerpt = row.locator('.excerpt')
  /** What stands between the last line and the picture, where the ellipsis of words from left to right has its place. */
  const gap = async (): Promise<string> => {
    const [words, picture] = await Promise.all([excerpt.boundingBox(), row.locator('.avatar').boundingBox()])
    if (!words || !picture) throw new Error('not there')
    const clip = { x: picture.x - 12, y: words.y + words.height - 12, width: 12, height: 12 }
    return (await page.screenshot({ clip })).toString('base64')
  }
  const words = (text: string) =>
    excerpt.evaluate((box, text) => {
      box.textContent = text
    }, text)
  await words('Nothing is cut.')
  const blank = await gap()
  await words('Translations that go on and on. '.repeat(20))
  expect(await gap()).not.toBe(blank)
  await page.context().close()
})

test('chosen rows differ from the others', async () => {
  const { page, inside } = await opened()
  for (const key of ['Home', 'x', 'j', 'j']) await page.keyboard.press(key)
  await inside('.bulk').waitFor()
  const ground = (at: number) =>
    inside('article.row')
      .nth(at)
      .evaluate((row) => getComputedStyle(row).backgroundColor)
  expect(await ground(0)).not.toBe(await ground(1))
  await page.context().close()
})

test('settings that fail say so in the middle of the panel', async () => {
  const { page, inside } = await opened({}, async (page) => {
    await page.route('**/v1/inbox/preferences?*', (route) => route.fulfill({ status: 503, body: '' }))
  })
  await inside('.gear').click()
  await inside('.settings [part~=error]').waitFor()
  const [outer, inner] = await Promise.all(['.detail-scroll', '[part~=error]'].map((one) => inside(one).boundingBox()))
  if (!outer || !inner) throw new Error('not there')
  const [above, below] = [inner.y - outer.y, outer.y + outer.height - inner.y - inner.height]
  expect(Math.abs(above - below), `${above} above, ${below} below`).toBeLessThan(20)
  const button = await inside('[part~=error] .button').boundingBox()
  expect(button?.height).toBeGreaterThanOrEqual(36)
  await page.context().close()
})

test('a category whose name takes several lines has their room in the settings', async () => {
  const { page, inside } = await opened({ locale: 'de' })
  await page.setViewportSize({ width: 320, height: 640 })
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  await inside('.gear').click()
  await inside('.setting .switch').first().waitFor()
  const beyond = await inside('.settings').evaluate((settings) => {
    settings.querySelector('.setting-name')?.append('Gemeinschaftsnachrichten')
    return [...settings.querySelectorAll('.setting')].map((row) => {
      const lowest = Math.max(...[...row.children].map((child) => child.getBoundingClientRect().bottom))
      return lowest - row.getBoundingClientRect().bottom
    })
  })
  expect(Math.max(...beyond)).toBeLessThanOrEqual(0)
  await page.context().close()
})

test('the heads of the settings stand apart with texts of twice the size, each over its switches', {}, async () => {
  const { page, inside } = await opened({ locale: 'de' })
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  // As an environment answers that can send mail.
  await page.route('**/v1/inbox/preferences?*', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as InboxPreferences
    for (const { channels } of answer.categories) channels.email ??= true
    await route.fulfill({ response, json: answer })
  })
  await inside('.gear').click()
  await inside('.setting .switch').first().waitFor()
  const { gap, offsets, heights } = await inside('.settings').evaluate((settings) => {
    const heads = [...settings.querySelectorAll('.settings-heads span')].map((head) => {
      const range = document.createRange()
      range.selectNodeContents(head)
      return range.getBoundingClientRect()
    })
    const middle = ({ left, right }: DOMRect) => (left + right) / 2
    const switches = [...(settings.querySelector('.setting:has(.switch)')?.querySelectorAll('.switch') ?? [])]
    return {
      gap: (heads[1]?.left ?? 0) - (heads[0]?.right ?? 0),
      heights: new Set(heads.map(({ height }) => Math.round(height))).size,
      offsets: heads.map((head, at) =>
        Math.abs(middle(head) - middle(switches[at]?.getBoundingClientRect() as DOMRect)),
      ),
    }
  })
  expect(gap).toBeGreaterThanOrEqual(6)
  expect(Math.max(...offsets)).toBeLessThan(1)
  // The longer word stands on one line, as the shorter does.
  expect(heights).toBe(1)
  await page.context().close()
})

test('a large number leaves the bell to be seen', { timeout: 2 * SLOW }, async () => {
  const { page, inside } = await opened()
  const userId = await inside('.root').evaluate((root) =>
    (root.getRootNode() as ShadowRoot).host.getAttribute('user-id'),
  )
  await page.evaluate(`document.querySelector('notification-center').hide()`)
  await fillInbox(site.edge, userId as string, 15)
  await inside('.badge').getByText('99+').waitFor()
  const covered = await inside('.bell').evaluate((bell) => {
    const drawn = bell.querySelector('path')?.getBoundingClientRect() as DOMRect
    const badge = bell.parentElement?.querySelector('.badge')?.getBoundingClientRect() as DOMRect
    return (badge.bottom - drawn.top) / drawn.height
  })
  expect(covered).toBeLessThan(1 / 3)
  await page.context().close()
})

test('the ring around what has the focus is whole at the round corners', async () => {
  const { page, inside } = await opened()
  const roundOf = (selector: string) => inside(selector).evaluate((box) => getComputedStyle(box).borderRadius)
  const round = await roundOf('.panel')
  await page.keyboard.press('End')
  await expect.poll(() => roundOf('.row:focus-visible')).toBe(round)
  await page.keyboard.press('Enter')
  await expect.poll(() => roundOf('.detail-scroll:focus-visible')).toBe(round)
  await page.context().close()
})

test('a printed page has neither panel nor toasts over it, and an inline panel in its place', {}, async () => {
  const seen = ({ page }: { page: Page }, name: string) =>
    page.evaluate((name) => {
      const box = document.querySelector('notification-center')?.shadowRoot?.querySelector(name)
      return box?.checkVisibility({ visibilityProperty: true })
    }, name)
  const popover = await opened({ toasts: 'all' }, async (page) => {
    await page.addInitScript(extendTimeouts, [NOTICE_MS, TOAST_MS])
  })
  await popover.page.evaluate(`document.querySelector('notification-center').hide()`)
  await site.edge.track({
    name: 'release.published',
    userId: await popover.page.evaluate(`document.querySelector('notification-center').userId`),
    properties: {},
  })
  await popover.inside('.toast').waitFor()
  const both = [popover, await opened({ mode: 'inline' })] as const
  const all = async () => [await seen(both[0], '.bell'), await seen(both[0], '.toasts'), await seen(both[1], '.panel')]
  expect(await all()).toEqual([true, true, true])
  for (const { page } of both) await page.emulateMedia({ media: 'print' })
  expect(await all()).toEqual([true, false, true])
  await popover.page.evaluate(`document.querySelector('notification-center').show()`)
  await popover.page.emulateMedia({ media: 'screen' })
  expect(await seen(popover, '.panel')).toBe(true)
  await popover.page.emulateMedia({ media: 'print' })
  expect(await seen(popover, '.panel')).toBe(false)
  for (const { page } of both) await page.context().close()
})

test('while the service is out of reach one line says so, and no row moves', async () => {
  const { page, inside } = await opened()
  const places = () =>
    inside('article.row').evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().top)))
  const before = await places()
  await page.context().setOffline(true)
  await page.evaluate(`dispatchEvent(new Event('offline'))`)
  await inside('.offline').waitFor()
  expect(await places()).toEqual(before)
  const [bar, tabs, row] = await Promise.all(
    ['.offline', '.tabs', 'article.row >> nth=0'].map((one) => inside(one).boundingBox()),
  )
  if (!bar || !tabs || !row) throw new Error('not there')
  expect(bar.y).toBeCloseTo(tabs.y + tabs.height, 0)
  expect(bar.height).toBeLessThan(40)
  expect(bar.y + bar.height, 'it covers the day, not the row').toBeLessThanOrEqual(row.y + 1)
  await page.context().close()
})

test('a panel with few messages is as high as they are, and has room for one that is open', {}, async () => {
  const { page, inside } = await opened()
  const height = async () => (await inside('.panel').boundingBox())?.height ?? 0
  const full = await height()
  for (let left = 7; left > 3; left--) {
    await page.keyboard.press('Home')
    await page.keyboard.press('e')
    await expect.poll(() => inside('article.row').count()).toBe(left - 1)
  }
  await expect.poll(height).toBeLessThan(full - 80)
  const [list, rows] = await Promise.all(['.scroller', '.rows'].map((one) => inside(one).boundingBox()))
  // The panel ends at a whole pixel.
  const over = (list?.height ?? 0) - (rows?.height ?? 0)
  expect(over).toBeGreaterThanOrEqual(0)
  expect(over).toBeLessThan(1)
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect.poll(height).toBe(full)
  await page.context().close()
})

test('a picture that does not come leaves no room', async () => {
  const id = crypto.randomUUID()
  await site.edge.publish({
    key: `pictured-${id}`,
    name: 'Pictured',
    trigger: { event: `pictured.${id}` },
    steps: [{ id: 'tell', type: 'inbox', title: 'Pictured', imageUrl: 'https://pictures.example/none.png' }],
  })
  const { page, inside } = await opened({}, async (page) => {
    await page.route('https://pictures.example/**', (route) => route.abort())
  })
  const userId = await page.evaluate(`document.querySelector('notification-center').userId`)
  await site.edge.track({ name: `pictured.${id}`, userId, properties: {} })
  await inside('article.row').filter({ hasText: 'Pictured' }).click()
  await inside('[part~=detail]').waitFor()
  await expect.poll(() => inside('.picture').isVisible()).toBe(false)
  expect(await inside('.picture').count()).toBe(1)
  await page.context().close()
})

test('text of twice the size has a bell, icons and pictures of twice the size', async () => {
  const { page, inside } = await opened()
  const sizes = () =>
    Promise.all(
      ['.bell', '.gear', '.avatar >> nth=0', '.dot >> nth=0', '.badge'].map(
        async (one) => (await inside(one).boundingBox())?.height ?? 0,
      ),
    )
  const before = await sizes()
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  const after = await sizes()
  for (const [at, size] of before.entries()) expect((after[at] ?? 0) / size).toBeCloseTo(2, 1)
  await page.context().close()
})
