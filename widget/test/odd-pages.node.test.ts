// Pages and browsers that do the unusual: wrap `fetch`, evaluate the script, leave while signing out, show no notifications, colour their header.

import { readFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type GivenSite, givenSite } from './given-site.ts'
import { has } from './has.ts'
import { type HostSite, serveHost, tag } from './hosts/host-site.ts'
import { tagOf } from './mount.ts'

const SCRIPT = readFileSync(new URL('../dist/notification-center.js', import.meta.url), 'utf8')

let site: GivenSite
let context: BrowserContext
let page: Page
let userNo = 0
let userId = ''
let host: HostSite | undefined

beforeAll(async () => {
  site = await givenSite()
})
afterAll(() => site?.stop())
beforeEach(async () => {
  userId = `odd-${++userNo}`
  context = await site.browser.newContext({ reducedMotion: 'reduce' })
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
})
afterEach(async () => {
  await context.close()
  await host?.close()
  host = undefined
})

const inside = (selector: string) => page.locator(`notification-center ${selector}`)
const FROM_EDGE = () => `<script src="${site.edge.url}/widget/notification-center.js" async></script>`

/** Goes to a page with that head, and the tag with those attributes. */
async function open(head: string, attributes: Record<string, string> = {}, files: Record<string, string> = {}) {
  const all = { ...tagOf(site.edge, userId), ...attributes }
  host = await serveHost(
    (path) => files[path] ?? `<!doctype html><html lang="en"><head>${head}</head><body>${tag(all)}</body></html>`,
  )
  await page.goto(host.url)
}

test('a page whose fetch adds headers of its own is served', async () => {
  await open(`<script>
    const plain = fetch
    globalThis.fetch = (input, init = {}) =>
      plain(input, { ...init, headers: { ...init.headers, 'X-CSRF-Token': 'a', traceparent: '00-a-b-01', baggage: 'k=v' } })
  </script>${FROM_EDGE()}`)
  await has(page, 'state', 'ready')
  await site.edge.track({ name: 'usage.high', userId, properties: {} })
  await has(page, 'unread', 1)
  await inside('[part~=bell]').click()
  await has(page, 'unread', 0)
})

test('a page whose fetch sends cookies with all calls is told by debug what to change', async () => {
  await open(
    `<script>
      const plain = fetch
      globalThis.fetch = (input, init = {}) => plain(input, { ...init, credentials: 'include' })
    </script>${FROM_EDGE()}`,
    { debug: '' },
  )
  await has(page, 'state', 'offline')
  await expect.poll(() => inside('.debug').textContent()).toMatch(/wraps `fetch`, such as to send cookies/)
})

test('a sign-out that is followed by a navigation ends the session', async () => {
  const sessions: string[] = []
  page.on('response', async (answer) => {
    if (answer.request().method() === 'POST' && answer.url().endsWith('/v1/users/auth')) {
      sessions.push((await answer.json()).sessionToken)
    }
  })
  await open(FROM_EDGE())
  await has(page, 'state', 'ready')
  await expect.poll(() => sessions.length).toBe(1)
  await page.evaluate(() => {
    void document.querySelector('notification-center')?.signOut()
    location.assign('about:blank')
  })
  const status = async () => {
    const headers = { authorization: `Bearer ${sessions[0]}` }
    return (await fetch(`${site.edge.url}/v1/inbox/messages`, { headers })).status
  }
  await expect.poll(status).toBe(401)
})

test.each([
  ['/notification-center.js', ''],
  ['/static/js/notification-center.js', ''],
  ['/notify/widget/notification-center.js', '/notify'],
])('a script at %s without `base-url` asks its origin, or the path above its folder `widget`', async (path, base) => {
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/v1/') && asked.push(request.url()))
  await open(`<script src="${path}"></script>`, {}, { [path]: SCRIPT })
  await expect.poll(() => asked[0]).toBe(`${host?.url}${base}/v1/users/auth`)
})

describe('a script without an address of its own takes its parts from `base-url`', () => {
  test.each([
    [
      'inline',
      `<script>document.addEventListener('DOMContentLoaded', () => { const s = document.createElement('script'); s.textContent = TEXT; document.head.append(s) })</script>`,
    ],
    ['evaluated', `<script src="/app.js"></script>`],
    [
      'a blob',
      `<script>{ const s = document.createElement('script'); s.src = URL.createObjectURL(new Blob([TEXT], { type: 'text/javascript' })); document.head.append(s) }</script>`,
    ],
  ])('%s', async (_, head) => {
    const files = { '/text.js': `globalThis.TEXT = ${JSON.stringify(SCRIPT)}`, '/app.js': '(0, eval)(TEXT)' }
    await open(`<script src="/text.js"></script>${head}`, { 'base-url': `\n ${site.edge.url}/ ` }, files)
    await has(page, 'state', 'ready')
    await inside('[part~=bell]').click()
    await inside('[part~=panel]').waitFor()
  })
})

