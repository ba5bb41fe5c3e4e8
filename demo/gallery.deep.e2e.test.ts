// Tests that the gallery shows every state on a real element under the strict policy, fully translated, also on a phone.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CALL_MS, extendTimeouts, NOTICE_MS, TOAST_MS } from '../tools/test/extend-timeouts.ts'
import { leaveBrowser, shareBrowser } from '../tools/test/one-browser.ts'
import { SCENES } from './page/gallery/scenes.ts'
import { type GivenDemo, givenDemo, visit } from './test/browser.ts'
import { installPseudoLanguage, PSEUDO, readWords } from './test/pseudo-language.ts'

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

/** Selectors that show that a state is complete, for states that are not a list or a bell. */
const SIGNS: Record<string, string> = {
  detail: '[part~=detail]',
  'detail-photo': '.picture img',
  empty: '[part~=empty]',
  error: '[part~=error]',
  'list-error': '[part~=error]',
  'more-error': '.more',
  keys: '.keys',
  loading: '.bone-row',
  offline: '[part~=offline]',
  preferences: '.hours',
  'preferences-error': '.settings [part~=error]',
  refused: '[part~=error]',
  'rolled-back': '.notice',
  selection: '.bulk',
  snooze: '.sheet',
  toasts: '[part~=toast]',
  undo: '.notice .link',
  unreachable: '[part~=empty] .button',
}

/** Keeps what a state shows for seconds only until the test has seen it. */
async function prepare(page: Page): Promise<void> {
  await installPseudoLanguage(page)
  await page.addInitScript(extendTimeouts, [NOTICE_MS, TOAST_MS, CALL_MS])
}

test('every state comes about, in a language of which no word is English', async () => {
  const waiting = [...SCENES]
  const faults: string[] = []
  const walk = async (): Promise<void> => {
    for (let scene = waiting.shift(); scene !== undefined; scene = waiting.shift()) {
      const url = `${given.edge.url}/gallery/${scene.name}?locale=${PSEUDO}`
      const { page, faults: seen } = await visit(browser, url, 'u_42', 'html', prepare)
      await page.locator('html[data-scene]').waitFor({ timeout: 60_000 })
      const state = await page.locator('html').getAttribute('data-scene')
      const sign = SIGNS[scene.name] ?? (scene.act === undefined || scene.isLow ? '[part~=bell]' : '[part~=panel]')
      const shown = page.locator(`notification-center ${sign}`)
      // Some parts of the widget are loaded when they are first needed.
      await shown
        .first()
        .waitFor({ state: 'attached', timeout: 60_000 })
        .catch(() => {})
      const count = await shown.count()
      if (state !== 'there' || count === 0) faults.push(`${scene.name}: ${state}, ${count} × ${sign}`)
      // The translation is loaded after the badge.
      const strays = () => page.evaluate(readWords)
      await expect
        .poll(strays)
        .toEqual([])
        .catch(() => {})
      faults.push(...(await strays()).map((text) => `${scene.name}: ${JSON.stringify(text)}`))
      faults.push(...seen.map((fault) => `${scene.name}: ${fault}`))
      await page.context().close()
    }
  }
  await Promise.all([walk(), walk(), walk()])
  expect(faults).toEqual([])
})

test('a list that cannot go on comes about on a phone too, where its first rows need no scrolling', {
  timeout: 60_000,
}, async () => {
  const { page } = await visit(browser, `${given.edge.url}/gallery`, 'u_42', '#states')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`${given.edge.url}/gallery/more-error`)
  await page.locator('html[data-scene]').waitFor({ timeout: 50_000 })
  expect(await page.locator('html').getAttribute('data-scene')).toBe('there')
  await page.locator('notification-center .more').waitFor()
  await page.context().close()
})

test('the gallery has a frame for each, and its looks reach them', async () => {
  const { page, faults } = await visit(browser, `${given.edge.url}/gallery`, 'u_42', '#states iframe >> nth=0')
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.locator('#states iframe').count()).toBe(SCENES.length)
  await page.getByText('Dark', { exact: true }).first().click()
  await page.locator('#looks .theme-choice:has(input[value=rtl])').click()
  await expect.poll(() => page.locator('#bell iframe').getAttribute('src')).toBe('/gallery/bell?theme=dark&dir=rtl')
  await page
    .frameLocator('#bell iframe')
    .locator('notification-center[theme=dark][dir=rtl]')
    .waitFor({ timeout: 60_000 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  expect(faults).toEqual([])
  await page.context().close()
})
