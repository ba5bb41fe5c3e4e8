// Parts of the built widget that cannot be fetched: one that somebody waits for says so, with a way to try again; without any other the element goes on, and asks for it again by itself.

import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GivenEdge } from '../../edge/test/support/given.ts'
import { extendTimeouts, NOTICE_MS, TOAST_MS } from '../../tools/test/extend-timeouts.ts'
import type { HostPage } from '../gallery/host-page.ts'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { type GivenSite, givenSite } from './given-site.ts'
import { mount } from './mount.ts'

let site: GivenSite
let edge: GivenEdge
let host: HostPage
let browser: Browser

beforeAll(async () => {
  site = await givenSite()
  ;({ edge, host, browser } = site)
})

afterAll(() => site?.stop())

interface Lack {
  attributes?: Record<string, string>
  context?: BrowserContextOptions
  /** Runs in the page before any script of ours. */
  before?: string
}

/** A page on which these files do not come until `come` is called. */
async function without(userId: string, names: string[], { attributes, context, before }: Lack = {}) {
  const page = await (await browser.newContext({ reducedMotion: 'reduce', ...context })).newPage()
  page.setDefaultTimeout(20_000)
  let isBlocked = true
  const asked: string[] = []
  for (const name of names) {
    await page.route(new RegExp(`/${name}\\.js$`), (route) => {
      asked.push(name)
      return isBlocked ? route.abort() : route.continue()
    })
  }
  if (before !== undefined) await page.addInitScript(before)
  await page.addInitScript(extendTimeouts, [NOTICE_MS, TOAST_MS])
  await page.goto(host.url)
  await mount(page, edge, userId, attributes)
  const inside = (selector: string) => page.locator(`notification-center ${selector}`)
  return {
    page,
    asked,
    inside,
    come: () => {
      isBlocked = false
    },
    ready: () => page.locator('notification-center[data-ready]').waitFor({ state: 'attached' }),
    opened: async () => {
      await inside('[part~=bell]').click()
      await inside('[part~=row]').first().waitFor()
    },
    /** Nobody is told of an error, and nothing is thrown. */
    isQuiet: async () => {
      expect(await inside('.notice').count()).toBe(0)
      expect(await page.evaluate(() => Reflect.get(globalThis, 'defects'))).toEqual([])
    },
  }
}
const track = (userId: string, name = 'release.published') => edge.track({ name, userId, properties: {} })

test('a panel that does not come is spoken for by its bell, and comes when it is asked for again', {}, async () => {
  const { page, come } = await without('no-panel', ['everyday'])
  const missing = page.locator('notification-center .missing')
  await page.locator('notification-center [part~=bell]').click()
  await expect.poll(() => missing.textContent()).toContain('Try again')
  // Closed, it is silent; opened, it says so again.
  await page.locator('notification-center [part~=bell]').click()
  await missing.waitFor({ state: 'detached' })
  await page.locator('notification-center [part~=bell]').click()
  await missing.waitFor()
  const panel = page.locator('notification-center .panel.open')
  come()
  // Whatever happens in the inbox asks for it, too: then nothing is left to press.
  await Promise.race([missing.click().catch(() => {}), panel.waitFor()])
  await panel.waitFor()
  await expect.poll(() => missing.count()).toBe(0)
})

/** A page on which the everyday part comes, but is this script; a press of the bell has asked for the panel. */
async function withEveryday(userId: string, script: string) {
  const page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(20_000)
  await page.route(/\/everyday\.js$/, async (route) => {
    await route.fulfill({ response: await route.fetch(), body: script })
  })
  await page.goto(host.url)
  await page.evaluate(() => {
    const codes: string[] = []
    Reflect.set(globalThis, 'codes', codes)
    addEventListener('nc-error', (event) => codes.push(Reflect.get(event, 'code')), { capture: true })
  })
  await mount(page, edge, userId)
  const center = page.locator('notification-center')
  await center.locator('[part~=bell]').click()
  const wrong = center.locator('.missing, [part~=error]')
  await expect.poll(() => wrong.textContent()).toContain('Notifications can’t be shown')
  return {
    page,
    center,
    wrong,
    tryAgain: () => center.getByRole('button', { name: /try again/i }).click(),
    state: () => center.evaluate((element) => Reflect.get(element, 'state')),
    codes: () => page.evaluate(() => Reflect.get(globalThis, 'codes')),
    defects: () => page.evaluate(() => Reflect.get(globalThis, 'defects')),
  }
}

test('a part that throws when it runs is an error, reported once, and not being offline', {}, async () => {
  const script = "throw new TypeError('It is refused.')"
  const { page, wrong, tryAgain, state, codes, defects } = await withEveryday('threw', script)
  await expect.poll(state).toBe('error')
  expect(await codes()).toEqual(['client/part-failed'])
  await tryAgain()
  // Fetched after what was asked for by the press: what that has thrown is known by then.
  await page.evaluate(`(() => {
    const { name } = performance.getEntriesByType('resource').find(({ name }) => name.includes('/everyday.js'))
    return import(name.split('#')[0] + '#afterwards').then(() => 'ran', () => new Promise((done) => setTimeout(done)))
  })()`)
  await expect.poll(state).toBe('error')
  expect([await codes(), await defects()]).toEqual([['client/part-failed'], []])
  await expect.poll(() => wrong.textContent()).toContain('Notifications can’t be shown')
})

