// What a page may do to the element without harm: held keys, hidden panels, a Trusted Types allow-list, an offline page.

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { GivenEdge } from '../../edge/test/support/given.ts'
import { type HostPage, startHostPage, strictPolicy } from '../gallery/host-page.ts'
import { type Line, openLine } from './browsers/line.ts'
import { type GivenSite, givenOwnSite } from './given-site.ts'
import { has as hasOn } from './has.ts'
import { mount, tagOf } from './mount.ts'

let line: Line
let site: GivenSite
let edge: GivenEdge
let host: HostPage
let context: BrowserContext
let page: Page
let userNo = 0
let userId = ''

beforeAll(async () => {
  line = await openLine()
  site = await givenOwnSite(line)
  ;({ edge, host } = site)
  await edge.publish({
    key: 'short-lived',
    name: 'Short-lived',
    trigger: { event: 'offer.made' },
    steps: [{ id: 'tell', type: 'inbox', title: 'Only for a moment', expiresAfter: 'PT10M' }],
  })
})

afterAll(async () => {
  await site?.stop()
  await line?.close()
})

beforeEach(async () => {
  userId = `author-${++userNo}`
  context = await site.browser.newContext()
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
})

afterEach(async () => {
  line.mend()
  await context.close()
})

const has = (property: string, value: unknown) => hasOn(page, property, value)
const inside = (selector: string) => page.locator(`notification-center ${selector}`)
const track = (name = 'usage.high') => edge.track({ name, userId, properties: {} })
const signIns = () => line.requests.filter((request) => request.startsWith('POST /v1/users/auth')).length
async function place(attributes: Record<string, string> = {}): Promise<void> {
  await page.goto(host.url)
  await mount(page, edge, userId, { 'base-url': line.url, ...attributes })
  await has('state', 'ready')
}

test('a new tokenProvider at each drawing is kept for the next token, and signs nobody in', async () => {
  await page.goto(host.url)
  const before = signIns()
  const { 'api-key': apiKey, token } = tagOf(edge, userId)
  // As a framework that draws a hundred times a second, from before the element is ready.
  await page.evaluate(
    ([apiKey, userId, token, baseUrl]) => {
      const center = document.createElement('notification-center')
      let drawings = 0
      const draw = () => {
        const no = ++drawings
        const tokenProvider = async () => {
          center.dataset.asked = `${no}`
          return { userId, token }
        }
        Object.assign(center, { apiKey, userId, baseUrl, tokenProvider })
        center.dataset.drawings = `${drawings}`
      }
      draw()
      document.querySelector('#slot')?.append(center)
      setInterval(draw, 10)
    },
    [apiKey, userId, token, line.url] as const,
  )
  await has('state', 'ready')
  await page.waitForFunction(() => Number(document.querySelector('notification-center')?.dataset.drawings) > 60)
  expect([signIns() - before, await page.evaluate(() => document.querySelector('notification-center')?.state)]).toEqual(
    [1, 'ready'],
  )
  // The session ends: the function of a late drawing is asked, once.
  await edge.call('POST', `/v1/users/${userId}/sign-out`, { key: edge.demo.environments.dev.sdkSecretKey, body: {} })
  await page.waitForFunction(() => Number(document.querySelector('notification-center')?.dataset.asked) > 30)
  await has('state', 'ready')
  expect(signIns() - before).toBe(2)
})

const left = () => page.evaluate(() => document.querySelector('notification-center')?.messages.length)

/** Ten messages, the first of them in focus. */
async function listOfTen(): Promise<void> {
  const { sdkSecretKey } = edge.demo.environments.dev
  const events = Array.from({ length: 10 }, () => ({ name: 'usage.high', userId, properties: {} }))
  await edge.call('POST', '/v1/events/track/batch', { key: sdkSecretKey, body: { sdkSecretKey, events } })
  await place()
  await inside('[part~=bell]').click()
  await inside('[part~=row]').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await expect.poll(left).toBe(10)
}

const shown = () =>
  page.evaluate(() => {
    const center = document.querySelector('notification-center')
    const has = (selector: string) => center?.shadowRoot?.querySelector(selector) != null
    const messages = center?.messages ?? []
    return {
      isOpen: center?.open,
      left: messages.length,
      opened: messages.filter(({ unopened }) => !unopened).length,
      selected: center?.shadowRoot?.querySelectorAll('.choose:checked').length,
      detail: has('[part~=detail]'),
      keys: has('.keys'),
      snooze: has('.sheet:not(.keys)'),
    }
  })
const LIST = { isOpen: true, left: 10, opened: 0, selected: 0, detail: false, keys: false, snooze: false }
const nothing = async (): Promise<void> => {}
const focus = (selector: string) => () =>
  inside(selector)
    .first()
    .evaluate((control: HTMLElement) => control.focus())

test.each<[key: string, where: string, prepare: () => Promise<void>, after: Partial<typeof LIST>]>([
  ['e', 'a row', nothing, { left: 9 }],
  ['u', 'a row', nothing, { opened: 1 }],
  ['h', 'a row', nothing, { snooze: true }],
  ['x', 'a row', nothing, { selected: 1 }],
  ['z', 'a row', () => page.keyboard.press('e'), {}],
  ['?', 'a row', nothing, { keys: true }],
  ['Enter', 'a row', nothing, { opened: 1, detail: true }],
  ['Enter', 'Archive', focus('.quick button:nth-child(2)'), { left: 9 }],
  ['Enter', 'the bell', focus('[part~=bell]'), { isOpen: false }],
  ['Space', 'Select', focus('.choose-many'), {}],
  ['Escape', 'the keys over a message', openTheKeys, { opened: 1, detail: true }],
  ['Escape', 'a message', () => page.keyboard.press('Enter'), { opened: 1 }],
])('%s held down on %s acts once', async (key, _, prepare, after) => {
  await listOfTen()
  await prepare()
  const frame = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(0))))
  await frame()
  // Twenty times: what is turned on and off would be as it was. All but the first are repeats.
  for (let n = 0; n < 20; n++) {
    await page.keyboard.down(key)
    await frame()
  }
  await expect.poll(shown).toEqual({ ...LIST, ...after })
  await page.keyboard.up(key)
})

