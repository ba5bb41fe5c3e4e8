// The core of what the widget does, played in each browser alike: real keys and presses, the real service, the strictest policy.

import { afterEach, expect, test } from 'vitest'
import type { Stage } from './stage.ts'

const HIGH = 'You have used 90 % of your storage'
const NEWS = 'New: a calmer dashboard'

export function playCore(stage: () => Stage): void {
  afterEach(() => stage().endScenario())
  playReading(stage)
  playVanishing(stage)
  playTogether(stage)
  playWithout(stage)
}

function playReading(stage: () => Stage): void {
  test('badge, open, read in view, close: the server hears of it, and the focus is given back', async () => {
    const { newUser, track, visit, inboxOf } = stage()
    const user = newUser()
    await track(user, 'usage.high')
    await track(user, 'release.published')
    const page = await visit(user)
    const before = await page.until('the badge', ({ badge }) => badge === '2')
    expect(before.bellName).toBe('2 new notifications')
    expect(before.isOpen).toBe(false)
    await page.click('[part~=bell]')
    const open = await page.until('both rows', ({ rows }) => rows.length === 2)
    expect(open.rows).toEqual([NEWS, HIGH])
    expect(open.focus).toMatch(/^panel: /)
    await page.until('no badge', ({ badge }) => badge === null)
    await expect.poll(async () => (await inboxOf(user)).filter(({ readAt }) => readAt === null)).toEqual([])
    expect((await page.see()).dots).toEqual([NEWS, HIGH])
    await page.keys('Escape')
    const closed = await page.until('closed', ({ isOpen }) => !isOpen)
    expect(closed.focus).toMatch(/^bell: /)
  })

  test('a push arrives without a reload: badge, one sentence, a row at the top', async () => {
    const { newUser, track, visit } = stage()
    const user = newUser()
    await track(user, 'usage.high')
    const page = await visit(user)
    await page.until('ready', ({ state }) => state === 'ready')
    await page.window.evaluate(listenToLive)
    await track(user, 'release.published')
    await page.until('the badge and the sentence', ({ badge, live }) => badge === '2' && live !== '')
    const said = await page.window.evaluate(() => Reflect.get(globalThis, 'said') as string[])
    expect(said).toEqual([`New notification: ${NEWS}`])
    await page.click('[part~=bell]')
    await page.until('both rows', ({ rows }) => rows.length === 2)
    await track(user, 'payment.failed')
    const seen = await page.until('the new row', ({ rows }) => rows.length === 3)
    expect(seen.rows[0]).toBe('Your card was declined')
  })

  test('a press on a row opens its detail and is recorded; a link is followed, and its click is not lost', async () => {
    const { newUser, track, visit, inboxOf } = stage()
    const user = newUser()
    await track(user, 'order.shipped', { orderId: 'HG-1' })
    const page = await visit(user)
    await page.click('[part~=bell]')
    await page.click('article.row')
    const seen = await page.until('the detail', ({ detail }) => detail === 'Order HG-1 is on its way')
    expect(seen.focus).toMatch(/^detail-scroll: /)
    await expect.poll(async () => (await inboxOf(user))[0]?.openedAt).not.toBeNull()
    await page.click('[part~=detail] [part~=actions] a:last-child')
    // Both in one, so that a failure says whether the press reached the link.
    const where = () => page.window.evaluate(() => location.pathname)
    const isClicked = async () => typeof (await inboxOf(user))[0]?.clickedAt === 'string'
    await expect.poll(async () => [await where(), await isClicked()]).toEqual(['/orders/HG-1', true])
  })

  test('archived by a press, taken back, archived for good', async () => {
    const { newUser, track, visit, inboxOf } = stage()
    const user = newUser()
    await track(user, 'usage.high')
    await track(user, 'release.published')
    const page = await visit(user)
    await page.click('[part~=bell]')
    await page.click('article.row .excerpt', 1)
    await page.click('.tool')
    await page.until('one row and a word', ({ rows, notice }) => rows.length === 1 && notice !== null)
    await expect.poll(async () => (await inboxOf(user)).length).toBe(1)
    await page.click('.notice .link')
    await page.until('both rows', ({ rows }) => rows.length === 2)
    await expect.poll(async () => (await inboxOf(user)).length).toBe(2)
    await page.keys('ArrowDown', 'e')
    const left = await page.until('one row', ({ rows }) => rows.length === 1)
    expect(left.focus).toBe(`row: ${left.rows[0]}`)
    await expect.poll(async () => (await inboxOf(user, '?filter=archived')).length).toBe(1)
  })
}

