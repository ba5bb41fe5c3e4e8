// Presses that a person did not mean, with a real mouse and finger: the second of a double click on what has come under it, and the end of a drag over text.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { type GivenSite, givenSite } from './given-site.ts'
import { mount } from './mount.ts'
import { stableBox, stablePlace } from './stable-place.ts'

let site: GivenSite

beforeAll(async () => {
  site = await givenSite()
})

afterAll(() => site?.stop())

const inside = (page: Page, selector: string) => page.locator(`notification-center ${selector}`)

async function opened(userId: string, hasTouch = false): Promise<Page> {
  const page = await (await site.browser.newContext({ reducedMotion: 'reduce', hasTouch })).newPage()
  await page.goto(site.host.url)
  await fillInbox(site.edge, userId)
  await mount(page, site.edge, userId)
  await inside(page, '[part~=bell]').click()
  await inside(page, 'article.row').first().waitFor()
  return page
}

/** What is there in the detail, found by opening a message for a moment. */
async function placeOf(page: Page, selector: string): Promise<{ x: number; y: number }> {
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const place = await stablePlace(inside(page, selector))
  await page.keyboard.press('Escape')
  await inside(page, '[part~=detail]').waitFor({ state: 'detached' })
  return place
}

const idsInView = async (userId: string): Promise<number> =>
  (await site.edge.page(await site.edge.signIn(userId))).data.length

const DOUBLES = {
  'a double click': (page: Page, x: number, y: number) => page.mouse.dblclick(x, y),
  'a slow double click': (page: Page, x: number, y: number) => page.mouse.dblclick(x, y, { delay: 80 }),
  'two clicks that the browser counts each alone': async (page: Page, x: number, y: number) => {
    // Sent together: on a busy machine a press that waits for the one before may be too late for a double.
    const { mouse } = page
    await Promise.all([mouse.move(x, y), mouse.down(), mouse.up(), mouse.down(), mouse.up()])
  },
  'a triple click': (page: Page, x: number, y: number) => page.mouse.click(x, y, { clickCount: 3 }),
  'a double tap': async (page: Page, x: number, y: number) => {
    // Sent together, as above.
    await Promise.all([page.touchscreen.tap(x, y), page.touchscreen.tap(x, y)])
  },
}

test.each(Object.entries(DOUBLES))(
  '%s on a row opens it, and presses nothing of what comes under it',
  async (name, press) => {
    const userId = `double-${name.replaceAll(' ', '-')}`
    const page = await opened(userId, true)
    for (const tool of ['.tool.danger', '.tool >> nth=0', '.tool >> nth=1', '.tool >> nth=2']) {
      const { x, y } = await placeOf(page, tool)
      await press(page, x, y)
      await inside(page, '[part~=detail]').waitFor()
      expect(await inside(page, '.notice, .sheet').count(), tool).toBe(0)
      await page.keyboard.press('Escape')
      await inside(page, '[part~=detail]').waitFor({ state: 'detached' })
    }
    await page.evaluate(`document.querySelector('notification-center').hide()`)
    expect(await idsInView(userId)).toBe(7)
    await page.context().close()
  },
)

test('a double click in the detail presses nothing of the list that comes back', async () => {
  const page = await opened('double-back')
  const { x, y } = await placeOf(page, '.tool.danger')
  await inside(page, 'article.row').first().click()
  await inside(page, '[part~=detail]').waitFor()
  await page.mouse.dblclick(x, y)
  await inside(page, '.notice').waitFor()
  expect(await inside(page, '[part~=detail]').count()).toBe(0)
  expect(await inside(page, 'article.row').count()).toBe(6)
  await page.context().close()
})

test('a double click on what archives a row archives no other one', async () => {
  const page = await opened('double-archive')
  await inside(page, 'article.row').first().hover()
  await inside(page, 'article.row >> nth=0 >> .quick [aria-label=Archive]').dblclick({ delay: 80 })
  await inside(page, '.notice').waitFor()
  await expect.poll(() => idsInView('double-archive')).toBe(6)
  expect(await inside(page, 'article.row').count()).toBe(6)
  await page.context().close()
})

test('presses one after the other in other places all count', async () => {
  const page = await opened('quick')
  const { x, y } = await placeOf(page, '.tool.danger')
  const row = await stableBox(inside(page, 'article.row').first())
  await page.mouse.click(row.x + 40, row.y + 20)
  await page.mouse.click(x, y)
  await inside(page, '.notice').waitFor()
  expect(await inside(page, 'article.row').count()).toBe(6)
  await page.context().close()
})

test('dragging over the words of a row selects them and opens nothing; a press opens it', {}, async () => {
  const page = await opened('dragger')
  const words = await stableBox(inside(page, '.excerpt').first())
  const y = words.y + 8
  await page.mouse.move(words.x + 2, y)
  await page.mouse.down()
  await page.mouse.move(words.x + 120, y, { steps: 8 })
  await page.mouse.up()
  expect(await page.evaluate(() => getSelection()?.toString().length)).toBeGreaterThan(3)
  expect(await inside(page, '[part~=detail]').count()).toBe(0)
  await page.mouse.click(words.x + 2, y)
  await inside(page, '[part~=detail]').waitFor()
  await page.context().close()
})
