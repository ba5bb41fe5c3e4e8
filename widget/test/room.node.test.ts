// Translations of every language have their room in narrow windows and at twice the size: nothing is cut, nothing lies over anything else; and on phones all stays clear of notches.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GivenEdge } from '../../edge/test/support/given.ts'
import { extendTimeouts, NOTICE_MS, TOAST_MS } from '../../tools/test/extend-timeouts.ts'
import type { HostPage } from '../gallery/host-page.ts'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { EN_BELL } from '../locales/en-bell.ts'
import { LANGUAGES } from '../locales/languages.ts'
import { type GivenSite, givenSite } from './given-site.ts'
import { mount } from './mount.ts'
import { DETAIL, KEYS, lookAtStates, NOTICE, type PanelState, SELECTION, SETTINGS, SNOOZE } from './panel-states.ts'

// Some thirty languages in seven states.
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

/** A page with the open element in it, signed in, with seven messages. */
async function visit(options: Parameters<Browser['newContext']>[0] = {}): Promise<{ page: Page; userId: string }> {
  const userId = `room-${++userNo}`
  const page = await (await browser.newContext({ reducedMotion: 'reduce', ...options })).newPage()
  await page.addInitScript(extendTimeouts, [NOTICE_MS, TOAST_MS])
  await page.goto(host.url)
  await fillInbox(edge, userId)
  await mount(page, edge, userId)
  await page.waitForSelector('notification-center[data-ready]', { state: 'attached' })
  await page.evaluate(`document.querySelector('notification-center').show()`)
  await inside(page, 'article.row').waitFor()
  return { page, userId }
}

const inside = (page: Page, selector: string) => page.locator(`notification-center ${selector}`).first()

/** Runs in the page: words that are cut or stand outside, fields too short for their value, deeds over a title. */
function findCramped(): string[] {
  const shadow = document.querySelector('notification-center')?.shadowRoot as ShadowRoot
  const panel = shadow.querySelector('.panel') as HTMLElement
  const all = (selector: string) =>
    [...panel.querySelectorAll<HTMLElement>(selector)].filter(
      (box) =>
        box.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !box.closest('.live, [inert]'),
    )
  const named = (box: Element): string => `${box.className} “${box.textContent?.trim()}”`
  const wordsOf = (box: Element): DOMRect[] => {
    const range = document.createRange()
    range.selectNodeContents(box)
    return [...range.getClientRects()]
  }
  const found: string[] = []
  const edge = panel.getBoundingClientRect()
  for (const box of all(
    '.heading, .sheet-title, .button, .link, .chosen, .tool, .choice > span, label, dd, dt, .day, .settings-hint, .setting-name, .settings-heads span, .notice span',
  )) {
    // At 400 % zoom a tool shows its icon alone; its word is its name.
    if (box.matches('.tool') && getComputedStyle(box.lastElementChild as Element).clipPath !== 'none') continue
    const isOut = wordsOf(box).some(({ left, right }) => left < edge.left - 0.5 || right > edge.right + 0.5)
    const isCut = getComputedStyle(box).overflow !== 'visible' && box.scrollWidth > box.clientWidth + 1
    const isBursting = box.matches('.button, .tool') && box.scrollWidth > box.clientWidth + 1
    if (isOut || isCut || isBursting) found.push(`no room: ${named(box)}`)
  }
  for (const field of all('input:not([type=checkbox]), select') as HTMLInputElement[]) {
    const has = field.getBoundingClientRect().width
    field.style.cssText = 'width: max-content; min-width: 0'
    const wants = field.getBoundingClientRect().width
    field.style.cssText = ''
    if (field.type !== 'select-one' && wants > has + 1) found.push(`cut: ${field.type} ${has} < ${wants}`)
  }
  const isUsual = getComputedStyle(panel).fontSize === '14px'
  for (const head of isUsual ? all('.settings-heads span') : []) {
    const lines = new Set(wordsOf(head).map(({ top }) => top)).size
    if (lines > (head.textContent ?? '').trim().split(/\s+/).length) found.push(`a word in two: ${named(head)}`)
  }
  const [inboxHead, emailHead] = all('.settings-heads span').map(wordsOf)
  if (inboxHead?.some((a) => emailHead?.some((b) => a.right > b.left - 2 && b.right > a.left - 2)))
    found.push('the heads of the settings touch')
  for (const field of all('.hours :is(input, select)')) {
    const [box, label] = [field, field.parentElement as Element].map((one) => one.getBoundingClientRect())
    if (box && label && (box.left < label.left - 0.5 || box.right > label.right + 0.5))
      found.push(`wider than its place: ${named(field.parentElement as Element)}`)
  }
  const groups = [...new Set(all('.header .icon-button:not(.back)').map((one) => one.getBoundingClientRect().top))]
  if (groups.length > 1) found.push('the buttons of the header are parted')
  const rowsOfTools = new Set(all('.tool').map((tool) => tool.getBoundingClientRect().top)).size
  if (rowsOfTools > (isUsual ? 1 : 2)) found.push(`tools in ${rowsOfTools} rows`)
  for (const quick of all('.quick')) {
    const { left, right, bottom } = quick.getBoundingClientRect()
    for (const words of quick.parentElement?.querySelectorAll('.title, .time') ?? []) {
      const isOver = wordsOf(words).some(
        (word) => word.right > left + 1 && word.left < right - 1 && word.top < bottom - 4,
      )
      if (isOver) found.push(`deeds over ${named(words)}`)
    }
  }
  const boxes = all('.header > *, .bulk > *, .toolbar > *, form.choice > *, .offline > *, .notice > *, .line > *')
  for (const box of boxes) {
    const next = box.nextElementSibling
    if (next === null || !boxes.includes(next as HTMLElement)) continue
    const [a, b] = [box.getBoundingClientRect(), next.getBoundingClientRect()]
    const isOver = a.right > b.left + 1 && b.right > a.left + 1 && a.bottom > b.top + 1 && b.bottom > a.top + 1
    if (isOver) found.push(`${named(box)} and ${named(next)} lie over each other`)
  }
  return found
}

