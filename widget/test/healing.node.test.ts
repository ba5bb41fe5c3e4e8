// What happens to browsers, played in a real one over the real edge: full disks, sleep, clocks, proxies, other versions, a kill. Over a line that can be cut.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import puppeteer from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { GivenEdge } from '../../edge/test/support/given.ts'
import { CHROMIUM_FLAGS, programPath } from '../../tools/programs/programs.ts'
import type { HostPage } from '../gallery/host-page.ts'
import { type Line, openLine } from './browsers/line.ts'
import { type GivenSite, givenOwnSite } from './given-site.ts'
import { has as hasOn } from './has.ts'
import { mount, tagOf } from './mount.ts'
import { queued } from './queued.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const REGISTER = 'POST /v1/notification/event/register'
let line: Line
let site: GivenSite
let edge: GivenEdge
let host: HostPage
let browser: Browser
let context: BrowserContext
let page: Page
let userNo = 0
let userId = ''

beforeAll(async () => {
  line = await openLine()
  site = await givenOwnSite(line)
  ;({ edge, host, browser } = site)
})

afterAll(async () => {
  await site?.stop()
  await line?.close()
})

beforeEach(async () => {
  userId = `healing-${++userNo}`
  context = await browser.newContext()
  page = await context.newPage()
})

afterEach(async () => {
  line.mend()
  await context.close()
})

const place = async (attributes: Record<string, string> = {}): Promise<void> => {
  await page.goto(host.url)
  await page.evaluate(() =>
    document.addEventListener('nc-error', () => Reflect.get(globalThis, 'defects').push('told')),
  )
  await mount(page, edge, userId, { 'base-url': line.url, ...attributes })
  await has('state', 'ready')
}
const has = (property: string, value: unknown) => hasOn(page, property, value)
const track = (name = 'usage.high'): Promise<unknown> => edge.track({ name, userId, properties: {} })
const inboxOf = async () => (await edge.page(await edge.signIn(userId))).data
const openBell = () => page.locator('notification-center [part~=bell]').click()
const defects = () => page.evaluate(() => Reflect.get(globalThis, 'defects'))
/** How often the server counted a delivery event of the user's only message. */
async function timesOf(eventType: string): Promise<number> {
  const [message] = await inboxOf()
  const key = edge.demo.environments.dev.sdkSecretKey
  const { body } = await edge.call<{ timeline: { eventType: string }[] }>('GET', `/v1/deliveries/${message?.id}`, {
    key,
  })
  return body.timeline.filter((event) => event.eventType === eventType).length
}

test('with a full disk, list, badge and delivery events live in memory, and nobody is told of an error', {}, async () => {
  await track()
  await page.goto(host.url)
  const cdp = await context.newCDPSession(page)
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: host.url, quotaSize: 1 })
  await place()
  expect(await page.evaluate(canWrite)).toBe('QuotaExceededError')
  await page.route('**/event/register', (route) => route.abort())
  await openBell()
  await has('unread', 0)
  await track()
  await has('unread', 0)
  await has('unopened', 2)
  await page.unroute('**/event/register')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect.poll(async () => (await inboxOf()).filter(({ readAt }) => readAt === null)).toEqual([])
  await has('state', 'ready')
  expect(await defects()).toEqual([])
})

test('three days asleep, the server restarted and the session ended: it heals without a reload', {}, async () => {
  await page.clock.install()
  const tokens: string[] = []
  page.on('request', (request) => tokens.push(request.headers().authorization?.slice('Bearer '.length) ?? ''))
  await track()
  await place()
  await has('unread', 1)
  line.cut()
  await edge.call('DELETE', '/v1/inbox/session', { key: String(tokens.findLast((token) => token !== '')) })
  await edge.restart()
  await track()
  await track()
  await page.clock.fastForward(3 * DAY_MS)
  await has('state', 'offline')
  line.mend()
  await page.clock.fastForward(20_000)
  await has('unread', 3)
  await has('state', 'ready')
  await track()
  await has('unread', 4)
})

