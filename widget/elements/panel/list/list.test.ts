// Thousands of messages in real Chromium against the real edge: few nodes, never a blank view, focus and reads as in a short list.

import { assert } from 'chai'
import {
  assertAccessible,
  fill,
  flood,
  newUser,
  openPanel,
  pageOf,
  part,
  parts,
  place,
  press,
  removeAll,
  standStill,
  track,
  until,
} from '../../../test/given-widget.ts'
import type { NotificationCenter } from '../../notification-center.ts'

const MANY = 2_500
const MAX_NODES = 250

const scrollerOf = (center: NotificationCenter): HTMLElement =>
  center.shadowRoot?.querySelector<HTMLElement>('.scroller') as HTMLElement
const nodesOf = (center: NotificationCenter): number => center.shadowRoot?.querySelectorAll('*').length ?? 0
const frame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()))
const focused = (center: NotificationCenter): HTMLElement =>
  center.shadowRoot?.activeElement?.closest<HTMLElement>('.row') as HTMLElement
const focusedTitle = (center: NotificationCenter) => focused(center)?.querySelector('.title')?.textContent

const titlesOf = (center: NotificationCenter) => parts(center, 'title').map(({ textContent }) => textContent)

/** How much of the view no row covers, in px. */
function blankOf(center: NotificationCenter): number {
  const view = scrollerOf(center).getBoundingClientRect()
  const boxes = parts(center, 'row')
    .map((row) => (row.parentElement as HTMLElement).getBoundingClientRect())
    .sort((a, b) => a.top - b.top)
  let [covered, blank] = [view.top, 0]
  for (const { top, bottom } of boxes) {
    if (bottom <= covered || top >= view.bottom) continue
    blank += Math.max(0, top - covered)
    covered = bottom
  }
  // Less than a pixel is the browser's rounding.
  return Math.floor(blank + Math.max(0, view.bottom - covered))
}

const isInView = (center: NotificationCenter, row: HTMLElement): boolean => {
  const [view, box] = [scrollerOf(center).getBoundingClientRect(), row.getBoundingClientRect()]
  return Math.min(box.bottom, view.bottom) - Math.max(box.top, view.top) >= box.height / 2 - 1
}

async function windowed(times: number): Promise<{ user: string; center: NotificationCenter }> {
  const user = newUser()
  await flood(user, times)
  const center = await place(user)
  await openPanel(center, 5)
  press(center, 'End')
  await until('more than the first page', () => center.messages.length > 50)
  await until('windowed', () => center.shadowRoot?.querySelector('.windowed'))
  // What has come is drawn with the next frame.
  await frame()
  await frame()
  standStill(center)
  return { user, center }
}

/** End, again and again, until the last page is there. */
async function loadAll(center: NotificationCenter, times: number): Promise<void> {
  while (center.messages.length < times) {
    press(center, 'End')
    await frame()
  }
}

