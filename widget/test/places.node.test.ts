// The built element in windows of all sizes, on pages of all styles: the panel stays beside its bell and in the window, texts grow, targets are large enough, and neither the page's styles nor the element's reach the other.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GivenEdge } from '../../edge/test/support/given.ts'
import type { HostPage } from '../gallery/host-page.ts'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { type GivenSite, givenSite } from './given-site.ts'
import { mount } from './mount.ts'
import { DETAIL, KEYS, lookAtStates, NOTICE, type PanelState, SELECTION, SETTINGS, SNOOZE } from './panel-states.ts'

let site: GivenSite
let edge: GivenEdge
let host: HostPage
let browser: Browser
let userNo = 0

beforeAll(async () => {
  site = await givenSite()
  ;({ edge, host, browser } = site)
})

afterAll(() => site?.stop())

interface Visit {
  page: Page
  userId: string
}

/** A page with the element in it, signed in, with seven messages; `before` runs in the page before any script of ours. */
async function visit(options: { before?: string; reducedMotion?: 'reduce' | 'no-preference' } = {}): Promise<Visit> {
  const { before, reducedMotion = 'reduce' } = options
  const userId = `places-${++userNo}`
  const page = await (await browser.newContext({ viewport: { width: 900, height: 700 }, reducedMotion })).newPage()
  if (before !== undefined) await page.addInitScript(before)
  await page.goto(host.url)
  await fillInbox(edge, userId)
  await mount(page, edge, userId)
  await page.waitForSelector('notification-center[data-ready]', { state: 'attached' })
  return { page, userId }
}

const rows = (page: Page) => page.locator('notification-center article.row')
async function open(page: Page): Promise<void> {
  await page.evaluate(`document.querySelector('notification-center').show()`)
  await rows(page).first().waitFor()
}

/** A message is sent, and the page has heard of it: it listens before the service is asked, which can be the quicker one. */
async function oneArrives(page: Page, userId: string): Promise<void> {
  await page.evaluate(() =>
    document.addEventListener('nc-arrive', () => Object.assign(globalThis, { hasArrived: true }), { once: true }),
  )
  await edge.track({ name: 'release.published', userId, properties: {} })
  // A function: of words alone the page's policy would not make one.
  await page.waitForFunction(() => Reflect.get(globalThis, 'hasArrived') === true, undefined, { polling: 20 })
}

interface Place {
  name: string
  width?: number
  height?: number
  /** Of the bell's place, and of the page. */
  slot?: Record<string, string>
  body?: Record<string, string>
  html?: Record<string, string>
  scroll?: number
  /** Where the panel is, seen from the bell. */
  side: 'below' | 'above' | 'anywhere'
}

const corner = (name: string, slot: Record<string, string>, side: Place['side']): Place => ({
  name,
  slot: { position: 'fixed', ...slot },
  side,
})
const PLACES: Place[] = [
  { name: 'in the header', side: 'below' },
  corner('top left', { top: '0', left: '0' }, 'below'),
  corner('bottom left', { bottom: '0', left: '0' }, 'above'),
  corner('bottom right', { bottom: '0', right: '0' }, 'above'),
  corner('in the middle', { top: '330px', left: '430px' }, 'anywhere'),
  corner('half outside', { top: '-20px', right: '-20px' }, 'below'),
  { ...corner('right to left', { top: '0', left: '0' }, 'below'), html: { direction: 'rtl' } },
  {
    name: 'moved by a transform',
    slot: { display: 'block', transform: 'translate(-300px, 90px) scale(1.3)' },
    side: 'below',
  },
  { name: 'in a page that is moved', body: { transform: 'translateX(-40px)', filter: 'blur(0)' }, side: 'below' },
  { name: 'zoomed in', body: { zoom: '1.6' }, side: 'anywhere' },
  { name: 'zoomed out', body: { zoom: '.6' }, side: 'below' },
  { name: 'scrolled away', body: { height: '4000px' }, scroll: 900, side: 'anywhere' },
  { name: 'in a clipped box', slot: { overflow: 'hidden', contain: 'paint', display: 'block' }, side: 'below' },
  { name: 'in a low window', height: 430, side: 'below' },
  { name: 'in a narrow window', width: 500, side: 'below' },
]

