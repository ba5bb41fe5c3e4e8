// The built element on pages that are scrolled while its panel is open: the panel goes along with its bell, and never out of the window.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GivenEdge } from '../../edge/test/support/given.ts'
import type { HostPage } from '../gallery/host-page.ts'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { type GivenSite, givenSite } from './given-site.ts'
import { mount } from './mount.ts'

/** As the panel's own gap to the window's ends, and what is told in fractions. */
const [GAP, ROUNDED] = [8, 1]
let site: GivenSite
let edge: GivenEdge
let host: HostPage
let browser: Browser

beforeAll(async () => {
  site = await givenSite()
  ;({ edge, host, browser } = site)
})

afterAll(() => site?.stop())

interface Scroll {
  name: string
  slot: Record<string, string>
  html?: Record<string, string>
  /** The place of the bell scrolls in a box of its own. */
  inBox?: true
  from?: number
  /** Scrolled so far, and back. */
  by: number
  step?: number
  axis?: 'x' | 'y'
  /** How often the panel changes its side, each a jump of its own. */
  turns?: number
}

const at = (top: string, left: string) => ({ position: 'absolute', top, left })
const SCROLLS: Scroll[] = [
  { name: 'in one go', slot: {}, by: 300, step: 300 },
  { name: 'in one go, at the bottom', slot: at('1250px', '700px'), from: 600, by: -600, step: 600 },
  { name: 'bell leaves at the top', slot: {}, by: 1000 },
  { name: 'bell leaves at the top, panel cut short', slot: at('240px', '700px'), by: 600 },
  { name: 'bell leaves at the bottom', slot: at('1250px', '700px'), from: 600, by: -600 },
  { name: 'bell in view, far end leaves below', slot: at('430px', '700px'), from: 400, by: -80 },
  { name: 'bell from the bottom to the top', slot: at('1250px', '700px'), from: 600, by: 1000, turns: 4 },
  { name: 'sideways', slot: at('20px', '800px'), by: 500, axis: 'x' },
  { name: 'sideways to the end', slot: at('20px', '1300px'), from: 600, by: -600, axis: 'x' },
  {
    name: 'sideways, right to left',
    slot: at('20px', '-300px'),
    html: { direction: 'rtl' },
    from: -350,
    by: 350,
    axis: 'x',
  },
  { name: 'in a box of its own', slot: at('100px', '500px'), inBox: true, by: 400 },
]

/** Runs in the page, as text. Puts all in its place, opens the panel, scrolls in steps, and answers where the two were after each. */
const SCROLL = `async ({ slot, html = {}, inBox, from = 0, by, step: size = 40, axis = 'y' }) => {
  const center = document.querySelector('notification-center')
  const frames = async (count) => { for (let no = 0; no < count; no++) await new Promise(requestAnimationFrame) }
  center.hide()
  const wear = (one, styles) => { one.removeAttribute('style'); for (const name of Object.keys(styles)) one.style.setProperty(name, styles[name]) }
  wear(document.documentElement, html)
  wear(document.body, { width: '2000px', height: '4000px', position: 'relative' })
  wear(document.querySelector('header'), inBox ? { position: 'fixed', top: '40px', left: '60px', width: '700px', height: '300px', overflow: 'auto' } : {})
  wear(document.querySelector('header nav'), inBox ? { position: 'absolute', top: '2000px' } : {})
  wear(document.querySelector('#slot'), slot)
  const box = inBox ? document.querySelector('header') : document.scrollingElement
  const scrollBy = (way) => axis === 'x' ? box.scrollLeft = way : box.scrollTop = way
  scrollBy(from)
  await frames(3)
  center.show()
  await frames(5)
  const [bell, panel] = ['.anchor', '.panel'].map((one) => center.shadowRoot.querySelector(one))
  const seen = () => ({ at: axis === 'x' ? box.scrollLeft : box.scrollTop, bell: bell.getBoundingClientRect().toJSON(), panel: panel.getBoundingClientRect().toJSON() })
  const all = [seen()]
  const step = Math.sign(by) * size
  const ways = Array.from({ length: by / step }, (_, no) => from + step * (no + 1))
  for (const way of [...ways, ...ways.slice(0, -1).reverse(), from]) {
    // As a user's scrolling comes: between two frames, so that the first of them has heard of it.
    await new Promise((go) => setTimeout(go))
    scrollBy(way)
    await frames(2)
    all.push(seen())
  }
  return { all, width: document.documentElement.clientWidth, height: innerHeight }
}`

interface Seen {
  at: number
  bell: DOMRect
  panel: DOMRect
}

const farthest = (one: DOMRect, other: DOMRect): number =>
  Math.max(Math.abs(one.top - other.top), Math.abs(one.left - other.left), Math.abs(one.bottom - other.bottom))