for (const name of ['createPanel', 'createInboxCore']) {
  test(`a part whose ${name} throws is an error, and all is there once it does no longer`, {}, async () => {
    const userId = `threw-${name}`
    await fillInbox(edge, userId)
    const script = `import * as real from './everyday.js?real'
      export * from './everyday.js?real'
      export const ${name} = (...given) => {
        if (!globalThis.isMended) throw new TypeError('It is refused.')
        return real.${name}(...given)
      }`
    const { page, center, wrong, tryAgain, state, codes, defects } = await withEveryday(userId, script)
    await expect.poll(state).toBe('error')
    expect([await codes(), await defects()]).toEqual([['client/part-failed'], []])
    await page.evaluate(() => Reflect.set(globalThis, 'isMended', true))
    await tryAgain()
    await center.locator('[part~=row]').first().waitFor()
    await expect.poll(state).toBe('ready')
    await expect.poll(() => wrong.count()).toBe(0)
  })
}

test('without the part of the socket the changes are asked for, and it is fetched again', {}, async () => {
  const userId = 'no-realtime'
  const { page, asked, come, isQuiet } = await without(userId, ['realtime'])
  const sockets: string[] = []
  page.on('websocket', (socket) => sockets.push(socket.url()))
  const state = () =>
    page.evaluate(() => {
      const center = document.querySelector('notification-center') ?? {}
      return [Reflect.get(center, 'state'), Reflect.get(center, 'unread')]
    })
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  await track(userId)
  await expect.poll(state).toEqual(['ready', 1])
  expect(sockets).toEqual([])
  come()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect.poll(() => sockets.length).toBe(1)
  await track(userId)
  await expect.poll(state).toEqual(['ready', 2])
  await isQuiet()
})

test('times to snooze to and settings say that they did not come', async () => {
  const userId = 'no-parts'
  await fillInbox(edge, userId)
  const { page, come } = await without(userId, ['rare', 'settings'])
  const notice = page.locator('notification-center .notice')
  await page.locator('notification-center[data-ready]').waitFor()
  await page.locator('notification-center [part~=bell]').click()
  await page.locator('notification-center [part~=row]').first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('h')
  await expect.poll(() => notice.textContent()).toContain('Try again')
  await page.keyboard.press('z')
  await notice.waitFor({ state: 'detached' })
  await page.locator('notification-center .gear').click()
  await expect.poll(() => notice.textContent()).toContain('Try again')
  come()
  await notice.locator('button').click()
  await page.locator('notification-center .settings').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('notification-center .settings').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.locator('notification-center .sheet').waitFor()
})

test('a long list is whole without any part', async () => {
  const userId = 'no-long'
  await fillInbox(edge, userId, 8)
  const { page, inside, opened, isQuiet } = await without(userId, ['rare', 'markdown', 'settings', 'touch', 'placing'])
  await opened()
  await inside('.windowed').waitFor()
  await expect
    .poll(async () => {
      await page.keyboard.press('End')
      return inside('[part~=row]:focus').getAttribute('aria-posinset')
    })
    .toBe('56')
  expect(await inside('[part~=row]:focus').getAttribute('aria-setsize')).toBe('56')
  expect(await inside('.more').count()).toBe(0)
  await isQuiet()
})

test('Markdown is plain words until it comes, with the next that happens or the next opening', {}, async () => {
  const userId = 'no-markdown'
  await fillInbox(edge, userId)
  const { inside, asked, come, opened, isQuiet } = await without(userId, ['markdown'])
  await opened()
  const open = () => inside('[part~=row]').filter({ hasText: 'HG-20517' }).click()
  await open()
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  const body = inside('[part~=detail] [part~=body]')
  expect(await body.textContent()).toContain('Your parcel left our warehouse in Rotterdam and should arrive')
  const before = asked.length
  // Whoever is quicker than the refusal opens it while it is still asked for.
  await expect
    .poll(async () => {
      await inside('.back').click()
      await open()
      return asked.length
    })
    .toBeGreaterThan(before)
  await isQuiet()
  come()
  // Whoever is still reading need not open it anew.
  await expect
    .poll(async () => {
      await track(userId)
      return body.locator('strong').count()
    })
    .toBeGreaterThan(0)
  expect(await body.locator('a').getAttribute('href')).toBe('https://example.com/delivery')
})