test.each([
  ['forward', 1],
  ['back', -1],
])('the clock is set %s by a day: times and order stay true', async (_, days) => {
  await page.clock.install()
  await track()
  await place({ mode: 'inline' })
  const times = page.locator('notification-center [part~=time]')
  await times.first().waitFor()
  const before = await times.first().textContent()
  // The page's tick sees it, be it by itself, and a renewed session brings the time.
  const renewed = page.waitForResponse((response) => response.url().endsWith('/v1/users/auth'))
  await page.clock.setSystemTime(Date.now() + days * DAY_MS)
  await Promise.all([renewed, page.clock.fastForward(21_000)])
  await track('release.published')
  await expect.poll(() => times.count()).toBe(2)
  const shown = [before, ...(await times.allTextContents())]
  for (const time of shown) expect(time).toMatch(/^now$|min/)
  const titles = await page.locator('notification-center [part~=title]').allTextContents()
  expect(titles).toEqual(['New: a calmer dashboard', 'You have used 90 % of your storage'])
})

test('with the network back, the socket is there without waiting out a delay, and the gap is filled exactly', {}, async () => {
  await page.clock.install()
  await place()
  await context.setOffline(true)
  await has('state', 'offline')
  // Long enough for the longest delay between two attempts.
  for (let times = 0; times < 6; times++) await page.clock.fastForward(10_000)
  for (let times = 0; times < 3; times++) await track()
  // From here on no timer of the page runs: what comes back comes by the event alone.
  await page.clock.pauseAt(Date.now() + 10 * 60 * 1000)
  const opened = page.waitForEvent('websocket')
  const from = performance.now()
  await context.setOffline(false)
  await opened
  const unread = () => page.evaluate(() => Reflect.get(document.querySelector('notification-center') ?? {}, 'unread'))
  await expect.poll(unread).toBe(3)
  process.stdout.write(`back on line, the gap was filled after ${Math.round(performance.now() - from)} ms\n`)
  await has('state', 'ready')
  // A renewed session may have brought the number before the socket brings the messages.
  const messages = () =>
    page.evaluate(() => Reflect.get(document.querySelector('notification-center') ?? {}, 'messages').length)
  await expect.poll(messages).toBe(3)
})

test('an attempt that got stuck without a network is given up when there is one again', async () => {
  await page.clock.install()
  const sockets: string[] = []
  page.on('websocket', (socket) => sockets.push(socket.url()))
  await place()
  await expect.poll(() => sockets.length).toBe(1)
  await has('state', 'ready')
  line.cut()
  line.mend()
  line.loseAnswersTo('GET /v1/realtime')
  await page.clock.fastForward(20_000)
  await expect.poll(() => sockets.length).toBe(2)
  line.mend()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  // By itself the attempt would end after twenty seconds more.
  await expect.poll(() => sockets.length).toBe(3)
  await track()
  await has('unread', 1)
})

test('behind a proxy that knows no WebSocket it asks for changes by itself', async () => {
  line.refuseUpgrades()
  await page.clock.install()
  const sockets: string[] = []
  page.on('websocket', (socket) => sockets.push(socket.url()))
  await place()
  await expect.poll(() => sockets.length).toBeGreaterThan(0)
  await track()
  await page.clock.fastForward(3_000)
  await has('unread', 1)
  await track()
  await page.clock.fastForward(30_000)
  await has('unread', 2)
  await has('state', 'ready')
})

test('an older version’s database is upgraded, and what it had not sent goes out', async () => {
  await track()
  const [message] = await inboxOf()
  const owner = JSON.stringify([tagOf(edge, userId)['api-key'], line.url, userId])
  await page.goto(host.url)
  const kept = { messageId: message?.id ?? '', eventType: 'clicked', occurredAt: new Date().toISOString() }
  await page.evaluate(leaveDatabase, { version: 1, [`receipts${owner}`]: [kept], [`inbox${owner}`]: 'of another form' })
  await place()
  await expect.poll(async () => (await inboxOf())[0]?.clickedAt).not.toBeNull()
  await has('unread', 0)
  expect(await defects()).toEqual([])
})

