// Two versions of the widget on one page and on one site: no error, one socket, and nothing of either lost. The other one is a real former version, from the history.

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { buildFormerVersion, type FormerVersion } from './former-version.ts'
import { type GivenSite, givenOwnSite } from './given-site.ts'
import { has } from './has.ts'
import { tagOf } from './mount.ts'

const SLOW = 60_000
const NEW = 'notification-center'
const FORMER = 'former-center'
let former: FormerVersion
let site: GivenSite
let context: BrowserContext
let userNo = 0
let userId = ''

beforeAll(async () => {
  // The last one whose tabs asked no leader what it knows, and which wiped all that another schema had stored.
  former = await buildFormerVersion('former', 'widget/inbox/newcomer.ts')
  site = await givenOwnSite(undefined, { files: former.files })
}, 3 * SLOW)

afterAll(() => site?.stop())

beforeEach(async () => {
  userId = `versions-${++userNo}`
  context = await site.browser.newContext()
})

afterEach(async () => {
  for (const page of context.pages()) {
    expect(await page.evaluate(() => Reflect.get(globalThis, 'defects'))).toEqual([])
    expect(await page.evaluate(() => Reflect.get(globalThis, 'violations'))).toEqual([])
  }
  await context.close()
  await socketsAre(0)
})

async function openPage(): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await page.goto(site.host.url)
  return page
}
const load = (page: Page, path: string) => page.evaluate(`import(${JSON.stringify(path)}).then(() => {})`)

/** An element of this tag, signed in. */
async function place(page: Page, tag: string, user = userId, state = 'ready'): Promise<void> {
  if (tag === FORMER) await load(page, former.bundle)
  await page.evaluate(
    ([tag, attributes]) => {
      const center = document.createElement(tag)
      for (const [name, value] of Object.entries(attributes)) center.setAttribute(name, value)
      document.querySelector('#slot')?.append(center)
    },
    [tag, { ...tagOf(site.edge, user), 'base-url': site.edge.url }] as const,
  )
  await has(page, 'state', state, tag)
}
const unreadIs = (page: Page, tag: string, unread: number) => has(page, 'unread', unread, tag)
const remove = (page: Page, tag: string) => page.evaluate((tag) => document.querySelector(tag)?.remove(), tag)
const open = (page: Page, tag: string) =>
  page.evaluate((tag) => Reflect.get(document.querySelector(tag) ?? {}, 'show').call(document.querySelector(tag)), tag)
const titles = (page: Page, tag: string) => page.locator(`${tag} article.row [part~=title]`).allTextContents()
const track = (user = userId) => site.edge.track({ name: 'usage.high', userId: user, properties: {} })
const inboxOf = async () => (await site.edge.page(await site.edge.signIn(userId))).data
const socketsAre = (count: number) =>
  expect
    .poll(
      async () => {
        const text = await (await fetch(`${site.edge.url}/metrics`)).text()
        return Number(/^nc_sockets_open(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1])
      },
      { interval: 30 },
    )
    .toBe(count)
async function timesRead(id: string | undefined): Promise<number> {
  const key = site.edge.demo.environments.dev.sdkSecretKey
  const { body } = await site.edge.call<{ timeline: { eventType: string }[] }>('GET', `/v1/deliveries/${id}`, { key })
  return body.timeline.filter(({ eventType }) => eventType === 'read').length
}

test.each([
  ['the former script first', true],
  ['this script first', false],
])(
  'the same tag from two scripts, %s: the first has it, whole, and the other does nothing',
  {},
  async (_, isFormerFirst) => {
    const page = await context.newPage()
    let mayCome = (): void => {}
    const held = new Promise<void>((resolve) => {
      mayCome = resolve
    })
    await page.route('**/widget/notification-center.js', async (route) => {
      if (isFormerFirst) await held
      await route.continue()
    })
    await page.goto(site.host.url, { waitUntil: 'commit' })
    await page.waitForFunction(() => document.body !== null)
    if (!isFormerFirst) await page.waitForFunction(() => customElements.get('notification-center') !== undefined)
    await load(page, former.script)
    const first = await page.evaluateHandle(() => customElements.get('notification-center'))
    mayCome()
    await page.waitForLoadState('load')
    expect(await page.evaluate((first) => customElements.get('notification-center') === first, first)).toBe(true)
    await fillInbox(site.edge, userId)
    await place(page, NEW)
    await unreadIs(page, NEW, 7)
    await open(page, NEW)
    await page.locator('notification-center article.row').first().waitFor()
    await page.keyboard.press('?')
    await page.locator('notification-center .keys').waitFor()
    // Every part is of the version that has the tag.
    const parts = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => new URL(name).pathname)
          .filter((path) => /\/(everyday|rare)\.js$/.test(path)),
      )
    await expect.poll(parts).toHaveLength(2)
    for (const path of await parts()) expect(path.startsWith('/former/0.0.9/')).toBe(isFormerFirst)
  },
)