/** Runs in the page. */
function isPlacedByScript(): boolean {
  const sheets = document.querySelector('notification-center')?.shadowRoot?.adoptedStyleSheets ?? []
  return sheets.some(({ cssRules }) => cssRules.length === 1 && cssRules[0]?.cssText.includes('inset-inline-end'))
}

/** Puts the page's styles as asked, waits for a frame, and answers where the two are. */
async function seen(page: Page, { slot = {}, body = {}, html = {}, scroll = 0 }: Place) {
  return page.evaluate(
    async ({ slot, body, html, scroll }) => {
      const all = [document.querySelector('#slot'), document.body, document.documentElement] as HTMLElement[]
      for (const [at, styles] of [slot, body, html].entries()) {
        all[at]?.removeAttribute('style')
        for (const [property, value] of Object.entries(styles)) all[at]?.style.setProperty(property, value)
      }
      scrollTo(0, scroll)
      // A browser keeps to the side that it has taken, for as long as the panel is open.
      const center = document.querySelector('notification-center') as HTMLElement & { show(): void; hide(): void }
      center.hide()
      for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame)
      center.show()
      for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
      const shadow = document.querySelector('notification-center')?.shadowRoot
      const [bell, panel] = ['.anchor', '.panel'].map((one) =>
        shadow?.querySelector(one)?.getBoundingClientRect().toJSON(),
      )
      return { bell, panel, width: innerWidth, height: innerHeight, tall: scrollHeight() }
      function scrollHeight(): number {
        return document.documentElement.scrollWidth - document.documentElement.clientWidth
      }
    },
    { slot, body, html, scroll },
  )
}

test.each([
  ['CSS anchors', undefined],
  ['a script', 'CSS.supports = () => false'],
])('by %s the panel stands beside its bell, and within the window', async (_, before) => {
  const { page } = await visit({ ...(before !== undefined && { before }) })
  await open(page)
  // The script that places it has come, and has done so once.
  if (before !== undefined) await expect.poll(() => page.evaluate(isPlacedByScript)).toBe(true)
  for (const place of PLACES) {
    await page.setViewportSize({ width: place.width ?? 900, height: place.height ?? 700 })
    const { bell, panel, width, height } = await seen(page, place)
    const where = `${place.name}: ${JSON.stringify({ bell, panel })}`
    expect(panel.left, where).toBeGreaterThanOrEqual(0)
    expect(panel.top, where).toBeGreaterThanOrEqual(0)
    expect(panel.right, where).toBeLessThanOrEqual(width)
    expect(panel.bottom, where).toBeLessThanOrEqual(height)
    expect(panel.height, where).toBeGreaterThan(250)
    if (place.side === 'below') expect(panel.top - bell.bottom, where).toBeGreaterThanOrEqual(0)
    if (place.side === 'below') expect(panel.top - bell.bottom, where).toBeLessThan(22)
    if (place.side === 'above') expect(bell.top - panel.bottom, where).toBeGreaterThanOrEqual(0)
    if (place.side === 'above') expect(bell.top - panel.bottom, where).toBeLessThan(22)
  }
  await page.context().close()
})

/** What does not fit in the panel, and which targets are too small. */
const FAULTS = `(() => {
  const shadow = document.querySelector('notification-center').shadowRoot
  const panel = shadow.querySelector('.panel')
  const seen = (box) => box.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && box.closest('.live, [inert]') === null
  const named = (box) => box.className + ' ' + (box.getAttribute('aria-label') ?? box.textContent).trim().slice(0, 40)
  const faults = []
  for (const box of panel.querySelectorAll('button:not(.title), a.button, input, select, [role=tab]')) {
    if (!seen(box)) continue
    const { width, height, left, right } = box.getBoundingClientRect()
    if (width < 23.9 || height < 23.9) faults.push('small: ' + named(box) + ' ' + width + ' x ' + height)
    if (box.getAttribute('role') !== 'tab' && (left < -0.5 || right > innerWidth + 0.5)) faults.push('outside: ' + named(box))
  }
  for (const box of panel.querySelectorAll('.scroller, .detail-scroll, .header, .sheet, .bulk, .toolbar, .offline, .notice')) {
    if (seen(box) && box.scrollWidth > box.clientWidth + 1) faults.push('wide: ' + named(box) + ' ' + box.scrollWidth + ' > ' + box.clientWidth)
  }
  const { left, right, bottom } = panel.getBoundingClientRect()
  if (left < 0 || right > innerWidth || bottom > innerHeight) faults.push('panel outside')
  if (document.documentElement.scrollWidth > innerWidth) faults.push('the page scrolls sideways')
  return faults
})()`

