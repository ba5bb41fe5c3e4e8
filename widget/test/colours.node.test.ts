// Colours that come with a pointer, or belong to a control, in every theme, light and dark: 4.5 for text, 3 for what is no text (WCAG 2.2, 1.4.3 and 1.4.11).

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { type GivenSite, givenSite } from './given-site.ts'
import { mount } from './mount.ts'

const THEMES = ['slate', 'meadow', 'ink']
let site: GivenSite
let page: Page

beforeAll(async () => {
  site = await givenSite()
  // The themes stand in the page itself.
  page = await (await site.browser.newContext({ reducedMotion: 'reduce', bypassCSP: true })).newPage()
  await page.goto(site.host.url)
  await fillInbox(site.edge, 'pointing')
  await mount(page, site.edge, 'pointing')
  await inside('[part~=bell]').click()
  await inside('article.row .button.default').first().waitFor()
})

afterAll(() => site?.stop())

const inside = (selector: string) => page.locator(`notification-center ${selector}`)

async function look(theme: string | undefined, colorScheme: 'light' | 'dark'): Promise<void> {
  const css = theme === undefined ? '' : readFileSync(join(import.meta.dirname, `../themes/${theme}.css`), 'utf8')
  await page.evaluate((css) => {
    const style = document.querySelector('#theme') ?? document.createElement('style')
    style.id = 'theme'
    style.textContent = css
    document.head.append(style)
  }, css)
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
}

/** Contrast of two colours of the first thing found: a computed one, or that of what lies around it. */
const contrast = (selector: string, on: string, under: string): Promise<number> =>
  inside(selector)
    .first()
    .evaluate(
      (found, [on, under]) => {
        const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
        const luminance = (name: string): number => {
          const element = name.startsWith('around ') ? found.closest('.panel') : found
          if (canvas === null || element === null) return Number.NaN
          canvas.fillStyle = getComputedStyle(element).getPropertyValue(name.replace('around ', ''))
          canvas.fillRect(0, 0, 1, 1)
          const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data]
            .map((value) => value / 255)
            .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
          return 0.2126 * r + 0.7152 * g + 0.0722 * b
        }
        const [light = 0, dark = 0] = [luminance(on), luminance(under)].toSorted((a, b) => b - a)
        return (light + 0.05) / (dark + 0.05)
      },
      [on, under] as const,
    )

test('what is pointed at can be read, and a switch that is off be seen, in each theme', {}, async () => {
  const weak: string[] = []
  const hold = (name: string, is: number, least: number): void => {
    if (!(is >= least)) weak.push(`${name}: ${is.toFixed(2)}`)
  }
  for (const theme of [undefined, ...THEMES]) {
    for (const scheme of ['light', 'dark'] as const) {
      const name = `${theme ?? 'no theme'}, ${scheme}`
      await look(theme, scheme)
      const row = 'article.row:has(.button.default)'
      await inside(`${row} .button.default`).first().hover()
      hold(`${name}, action`, await contrast(`${row} .button.default:hover`, 'color', 'background-color'), 4.5)
      await inside(`${row} .quick .icon-button`).first().hover()
      hold(`${name}, deed`, await contrast(`${row} .icon-button:hover`, 'color', 'background-color'), 3)
      await page.mouse.down()
      const pressed = `${row}:active`
      hold(`${name}, row`, await contrast(pressed, 'color', 'background-color'), 4.5)
      await page.mouse.move(1, 1)
      await page.mouse.up()
      await inside('.gear').click()
      const off = '.quiet .switch:not(:checked)'
      await inside(off).waitFor()
      hold(`${name}, switch`, await contrast(off, 'background-color', 'around background-color'), 3)
      await inside('.back').click()
    }
  }
  expect(weak).toEqual([])
})