test.each([
  [FORMER, NEW],
  [NEW, FORMER],
])('%s, then %s beside it, for one user: one socket, one inbox, each event once', async (a, b) => {
  await track()
  const page = await openPage()
  await place(page, a)
  await place(page, b)
  await socketsAre(1)
  await track()
  for (const tag of [a, b]) await unreadIs(page, tag, 2)
  await open(page, a)
  for (const tag of [a, b]) await unreadIs(page, tag, 0)
  await expect.poll(async () => (await inboxOf()).every(({ readAt }) => readAt !== null)).toBe(true)
  await open(page, b)
  await expect.poll(() => titles(page, b).then(({ length }) => length)).toBe(2)
  for (const { id } of await inboxOf()) expect(await timesRead(id)).toBe(1)
  // Whoever leads goes: the other one has the socket, and misses nothing.
  await remove(page, a)
  await track()
  await has(page, 'unopened', 3, b)
  await socketsAre(1)
  await remove(page, b)
})

test.each([
  [FORMER, NEW],
  [NEW, FORMER],
])('%s in one tab, %s in another: what one keeps the other shows and sends', async (a, b) => {
  for (let times = 0; times < 3; times++) await track()
  const one = await openPage()
  await place(one, a)
  await unreadIs(one, a, 3)
  // What is read without a service is left behind.
  await context.route('**/event/register', (route) => route.abort())
  await open(one, a)
  await unreadIs(one, a, 0)
  const other = await openPage()
  await place(other, b)
  await unreadIs(other, b, 0)
  await socketsAre(1)
  await one.close()
  await context.unroute('**/event/register')
  await other.evaluate(() => dispatchEvent(new Event('online')))
  await expect.poll(async () => (await inboxOf()).every(({ readAt }) => readAt !== null)).toBe(true)
  for (const { id } of await inboxOf()) expect(await timesRead(id)).toBe(1)
  await track()
  await unreadIs(other, b, 1)
  await socketsAre(1)
  // A cold start of the first one without the service: the list that the other one kept.
  await expect.poll(() => other.evaluate(storedTitles)).toBe(4)
  await other.close()
  await context.route('**/v1/**', (route) => route.abort())
  const cold = await openPage()
  await place(cold, a, userId, 'offline')
  await unreadIs(cold, a, 1)
  await open(cold, a)
  await expect.poll(() => titles(cold, a).then(({ length }) => length)).toBe(4)
})

test('two users, one in each: nothing of one is in the other; a sign-out in either is one in both of a user', {}, async () => {
  const page = await openPage()
  await fillInbox(site.edge, userId)
  await place(page, NEW)
  await place(page, FORMER, `${userId}-b`)
  await unreadIs(page, NEW, 7)
  await unreadIs(page, FORMER, 0)
  await socketsAre(2)
  await track(`${userId}-b`)
  await unreadIs(page, FORMER, 1)
  await unreadIs(page, NEW, 7)
  await remove(page, FORMER)
  await place(page, FORMER)
  await unreadIs(page, FORMER, 7)
  await socketsAre(1)
  await page.evaluate(
    (tag) => Reflect.get(document.querySelector(tag) ?? {}, 'signOut').call(document.querySelector(tag)),
    FORMER,
  )
  for (const tag of [NEW, FORMER]) await has(page, 'state', 'signed-out', tag)
  await socketsAre(0)
})

/** Runs in the page: how many messages are kept. */
function storedTitles(): Promise<number> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('notification-center')
    opening.onsuccess = () => {
      const asking = opening.result.transaction('log').objectStore('log').getAll(IDBKeyRange.bound('inbox', 'receipts'))
      asking.onsuccess = () => {
        opening.result.close()
        resolve(asking.result.flatMap(({ list }) => list.messages).length)
      }
    }
  })
}
