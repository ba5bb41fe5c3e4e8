// A tab that is opened beside one that knows: it asks nobody until it must speak, and nobody's session becomes another's.

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { GivenEdge } from '../../edge/test/support/given.ts'
import { ANSWER_MS, extendTimeouts, WAKE_ANSWER_MS } from '../../tools/test/extend-timeouts.ts'
import type { HostPage } from '../gallery/host-page.ts'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { type GivenSite, givenSite } from './given-site.ts'
import { has as hasOn } from './has.ts'
import { mount, tagOf } from './mount.ts'
import { queued } from './queued.ts'
import { storedSeq } from './stored-seq.ts'

const SLOW = 60_000
const SIGN_IN = 'POST /v1/users/auth'
let site: GivenSite
let edge: GivenEdge
let host: HostPage
let browser: Browser
let context: BrowserContext
let userNo = 0
let userId = ''
let first: Tab

interface Tab {
  page: Page
  /** Its calls of the service, as Chromium's network has them. */
  calls: string[]
  sockets: string[]
  frames: string[]
}

beforeAll(async () => {
  site = await givenSite()
  ;({ edge, host, browser } = site)
})

afterAll(() => site?.stop())

beforeEach(async () => {
  userId = `newcomer-${++userNo}`
  await fillInbox(edge, userId)
  context = await browser.newContext()
  first = await openTab()
  await mount(first.page, edge, userId)
  await stateIs(first, 'ready')
  await expect.poll(() => first.page.evaluate(storedSeq, userId)).toBeGreaterThan(0)
  // It knows for sure from the first frame on.
  await expect.poll(() => first.frames.some((frame) => frame.includes('"inbox"'))).toBe(true)
  // And answers in time once its own panel is made.
  await first.page.waitForLoadState('networkidle')
  await first.page.evaluate(() => new Promise((done) => requestIdleCallback(done)).then(() => {}))
})

afterEach(() => context.close())

async function openTab(prepare: (page: Page) => Promise<unknown> = async () => {}): Promise<Tab> {
  const page = await context.newPage()
  // A service that stands still for a moment keeps the socket.
  await page.addInitScript(extendTimeouts, [WAKE_ANSWER_MS])
  await prepare(page)
  const calls: string[] = []
  const sockets: string[] = []
  const frames: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/v1/')) calls.push(`${request.method()} ${pathname}`)
  })
  page.on('websocket', (socket) => {
    sockets.push(socket.url())
    socket.on('framereceived', ({ payload }) => frames.push(String(payload)))
  })
  await page.goto(host.url)
  return { page, calls, sockets, frames }
}

/**
 * Beside the one that leads, up to `ready`. Until then it is as patient as this test is: on a busy machine the answer of the one
 * that leads may take longer than a newcomer waits for it, and then it rightly signs in.
 */
async function openBeside(): Promise<Tab> {
  const tab = await openTab(async (page) => {
    await page.addInitScript(waitForLeader, SLOW)
    // Nor does it take the lead from one that stands still for a moment.
    await page.addInitScript(extendTimeouts, [ANSWER_MS])
  })
  await mount(tab.page, edge, userId)
  await stateIs(tab, 'ready')
  const waits = await tab.page.evaluate(() => Reflect.get(globalThis, 'beAsEver').call())
  expect(waits).toBe(1)
  return tab
}

/** Runs in the page, before its scripts. `beAsEver()` ends it, and says how often the page waited for the one that leads. */
function waitForLeader(patienceMs: number): void {
  const asEver = globalThis.setTimeout
  let waits = 0
  Reflect.set(globalThis, 'setTimeout', (work: () => void, ms: number) => {
    if (ms === 250) waits++
    return asEver(work, ms === 250 ? patienceMs : ms)
  })
  Reflect.set(globalThis, 'beAsEver', () => {
    globalThis.setTimeout = asEver
    return waits
  })
}

const has = ({ page }: Tab, property: string, value: unknown) => hasOn(page, property, value)
const stateIs = (tab: Tab, state: string) => has(tab, 'state', state)
const unreadIs = (tab: Tab, unread: number) => has(tab, 'unread', unread)
const track = (): Promise<unknown> => edge.track({ name: 'usage.high', userId, properties: {} })

