// Pages whose library changes them into what the server rendered anew: the panel stays under the reader, and copies are closed.

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type GivenSite, givenSite } from './given-site.ts'
import { has } from './has.ts'
import { bundle, type HostSite, serveHost, tag } from './hosts/host-site.ts'
import { answerLiveView, MORPHING } from './hosts/morphing.ts'
import { tagOf } from './mount.ts'

let site: GivenSite
let context: BrowserContext
let page: Page
let userNo = 0
let host: HostSite | undefined

beforeAll(async () => {
  site = await givenSite()
})
afterAll(() => site?.stop())
beforeEach(async () => {
  context = await site.browser.newContext()
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
})
afterEach(async () => {
  await context.close()
  await host?.close()
  host = undefined
})

const look = () =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll('notification-center')]
    const [center] = all
    return {
      bells: all.length,
      isOpen: center?.open,
      hasAttribute: center?.hasAttribute('open'),
      isShown: center?.shadowRoot?.querySelector('[part~=panel]')?.matches(':popover-open'),
      state: center?.state,
      theme: center?.theme,
      toasts: center?.toasts,
    }
  })
const READING = {
  bells: 1,
  isOpen: true,
  hasAttribute: true,
  isShown: true,
  state: 'ready',
  theme: 'dark',
  toasts: 'all',
}
const inside = (selector: string) => page.locator(`notification-center ${selector}`)

/** A site with that library, whose every page has the tag and says how often it was rendered. */
async function open(name: keyof typeof MORPHING, path = '/'): Promise<string> {
  const { script, head = '', body = '', around = ['', ''] } = MORPHING[name] ?? { script: '' }
  const code = await bundle(script)
  const userId = `rerendered-${++userNo}`
  let renderings = 0
  const content = (path: string) =>
    `<nav><a href="/other">Other</a>${tag(tagOf(site.edge, userId))}</nav><p id="count">${path} ${++renderings}</p>`
  let live = { push: () => {} }
  host = await serveHost((path) => {
    if (path === '/push') live.push()
    if (path === '/host.js') return code
    return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${path}</title>${head}
      <script src="${site.edge.url}/widget/notification-center.js" async></script><script src="/host.js" defer></script></head>
      <body ${body}>${around[0]}${content(path)}${around[1]}</body></html>`
  })
  if (name === 'LiveView') live = answerLiveView(host.server, () => content('live'))
  await page.goto(host.url + path)
  if (name === 'LiveView') await page.locator('.phx-connected').waitFor()
  await has(page, 'state', 'ready')
  // What a script of the page sets is in no page of the server.
  await page.evaluate(() => {
    const center = document.querySelector('notification-center')
    if (center) Object.assign(center, { theme: 'dark', toasts: 'all' })
  })
  return userId
}

async function rerender(): Promise<void> {
  const before = await page.locator('#count').textContent()
  await page.evaluate('rerender()')
  await expect.poll(() => page.locator('#count').textContent()).not.toBe(before)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
}

test.each(Object.keys(MORPHING))(
  '%s renders the page anew, and the panel stays open until it is closed',
  async (name) => {
    const userId = await open(name)
    await inside('[part~=bell]').click()
    await expect.poll(look).toEqual(READING)
    for (let times = 0; times < 3; times++) {
      await rerender()
      expect(await look()).toEqual(READING)
    }
    await site.edge.track({ name: 'usage.high', userId, properties: {} })
    await inside('[part~=row]').waitFor()
    await page.keyboard.press('Escape')
    await rerender()
    expect(await look()).toMatchObject({ bells: 1, isOpen: false, hasAttribute: false, isShown: false, state: 'ready' })
  },
)

describe('a page that Turbo or htmx restores from its cache', () => {
  test.each([
    ['Turbo', () => page.evaluate('Turbo.visit("/other")')],
    ['htmx', () => page.evaluate('htmx.ajax("GET", "/other", { target: "body", push: "true" }), history.pushState')],
  ] as const)('%s: is closed, with one bell', async (name, leave) => {
    await open(name)
    await inside('[part~=bell]').click()
    await expect.poll(look).toMatchObject({ isOpen: true, isShown: true })
    await leave()
    await expect.poll(() => page.locator('#count').textContent()).toContain('/other')
    await page.goBack()
    await expect.poll(() => page.locator('#count').textContent()).toMatch(/^\/ /)
    await has(page, 'state', 'ready')
    expect(await look()).toMatchObject({ bells: 1, isOpen: false, hasAttribute: false })
    await inside('[part~=bell]').click()
    await expect.poll(look).toMatchObject({ isOpen: true, isShown: true })
  })
})

test('a copy of an open bell is closed, by whatever it was copied; what the page writes opens', async () => {
  await open('idiomorph')
  await inside('[part~=bell]').click()
  await expect.poll(look).toMatchObject({ isOpen: true, isShown: true })
  const copies = await page.evaluate(() => {
    const [center] = document.querySelectorAll('notification-center')
    if (!center) return []
    const parsed = document.createElement('div')
    parsed.innerHTML = center.outerHTML
    const made = [
      center.cloneNode(true),
      document.importNode(center, true),
      parsed.firstElementChild,
    ] as (typeof center)[]
    document.body.append(...made)
    return made.map(({ open, outerHTML }) => [open, / open/.test(outerHTML)])
  })
  expect(copies).toEqual([
    [false, false],
    [false, false],
    [false, false],
  ])
  const written = await page.evaluate(() => {
    const center = document.querySelectorAll('notification-center')[1]
    if (!center) return []
    const seen: boolean[] = []
    for (const value of ['', 'open', 'true']) {
      center.setAttribute('open', value)
      seen.push(center.open)
      center.removeAttribute('open')
      seen.push(center.open)
    }
    return seen
  })
  expect(written).toEqual([true, false, true, false, true, false])
})
