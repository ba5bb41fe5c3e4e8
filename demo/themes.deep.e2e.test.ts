// Tests the theme page: changes show on a real bell and panel at once and equal the copied CSS, under the strict policy.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveBrowser, shareBrowser } from '../tools/test/one-browser.ts'
import { type GivenDemo, givenDemo, visit } from './test/browser.ts'

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

const PANEL = '#preview [part~="panel"]'
const colourOf = (page: Page, part: string, name: string) =>
  page.locator(part).evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name)
const themeOf = (name: string) =>
  name === 'Standard'
    ? '/* The standard theme needs none. */'
    : readFileSync(new URL(`../widget/themes/${name.toLowerCase()}.css`, import.meta.url), 'utf8')
const css = (page: Page) => page.locator('#css').textContent()

test('a ready theme and a colour of one’s own are seen at once and stand in the CSS', async () => {
  const { page, faults } = await visit(browser, `${given.edge.url}/themes`, 'u_42', '#preview [part~="row"] >> nth=0')
  expect(await css(page)).toBe('/* The standard theme needs none. */')

  await page.getByText('Meadow', { exact: true }).click()
  await expect.poll(() => colourOf(page, PANEL, 'background-color')).toBe('rgb(255, 253, 247)')
  await expect.poll(() => colourOf(page, '#bell [part~="badge"]', 'background-color')).toBe('rgb(168, 71, 31)')
  expect(themeOf('Meadow')).toContain(await css(page))

  await page.locator('.theme-choice', { hasText: 'Dark' }).click()
  await expect.poll(() => colourOf(page, PANEL, 'background-color')).toBe('rgb(23, 28, 24)')

  await page.getByLabel('Panel, dark').fill('#102030')
  await page.getByLabel('Corners').fill('4')
  await expect.poll(() => colourOf(page, PANEL, 'background-color')).toBe('rgb(16, 32, 48)')
  await expect.poll(() => colourOf(page, PANEL, 'border-top-left-radius')).toBe('4px')
  await expect.poll(() => css(page)).toContain('--nc-surface: light-dark(#fffdf7, #102030);')
  await expect.poll(() => css(page)).toContain('--nc-radius: 4px;')

  await page.getByText('Standard', { exact: true }).click()
  await expect.poll(() => css(page)).toBe('/* The standard theme needs none. */')
  await expect.poll(() => colourOf(page, PANEL, 'border-top-left-radius')).toBe('16px')
  expect(faults).toEqual([])
  await page.context().close()
})

test('every theme, light and dark, passes axe, on a phone too', async () => {
  const { page } = await visit(browser, `${given.edge.url}/themes`, 'u_42', '#preview [part~="row"] >> nth=0')
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  await page.evaluate(`${axe}; undefined`)
  const violations = () =>
    page.evaluate(async () => {
      const { axe: run } = globalThis as typeof globalThis & {
        axe: { run(): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }> }
      }
      const result = await run.run()
      return result.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${JSON.stringify(target)}`))
    })
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 })
    for (const theme of ['Standard', 'Slate', 'Meadow', 'Ink']) {
      await page.getByText(theme, { exact: true }).click()
      await expect.poll(async () => themeOf(theme).includes((await css(page)) ?? '?')).toBe(true)
      for (const scheme of ['light', 'dark']) {
        await page.locator(`.theme-choice:has(input[value="${scheme}"])`).click()
        // Elements out of view are not redrawn, and colours change with a transition.
        await page.locator('#preview [part~="row"]').first().scrollIntoViewIfNeeded()
        await expect.poll(violations, { message: `${width} ${theme} ${scheme}` }).toEqual([])
      }
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
    }
  }
  await page.context().close()
})

/** Runs in the page: reports a hidden focus, and a panel that is out of view. */
function findHidden(): string[] {
  const focused = document.activeElement as HTMLElement
  const { left, top, width, height } = focused.getBoundingClientRect()
  const at = document.elementFromPoint(left + width / 2, top + height / 2)
  const panel = document.querySelector('#preview')?.getBoundingClientRect() as DOMRect
  const isSeen = at === focused || focused.closest('label')?.contains(at) === true
  return [
    ...(isSeen ? [] : [`hidden: ${focused.getAttribute('aria-label') ?? focused.id}`]),
    ...(panel.top >= 0 && panel.bottom <= innerHeight + 1 ? [] : [`panel at ${panel.top} to ${panel.bottom}`]),
  ]
}

test('a theme is chosen, tried and copied by keyboard alone, on a phone', async () => {
  const { page, faults } = await visit(browser, `${given.edge.url}/themes`, 'u_42', '#preview [part~="row"] >> nth=0')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.setViewportSize({ width: 360, height: 740 })
  await page.locator('input[name=theme]').first().focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(async () => themeOf('Slate').includes((await css(page)) ?? '?')).toBe(true)
  // The panel stays in view with every focused control.
  for (let control = 0; control < 20; control++) {
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(findHidden)).toEqual([])
  }
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('radius')
  for (let times = 0; times < 3; times++) await page.keyboard.press('ArrowLeft')
  await expect.poll(() => css(page)).toMatch(/--nc-radius: \d+px;/)
  await page.locator('#copy').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('#copied').textContent()).toBe('Copied.')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await css(page))
  // After a change, the copy no longer equals the settings.
  await page.locator('#radius').focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => page.locator('#copied').textContent()).toBe('')
  await page.locator('#copy').press('Enter')
  await expect.poll(() => page.locator('#copied').textContent()).toBe('Copied.')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await css(page))
  expect(faults).toEqual([])
  await page.context().close()
})

test('where the page has no clipboard, the CSS is selected, and the page says so', async () => {
  const { page, faults } = await visit(browser, `${given.edge.url}/themes`, 'u_42', '#preview [part~="row"] >> nth=0')
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await page.getByText('Slate', { exact: true }).click()
  await expect.poll(async () => themeOf('Slate').includes((await css(page)) ?? '?')).toBe(true)
  await page.locator('#copy').click()
  await expect.poll(() => page.locator('#copied').textContent()).toContain('It is selected')
  expect(await page.evaluate(() => getSelection()?.toString().trim())).toBe((await css(page))?.trim())
  expect(faults).toEqual([])
  await page.context().close()
})

test('of two themes chosen fast the last one stays, and one that cannot be had is said', async () => {
  const { page } = await visit(browser, `${given.edge.url}/themes`, 'u_42', '#preview [part~="row"] >> nth=0')
  let letGo = (): void => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/slate.css', async (route) => {
    await held
    await route.continue()
  })
  await page.route('**/ink.css', (route) => route.abort())
  const slate = page.waitForResponse('**/slate.css')
  await page.getByText('Slate', { exact: true }).click()
  await page.getByText('Meadow', { exact: true }).click()
  await expect.poll(async () => themeOf('Meadow').includes((await css(page)) ?? '?')).toBe(true)
  letGo()
  await (await slate).finished()
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(themeOf('Meadow')).toContain(await css(page))

  await page.getByText('Ink', { exact: true }).click()
  await page.locator('#banner').waitFor()
  await page.getByText('Standard', { exact: true }).click()
  await page.locator('#banner').waitFor({ state: 'hidden' })
  await page.context().close()
})
