// <notification-center> in real Chromium against the real edge: bell, badge, panel, rows, detail, keys, events, access.

import { assert } from 'chai'
import {
  assertAccessible,
  edge,
  fill,
  headOf,
  newUser,
  next,
  openPanel,
  pageOf,
  part,
  parts,
  place,
  placeOpen,
  press,
  removeAll,
  track,
  until,
} from '../test/given-widget.ts'
import type { NcArriveEvent, NcCountsEvent, NcErrorEvent, NcOpenMessageEvent } from './events.ts'

suite('notification-center', () => {
  teardown(removeAll)

  test('the badge shows what the server counts, and the bell says it', async () => {
    const user = newUser()
    await fill(user)
    const center = await place(user)
    assert.equal(part(center, 'badge')?.textContent, '7')
    assert.equal(part(center, 'bell')?.getAttribute('aria-label'), '7 new notifications')
    assert.equal(center.unread, 7)
    await assertAccessible(center)
  })

  test('a closed panel takes no room in the page', async () => {
    const center = await place(newUser())
    const before = center.getBoundingClientRect().height
    await until('panel is there', () => part(center, 'panel'))
    assert.equal(part(center, 'panel')?.offsetHeight, 0)
    assert.equal(center.getBoundingClientRect().height, before)
    center.show()
    await until('panel', () => part(center, 'panel')?.matches(':popover-open'))
    assert.equal(center.getBoundingClientRect().height, before)
    assert.equal(center.shadowRoot?.activeElement, part(center, 'panel'))
  })

  test('the next page has the count before it has asked anybody, and is told it again with its list', async () => {
    const user = newUser()
    await fill(user)
    const former = await place(user)
    removeAll()
    await until('noted', () => Object.keys(localStorage).some((name) => name.includes(user)))
    await until('its session has ended', () => former.state === 'signed-out')
    const told = next<NcCountsEvent>(document, 'nc-counts')
    const center = await place(user, {}, '')
    await center.updateComplete
    assert.deepEqual([center.unread, center.state, part(center, 'badge')?.textContent], [7, 'loading', '7'])
    assert.equal((await told).unread, 7)
    // A page whose script comes later hears it all the same.
    const late = next<NcCountsEvent>(center, 'nc-counts')
    assert.equal((await late).unread, 7)
    assert.equal((await place(newUser(), {}, '')).unread, 0)
  })

  test('what a browser keeps under our name and is not ours is no count', async () => {
    const user = newUser()
    const name = `nc-inbox${JSON.stringify([edge.frontApiKey, edge.edgeUrl, user])}`
    for (const kept of ['', 'null', '5', '{"unread":-1}', '{"unread":"<b>"}', '{']) {
      localStorage.setItem(name, kept)
      const center = await place(user, {}, '')
      assert.equal(center.unread, 0, kept)
      center.remove()
    }
  })

  test("a bell of the page's own within a wrapper has the focus back", async () => {
    const center = await place(newUser())
    const own = document.createElement('span')
    own.slot = 'bell'
    own.innerHTML = '<button>Inbox</button>'
    center.append(own)
    const button = own.firstElementChild as HTMLButtonElement
    button.focus()
    button.click()
    await until('the panel has the focus', () => center.shadowRoot?.activeElement)
    center.hide()
    await until('the button has it', () => document.activeElement === button)
  })

  test('more than 99 is shown as 99+, and the bell says all of them', async () => {
    const user = newUser()
    await fill(user, 15)
    const center = await place(user)
    assert.equal(part(center, 'badge')?.textContent, '99+')
    assert.equal(part(center, 'bell')?.getAttribute('aria-label'), '105 new notifications')
    await assertAccessible(center)
  })

  test('a tracked event arrives live, is announced once and counted', async () => {
    const user = newUser()
    const center = await place(user)
    assert.isTrue(part(center, 'badge')?.hidden)
    const arrival = next<NcArriveEvent>(center, 'nc-arrive')
    const counts = next<NcCountsEvent>(center, 'nc-counts')
    await track(user, 'usage.high')
    assert.equal((await arrival).messages[0]?.title, 'You have used 90 % of your storage')
    assert.equal((await counts).unread, 1)
    const live = center.shadowRoot?.querySelector('[aria-live=polite]')
    await until('it is said', () => live?.textContent === 'New notification: You have used 90 % of your storage')
  })

  test('a burst of arrivals is said in few sentences, which count them all', async () => {
    const user = newUser()
    const center = await place(user)
    const arrived: string[] = []
    center.addEventListener('nc-arrive', ({ messages }) => arrived.push(...messages.map(({ title }) => title)))
    const live = center.shadowRoot?.querySelector('[aria-live=polite]') as HTMLElement
    const said: string[] = []
    const hearing = new MutationObserver(() => said.push(live.textContent))
    hearing.observe(live, { childList: true })
    const counted = (): number =>
      said.reduce((sum, sentence) => sum + (/^\d+/.test(sentence) ? Number.parseInt(sentence, 10) : 1), 0)
    const began = performance.now()
    for (let sent = 0; sent < 40; sent++) await track(user, 'usage.high')
    await until('all came', () => arrived.length === 40)
    await until('all were said', () => counted() === 40)
    hearing.disconnect()
    // One a second, however slow the machine is.
    assert.isAtMost(said.length, 2 + (performance.now() - began) / 1000, said.join(' | '))
  })

  test('toasts go when the panel is opened', async () => {
    const user = newUser()
    const center = await place(user, { toasts: 'all' })
    for (const name of ['usage.high', 'payment.failed']) await track(user, name)
    await until('two toasts', () => parts(center, 'toast').length === 2)
    await openPanel(center, 2)
    // At once: by themselves they would go, too.
    assert.lengthOf(parts(center, 'toast'), 0)
    assert.isFalse(center.shadowRoot?.querySelector('.toasts')?.matches(':popover-open'))
  })

  test('a toast that is pressed leads to its message, also when the panel was never opened', async () => {
    const user = newUser()
    const center = await place(user, { toasts: 'all' })
    for (const name of ['usage.high', 'payment.failed']) await track(user, name)
    await until('two toasts', () => parts(center, 'toast').length === 2)
    const opened = next<NcOpenMessageEvent>(center, 'nc-open-message')
    parts(center, 'toast')[0]?.querySelector<HTMLElement>('.toast-open')?.click()
    const { title } = (await opened).message
    await until('its detail', () => part(center, 'detail')?.textContent?.includes(title))
    press(center, 'Escape')
    await until('the list', () => parts(center, 'row').length === 2)
    assert.isNull(part(center, 'detail'))
    assert.isTrue(center.open)
  })

  test('rows in view are recorded as read: the badge clears, the dots stay', async () => {
    const user = newUser()
    await track(user, 'usage.high')
    await track(user, 'release.published')
    const center = await place(user)
    await openPanel(center, 2)
    await until('the server has the reads', async () => (await headOf(user)).unread === 0)
    assert.equal((await headOf(user)).unopened, 2)
    await until('badge gone', () => part(center, 'badge')?.hidden)
    assert.equal(parts(center, 'dot').filter((dot) => !dot.hidden).length, 2)
    await assertAccessible(center)
  })

  test('a click opens the detail, records opened, and Escape leads back, then out', async () => {
    const user = newUser()
    await track(user, 'order.shipped', { orderId: 'HG-1' })
    const center = await place(user)
    await openPanel(center)
    const opened = next<NcOpenMessageEvent>(center, 'nc-open-message')
    part(center, 'row')?.click()
    assert.equal((await opened).message.title, 'Order HG-1 is on its way')
    await until('detail', () => part(center, 'detail'))
    await until('Markdown', () => part(center, 'detail')?.querySelector('strong')?.textContent === 'Rotterdam')
    await assertAccessible(center)
    await until('recorded', async () => (await pageOf(user)).data[0]?.openedAt !== null)
    press(center, 'Escape')
    assert.isNull(part(center, 'detail'))
    assert.equal(center.shadowRoot?.activeElement, part(center, 'row'))
    const hidden = next(center, 'nc-hide')
    press(center, 'Escape')
    await hidden
    assert.isFalse(center.open)
    assert.equal(center.shadowRoot?.activeElement, part(center, 'bell'))
  })

  test('what was opened, marked as unread and is opened again loses its dot again', async () => {
    const user = newUser()
    await track(user, 'payment.failed')
    const center = await place(user)
    await openPanel(center)
    const isDotted = async (wanted: boolean) => {
      await until(`dotted: ${wanted}`, () => center.unopened === Number(wanted))
      await until(`the server says so: ${wanted}`, async () => (await headOf(user)).unopened === Number(wanted))
    }
    center.addEventListener('nc-open-message', (event) => event.preventDefault())
    for (const deed of ['Enter', 'u', 'Enter', 'u']) {
      part(center, 'row')?.focus()
      press(center, deed)
      await isDotted(deed === 'u')
    }
    // An action of it is as good as opening it.
    center.addEventListener('nc-action', (event) => event.preventDefault())
    for (const deed of ['click', 'u', 'click']) {
      if (deed === 'click') part(center, 'actions')?.querySelector('a')?.click()
      else press(center, deed)
      await isDotted(deed === 'u')
    }
  })

  test('what is opened in "Unread" stays open, leaves the list, and the next row has the focus after', async () => {
    const user = newUser()
    for (const orderId of ['U-1', 'U-2', 'U-3']) await track(user, 'order.shipped', { orderId })
    const center = await place(user)
    await openPanel(center, 3)
    parts(center, 'tabs')[0]?.querySelectorAll<HTMLElement>('[role=tab]')[1]?.click()
    await until('unread rows', () => parts(center, 'row').length === 3)
    parts(center, 'row')[1]?.click()
    await until('detail', () => part(center, 'detail'))
    await until('left the list', () => parts(center, 'row').length === 2)
    assert.include(part(center, 'detail')?.textContent, 'U-2')
    press(center, 'Escape')
    await until('list', () => part(center, 'detail') === null)
    assert.include((center.shadowRoot?.activeElement as HTMLElement | null)?.textContent, 'U-1')
  })

  test('arrows, Home, End and Enter walk and open rows', async () => {
    const { center } = await placeOpen()
    const focused = () => parts(center, 'row').indexOf(center.shadowRoot?.activeElement as HTMLElement)
    for (const [key, at] of [
      ['ArrowDown', 0],
      ['ArrowDown', 1],
      ['End', 6],
      ['ArrowDown', 6],
      ['ArrowUp', 5],
      ['Home', 0],
    ] as const) {
      press(center, key)
      assert.equal(focused(), at, key)
    }
    press(center, 'Enter')
    assert.isNotNull(part(center, 'detail'))
  })

  test('a prevented event keeps the panel still, and the delivery event is recorded all the same', async () => {
    const user = newUser()
    await track(user, 'payment.failed')
    const center = await place(user)
    await openPanel(center)
    for (const type of ['nc-open-message', 'nc-action'])
      center.addEventListener(type, (event) => event.preventDefault())
    part(center, 'row')?.click()
    assert.isNull(part(center, 'detail'))
    part(center, 'actions')?.querySelector('a')?.click()
    await until('clicked', async () => (await pageOf(user)).data[0]?.clickedAt !== null)
  })

  test('a middle click follows a link, too; a right one asks for a menu', async () => {
    const user = newUser()
    await track(user, 'release.published')
    await track(user, 'payment.failed')
    const center = await place(user)
    await openPanel(center, 2)
    const heard: string[] = []
    for (const type of ['nc-action', 'nc-follow-link']) center.addEventListener(type, ({ type }) => heard.push(type))
    const clicks = async () => (await pageOf(user)).data.filter(({ clickedAt }) => clickedAt !== null).length
    const press = (name: string, button: number): void => {
      const init = { button, bubbles: true, composed: true, cancelable: true }
      part(center, name)?.querySelector('a')?.dispatchEvent(new MouseEvent('auxclick', init))
    }
    press('actions', 2)
    assert.deepEqual(heard, [])
    press('actions', 1)
    await until('the action is recorded', async () => (await clicks()) === 1)
    parts(center, 'row')[1]?.click()
    press('detail', 2)
    press('detail', 1)
    await until('the link is recorded', async () => (await clicks()) === 2)
    assert.deepEqual(heard, ['nc-action', 'nc-follow-link'])
  })

  test('a mode that changes while the panel is open leaves it open, as what it is now', async () => {
    const { center } = await placeOpen()
    const panel = part(center, 'panel')
    center.mode = 'inline'
    await until('in the page', () => panel?.getAttribute('role') === 'region' && !panel.matches(':popover-open'))
    assert.lengthOf(parts(center, 'row'), 7)
    center.mode = null
    await until('over the page', () => panel?.matches(':popover-open'))
    center.hide()
    await until('closed', () => !panel?.matches(':popover-open'))
    center.mode = 'inline'
    await until('in the page again', () => (panel?.offsetHeight ?? 0) > 0)
    center.mode = 'popover'
    await until('closed as it was', () => panel?.offsetHeight === 0)
    await openPanel(center, 7)
  })

  test('an open panel is shown, and has the focus, when the element was moved in the page', async () => {
    const user = newUser()
    await track(user, 'usage.high')
    const center = await place(user)
    await openPanel(center, 1)
    const elsewhere = document.createElement('div')
    document.body.append(elsewhere)
    elsewhere.append(center)
    // Browsers hide a popover that leaves its place, if only for a moment.
    await until('shown anew', () => part(center, 'panel')?.matches(':popover-open'))
    assert.isTrue(center.open)
    assert.equal(center.shadowRoot?.activeElement, part(center, 'panel'))
    elsewhere.append(center)
    center.hide()
    await until('hidden', () => part(center, 'panel')?.matches(':not(.open, :popover-open)'))
    elsewhere.remove()
  })

  test('a row that the page fails to draw is drawn as ours, and the page is told', async () => {
    const user = newUser()
    await track(user, 'usage.high')
    await track(user, 'payment.failed')
    const center = await place(user, {}, '')
    const told: unknown[] = []
    // Mocha would take it for a failure of the test.
    const { reportError } = globalThis
    globalThis.reportError = (error: unknown) => told.push(error)
    try {
      center.renderRow = ({ title, actions }) => {
        if (actions.length > 0) throw new Error('no such field')
        return document.createTextNode(`Ours: ${title}`)
      }
      await openPanel(center, 2)
      const words = parts(center, 'row').map(({ textContent }) => textContent?.replace(/\s+/g, ' ').trim() ?? '')
      assert.include(words[0], 'Your card was declined')
      assert.include(words[1], 'Ours: You have used 90 % of your storage')
      assert.equal((told[0] as Error).message, 'no such field')
    } finally {
      // It may be drawn once more before it goes.
      center.renderRow = undefined
      globalThis.reportError = reportError
    }
  })

  test('rows that the page draws are drawn anew when it says otherwise; nothing from it means ours', async () => {
    const user = newUser()
    await track(user, 'usage.high')
    const center = await place(user, {}, '')
    await openPanel(center, 1)
    // With the frame that follows, not when something else has it drawn: the times are, every twenty seconds.
    const shows = async (renderRow: typeof center.renderRow, words: string) => {
      center.renderRow = renderRow
      for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
      assert.include(parts(center, 'row')[0]?.textContent, words)
    }
    await until('it is read, and all is quiet', async () => center.unread === 0 && (await headOf(user)).unread === 0)
    await shows(() => document.createTextNode('Theirs'), 'Theirs')
    await shows(() => document.querySelector('no-such-element') as Node, 'You have used 90 %')
    await shows(() => document.createTextNode('Theirs again'), 'Theirs again')
    await shows(undefined, 'You have used 90 %')
  })

  test('archive moves the row, unread marks its dot, delete takes it away, mark all clears', async () => {
    const { user, center } = await placeOpen()
    const quick = (row: number, at: number) =>
      parts(center, 'row')[row]?.querySelectorAll<HTMLElement>('.quick button')[at]
    quick(0, 1)?.click()
    await until('row gone', () => parts(center, 'row').length === 6)
    await until('archived', async () => (await pageOf(user, '?filter=archived')).data.length === 1)
    await center.markAllRead()
    assert.deepEqual([center.unread, center.unopened], [0, 0])
    assert.equal((await headOf(user)).unopened, 0)
    quick(0, 0)?.click()
    await until('unread again', () => center.unopened === 1)
    await until('the server says so', async () => (await headOf(user)).unopened === 1)
    parts(center, 'tabs')[0]?.querySelector<HTMLElement>('[role=tab]:last-child')?.click()
    await until('archived tab', () => parts(center, 'row').length === 1)
    part(center, 'row')?.click()
    ;[...(part(center, 'detail')?.querySelectorAll<HTMLElement>('.tool') ?? [])].at(-1)?.click()
    await until('empty', () => part(center, 'empty'))
    await assertAccessible(center)
  })

  test('more pages come on scrolling', async () => {
    const user = newUser()
    await fill(user, 6)
    const center = await place(user)
    await openPanel(center, 5)
    const scroller = center.shadowRoot?.querySelector('.scroller')
    const scrolledToEnd = (): boolean => {
      scroller?.scrollTo(0, scroller.scrollHeight)
      return parts(center, 'row').at(-1)?.getAttribute('aria-posinset') === '42'
    }
    await until('the last', scrolledToEnd)
    assert.lengthOf(center.messages, 42)
    assert.equal(new Set(center.messages.map(({ id }) => id)).size, 42)
  })

  test('a refused credential is an error with a way to try again, and tells the page', async () => {
    const user = newUser()
    const failure = new Promise<NcErrorEvent>((resolve) =>
      document.addEventListener('nc-error', (event) => resolve(event as NcErrorEvent), { once: true }),
    )
    const center = await place(user, { token: '00', mode: 'inline' }, 'error')
    assert.equal((await failure).code, 'auth/invalid-token-signature')
    await until('error view', () => part(center, 'error'))
    await assertAccessible(center)
    center.setAttribute('token', edge.tokens[user] ?? '')
    await until('ready', () => center.state === 'ready')
  })

  test('an edge out of reach is offline, not an error', async () => {
    const center = await place(newUser(), { 'base-url': 'http://127.0.0.1:9', mode: 'inline' }, 'offline')
    await until('offline words', () => part(center, 'empty'))
    // Nothing was saved that a bar could stand above: one way to try again is enough.
    const again = [...(center.shadowRoot?.querySelectorAll('.panel button') ?? [])].filter(
      ({ textContent }) => textContent?.trim() === 'Try again',
    )
    assert.lengthOf(again, 1)
    await assertAccessible(center)
  })

  test('a page that comes back from the browser’s memory has a closed panel', async () => {
    const { center } = await placeOpen()
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    await center.updateComplete
    assert.deepEqual([center.open, center.hasAttribute('open')], [false, false])
    await openPanel(center, 7)
  })

  test('properties set before the element was defined are taken over', async () => {
    const user = newUser()
    const { NotificationCenter } = await import('./notification-center.ts')
    class Late extends NotificationCenter {}
    const late = document.createElement('late-center')
    Object.assign(late, {
      apiKey: edge.frontApiKey,
      baseUrl: edge.edgeUrl,
      tokenProvider: async () => ({ userId: user, token: edge.tokens[user] }),
    })
    document.body.append(late)
    customElements.define('late-center', Late)
    await until('ready', () => (late as InstanceType<typeof NotificationCenter>).state === 'ready')
    late.remove()
  })

  test('signing out and a change of user leave nothing of the former user in view or storage', async () => {
    const [first, second] = [newUser(), newUser()]
    await fill(first)
    const center = await place(first, { mode: 'inline' })
    await until('rows', () => parts(center, 'row').length === 7)
    center.userId = second
    center.token = edge.tokens[second] ?? ''
    await until('second', () => center.state === 'ready' && center.messages.length === 0)
    await until('no rows', () => parts(center, 'row').length === 0)
    await center.signOut()
    assert.equal(center.state, 'signed-out')
    const names = await until('wiped', async () => {
      const keys = await storedKeys()
      // Cached counts and queues of delivery events, too.
      return keys.some((key) => [first, second].some((user) => new RegExp(`${user}(?!\\d)`).test(key))) ? null : keys
    })
    assert.isArray(names)
    assert.isFalse(center.hasAttribute('open'))
  })
})

function storedKeys(): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('notification-center')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const asking = opening.result.transaction('log').objectStore('log').getAllKeys()
      asking.onsuccess = () => resolve([...asking.result.map(String), ...Object.keys(localStorage)])
      asking.onerror = () => reject(asking.error)
    }
  })
}
