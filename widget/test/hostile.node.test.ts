// Hundreds of hostile payloads in every field of a message, through the whole life of the built element, under the strictest policy, over the real edge: nothing runs, nothing is refused by the policy, nothing stands in the element that is not our own markup.

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { programPath } from '../../tools/programs/programs.ts'
import { extendTimeouts, NOTICE_MS, TOAST_MS } from '../../tools/test/extend-timeouts.ts'
import { type GivenSite, givenSite } from './given-site.ts'
import { hostileCorpus } from './hostile-corpus.ts'
import { lookAtAll, setTripwires, type Trips, walkThrough } from './hostile-walk.ts'
import { mount } from './mount.ts'
import { takeOver } from './taken-over.ts'

/** All thousand are tried in elements/panel/message/hostile.test.ts; here with `NC_HOSTILE=1000`. */
const CORPUS = hostileCorpus(Number(process.env.NC_HOSTILE ?? 500))
let site: GivenSite
let context: BrowserContext
let page: Page
/** Requests that no page of this site and no picture has a reason for. */
let strayed: string[]
let userNo = 0
let userId = ''

beforeAll(async () => {
  // The headless shell has no notifications of the browser.
  site = await givenSite({ executablePath: programPath('chromium') })
  const text = '{{ event.properties.text }}'
  const action = { label: text, link: text, style: 'primary' }
  await site.edge.publish({
    key: 'hostile',
    name: 'hostile',
    trigger: { event: 'hostile.sent' },
    steps: [
      {
        id: 'tell',
        type: 'inbox',
        title: text,
        body: text,
        bodyFormat: 'markdown',
        link: text,
        icon: text,
        imageUrl: text,
        entity: '{{ event.properties.key }}',
        actions: [action, action],
        data: { text },
        locales: { ar: { title: text, body: text } },
      },
    ],
  })
})

afterAll(() => site?.stop())

beforeEach(async () => {
  userId = `hostile-${++userNo}`
  context = await site.browser.newContext({ permissions: ['notifications'], viewport: { width: 900, height: 700 } })
  strayed = []
  context.on('request', (request) => {
    const isOurs = [site.edge.url, site.host.url].some((origin) => request.url().startsWith(`${origin}/`))
    // The picture of a desktop notification is of no type.
    const isPicture = /^https:/.test(request.url()) && ['image', 'other'].includes(request.resourceType())
    if (!isOurs && !isPicture) strayed.push(`${request.resourceType()} ${request.url()}`)
  })
  // Nothing of it leaves this machine.
  await context.route(/^https:/, (route) => route.abort())
  await context.addInitScript(setTripwires)
  await context.addInitScript(extendTimeouts, [NOTICE_MS, TOAST_MS])
  await context.addInitScript(`globalThis.lookAtAll = ${lookAtAll}`)
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
})

afterEach(async () => {
  expect(context.pages()).toEqual([page])
  expect(strayed).toEqual([])
  await isUnharmed()
  await context.close()
})

/** Nothing ran, the policy had nothing to refuse, and the page has what it had. */
async function isUnharmed(): Promise<void> {
  const trips = await page.evaluate(() => Reflect.get(globalThis, 'trips') as Trips)
  expect(trips.tripped).toEqual([])
  expect(trips.faults).toEqual([])
  for (const [, icon] of trips.notified) expect(icon ?? '/').toMatch(/^(https:\/\/|\/(?!\/))/i)
  expect(await page.evaluate(() => Reflect.get(globalThis, 'violations'))).toEqual([])
  expect(await page.evaluate(() => Reflect.get(globalThis, 'defects'))).toEqual([])
  expect(new URL(page.url()).pathname).toBe('/')
  const pollution = await page.evaluate((before) => {
    const here = Object.getOwnPropertyNames(globalThis).filter((name) => !before.includes(name))
    return { here, prototype: Object.keys(Object.prototype), own: Object.keys(Object) }
  }, trips.globals)
  // Of the page, of who drives it, and of Lit, which notes its version there.
  const others =
    /^(trips|lookAtAll|violations|defects|__p.+|lit(Html|Element)Versions|reactiveElementVersions|litPropertyMetadata)$/
  expect(pollution.here.filter((name) => !others.test(name))).toEqual([])
  expect([pollution.prototype, pollution.own]).toEqual([[], []])
}

const inside = (selector: string) => page.locator(`notification-center ${selector}`)
const isLookedAt = async (where: string) => expect(await page.evaluate(lookAtAll), where).toEqual([])
async function open(attributes: Record<string, string> = {}, state = 'ready'): Promise<void> {
  await page.goto(site.host.url)
  await mount(page, site.edge, userId, attributes)
  const isSo = (wanted: string) => Reflect.get(document.querySelector('notification-center') ?? {}, 'state') === wanted
  await page.waitForFunction(isSo, state)
}
async function openList(): Promise<void> {
  await inside('[part~=bell]').click()
  await inside('article.row').first().waitFor()
}

/** For what becomes hostile on its way back. */
const HARMLESS = CORPUS.map((_, at) => `${at}`)

/** One event for each text, in batches; all of them are taken. */
async function sendAll(name: string, texts: readonly string[]): Promise<void> {
  const { sdkSecretKey } = site.edge.demo.environments.dev
  for (let sent = 0; sent < texts.length; sent += 250) {
    const events = texts
      .slice(sent, sent + 250)
      .map((text) => ({ name, userId, properties: { text, key: text.slice(0, 100) } }))
    const { status, body } = await site.edge.call('POST', '/v1/events/track/batch', {
      key: sdkSecretKey,
      body: { sdkSecretKey, events },
    })
    if (status !== 202) throw new Error(`not accepted: ${JSON.stringify(body).slice(0, 300)}`)
  }
}