test('without its language it speaks English as a whole, until that comes', async () => {
  const userId = 'no-language'
  await fillInbox(edge, userId)
  const { inside, come, opened, isQuiet } = await without(userId, ['lang-ar'], { attributes: { locale: 'ar-EG' } })
  await opened()
  const looks = () =>
    inside('[part~=panel]').evaluate((panel) => [
      panel.getAttribute('lang'),
      getComputedStyle(panel).direction,
      panel.querySelector('[part~=time]')?.textContent,
      panel.querySelector('.count')?.textContent,
    ])
  await expect.poll(looks).toEqual(['en', 'ltr', 'now', '7'])
  await isQuiet()
  come()
  await track(userId)
  await expect.poll(looks).toEqual(['ar', 'rtl', 'الآن', '٨'])
})

test('an arrival without its toast is told by bell, badge and list; the next one has it', {}, async () => {
  const userId = 'no-toasts'
  const { inside, asked, come, ready, isQuiet } = await without(userId, ['extras'], { attributes: { toasts: 'all' } })
  await ready()
  await expect
    .poll(async () => {
      await track(userId)
      return asked.length
    })
    .toBeGreaterThan(0)
  await expect.poll(() => inside('.live').first().textContent()).toMatch(/new notification/i)
  await inside('[part~=badge]').waitFor()
  expect(await inside('[part~=toast]').count()).toBe(0)
  await isQuiet()
  come()
  await expect
    .poll(async () => {
      await track(userId)
      return inside('[part~=toast]').count()
    })
    .toBeGreaterThan(0)
})

test('the press that could not ask for the browser’s permission is followed by one that does', {}, async () => {
  const before = `globalThis.asked = 0; Object.defineProperty(Notification, 'permission', { get: () => 'default' }); Notification.requestPermission = () => { globalThis.asked++; return Promise.resolve('default') }`
  const lack = { attributes: { desktop: '' }, before }
  const { page, inside, asked, come, ready, isQuiet } = await without('no-desktop', ['extras'], lack)
  await ready()
  const press = () => inside('[part~=bell]').click()
  await press()
  await inside('.panel.open').waitFor()
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  await isQuiet()
  come()
  await expect
    .poll(async () => {
      await press()
      return page.evaluate('asked')
    })
    .toBeGreaterThan(0)
})

test('without what explains it, an element with `debug` works on, and is explained when the attribute is set anew', {}, async () => {
  const userId = 'no-debug'
  await fillInbox(edge, userId)
  const { page, inside, asked, come, opened, isQuiet } = await without(userId, ['debug'], { attributes: { debug: '' } })
  await opened()
  // Twice at once, and then no more.
  expect([asked.length, await inside('.debug').count()]).toEqual([2, 0])
  await isQuiet()
  come()
  await page.evaluate(() => document.querySelector('notification-center')?.removeAttribute('debug'))
  await page.evaluate(() => document.querySelector('notification-center')?.setAttribute('debug', ''))
  await expect.poll(() => inside('.debug summary').textContent()).toContain('ready')
  await inside('[part~=row]').first().waitFor()
})

test('where swiping did not come, the next touch asks for it; buttons and keys archive meanwhile', {}, async () => {
  const userId = 'no-touch'
  await fillInbox(edge, userId)
  const context = { hasTouch: true, viewport: { width: 360, height: 740 } }
  const { page, inside, asked, come, opened } = await without(userId, ['touch'], { context })
  await opened()
  const cdp = await page.context().newCDPSession(page)
  const swipe = async (): Promise<void> => {
    const box = await inside('[part~=row]').first().boundingBox()
    if (box === null) throw new Error('There is no row.')
    const y = box.y + 20
    // Across the window, wherever the row is: one that still glides away would lead the finger out of it.
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
      cdp.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y }] })
    await touch('touchStart', 300)
    for (const x of [280, 220, 150, 90]) await touch('touchMove', x)
    await touch('touchEnd')
  }
  const before = asked.length
  await swipe()
  await expect.poll(() => asked.length).toBeGreaterThan(before)
  expect(await inside('[part~=row]').count()).toBe(7)
  await inside('[part~=row]').first().focus()
  await page.keyboard.press('e')
  await expect.poll(() => inside('[part~=row]').count()).toBe(6)
  come()
  await expect
    .poll(async () => {
      await swipe()
      return inside('[part~=row]').count()
    })
    // A row goes after its glide: the next finger may be down by then.
    .toBeLessThan(6)
})

test('a panel that could not be placed stands in its corner, and beside its bell when it is opened again', {}, async () => {
  const userId = 'no-placing'
  await fillInbox(edge, userId)
  const before = 'CSS.supports = () => false'
  const { page, inside, asked, come, opened, isQuiet } = await without(userId, ['placing'], { before })
  await opened()
  // The rows may be quicker than the word that somebody asked.
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  await isQuiet()
  const sheets = () =>
    page.evaluate(() => document.querySelector('notification-center')?.shadowRoot?.adoptedStyleSheets.length ?? 0)
  const unplaced = await sheets()
  come()
  await inside('[part~=bell]').click()
  await inside('.panel.open').waitFor({ state: 'detached' })
  await inside('[part~=bell]').click()
  await inside('.panel.open').waitFor()
  // What places it by script has a sheet of its own.
  await expect.poll(sheets).toBe(unplaced + 1)
})