const STATES: PanelState[] = [{ name: 'list', shown: 'article.row' }, DETAIL, SNOOZE, SELECTION, KEYS, SETTINGS, NOTICE]

test('at 320 px, at 400 % zoom and with texts of twice the size all is there, and can be hit', {}, async () => {
  const { page } = await visit()
  await open(page)
  const windows = [
    [320, 640, '100%'],
    [320, 256, '100%'],
    [360, 640, '200%'],
    [900, 700, '200%'],
  ] as const
  const found: string[] = []
  for (const [width, height, size] of windows) {
    await page.setViewportSize({ width, height })
    await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), size)
    const faults = await lookAtStates(page, STATES, FAULTS)
    found.push(...faults.map((fault) => `${width} x ${height} ${size} ${fault}`))
  }
  expect(found).toEqual([])
  await page.context().close()
})

const sizeOf = (page: Page, selector: string) =>
  page.evaluate(
    (one) =>
      Number.parseFloat(
        getComputedStyle(document.querySelector('notification-center')?.shadowRoot?.querySelector(one) as Element)
          .fontSize,
      ),
    selector,
  )

test('texts follow the page and the browser, never below what the browser is set to, at most twice', {}, async () => {
  const { page } = await visit()
  await open(page)
  for (const [root, title] of [
    ['', 14],
    ['62.5%', 14],
    ['125%', 17.5],
    ['200%', 28],
    ['100px', 28],
  ] as const) {
    await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), root)
    expect(await sizeOf(page, '.title'), root).toBe(title)
  }
  await page.evaluate(`document.documentElement.style.removeProperty('font-size')`)
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setFontSizes', { fontSizes: { standard: 24 } })
  await expect.poll(() => sizeOf(page, '.title')).toBe(21)
  expect(await sizeOf(page, '.badge')).toBeGreaterThan(16)
  await page.context().close()
})

/** All that is computed for each element, as one text. */
const LOOKS = (roots: string) => `(() => {
  const names = [...getComputedStyle(document.documentElement)].filter((name) => !/^(color-scheme|-webkit-locale|anchor|perspective-origin|transform-origin)/.test(name))
  return ${roots}.map((one) => {
    const style = getComputedStyle(one)
    return [one.localName, one.className?.baseVal ?? one.className, ...names.map((name) => name + ':' + style.getPropertyValue(name))]
  })
})()`
const INSIDE = `[document.querySelector('notification-center').shadowRoot.querySelectorAll('.root, .root *')].flatMap((all) => [...all])`
const OUTSIDE = `[...document.querySelectorAll('html, body, header, header b, nav, main, main *')]`

/** Runs in the page: how many rows are half in view and not told as read yet. */
const UNREAD_IN_VIEW = `(() => {
  const { messages, shadowRoot } = document.querySelector('notification-center')
  const { top, bottom } = shadowRoot.querySelector('.scroller').getBoundingClientRect()
  const unread = new Set(messages.filter(({ readAt }) => readAt === null).map(({ id }) => id))
  return [...shadowRoot.querySelectorAll('article.row')].filter((row) => {
    const box = row.getBoundingClientRect()
    return unread.has(row.dataset.id) && Math.min(box.bottom, bottom) - Math.max(box.top, top) >= box.height / 2
  }).length
})()`

/** Runs in the page: the right side of the panel, and by how much it is out of the window above and below. */
const PANEL_SIDES = `(() => {
  const { top, right, bottom } = document.querySelector('notification-center').shadowRoot.querySelector('.panel').getBoundingClientRect()
  return [right, Math.max(0, -top, bottom - innerHeight)]
})()`
const REOPEN = `(async () => {
  const center = document.querySelector('notification-center')
  for (const does of ['hide', 'show']) {
    center[does]()
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
  }
})()`