test('a queue of more bytes than may outlive a page goes out', async () => {
  await track()
  const [message] = await inboxOf()
  const owner = JSON.stringify([tagOf(edge, userId)['api-key'], line.url, userId])
  await page.goto(host.url)
  const kept = Array.from({ length: 150 }, (_, at) => ({
    messageId: message?.id ?? '',
    eventType: 'clicked',
    occurredAt: new Date().toISOString(),
    link: `https://shop.example/${at}?${'x'.repeat(500)}`,
  }))
  await page.evaluate(leaveDatabase, { version: 2, [`receipts${owner}`]: kept })
  await place()
  await expect.poll(async () => (await inboxOf())[0]?.clickedAt).not.toBeNull()
  expect(await defects()).toEqual([])
})

test('a newer version’s database is left as it is, also when it comes while the page is open', {}, async () => {
  await track()
  await place()
  await page.evaluate(leaveDatabase, { version: 9, receipts: 'of another form' })
  await openBell()
  await expect.poll(async () => (await inboxOf())[0]?.readAt).not.toBeNull()
  await place()
  await has('unread', 0)
  expect(await defects()).toEqual([])
  expect(await page.evaluate(leaveDatabase, { version: 9 })).toEqual(['of another form'])
})

test('the browser is killed between a delivery event and its acknowledgement: it is there once', {}, async () => {
  await track()
  const profile = await mkdtemp(join(tmpdir(), 'profile-'))
  const executablePath = programPath('chromium')
  const launch = async () => {
    const started = await puppeteer.launch({ executablePath, userDataDir: profile, args: CHROMIUM_FLAGS })
    const [tab] = await started.pages()
    await tab?.goto(host.url)
    const tag = { ...tagOf(edge, userId), 'base-url': line.url }
    await tab?.evaluate((all) => {
      const center = document.createElement('notification-center')
      for (const [name, value] of Object.entries(all)) center.setAttribute(name, value)
      document.querySelector('#slot')?.append(center)
    }, tag)
    return { started, tab }
  }
  try {
    const first = await launch()
    line.loseAnswersTo(REGISTER)
    await first.tab?.waitForFunction(
      () => Reflect.get(document.querySelector('notification-center') ?? {}, 'unread') === 1,
    )
    await first.tab?.evaluate(() =>
      Reflect.get(document.querySelector('notification-center') ?? {}, 'show').call(
        document.querySelector('notification-center'),
      ),
    )
    await expect.poll(async () => (await inboxOf())[0]?.readAt).not.toBeNull()
    expect(await first.tab?.evaluate(queued, 'read')).toBe(1)
    const gone = new Promise((resolve) => first.started.process()?.once('exit', resolve))
    first.started.process()?.kill('SIGKILL')
    await gone
    line.mend()
    const second = await launch()
    await expect.poll(() => second.tab?.evaluate(queued, 'read')).toBe(0)
    expect(await timesOf('read')).toBe(1)
    await second.started.close()
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
})

/** Runs in the page: the name of what keeps it from writing. */
function canWrite(): Promise<string> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('probe', 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore('s')
    opening.onerror = () => resolve(opening.error?.name ?? '')
    opening.onsuccess = () => {
      const writing = opening.result.transaction('s', 'readwrite')
      writing.objectStore('s').put('x'.repeat(100_000), 'k')
      writing.oncomplete = () => resolve('written')
      writing.onabort = () => resolve(writing.error?.name ?? '')
    }
  })
}

/** Runs in the page: what is there is of this version, with these records; answers all records. */
function leaveDatabase({ version, ...records }: Record<string, unknown>): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('notification-center', Number(version))
    opening.onupgradeneeded = () => {
      for (const name of [...opening.result.objectStoreNames]) opening.result.deleteObjectStore(name)
      const store = opening.result.createObjectStore('log')
      for (const [key, value] of Object.entries(records)) store.put(value, key)
    }
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const asking = opening.result.transaction('log').objectStore('log').getAll()
      asking.onsuccess = () => {
        opening.result.close()
        resolve(asking.result)
      }
    }
  })
}