const byKeys =
  (...keys: string[]) =>
  async (page: Page): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }
const STATES: PanelState[] = [
  { name: 'row in focus', keys: ['End', 'Home'], shown: '.row:focus-visible .quick' },
  DETAIL,
  SNOOZE,
  SELECTION,
  KEYS,
  // Its hours are there once it is on.
  { ...SETTINGS, shown: '.hours' },
  NOTICE,
]

/** Opens the settings with the quiet hours on. */
async function openHours(page: Page): Promise<void> {
  await inside(page, '.gear').click()
  const quiet = inside(page, '.quiet .switch')
  await quiet.waitFor()
  if (!(await quiet.isChecked())) await quiet.click()
  await inside(page, '.hours').waitFor()
}

const LONGEST = ['ar', 'cs', 'de', 'fi', 'hi', 'nl', 'uk']

/** The element in another language, once its words are there. */
async function speak(page: Page, tag: string): Promise<void> {
  const { notifications } = tag === 'en' ? EN_BELL : (await import(`../locales/${tag}.ts`)).words
  await page.evaluate((tag) => document.querySelector('notification-center')?.setAttribute('locale', tag), tag)
  await inside(page, `.panel[lang="${tag}"] .heading:text-is("${notifications}")`).waitFor()
}

test.each([
  ['in a narrow window', { viewport: { width: 320, height: 640 } }, '100%', LANGUAGES],
  // A phone whose user has a keyboard too: nothing is pointed at, fields are larger. Those with the longest words.
  ['on a narrow phone', { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }, '100%', LONGEST],
  ['with texts of twice the size', { viewport: { width: 360, height: 740 } }, '200%', LONGEST],
])('words of every language have room %s', async (_, options, size, languages) => {
  const { page } = await visit(options)
  await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), size)
  await openHours(page)
  await page.keyboard.press('Escape')
  await inside(page, '.hours').waitFor({ state: 'detached' })
  const found: string[] = []
  for (const tag of languages) {
    await speak(page, tag)
    const faults = await lookAtStates(page, STATES, `(${findCramped})()`)
    found.push(...faults.map((fault) => `${tag}, ${fault}`))
  }
  expect(found).toEqual([])
  await page.context().close()
})

test('what is chosen below the list lies over the tabs, however low the window is', async () => {
  for (const viewport of [
    { width: 320, height: 256 },
    { width: 225, height: 180 },
  ]) {
    const { page } = await visit({ viewport })
    for (const [keys, selector] of [
      [['Home', 'h'], '.sheet'],
      [['Escape', 'x'], '.bulk'],
    ] as const) {
      await byKeys(...keys)(page)
      const covered = inside(page, selector).evaluate((sheet) => {
        const { left, top, width, bottom } = sheet.getBoundingClientRect()
        const points = Array.from({ length: 40 }, (_, at) => [
          left + 4 + ((width - 8) * (at % 8)) / 7,
          top + 2 + ((Math.min(bottom, innerHeight) - top - 4) * Math.floor(at / 8)) / 4,
        ])
        const hit = ([x, y]: number[]) => (sheet.getRootNode() as ShadowRoot).elementFromPoint(x ?? 0, y ?? 0)
        return points
          .map(hit)
          .filter((found) => !sheet.contains(found))
          .map((found) => found?.className)
      })
      expect(await covered, `${selector} at ${viewport.width}`).toEqual([])
    }
    await page.context().close()
  }
})