test('credentials are read without the white space that templates leave around them', async () => {
  const { 'api-key': key, 'user-id': user, token } = tagOf(site.edge, userId)
  await open(FROM_EDGE(), { 'api-key': ` ${key}\n`, 'user-id': `\n${user} `, token: `  ${token}\n`, 'auth-type': ' ' })
  await has(page, 'state', 'ready')
})

describe('where the browser cannot make a notification', () => {
  const arrive = async (head: string) => {
    await context.grantPermissions(['notifications'])
    await open(
      `<script>
        Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
        globalThis.faults = []
        globalThis.shown = []
        globalThis.sounds = 0
        globalThis.OscillatorNode = class extends OscillatorNode {
          start(at) {
            sounds += 1
            super.start(at)
          }
        }
        addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason)))
        addEventListener('error', ({ message }) => faults.push(message))
        ${head}
      </script>${FROM_EDGE()}`,
      { desktop: '', sound: '', toasts: 'all' },
      { '/worker.js': '' },
    )
    await has(page, 'state', 'ready')
    // Browsers allow sounds after a gesture.
    await page.mouse.click(5, 300)
    for (let times = 0; times < 2; times++) await site.edge.track({ name: 'usage.high', userId, properties: {} })
    await inside('[part~=toast]').nth(1).waitFor({ state: 'attached' })
    await page.waitForFunction('sounds > 0')
    return page.evaluate('({ faults, shown: shown.map(({ title, tag }) => [title, typeof tag]) })')
  }
  const ANDROID = `globalThis.Notification = class { static permission = 'granted'; static requestPermission = async () => 'granted'; constructor() { throw new TypeError('Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.') } };`
  const WORKER = `ServiceWorkerRegistration.prototype.showNotification = async (title, { tag }) => { shown.push({ title, tag }) }; navigator.serviceWorker.register('/worker.js');`
  const TITLE = 'You have used 90 % of your storage'

  test('its toasts come, and nothing is thrown', async () => {
    expect(await arrive(ANDROID)).toEqual({ faults: [], shown: [] })
  })
  test('a service worker of the page shows it', async () => {
    await arrive(ANDROID + WORKER)
    await expect
      .poll(() => page.evaluate('({ faults, shown: shown.map(({ title, tag }) => [title, typeof tag]) })'))
      .toEqual({
        faults: [],
        shown: [
          [TITLE, 'string'],
          [TITLE, 'string'],
        ],
      })
  })
  test('without the class, too', async () => {
    expect(await arrive('delete globalThis.Notification')).toEqual({ faults: [], shown: [] })
  })
  test('where the page has emptied its name, at a press of the bell as well', async () => {
    await arrive('globalThis.Notification = undefined')
    await inside('button[part~=bell]').click()
    await has(page, 'open', true)
    expect(await page.evaluate('faults')).toEqual([])
  })
})

test('`debug` throws nothing in a frame that is refused all of service workers', async () => {
  const head = `<script>
    globalThis.faults = []
    addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason)))
    Object.defineProperty(navigator, 'serviceWorker', { get() { throw new DOMException('sandboxed', 'SecurityError') } })
  </script>`
  await open(head + FROM_EDGE(), { debug: '' })
  await has(page, 'state', 'ready')
  await inside('.debug')
    .getByText(/IndexedDB, form/)
    .waitFor()
  expect(await page.evaluate('faults')).toEqual([])
})

test('the bell has the colour of the text around it, and the panel its own', async () => {
  await open(`<style>body { background: #123; color: rgb(250, 240, 230) }</style>${FROM_EDGE()}`)
  await has(page, 'state', 'ready')
  await inside('[part~=bell]').click()
  await inside('[part~=panel]').waitFor()
  const colour = (selector: string) => inside(selector).evaluate((element) => getComputedStyle(element).color)
  expect([await colour('[part~=bell]'), await colour('[part~=panel]')]).toEqual([
    'rgb(250, 240, 230)',
    'rgb(23, 26, 33)',
  ])
})