/** What goes away is taken by the service, as another tab or a backend would have it. */
function playVanishing(stage: () => Stage): void {
  test('the focus is not lost with what it was on: the row in its place has it, then the panel', async () => {
    const { edge, newUser, fill, visit, inboxOf } = stage()
    const user = newUser()
    await fill(user)
    const session = await edge.signIn(user)
    const [, second, third, fourth] = await inboxOf(user)
    const page = await visit(user)
    await page.click('[part~=bell]')
    await page.until('the rows', ({ rows }) => rows.length === 7)
    await page.keys('Home', 'ArrowDown')
    const path = (id = '') => `/v1/inbox/messages/${id}`
    await edge.call('PATCH', path(second?.id), { session, body: { archived: true } })
    const archived = await page.until('six rows', ({ rows }) => rows.length === 6)
    expect(archived.focus).toBe(`row: ${third?.title}`)
    await edge.call('DELETE', path(third?.id), { session })
    const removed = await page.until('five rows', ({ rows }) => rows.length === 5)
    expect(removed.focus).toBe(`row: ${fourth?.title}`)
    // Read as it is: what it was is gone.
    await page.keys('Enter')
    await page.until('the detail', ({ detail }) => detail === fourth?.title)
    await edge.call('DELETE', path(fourth?.id), { session })
    const listed = await page.until('the list', ({ detail, rows }) => detail === null && rows.length === 4)
    expect(listed.focus).toMatch(/^row: /)
    for (const { id } of await inboxOf(user)) await edge.call('DELETE', path(id), { session })
    const empty = await page.until('no row', ({ rows }) => rows.length === 0)
    expect(empty.focus).toMatch(/^panel: /)
  })
}

function playTogether(stage: () => Stage): void {
  test('two windows: what is read and opened in one shows in the other, and both hear what comes', async () => {
    const { newUser, track, visit } = stage()
    const user = newUser()
    await track(user, 'usage.high')
    const one = await visit(user)
    await one.until('ready', ({ state, badge }) => state === 'ready' && badge === '1')
    const other = await visit(user)
    await other.until('ready', ({ state }) => state === 'ready')
    await other.click('[part~=bell]')
    await one.until('no badge', ({ badge, unopened }) => badge === null && unopened === 1)
    await other.click('article.row')
    await one.until('opened', ({ unopened }) => unopened === 0)
    await track(user, 'release.published')
    await one.until('the badge', ({ badge }) => badge === '1')
    await other.until('the count', ({ unopened }) => unopened === 1)
  })

  test('the network goes: a bar says so, a cold start shows what was stored, and all heals when it is back', async () => {
    const { newUser, track, visit, line, inboxOf } = stage()
    const user = newUser()
    await track(user, 'usage.high')
    await track(user, 'release.published')
    const page = await visit(user)
    await page.until('ready', ({ state }) => state === 'ready')
    await page.window.evaluate(storedInbox, user)
    line.cut()
    await page.click('[part~=bell]')
    await page.until('the bar', ({ isOffline, rows }) => isOffline && rows.length === 2)
    await page.reload()
    await page.until('the counts from the store', ({ unopened, state }) => unopened === 2 && state === 'offline')
    await page.click('[part~=bell]')
    await page.until('rows from the store', ({ isOffline, rows }) => isOffline && rows.length === 2)
    await track(user, 'payment.failed')
    line.mend()
    await page.window.evaluate(tryAgain)
    await page.until('healed', ({ state, rows, isOffline }) => state === 'ready' && rows.length === 3 && !isOffline)
    await expect.poll(async () => (await inboxOf(user)).filter(({ readAt }) => readAt === null)).toEqual([])
  })
}