test('a field in a sheet is in view when it has the focus, however low the window is', async () => {
  const { page } = await visit({ viewport: { width: 360, height: 740 }, hasTouch: true })
  const seenWhole = (selector: string) =>
    inside(page, selector).evaluate((field) => {
      const { left, top, width, height } = field.getBoundingClientRect()
      const hit = (y: number) => (field.getRootNode() as ShadowRoot).elementFromPoint(left + width / 2, y)
      return hit(top + 2) === field && hit(top + height - 2) === field
    })
  const sizeOf = (selector: string) =>
    inside(page, selector).evaluate((field) => Number.parseFloat(getComputedStyle(field).fontSize))
  await byKeys('Home', 'h')(page)
  await inside(page, '[name=until]').focus()
  // As when a keyboard comes up and the page has less room.
  for (const height of [420, 300, 256]) {
    await page.setViewportSize({ width: 360, height })
    await inside(page, '[name=until]').focus()
    await inside(page, '[name=until]').evaluate((field) => field.scrollIntoView({ block: 'nearest' }))
    await expect.poll(() => seenWhole('[name=until]'), { message: `snooze, ${height}` }).toBe(true)
  }
  // Below this, a phone zooms the page when one comes to the field.
  expect(await sizeOf('[name=until]')).toBeGreaterThanOrEqual(16)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 360, height: 740 })
  await openHours(page)
  expect(await sizeOf('.hours input')).toBeGreaterThanOrEqual(16)
  for (const height of [420, 300, 256]) {
    await page.setViewportSize({ width: 360, height })
    for (const field of ['.hours input', '.hours select']) {
      await inside(page, field).focus()
      await inside(page, field).evaluate((one) => one.scrollIntoView({ block: 'nearest' }))
      await expect.poll(() => seenWhole(field), { message: `${field}, ${height}` }).toBe(true)
    }
  }
  await page.context().close()
})

test('the sheet of a phone keeps clear of notches, and toasts too', async () => {
  const { page, userId } = await visit({ viewport: { width: 360, height: 740 } })
  const session = await page.context().newCDPSession(page)
  const insets = { top: 47, topMax: 47, left: 20, leftMax: 20, bottom: 34, bottomMax: 34, right: 20, rightMax: 20 }
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets })
  const rect = (selector: string) => inside(page, selector).evaluate((box) => box.getBoundingClientRect().toJSON())
  const header = async () => {
    const { top, left, right } = await rect('.header')
    return [top, left, right]
  }
  await expect.poll(header).toEqual([47, 20, 340])
  expect((await rect('.panel')).bottom).toBe(740)
  expect((await rect('.scroller')).bottom).toBe(740 - 34)
  await byKeys('Home', 'e')(page)
  await inside(page, '.notice').waitFor()
  await expect.poll(async () => (await rect('.notice')).bottom).toBe(740 - 34 - 12)
  await page.evaluate(`document.querySelector('notification-center').hide()`)
  await page.evaluate(`document.querySelector('notification-center').setAttribute('toasts', 'all')`)
  await edge.track({ name: 'release.published', userId, properties: {} })
  await inside(page, '.toast').waitFor()
  const toast = await rect('.toast')
  expect(toast.bottom).toBeLessThanOrEqual(740 - 34)
  expect(toast.left).toBeGreaterThanOrEqual(20)
  expect(toast.right).toBeLessThanOrEqual(340)
  await page.context().close()
})

test('zoomed in by two fingers the sheet keeps its place, and the field in focus comes into what is left to see', {}, async () => {
  const { page } = await visit({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  const session = await page.context().newCDPSession(page)
  const seen = (selector: string) =>
    inside(page, selector).evaluate((field) => {
      const panel = (field.closest('.panel') as Element).getBoundingClientRect()
      const { top, bottom } = field.getBoundingClientRect()
      const { offsetTop, height } = visualViewport as VisualViewport
      const isInView = top >= offsetTop - 1 && bottom <= offsetTop + height + 1
      return { sheet: [panel.left, panel.top, panel.width, panel.height], page: [scrollX, scrollY], isInView }
    })
  const asItWas = { sheet: [0, 0, 360, 740], page: [0, 0] }
  // What a driver asks of the window comes about with the next frames.
  const seenIs = (selector: string, isInView: boolean) =>
    expect.poll(() => seen(selector)).toEqual({ ...asItWas, isInView })
  const zoom = (pageScaleFactor: number) => session.send('Emulation.setPageScaleFactor', { pageScaleFactor })
  await byKeys('Home', 'h')(page)
  await inside(page, '[name=until]').waitFor()
  await zoom(2.5)
  await seenIs('[name=until]', false)
  await inside(page, '[name=until]').focus()
  await seenIs('[name=until]', true)
  await zoom(1)
  await expect.poll(() => page.evaluate(() => visualViewport?.scale)).toBe(1)
  await page.keyboard.press('Escape')
  await openHours(page)
  await zoom(2.5)
  await inside(page, '.hours select').focus()
  await seenIs('.hours select', true)
  await page.context().close()
})