const HOSTILE = `
  * { all: revert !important }
  *, ::before, ::after { color: red !important; font: 62.5% cursive !important; letter-spacing: .5em !important; line-height: 4 !important; text-transform: uppercase !important;
    text-indent: 5em !important; white-space: pre !important; visibility: hidden !important; pointer-events: none !important; cursor: none !important; user-select: none !important;
    margin: 30px !important; padding: 30px !important; border: 9px solid lime !important; box-sizing: content-box !important; background: black !important; float: left !important;
    text-align: right !important; word-break: break-all !important; list-style: square !important; border-spacing: 9px !important; animation: none !important; transition: none !important }
  div, span, button, article, p, ul, svg, slot, section, input, [popover], [role], [part] { display: none !important; position: static !important; width: 1px !important; inset: 0 !important }
  html { font-size: 62.5% !important }
  notification-center { visibility: visible !important; display: block !important; float: none !important; margin: 0 !important; padding: 0 !important; border: 0 !important; background: none !important; box-sizing: border-box !important; width: 40px !important }
`

test('a hostile style sheet changes nothing within, and the element nothing without', async () => {
  const { page } = await visit()
  const withoutBefore = await page.evaluate(LOOKS(OUTSIDE))
  await open(page)
  expect(await page.evaluate(LOOKS(OUTSIDE))).toEqual(withoutBefore)
  expect(
    await page.evaluate(
      `[document.adoptedStyleSheets.length, document.styleSheets.length, document.querySelectorAll('style').length, document.body.style.length, document.documentElement.style.length]`,
    ),
  ).toEqual([0, 1, 0, 0, 0])
  // The place and the colour of the bell are the page's business: held as they are, so that all else can be compared.
  const hold =
    'position: fixed !important; top: 12px !important; right: 28px !important; color: rgb(35, 38, 47) !important;'
  const wear = (css: string) =>
    page.evaluate(async (text) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(text)
      document.adoptedStyleSheets = [sheet]
      for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
    }, css)
  await page.evaluate(`document.body.append(document.querySelector('notification-center'))`)
  await rows(page).first().waitFor()
  await open(page)
  // What is seen changes the badge.
  await expect.poll(() => page.evaluate(UNREAD_IN_VIEW)).toBe(0)
  const place = `notification-center { ${hold} display: block !important; width: 40px !important }`
  await wear(`${place} html { font-size: 62.5% !important }`)
  // Kept in the page: these are some hundred thousand lines.
  await page.evaluate(`globalThis.within = ${LOOKS(INSIDE)}; undefined`)
  await wear(`${HOSTILE} ${place}`)
  // Chromium loses the anchor of what is shown when the body is laid out anew as a float: then the panel is in the corner until it opens again.
  const [right, out] = (await page.evaluate(PANEL_SIDES)) as number[]
  expect(right).toBeGreaterThan(800)
  expect(out).toBe(0)
  await page.evaluate(REOPEN)
  await rows(page).first().waitFor()
  const changed = await page.evaluate(`(() => {
    const hostile = ${LOOKS(INSIDE)}
    if (hostile.length !== within.length) return [hostile.length + ' elements instead of ' + within.length]
    return within.flatMap((look, at) =>
      look.filter((line, no) => line !== hostile[at][no]).map((line) => look[0] + '.' + look[1] + ' ' + line),
    )
  })()`)
  expect(changed).toEqual([])
  await rows(page).first().click()
  await page.locator('notification-center [part~=detail]').waitFor()
  await page.context().close()
})

test('nothing of the page moves while it comes, opens, fills and closes', async () => {
  const shifts = `globalThis.shifts = []; globalThis.sinceMs = Infinity; new PerformanceObserver((list) => { for (const { value, sources, startTime } of list.getEntries()) if (startTime > globalThis.sinceMs && sources.some(({ node }) => node?.getRootNode() === document)) globalThis.shifts.push(value + ' ' + sources.map(({ node }) => node?.nodeName)) }).observe({ type: 'layout-shift', buffered: true })`
  const { page, userId } = await visit({ before: shifts, reducedMotion: 'no-preference' })
  // The page gave the bell its room only when the test put it there.
  await page.evaluate('sinceMs = performance.now()')
  await open(page)
  await edge.track({ name: 'release.published', userId, properties: {} })
  await page.waitForFunction(
    () => document.querySelector('notification-center')?.shadowRoot?.querySelectorAll('article.row').length === 8,
  )
  await page.evaluate(`document.querySelector('notification-center').hide()`)
  for (let frames = 0; frames < 3; frames++) await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(await page.evaluate('shifts')).toEqual([])
  await page.context().close()
})