test('badge, list and what comes without a single request; it signs in when it has a read to tell, and leads when the other goes', {}, async () => {
  const second = await openBeside()
  await unreadIs(second, 7)
  await track()
  await unreadIs(second, 8)
  expect([second.calls.join(), second.sockets]).toEqual(['', []])
  await second.page.locator('notification-center [part~=bell]').click()
  await expect.poll(() => second.calls).toContain('POST /v1/notification/event/register')
  expect([second.calls[0], second.calls.filter((call) => call === SIGN_IN).length]).toEqual([SIGN_IN, 1])
  await first.page.close()
  await expect.poll(() => second.sockets.length).toBe(1)
  await track()
  await has(second, 'unopened', 9)
  expect((await edge.page(await edge.signIn(userId))).inbox.unopened).toBe(9)
})

test('one that leaves before it has a session loses no click: the tab that leads sends what it noted', {}, async () => {
  const second = await openBeside()
  await unreadIs(second, 7)
  // Its sign-in is never answered, so that it can tell the service nothing.
  await second.page.route('**/v1/users/auth', () => {})
  // And it is gone once the click is on disk: one that goes before that has lost it.
  await second.page.route('**/billing', async (route) => {
    await expect.poll(() => first.page.evaluate(queued, 'clicked')).toBe(1)
    await route.continue()
  })
  await second.page.locator('notification-center [part~=bell]').click()
  const row = second.page.locator('notification-center article.row').filter({ hasText: 'card was declined' })
  await Promise.all([second.page.waitForURL('**/billing'), row.locator('[part~=actions] a').click()])
  const clicked = async () => (await edge.page(await edge.signIn(userId))).data.find(({ clickedAt }) => clickedAt)
  await expect.poll(async () => (await clicked())?.title).toBe('Your card was declined')
  expect(second.calls.filter((call) => call !== SIGN_IN)).toEqual([])
})

test('one that never spoke takes the lead by signing in; a sign-out there is one here, and the session is ended', {}, async () => {
  const [second, third] = [await openBeside(), await openBeside()]
  await first.page.close()
  await expect.poll(() => [...second.sockets, ...third.sockets].length).toBe(1)
  await track()
  for (const tab of [second, third]) await unreadIs(tab, 8)
  const silent = second.sockets.length === 0 ? second : third
  expect(silent.calls).toEqual([])
  await silent.page.evaluate(() => {
    const center = document.querySelector('notification-center')
    return Reflect.get(center ?? {}, 'signOut').call(center)
  })
  for (const tab of [second, third]) await stateIs(tab, 'signed-out')
  const ended = () => [...second.calls, ...third.calls].filter((call) => call === 'DELETE /v1/inbox/session')
  await expect.poll(ended).toHaveLength(1)
  expect(silent.calls).toEqual([])
})

test('whose words are others signs in itself, at once after the badge: a refused token shows nothing, a provider is asked', {}, async () => {
  const stranger = await openTab()
  await mount(stranger.page, edge, userId, { token: 'wrong' })
  await stateIs(stranger, 'error')
  const shown = await stranger.page.evaluate(() => {
    const center = document.querySelector('notification-center') ?? {}
    return [Reflect.get(center, 'unread'), Reflect.get(center, 'messages').length]
  })
  expect(shown).toEqual([0, 0])
  const { token, ...tag } = tagOf(edge, userId)
  const own = await openTab()
  let signInNow = (): void => {}
  const held = new Promise<void>((resolve) => {
    signInNow = resolve
  })
  await own.page.route('**/v1/users/auth', async (route) => {
    await held
    await route.continue()
  })
  await own.page.evaluate(
    ([tag, token]) => {
      const center = document.createElement('notification-center')
      for (const [name, value] of Object.entries(tag)) center.setAttribute(name, value)
      Reflect.set(center, 'tokenProvider', async () => ({ token }))
      document.querySelector('#slot')?.append(center)
    },
    [tag, token ?? ''] as const,
  )
  await unreadIs(own, 7)
  await expect.poll(() => own.calls).toEqual([SIGN_IN])
  expect(await own.page.evaluate(() => Reflect.get(document.querySelector('notification-center') ?? {}, 'state'))).toBe(
    'loading',
  )
  signInNow()
  await stateIs(own, 'ready')
  const other = await openTab()
  await mount(other.page, edge, `${userId}-b`)
  await stateIs(other, 'ready')
  await unreadIs(other, 0)
  expect(other.calls[0]).toBe(SIGN_IN)
})
