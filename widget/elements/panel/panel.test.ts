// Actions in the panel, in real Chromium against the real edge: undo, snooze, choosing several, keys, days.

import { assert } from 'chai'
import {
  assertAccessible,
  edge,
  fill,
  inPanel,
  newUser,
  openPanel,
  pageOf,
  part,
  parts,
  place,
  placeOpen,
  press,
  removeAll,
  standStill,
  track,
  until,
} from '../../test/given-widget.ts'
import type { NotificationCenter } from '../notification-center.ts'

const undo = (center: NotificationCenter) => until('undo', () => inPanel(center, '.notice .link'))
const focusedRow = (center: NotificationCenter): number =>
  parts(center, 'row').indexOf(center.shadowRoot?.activeElement as HTMLElement)

suite('panel', () => {
  teardown(removeAll)

  test('what is archived comes back by undo, on the server too', async () => {
    const { user, center } = await placeOpen()
    press(center, 'j')
    const id = parts(center, 'row')[0]?.dataset.id
    press(center, 'e')
    await until('archived', async () => (await pageOf(user, '?filter=archived')).data[0]?.id === id)
    assert.equal(focusedRow(center), 0, 'the neighbour has the focus')
    await assertAccessible(center)
    ;(await undo(center)).click()
    await until('back', () => parts(center, 'row')[0]?.dataset.id === id)
    await until('on the server', async () => (await pageOf(user)).data.length === 7)
    assert.isNull(inPanel(center, '.notice'))
  })

  test('a key that is quicker than the first drawing is not lost', async () => {
    const user = newUser()
    await fill(user)
    const center = await place(user)
    await until('panel', () => part(center, 'panel'))
    center.show()
    // Open by the end of this task, and drawn in the next.
    while (!part(center, 'panel')?.matches(':popover-open')) await Promise.resolve()
    press(center, 'j')
    assert.equal(focusedRow(center), 0)
  })

  test('on a page that is never idle an opened panel shows its rows when they come', async () => {
    const user = newUser()
    await fill(user)
    const { fetch, requestIdleCallback } = window
    let letGo = (): void => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    window.requestIdleCallback = () => 0
    window.fetch = async (input, init) => {
      if (String(input).includes('/v1/inbox')) await held
      return fetch(input, init)
    }
    try {
      const center = await place(user, {}, '')
      await until('panel', () => part(center, 'panel'))
      // Something to render while it is closed.
      center.texts = { all: 'Everything' }
      await center.updateComplete
      center.show()
      letGo()
      await until('rows', () => parts(center, 'row').length === 7)
    } finally {
      Object.assign(window, { fetch, requestIdleCallback })
    }
  })

  test('what is drawn again leaves its language alone, which would style all of it anew', async () => {
    const { user, center } = await placeOpen()
    const panel = part(center, 'panel') as HTMLElement
    let times = 0
    new MutationObserver(() => times++).observe(panel, { attributeFilter: ['lang'] })
    await track(user, 'usage.high')
    await until('drawn again', () => parts(center, 'row').length > 7)
    assert.equal(times, 0)
    assert.equal(panel.lang, 'en')
  })

  test('a delete is asked for only when it can no more be undone', async () => {
    const { user, center } = await placeOpen()
    const remove = () => {
      parts(center, 'row')[0]?.click()
      ;[...(part(center, 'detail')?.querySelectorAll<HTMLElement>('.tool') ?? [])].at(-1)?.click()
    }
    remove()
    await until('gone from view', () => parts(center, 'row').length === 6)
    ;(await undo(center)).click()
    await until('back', () => parts(center, 'row').length === 7)
    remove()
    await undo(center)
    assert.equal((await pageOf(user)).data.length, 7)
    center.hide()
    await until('deleted', async () => (await pageOf(user)).data.length === 6)
  })

  test('z undoes, and a deed after another one ends the first one’s time', async () => {
    const { user, center } = await placeOpen()
    press(center, 'j')
    press(center, 'e')
    await until('one less', () => parts(center, 'row').length === 6)
    press(center, 'e')
    await until('two less', () => parts(center, 'row').length === 5)
    press(center, 'z')
    await until('the last one is back', () => parts(center, 'row').length === 6)
    await until('the first one stays', async () => (await pageOf(user, '?filter=archived')).data.length === 1)
  })

  test('a snooze takes the row into its tab, says until when, and brings it back', async () => {
    const { user, center } = await placeOpen()
    press(center, 'Home')
    press(center, 'h')
    const sheet = await until('choices', () => inPanel(center, '.sheet'))
    assert.isTrue(sheet.contains(center.shadowRoot?.activeElement ?? null))
    await assertAccessible(center)
    press(center, 'Escape')
    await until('closed', () => inPanel(center, '.sheet') === null)
    assert.equal(focusedRow(center), 0)
    press(center, 'h')
    ;(await until('choices', () => inPanel(center, '.sheet .choice'))).click()
    await until('snoozed', async () => (await pageOf(user, '?filter=snoozed')).data.length === 1)
    part(center, 'tabs')?.querySelector<HTMLElement>('[role=tab]:nth-last-child(2)')?.click()
    await until('row', () => parts(center, 'row').length === 1)
    assert.match(part(center, 'time')?.textContent ?? '', /^in 1/)
    parts(center, 'row')[0]?.querySelectorAll<HTMLElement>('.quick button')[2]?.click()
    await until('back', async () => (await pageOf(user)).data.length === 7)
  })

  test('any time can be picked, but none that is over', async () => {
    const { user, center } = await placeOpen()
    press(center, 'Home')
    press(center, 'h')
    const field = await until('field', () => inPanel<HTMLInputElement>(center, 'input[name=until]'))
    const pick = (at: number): void => {
      // Of that day: between now and then the clocks may be changed.
      field.value = new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
      field.form?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
    }
    pick(Date.now() - 3_600_000)
    assert.equal(center.shadowRoot?.activeElement, field)
    const at = Math.floor(Date.now() / 60_000) * 60_000 + 3 * 86_400_000
    pick(at)
    await until('snoozed', async () => {
      const until = (await pageOf(user, '?filter=snoozed')).data[0]?.snoozedUntil
      return until !== undefined && until !== null && Date.parse(until) === at
    })
  })

  test('several are chosen and archived in one deed, and come back in one', async () => {
    const { user, center } = await placeOpen()
    press(center, 'Home')
    press(center, 'x')
    press(center, 'j')
    press(center, 'x')
    const bulk = await until('toolbar', () => inPanel(center, '.bulk'))
    await until('two', () => bulk.textContent?.includes('2 selected'))
    await assertAccessible(center)
    parts(center, 'row')[2]?.click()
    await until('a click chooses', () => bulk.textContent?.includes('3 selected'))
    assert.isNull(part(center, 'detail'))
    bulk.querySelector<HTMLElement>('[aria-label=Archive]')?.click()
    await until('archived', async () => (await pageOf(user, '?filter=archived')).data.length === 3)
    await until('no toolbar', () => inPanel(center, '.bulk') === null)
    ;(await undo(center)).click()
    await until('all back', async () => (await pageOf(user)).data.length === 7)
    await until('in view', () => parts(center, 'row').length === 7)
  })

  test('all are chosen by one press, marked as read and deleted', async () => {
    const { user, center } = await placeOpen()
    inPanel(center, '.choose-many')?.click()
    ;(await until('toolbar', () => inPanel(center, '.bulk .link'))).click()
    await until('all', () => inPanel(center, '.bulk')?.textContent?.includes('7 selected'))
    inPanel(center, '.bulk [aria-label="Mark as read"]')?.click()
    await until('read', async () => (await pageOf(user)).inbox.unopened === 0)
    inPanel(center, '.choose-many')?.click()
    ;(await until('toolbar', () => inPanel(center, '.bulk .link'))).click()
    await until('all again', () => inPanel(center, '.bulk')?.textContent?.includes('7 selected'))
    inPanel(center, '.bulk [aria-label=Delete]')?.click()
    await until('empty', () => part(center, 'empty'))
    center.hide()
    await until('deleted', async () => (await pageOf(user)).data.length === 0)
  })

  test('j and k walk, u marks, ? tells the keys, Escape goes back one thing at a time', async () => {
    const { user, center } = await placeOpen()
    press(center, 'j')
    press(center, 'j')
    press(center, 'k')
    assert.equal(focusedRow(center), 0)
    press(center, 'u')
    await until('marked', async () => (await pageOf(user)).inbox.unopened === 6)
    press(center, '?')
    await until('keys', () => inPanel(center, '.keys'))
    await assertAccessible(center)
    press(center, 'Escape')
    await until('closed', () => inPanel(center, '.keys') === null)
    assert.isTrue(center.open)
    assert.equal(focusedRow(center), 0, 'the focus is back where it was')
    press(center, 'Enter')
    press(center, '?')
    await until('keys', () => inPanel(center, '.keys'))
    press(center, 'Escape')
    await until('closed again', () => inPanel(center, '.keys') === null)
    assert.equal(center.shadowRoot?.activeElement, inPanel(center, '.detail-scroll'), 'the open message has it back')
    press(center, 'Escape')
    press(center, 'Escape')
    assert.isFalse(center.open)
  })

  test('what stands for rows is where they will be, and as tall', async () => {
    const { center } = await placeOpen()
    const boxOf = (selector: string): DOMRect => (inPanel(center, selector) as HTMLElement).getBoundingClientRect()
    const usual = parts(center, 'row').find((row) => row.textContent?.includes('calmer')) as HTMLElement
    // Until a frame has found it near the view, its height is a guess.
    await until('laid out', () => usual.querySelector('.title')?.checkVisibility({ contentVisibilityAuto: true }))
    // The panel still slides into its place.
    standStill(center)
    const [avatar, height] = [boxOf('article.row .avatar'), usual.getBoundingClientRect().height]
    const { fetch } = window
    window.fetch = (input, init) =>
      String(input).includes('filter=archived') ? new Promise(() => {}) : fetch(input, init)
    try {
      inPanel(center, '.tab:last-child')?.click()
      await until('bones', () => inPanel(center, '.bone-row'))
      assert.closeTo(boxOf('.bone-row .avatar').top, avatar.top, 1)
      assert.equal(boxOf('.bone-row .avatar').left, avatar.left)
      assert.closeTo(boxOf('.bone-row:nth-child(2)').height, height, 2)
    } finally {
      window.fetch = fetch
    }
  })

  test('a closed panel has drawn itself before its list has come, and its first rows when it has', async () => {
    const user = newUser()
    await fill(user, 2)
    const { fetch } = window
    let letCome = (): void => {}
    const held = new Promise<void>((resolve) => {
      letCome = resolve
    })
    window.fetch = async (input, init) => {
      if (String(input).includes('/messages?')) await held
      return fetch(input, init)
    }
    try {
      const center = await place(user, {}, 'loading')
      await until('bones', () => inPanel(center, '.bone-row'))
      letCome()
      await until('rows', () => parts(center, 'row').length === 8)
      assert.isFalse(center.open)
      const panel = part(center, 'panel') as HTMLElement
      assert.isFalse(panel.checkVisibility())
      assert.isFalse(panel.classList.contains('open') || panel.hasAttribute('style'), 'what lays it out leaves nothing')
    } finally {
      letCome()
      window.fetch = fetch
    }
  })

  test('rows stand under their day', async () => {
    const user = newUser()
    await track(user, 'usage.high')
    const center = await place(user)
    await openPanel(center)
    const dayOf = (at: number | string): string => new Date(at).toDateString()
    // Midnight may come between an arrival, what is drawn of it, and a look at that.
    const isSo = (): boolean => {
      const days = [...(center.shadowRoot?.querySelectorAll('.day') ?? [])].map((day) => day.textContent)
      const isOfToday = dayOf(Date.now()) === dayOf(center.messages[0]?.createdAt ?? '')
      return days.join() === (isOfToday ? 'today' : 'yesterday')
    }
    await until('its day', isSo)
  })

  test('a closed panel has its rows in idle time, and at once none of a former user', async () => {
    const [first, second] = [newUser(), newUser()]
    await fill(first)
    const center = await place(first)
    await until('rows', () => parts(center, 'row').length === 7)
    assert.isFalse(center.open)
    center.userId = second
    center.token = edge.tokens[second] ?? ''
    // The element renders in a microtask: no idle time comes before the next task.
    await center.updateComplete
    assert.lengthOf(parts(center, 'row'), 0)
  })
})