test.each(['no-preference', 'reduce'] as const)(
  'the bell rings to its end when something arrives, and only then (%s)',
  async (reducedMotion) => {
    const { page, userId } = await visit({ reducedMotion })
    await page.evaluate(() => {
      const heard: string[] = []
      Object.assign(globalThis, { heard })
      const bell = document.querySelector('notification-center')?.shadowRoot?.querySelector('.bell')
      if (bell?.classList.contains('rings')) heard.push('rang by itself')
      for (const type of ['animationstart', 'animationend', 'animationcancel'] as const) {
        bell?.parentElement?.addEventListener(type, (event) =>
          heard.push(`${event.type} ${(event as AnimationEvent).animationName}`),
        )
      }
    })
    await oneArrives(page, userId)
    const rung = ['animationstart ring', 'animationstart pop', 'animationend pop', 'animationend ring']
    if (reducedMotion === 'no-preference')
      await expect.poll(async () => ((await page.evaluate('heard')) as string[]).toSorted()).toEqual(rung.toSorted())
    else expect(await page.evaluate('heard')).toEqual([])
    await page.context().close()
  },
)

test('the browser is asked for permission on a press of the bell alone, also before anything arrived', {}, async () => {
  const before = `globalThis.asked = 0; Object.defineProperty(Notification, 'permission', { get: () => 'default' }); Notification.requestPermission = () => { globalThis.asked++; return Promise.resolve('default') }`
  const { page, userId } = await visit({ before })
  await page.evaluate(`document.querySelector('notification-center').setAttribute('desktop', '')`)
  await oneArrives(page, userId)
  await page.evaluate(`document.querySelector('notification-center').show()`)
  await rows(page).first().waitFor()
  // With its place for toasts the part that asks is there; a press before that asks for nothing.
  await page.locator('notification-center .toasts').waitFor({ state: 'attached' })
  expect(await page.evaluate('asked')).toBe(0)
  await page.locator('notification-center [part~=bell]').click()
  await expect.poll(() => page.evaluate('asked')).toBe(1)
  await page.context().close()
})

test('a dialog that is closed and opened again around an open panel has it beside its bell, before it', {}, async () => {
  const { page } = await visit()
  await page.setViewportSize({ width: 900, height: 1200 })
  await page.evaluate(() => {
    const dialog = document.createElement('dialog')
    const center = document.querySelector('notification-center')
    if (center) dialog.append(center)
    document.body.append(dialog)
    dialog.showModal()
  })
  await open(page)
  const place = () =>
    page.evaluate(() => {
      const center = document.querySelector('notification-center')
      const box = center?.shadowRoot?.querySelector('.panel')?.getBoundingClientRect() ?? new DOMRect()
      const { bottom } = center?.getBoundingClientRect() ?? new DOMRect()
      const isBefore = document.elementFromPoint(box.left + box.width / 2, box.top + 20) === center
      return { isBefore, left: Math.round(box.left), gap: Math.round(box.top - bottom) }
    })
  const before = await place()
  expect(before).toMatchObject({ isBefore: true, gap: 8 })
  // Until the browser has told those who observe the panel's size: what is closed and opened between was never gone.
  await page.evaluate(async () => {
    const panel = document.querySelector('notification-center')?.shadowRoot?.querySelector('.panel')
    if (!panel) throw new Error('There is no panel.')
    await new Promise<void>((done) => {
      const observer = new ResizeObserver(([entry]) => {
        if (entry?.contentRect.width) return document.querySelector('dialog')?.close()
        observer.disconnect()
        done()
      })
      observer.observe(panel)
    })
  })
  await page.evaluate('document.querySelector("dialog").showModal()')
  await expect.poll(place).toEqual(before)
  await page.context().close()
})