function playWithout(stage: () => Stage): void {
  test('without popovers the panel still opens beside its bell, above the page, and closes', async () => {
    const { newUser, track, visit } = stage()
    const user = newUser()
    await track(user, 'usage.high')
    const page = await visit(user, { without: 'popover' })
    const ready = await page.until('ready', ({ state }) => state === 'ready')
    expect(ready.isOpen).toBe(false)
    await page.click('[part~=bell]')
    await page.until('the row', ({ rows, isOpen }) => isOpen && rows.length === 1)
    // The part that places it may come after the press.
    const place = (): Promise<ReturnType<typeof placeOfPanel>> => page.window.evaluate(placeOfPanel)
    await expect.poll(async () => (await place()).gap).toBeLessThanOrEqual(12)
    expect((await place()).isOnTop).toBe(true)
    await page.keys('Escape')
    const closed = await page.until('closed', ({ isOpen }) => !isOpen)
    expect(closed.focus).toMatch(/^bell: /)
  })

  test('where storage and locks are refused, as in private windows, it works for as long as the page lives', async () => {
    const { newUser, track, visit, inboxOf } = stage()
    for (const without of ['storage', 'locks', 'data'] as const) {
      const user = newUser()
      await track(user, 'usage.high')
      const page = await visit(user, { without })
      await page.until('ready', ({ state, badge }) => state === 'ready' && badge === '1')
      await page.click('[part~=bell]')
      await page.until('read', ({ badge, rows }) => badge === null && rows.length === 1)
      await expect.poll(async () => (await inboxOf(user))[0]?.readAt).not.toBeNull()
      await track(user, 'release.published')
      await page.until('the push', ({ rows }) => rows.length === 2)
    }
  })

  test('where a WebSocket is refused, it asks for changes', async () => {
    const { newUser, track, visit } = stage()
    const user = newUser()
    const page = await visit(user, { without: 'socket' })
    await page.until('ready', ({ state }) => state === 'ready')
    await track(user, 'usage.high')
    await page.window.evaluate(() => void dispatchEvent(new Event('online')))
    await page.until('the badge', ({ badge }) => badge === '1')
  })
}

/** Runs in the page: keeps what is said in the polite live region, each time that something is. */
function listenToLive(): void {
  const live = document.querySelector('notification-center')?.shadowRoot?.querySelector('[aria-live=polite]')
  const said: string[] = []
  Reflect.set(globalThis, 'said', said)
  if (live)
    new MutationObserver(() => said.push(live.textContent ?? '')).observe(live, { childList: true, subtree: true })
}

/** Runs in the page: by then the bar may have gone by itself, and a finger would meet what is beneath. */
function tryAgain(): void {
  document
    .querySelector('notification-center')
    ?.shadowRoot?.querySelector<HTMLElement>('[part~=offline] button')
    ?.click()
}

/** Runs in the page: settles when the user's inbox stands in the store. */
async function storedInbox(userId: string): Promise<void> {
  const keys = (): Promise<string[]> =>
    new Promise((resolve, reject) => {
      const opening = indexedDB.open('notification-center')
      opening.onerror = () => reject(opening.error)
      opening.onsuccess = () => {
        const asking = opening.result.transaction('log').objectStore('log').getAllKeys()
        asking.onsuccess = () => resolve(asking.result.map(String))
        asking.onerror = () => reject(asking.error)
        opening.result.close()
      }
    })
  const isThere = (key: string): boolean => key.startsWith('inbox') && key.includes(`"${userId}"`)
  for (const end = performance.now() + 25_000; performance.now() < end; ) {
    if ((await keys()).some(isThere)) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('The inbox was not stored.')
}

/** Runs in the page: whether what lies at the middle of the panel is the panel, and how far it is from the bell. */
function placeOfPanel(): { isOnTop: boolean; gap: number } {
  const center = document.querySelector('notification-center')
  const panel = center?.shadowRoot?.querySelector('[part~=panel]')?.getBoundingClientRect() ?? new DOMRect()
  const bell = center?.shadowRoot?.querySelector('[part~=bell]')?.getBoundingClientRect() ?? new DOMRect()
  const middle = document.elementFromPoint(panel.left + panel.width / 2, panel.top + panel.height / 2)
  return { isOnTop: middle === center, gap: Math.abs(panel.top - bell.bottom) }
}