/** What people do with messages, by keys and presses, wherever they stand. */
async function useThem(): Promise<void> {
  const rows = inside('article.row')
  await page.keyboard.press('Home')
  for (let times = 0; times < 5; times++) {
    await page.keyboard.press('j')
    await inside('article.row:focus').hover({ position: { x: 4, y: 24 } })
    await isLookedAt('hovered')
    await page.keyboard.press('e')
    await inside('.notice').waitFor()
    await page.keyboard.press('z')
    await page.keyboard.press('h')
    await inside('.sheet').waitFor()
    await isLookedAt('snooze')
    await page.keyboard.press('Escape')
  }
  for (const key of ['Home', 'x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key)
  await inside('.bulk').waitFor()
  await isLookedAt('chosen')
  await page.keyboard.press('e')
  await inside('.notice').waitFor()
  await inside('[role=tab]').last().click()
  await expect.poll(() => rows.count()).toBeGreaterThan(2)
  await isLookedAt('archived')
  await inside('[role=tab]').first().click()
  await inside('.gear').click()
  await inside('.settings .switch').first().waitFor()
  await isLookedAt('settings')
  await page.keyboard.press('Escape')
  await rows.first().waitFor()
  await page.evaluate(() => document.querySelector('notification-center')?.setAttribute('locale', 'ar'))
  await inside('.panel[lang=ar]').waitFor()
  await rows.first().press('Enter')
  await inside('[part~=detail]').waitFor()
  await isLookedAt('in Arabic')
}

/** Markdown, and the rest of a long list, are drawn by parts that come when they are first wanted. */
async function bringParts(): Promise<void> {
  await openList()
  const has = (part: string) => page.evaluate((part) => performance.getEntriesByName(part, 'resource').length > 0, part)
  const { version } = await (await fetch(`${site.edge.url}/widget/integrity.json`)).json()
  const markdown = `${site.edge.url}/widget/${version}/markdown.js`
  for (let at = 0; at < 4 && !(await has(markdown)); at++) {
    await inside('article.row').nth(at).press('Enter')
    await inside('[part~=detail]').waitFor()
    await page.keyboard.press('Escape')
  }
  await expect.poll(() => has(markdown)).toBe(true)
}

test('as the service passes them on', async () => {
  // The others are refused at the door: no NUL and no half of a character comes into the service.
  const texts = CORPUS.filter((text) => !/\p{Surrogate}|\0/u.test(text))
  expect(texts.length).toBeGreaterThan(0.85 * CORPUS.length)
  await sendAll('hostile.sent', texts)
  await open()
  await bringParts()
  expect(await page.evaluate(walkThrough, texts.length)).toEqual({ opened: texts.length, faults: [] })
  await useThem()
})

test('as a service that was taken over would send them', async () => {
  expect(CORPUS.length).toBeGreaterThanOrEqual(500)
  const taken = await takeOver(context, CORPUS)
  await sendAll('usage.high', HARMLESS)
  await open()
  await bringParts()
  expect(await page.evaluate(walkThrough, CORPUS.length)).toEqual({ opened: CORPUS.length, faults: [] })
  expect(taken.sent()).toBe(CORPUS.length)
  await useThem()
  // Cold, from what was stored of it.
  await isUnharmed()
  await context.route('**/v1/**', (route) => route.abort())
  await open({}, 'offline')
  await openList()
  await isLookedAt('from the store')
  const kept = await page.evaluate(() => Reflect.get(document.querySelector('notification-center') ?? {}, 'messages'))
  expect(await page.evaluate(walkThrough, kept.length)).toEqual({ opened: kept.length, faults: [] })
})

test('as they arrive: toasts, announcements, notifications of the browser', async () => {
  const taken = await takeOver(context, CORPUS)
  await open({ toasts: 'all', desktop: '' })
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.addEventListener('nc-arrive', () =>
      requestAnimationFrame(() => {
        const look = Reflect.get(globalThis, 'lookAtAll') as () => string[]
        Reflect.get(globalThis, 'trips').faults.push(...look())
      }),
    )
  })
  await sendAll('usage.high', HARMLESS)
  await expect.poll(() => taken.sent()).toBe(CORPUS.length)
  await inside('[part~=toast]').first().waitFor()
  const notified = () => page.evaluate(() => Reflect.get(globalThis, 'trips').notified.length as number)
  await expect.poll(notified).toBeGreaterThan(CORPUS.length / 2)
  await isLookedAt('toasts')
  await inside('.toast-open').first().click()
  await inside('[part~=detail]').waitFor()
  await isLookedAt('opened from a toast')
  await page.keyboard.press('Escape')
  await inside('article.row').first().waitFor()
})

test('a refusal in hostile words is shown in its reference alone, also by `debug`', async () => {
  const words = CORPUS.slice(0, 60).join(' ')
  await context.route('**/v1/users/auth', (route) =>
    route.request().method() === 'OPTIONS'
      ? route.fallback()
      : route.fulfill({
          status: 401,
          headers: { 'access-control-allow-origin': '*' },
          json: { code: words, message: words, correlationId: words, details: [{ path: words, message: words }] },
        }),
  )
  await page.goto(site.host.url)
  await mount(page, site.edge, userId)
  await inside('[part~=bell]').click()
  await expect.poll(() => inside('.reference').textContent()).toContain('<script>')
  await isLookedAt('refused')
  await page.evaluate(() => document.querySelector('notification-center')?.setAttribute('debug', ''))
  await expect.poll(() => inside('.debug').textContent()).toContain('The service refused')
  const strange = await inside('.debug').evaluate(
    (debug) => debug.querySelectorAll('script, img, iframe, a, [style]').length,
  )
  expect(strange).toBe(0)
})