async function opened(before?: string): Promise<Page> {
  const page = await (
    await browser.newContext({ viewport: { width: 900, height: 700 }, reducedMotion: 'reduce' })
  ).newPage()
  if (before !== undefined) await page.addInitScript(before)
  await page.goto(host.url)
  const userId = `scrolled-${before === undefined ? 'anchors' : 'script'}`
  await fillInbox(edge, userId)
  await mount(page, edge, userId)
  await page.waitForSelector('notification-center[data-ready]', { state: 'attached' })
  await page.evaluate(`document.querySelector('notification-center').show()`)
  await page.locator('notification-center article.row').first().waitFor()
  // The first scrolling has the part fetched that does the rest.
  await page.evaluate(`document.body.style.height = '4000px'`)
  // Laid out once more with the scrolling, the panel would be in its place by the style sheet alone.
  for (let frames = 0; frames < 3; frames++) await page.evaluate(() => new Promise(requestAnimationFrame))
  await page.evaluate(`scrollTo(0, 300)`)
  const top = `document.querySelector('notification-center').shadowRoot.querySelector('.panel').getBoundingClientRect().top`
  await expect.poll(() => page.evaluate(top)).toBe(GAP)
  return page
}

// Beside each other: they wait for frames.
test.concurrent.each([
  ['CSS anchors', undefined],
  ['a script', 'CSS.supports = () => false'],
])('by %s the panel goes along with its bell, and never out of the window', async (_, before) => {
  const page = await opened(before)
  for (const scroll of SCROLLS) {
    const { all, width, height } = (await page.evaluate(`(${SCROLL})(${JSON.stringify(scroll)})`)) as {
      all: Seen[]
      width: number
      height: number
    }
    let turned = 0
    for (const [no, { at, bell, panel }] of all.entries()) {
      const where = `${scroll.name}, at ${at}: ${JSON.stringify({ bell, panel })}`
      expect(panel.top, where).toBeGreaterThanOrEqual(0)
      expect(panel.left, where).toBeGreaterThanOrEqual(0)
      expect(panel.bottom, where).toBeLessThanOrEqual(height)
      expect(panel.right, where).toBeLessThanOrEqual(width)
      expect(panel.height, where).toBeGreaterThan(310)
      // Never quicker than the page, but for what is left of the gap when the window's end is reached.
      const former = all[no - 1]
      if (former && farthest(panel, former.panel) > Math.abs(at - former.at) + GAP / 2 + ROUNDED) turned++
    }
    expect(turned, `${scroll.name}: jumps`).toBeLessThanOrEqual(scroll.turns ?? 0)
    const [first, last] = [all[0], all.at(-1)]
    if (first && last) expect(farthest(first.panel, last.panel), `${scroll.name}: not back`).toBeLessThanOrEqual(2)
  }
  await page.context().close()
})

/** Runs in the page: puts the element into a component that scrolls within its shadow root, by a slot or beside it, opens the panel, and scrolls the bell out of the window. */
const IN_COMPONENT = `async (how) => {
  const center = document.querySelector('notification-center')
  const frames = async (count) => { for (let no = 0; no < count; no++) await new Promise(requestAnimationFrame) }
  center.hide()
  const component = document.createElement('div')
  const shadow = component.attachShadow({ mode: 'open' })
  const box = document.createElement('div')
  Object.assign(box.style, { position: 'fixed', top: '0', left: '100px', width: '700px', height: '400px', overflow: 'auto' })
  const inside = document.createElement('div')
  Object.assign(inside.style, { height: '3000px', paddingTop: '20px' })
  const holder = document.createElement(how === 'slotted' ? 'slot' : 'section')
  inside.append(holder)
  box.append(inside)
  shadow.append(box)
  if (how === 'slotted') component.append(document.createElement('p'))
  ;(how === 'slotted' ? component.firstChild : holder).append(center)
  document.body.append(component)
  await frames(3)
  center.show()
  await frames(5)
  const bottom = () => center.shadowRoot.querySelector('.panel').getBoundingClientRect().bottom
  const top = () => center.shadowRoot.querySelector('.panel').getBoundingClientRect().top
  const before = top()
  await new Promise((go) => setTimeout(go))
  box.scrollTop = 300
  await frames(2)
  return [before, top(), bottom()]
}`

test.each([
  ['CSS anchors', undefined],
  ['a script', 'CSS.supports = () => false'],
])('by %s also where the page scrolls within a shadow root', async (_, before) => {
  const page = await opened(before)
  for (const how of ['slotted', 'inside']) {
    const [from, top, bottom] = (await page.evaluate(`(${IN_COMPONENT})('${how}')`)) as number[]
    expect(from, how).toBeGreaterThan(50)
    expect(top, how).toBe(GAP)
    expect(bottom, how).toBeLessThanOrEqual(700)
  }
  await page.context().close()
})