suite('a long list', () => {
  teardown(removeAll)

  test('thousands of rows: at most 250 nodes, and no frame without rows, wherever one jumps', async () => {
    const { center } = await windowed(MANY)
    await loadAll(center, MANY)
    const scroller = scrollerOf(center)
    press(center, 'End')
    await frame()
    assert.equal(focusedTitle(center), 'Number 1')
    assert.equal(focused(center).getAttribute('aria-setsize'), String(MANY))
    assert.equal(focused(center).getAttribute('aria-posinset'), String(MANY))
    assert.equal(blankOf(center), 0)
    assert.isBelow(scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight, 2)
    press(center, 'Home')
    await frame()
    assert.equal(focusedTitle(center), `Number ${MANY}`)

    let [blanks, most, seed] = [0, 0, 7]
    const look = (): void => {
      blanks += blankOf(center) === 0 ? 0 : 1
      most = Math.max(most, nodesOf(center))
    }
    // As the thumb is dragged: far, back, and to both ends.
    for (let turn = 0; turn < 60; turn++) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      const share = turn % 10 === 0 ? 1 : turn % 10 === 5 ? 0 : seed / 2_147_483_648
      scroller.scrollTop = share * (scroller.scrollHeight - scroller.clientHeight)
      await frame()
      look()
    }
    // As it is flung.
    for (let turn = 0; turn < 120; turn++) {
      scroller.scrollTop += turn < 60 ? 900 : -700
      await frame()
      look()
    }
    assert.equal(blanks, 0, 'frames with a blank')
    assert.isAtMost(most, MAX_NODES)
    await assertAccessible(center)
  }).timeout(120_000)

  for (const [times, kind] of [
    [7, 'rich'],
    [8, 'rich'],
    [14, 'rich'],
    [25, 'plain'],
    [28, 'rich'],
    [49, 'rich'],
    [50, 'plain'],
    [500, 'plain'],
  ] as const)
    test(`at most ${MAX_NODES} elements with ${times} ${kind} messages, whatever is pointed at and in focus`, async () => {
      const user = newUser()
      if (kind === 'rich') {
        await fill(user, Math.floor(times / 7))
        for (let more = times % 7; more > 0; more--) await track(user, 'usage.high')
      } else await flood(user, times)
      const center = await place(user)
      await openPanel(center)
      if (times > 8) await until('windowed', () => center.shadowRoot?.querySelector('.windowed'))
      await loadAll(center, times)
      let most = 0
      const look = async (): Promise<void> => {
        await frame()
        most = Math.max(most, nodesOf(center))
      }
      await look()
      const scroller = scrollerOf(center)
      press(center, 'Home')
      await look()
      for (let turn = 0; turn < 12; turn++) {
        parts(center, 'row')
          .at(3)
          ?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
        await look()
        scroller.scrollTop = (turn * scroller.scrollHeight) / 12
        await look()
      }
      press(center, 'End')
      await look()
      assert.equal(focused(center).getAttribute('aria-posinset'), String(times))
      assert.equal(focused(center).getAttribute('aria-setsize'), String(times))
      // Nor with what a key opens below the list.
      for (const [key, opened] of Object.entries({ '?': '.keys', h: '.sheet:not(.keys)', x: '.bulk' })) {
        press(center, key)
        await until(opened, () => center.shadowRoot?.querySelector(opened))
        await look()
        press(center, 'Escape')
        await until(`no ${opened}`, () => !center.shadowRoot?.querySelector(opened))
      }
      assert.isAtMost(most, MAX_NODES)
    })

  test('the last row that is drawn is as high as it will be with others below it', async () => {
    const { center } = await windowed(200)
    press(center, 'Home')
    await frame()
    const heights = () => new Map(parts(center, 'row').map((row) => [row.dataset.id, row.offsetHeight]))
    const before = heights()
    const last = [...before.keys()].at(-1)
    scrollerOf(center).scrollTop += 300
    await frame()
    await frame()
    const now = heights()
    assert.notEqual([...now.keys()].at(-1), last, 'others are below it')
    assert.equal(now.get(last), before.get(last))
  })

  test('the focus walks on from a row that was scrolled away, and Tab finds a row in view', async () => {
    const { center } = await windowed(400)
    press(center, 'Home')
    for (let steps = 0; steps < 30; steps++) press(center, 'j')
    await frame()
    assert.equal(focusedTitle(center), 'Number 370')
    assert.isTrue(isInView(center, focused(center)))
    const row = focused(center)
    scrollerOf(center).scrollTop += 4_000
    await frame()
    await frame()
    assert.equal(focused(center), row, 'the focus is where it was')
    assert.isFalse(isInView(center, row))
    assert.equal(blankOf(center), 0)
    press(center, 'k')
    await frame()
    assert.equal(focusedTitle(center), 'Number 371')
    assert.isTrue(isInView(center, focused(center)))
    part(center, 'panel')?.focus()
    scrollerOf(center).scrollTop += 4_000
    const gone = row.dataset.id
    await until('the row without focus is gone', () => parts(center, 'row').every(({ dataset }) => dataset.id !== gone))
    const stops = parts(center, 'row').filter(({ tabIndex }) => tabIndex === 0)
    assert.lengthOf(stops, 1)
    assert.isTrue(isInView(center, stops[0] as HTMLElement))
  })

  test('a row keeps the focus when one leaps from below it to above it, and nothing scrolls by itself', async () => {
    const { center } = await windowed(200)
    press(center, 'Home')
    for (let steps = 0; steps < 30; steps++) press(center, 'j')
    await frame()
    const row = focused(center)
    const scroller = scrollerOf(center)
    for (const top of [5_000, 0, 5_000]) {
      scroller.scrollTop = top
      // The panel, too, renders meanwhile.
      center.texts = { all: `All ${top}` }
      for (let frames = 0; frames < 4; frames++) await frame()
      assert.equal(focused(center), row)
      assert.closeTo(scroller.scrollTop, top, 1)
      assert.equal(blankOf(center), 0)
    }
  })

  test('a leap moves hardly a row element: each shows another message where it stands', async () => {
    const { center } = await windowed(200)
    await loadAll(center, 200)
    // Where the list stands depends on when its pages came. From the end, every leap shows others.
    press(center, 'End')
    await frame()
    focused(center).blur()
    const scroller = scrollerOf(center)
    for (const share of [0.1, 0.9, 0.5]) {
      const before = parts(center, 'row').map((row) => row.parentElement)
      const shown = titlesOf(center)
      const placed: Node[] = []
      const changes = new MutationObserver((records) => {
        placed.push(...records.flatMap(({ addedNodes }) => [...addedNodes]))
      })
      changes.observe(center.shadowRoot?.querySelector('.rows') as Element, { childList: true })
      scroller.scrollTop = share * scroller.scrollHeight
      await frame()
      await frame()
      assert.isEmpty(titlesOf(center).filter((title) => shown.includes(title)))
      changes.disconnect()
      // Rows that are not as high as was estimated bring others into view.
      assert.isAtMost(placed.filter((node) => before.includes(node as HTMLElement)).length, 2)
    }
  })

  test('the end stays in view while its rows are read', async () => {
    const { center } = await windowed(100)
    await loadAll(center, 100)
    press(center, 'End')
    const scroller = scrollerOf(center)
    const isRead = (row: HTMLElement) => center.messages.find(({ id }) => id === row.dataset.id)?.readAt
    await until('read', () => {
      const rows = parts(center, 'row').filter((row) => isInView(center, row))
      return rows.length > 2 && rows.every(isRead)
    })
    for (let frames = 0; frames < 4; frames++) await frame()
    assert.closeTo(scroller.scrollTop + scroller.clientHeight, scroller.scrollHeight, 1)
    assert.equal(focusedTitle(center), 'Number 1')
  })

  test('what vanishes gives its focus to its neighbour, deep in the list', async () => {
    const { user, center } = await windowed(200)
    press(center, 'Home')
    for (let steps = 0; steps < 40; steps++) press(center, 'j')
    await frame()
    press(center, 'e')
    await until('archived', async () => (await pageOf(user, '?filter=archived')).data.length === 1)
    await until('the neighbour', () => focusedTitle(center) === 'Number 159')
    assert.equal(blankOf(center), 0)
    press(center, 'Enter')
    const detail = await until('detail', () => part(center, 'detail'))
    assert.include(detail.textContent, 'Number 159')
    press(center, 'Escape')
    await until('back', () => focusedTitle(center) === 'Number 159')
    assert.isTrue(isInView(center, focused(center)))
  })

  test('only rows that were in view are read', async () => {
    const { user, center } = await windowed(300)
    const seen = new Set<string>()
    let isOver = false
    const watch = (): void => {
      for (const row of parts(center, 'row')) if (isInView(center, row)) seen.add(row.dataset.id ?? '')
      if (!isOver) requestAnimationFrame(watch)
    }
    for (const { id, readAt } of center.messages) if (readAt !== null) seen.add(id)
    watch()
    await loadAll(center, 300)
    press(center, 'End')
    await frame()
    await frame()
    const last = parts(center, 'row').filter((row) => isInView(center, row))
    assert.isAbove(last.length, 2)
    // They may have come into view after the callbacks of this frame.
    for (const row of last) seen.add(row.dataset.id ?? '')
    await until('read', () => last.every((row) => center.messages.find(({ id }) => id === row.dataset.id)?.readAt))
    isOver = true
    const read = center.messages.filter(({ readAt }) => readAt !== null).map(({ id }) => id)
    assert.deepEqual(
      read.filter((id) => !seen.has(id)),
      [],
      'read, but never in view',
    )
    assert.isBelow(read.length, 300, 'what was jumped over is not read')
    const readOnServer = async (): Promise<string[]> => {
      const ids: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
        const { data, nextCursor } = await pageOf(user, `?limit=100${query}`)
        ids.push(...data.filter(({ readAt }) => readAt !== null).map(({ id }) => id))
        cursor = nextCursor
      }
      return ids
    }
    await until('on the server', async () => (await readOnServer()).length >= read.length)
  })

  test('what is in view of a list that never rests is read', async () => {
    const user = newUser()
    await flood(user, 25)
    const center = await place(user)
    await openPanel(center, 5)
    const scroller = scrollerOf(center)
    const readCount = () => center.messages.filter(({ readAt }) => readAt !== null).length
    await until('the first are read', () => readCount() > 2)
    const before = readCount()
    // Down and up, without a rest.
    for (let turn = 0; readCount() <= before + 5; turn++) {
      scroller.scrollTop += turn % 120 < 60 ? 20 : -20
      await frame()
    }
  })

  test('an arrival does not move what is being read; at the top it is seen', async () => {
    const { user, center } = await windowed(200)
    const scroller = scrollerOf(center)
    scroller.scrollTop = 3_000
    await frame()
    const row = parts(center, 'row').find((each) => isInView(center, each)) as HTMLElement
    const before = row.getBoundingClientRect().top
    await track(user, 'flood.orders', { title: 'Just now' })
    await until('arrived', () => center.messages[0]?.title === 'Just now')
    await frame()
    await frame()
    assert.isTrue(row.isConnected)
    assert.closeTo(row.getBoundingClientRect().top, before, 1)
    scroller.scrollTop = 0
    await until('at the top', () => parts(center, 'title')[0]?.textContent === 'Just now')
    assert.equal(blankOf(center), 0)
  })

  test('arrivals above the view are counted, and a press leads to them', async () => {
    const { user, center } = await windowed(60)
    const pill = () => center.shadowRoot?.querySelector<HTMLElement>('.above button')
    scrollerOf(center).scrollTop = 2_000
    await frame()
    for (const title of ['First', 'Second']) await track(user, 'flood.orders', { title })
    await until('two are counted', () => pill()?.textContent?.trim() === '2 new notifications')
    await assertAccessible(center)
    pill()?.click()
    await until('at the top', () => focusedTitle(center) === 'Second')
    assert.equal(scrollerOf(center).scrollTop, 0)
    await until('no more', () => pill() === null)
    await track(user, 'flood.orders', { title: 'Third' })
    await until('arrived', () => center.messages[0]?.title === 'Third')
    await frame()
    assert.isNull(pill() ?? null)
  })

  test('a narrower panel measures its rows anew', async () => {
    const { center } = await windowed(200)
    press(center, 'Home')
    scrollerOf(center).scrollTop = 5_000
    await frame()
    center.style.setProperty('--nc-panel-width', '300px')
    await frame()
    await frame()
    await frame()
    assert.equal(blankOf(center), 0)
    scrollerOf(center).scrollTop = 1e9
    await frame()
    assert.equal(blankOf(center), 0)
  })
})