async function openTheKeys(): Promise<void> {
  await page.keyboard.press('Enter')
  await page.keyboard.press('?')
  await inside('.keys').waitFor()
}

test('e pressed quickly archives as many messages as it was pressed', async () => {
  await listOfTen()
  // Without a frame between any two of them.
  await page.evaluate(() => {
    const { shadowRoot } = document.querySelector('notification-center') ?? {}
    const press = (repeat: boolean) =>
      shadowRoot?.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'e', repeat, bubbles: true, composed: true, cancelable: true }),
      )
    for (let n = 0; n < 6; n++) press(false)
    for (let n = 0; n < 20; n++) press(true)
  })
  await expect.poll(left).toBe(4)
  const token = await edge.signIn(userId)
  await expect.poll(async () => (await edge.page(token)).data.length).toBe(4)
})

test('sign-out leaves nothing that names the user', async () => {
  await track()
  await place()
  await inside('[part~=bell]').click()
  await has('unread', 0)
  await page.evaluate(() => document.querySelector('notification-center')?.signOut())
  await has('state', 'signed-out')
  const stored = () =>
    page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const asked = indexedDB.open('notification-center')
        asked.onsuccess = () => resolve(asked.result)
        asked.onerror = reject
      })
      const names = [...database.objectStoreNames]
      const keys = names.map(
        (name) =>
          new Promise<string[]>((resolve) => {
            const asked = database.transaction(name).objectStore(name).getAllKeys()
            asked.onsuccess = () => resolve(asked.result.map(String))
          }),
      )
      const all = [...(await Promise.all(keys)).flat(), ...Object.keys(localStorage), ...Object.keys(sessionStorage)]
      database.close()
      return all
    })
  await expect.poll(async () => (await stored()).filter((key) => key.includes(userId))).toEqual([])
})

test.each([
  ['visibility: hidden', 'visibility'],
  ['opacity: 0', 'opacity'],
])('rows under %s are not read until they can be seen', async (rule, property) => {
  await track()
  await place({ mode: 'inline' })
  await has('unread', 0)
  const [, value = ''] = rule.split(': ')
  const style = (value: string) =>
    page.evaluate(([property, value]) => document.querySelector('main')?.style.setProperty(property, value), [
      property,
      value,
    ] as const)
  await style(value)
  await track()
  await has('unread', 1)
  await inside('[part~=row]').nth(1).waitFor({ state: 'attached' })
  // The second one was drawn under the rule; what a look would have recorded goes out with the next register call.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)))
  const unread = () =>
    page.evaluate(() => document.querySelector('notification-center')?.messages.filter((m) => !m.readAt).length)
  const looks = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const center = document.querySelector('notification-center')
        let frames = 0
        const look = () => (++frames < 40 ? requestAnimationFrame(look) : resolve(center?.unread))
        look()
      }),
  )
  expect([looks, await unread()]).toEqual([1, 1])
  await style('')
  await has('unread', 0)
})

test('a page that is offline shows no message past its end', async () => {
  await page.clock.install()
  await track()
  await track('offer.made')
  await place()
  await has('unread', 2)
  line.cut()
  await has('state', 'offline')
  await has('unread', 2)
  await page.clock.fastForward(11 * 60_000)
  await has('unread', 1)
  await has('unopened', 1)
  await inside('[part~=bell]').click()
  await expect.poll(() => inside('[part~=title]').allTextContents()).toEqual(['You have used 90 % of your storage'])
})

test('under a Trusted Types allow-list without lit-html the element says so, once, and signs in once', async () => {
  const strict = strictPolicy(edge.url, line.url)
  const closed = await startHostPage(edge.url, line.url, `${strict}; trusted-types nothing-of-ours`)
  const open = await startHostPage(edge.url, line.url, `${strict}; trusted-types lit-html`)
  try {
    await page.goto(closed.url)
    const before = signIns()
    await page.evaluate(() =>
      addEventListener('nc-error', (event) => {
        const { dataset } = document.documentElement
        dataset.errors = `${dataset.errors ?? ''} ${(event as Event & { code: string }).code}`.trim()
      }),
    )
    await mount(page, edge, userId, { 'base-url': line.url, debug: '' })
    await has('state', 'error')
    await inside('[part~=bell]').click()
    await expect.poll(() => inside('.missing').textContent()).toContain('Notifications can’t be shown')
    await expect
      .poll(() => inside('.debug').allTextContents())
      .toEqual([expect.stringContaining('trusted-types lit-html')])
    expect(await page.evaluate(() => document.documentElement.dataset.errors)).toBe('client/part-failed')
    expect(signIns() - before).toBe(1)
    // A function of the page's own in place of the browser's is there again once the script has run.
    await page.addInitScript(`{
      const { createPolicy } = trustedTypes
      globalThis.own = trustedTypes.createPolicy = (...given) => createPolicy.apply(trustedTypes, given)
    }`)
    await page.goto(open.url)
    await mount(page, edge, userId, { 'base-url': line.url })
    await has('state', 'ready')
    expect(await page.evaluate('trustedTypes.createPolicy === own')).toBe(true)
  } finally {
    await closed.close()
    await open.close()
  }
})