test('two bells of one user show a message in one toast', async () => {
  await open(FROM_EDGE(), { toasts: 'all' })
  await has(page, 'state', 'ready')
  await page.evaluate(() => {
    const [center] = document.querySelectorAll('notification-center')
    if (center) document.body.append(center.cloneNode(true))
  })
  await page.waitForFunction(() => document.querySelectorAll('notification-center')[1]?.state === 'ready')
  for (let times = 1; times < 4; times++) {
    await site.edge.track({ name: 'usage.high', userId, properties: {} })
    await page.waitForFunction(
      (times) => [...document.querySelectorAll('notification-center')].every(({ unread }) => unread === times),
      times,
    )
    await expect.poll(() => inside('[part~=toast]').count()).toBe(times)
  }
})

test.each([
  ['left', 'left: 4px; top: 4px'],
  ['middle', 'left: 300px; top: 60px'],
  ['right', 'right: 4px; top: 4px'],
])('a press before the panel is there shows where it will be, at once: %s', async (_, place) => {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/everyday.js*', async (route) => {
    await held
    await route.continue()
  })
  await open(FROM_EDGE())
  await page.evaluate((style) => {
    document.querySelector('notification-center')?.setAttribute('style', `position: fixed; ${style}`)
  }, place)
  await inside('[part~=bell]').click()
  const box = await inside('.waiting').boundingBox()
  if (box === null) throw new Error('not there')
  expect(box.height).toBeGreaterThan(100)
  // A press on it is none of the bell, which would close it.
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  expect(await inside('.waiting').count()).toBe(1)
  release()
  await inside('[part~=panel]').waitFor()
  const panel = await inside('[part~=panel]').boundingBox()
  const width = page.viewportSize()?.width ?? 0
  expect(box.x).toBeGreaterThanOrEqual(0)
  expect(box.x + box.width).toBeLessThanOrEqual(width)
  expect(box.y).toBeCloseTo(panel?.y ?? 0, -1)
  expect([box.x, box.x + box.width].map(Math.round)).toEqual(
    panel === null ? [] : [panel.x, panel.x + panel.width].map(Math.round),
  )
  await inside('[part~=row], [part~=empty]').first().waitFor()
  expect(await inside('.waiting').count()).toBe(0)
})

describe('a service worker that answers from its cache first', () => {
  /** Serves the reads of this service from its cache, whoever asks; `match` says what it takes for the same. */
  const worker = (match: string) => `
    addEventListener('install', () => skipWaiting())
    addEventListener('activate', (event) => event.waitUntil(clients.claim()))
    addEventListener('fetch', (event) => {
      if (event.request.method !== 'GET' || !/\\/v1\\/inbox\\/(messages|preferences)/.test(event.request.url)) return
      event.respondWith((async () => {
        const cache = await caches.open('all')
        const known = await cache.match(event.request, ${match})
        if (known) return known
        const answer = await fetch(event.request)
        await cache.put(event.request, answer.clone())
        return answer
      })())
    })`
  /** A first user, and then the page for a second one. */
  async function secondUser(match: string): Promise<void> {
    const first = tagOf(site.edge, `${userId}-first`)
    await site.edge.track({ name: 'usage.high', userId: `${userId}-first`, properties: {} })
    const files = {
      '/worker.js': worker(match),
      '/': '<!doctype html><title>Home</title>',
      '/first': `<!doctype html>${FROM_EDGE()}${tag(first)}`,
    }
    await open(FROM_EDGE(), { debug: '' }, files)
    await page.evaluate(async () => {
      const controls = new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
      await navigator.serviceWorker.register('/worker.js')
      await controls
    })
    await page.goto(`${host?.url}/first`)
    await has(page, 'unread', 1)
    await has(page, 'state', 'ready')
    await page.goto(`${host?.url}/second`)
  }

  test.each(['{}', '{ ignoreVary: true }'])('with %s: a second user reads the own list', async (match) => {
    await secondUser(match)
    await has(page, 'state', 'ready')
    await inside('[part~=bell]').click()
    await inside('[part~=empty]').waitFor()
  })
  test('the settings are those of now', async () => {
    await secondUser('{ ignoreVary: true }')
    await has(page, 'state', 'ready')
    const openSettings = async (): Promise<void> => {
      await inside('[part~=bell]').click()
      await inside('.gear').click()
    }
    const quiet = inside('.quiet [role=switch]')
    await openSettings()
    const changed = page.waitForResponse((answer) => answer.request().method() === 'PUT')
    await quiet.check()
    await changed
    await page.reload()
    await has(page, 'state', 'ready')
    await openSettings()
    await expect.poll(() => quiet.isChecked()).toBe(true)
  })
  test('that looks at the path alone: the element ends in an error, and `debug` names the worker', async () => {
    await secondUser('{ ignoreVary: true, ignoreSearch: true }')
    await has(page, 'state', 'error')
    await expect
      .poll(() => inside('.debug').textContent())
      .toMatch(/client\/old-answer.+service worker .+\/worker\.js/s)
  })
})
