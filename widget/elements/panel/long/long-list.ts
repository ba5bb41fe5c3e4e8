// A list of thousands of rows, of which those near the view are in the page (issue, widget: long lists). A part of its own, loaded when a list grows beyond what may stand whole.

import type { InboxMessage } from '../../../../contract/api.ts'
import { oncePerFrame } from '../../../lib/per-frame.ts'
import { adopt, createSheet } from '../../../lib/sheet.ts'
import { drawKeyed } from '../list/keyed-list.ts'
import { row } from '../message/row-view.ts'
import type { ViewContext } from '../view-context.ts'
import { createRowHeights } from './row-heights.ts'

export interface LongList {
  /** Draws the rows near the view; `rows` of the context is in the page. */
  draw(context: ViewContext): void
  /** Brings this row into view, as little as is needed. */
  reveal(index: number): void
  /** The list is short, or not shown: rows are another's business. */
  rest(): void
}

interface Item {
  id: string
  message: InboxMessage
  index: number
}

/** Rows drawn beyond what is in view, in px: what one turn of a wheel brings. */
const AROUND = 180
/** While nothing is laid out yet. */
const USUAL_VIEW = 560
/** Measured rows may bring others into view, a few times at most. */
const PASSES = 5
const POINTING = ['pointerover', 'focusin', 'pointerleave']

/** `onDrawn` is called when other rows are in the page than before. */
export function createLongList(shadow: ShadowRoot, rows: HTMLElement, onDrawn: () => void): LongList {
  const heights = createRowHeights()
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('.windowed{}.pinned{}')
  const [room, pinned] = [...sheet.cssRules].map((rule) => (rule as CSSStyleRule).style) as [
    CSSStyleDeclaration,
    CSSStyleDeclaration,
  ]
  let context: ViewContext | undefined
  let scroller: HTMLElement | undefined
  /** Pointed at, or in focus: this row shows what can be done with it. */
  let activeId: string | undefined
  let drawn = ''
  let range = { from: 0, to: 0 }
  let width = 0
  adopt(shadow, longStyles())
  adopt(shadow, sheet)

  const messages = (): InboxMessage[] => context?.messages ?? []
  const focusedId = (): string | undefined => shadow.activeElement?.closest<HTMLElement>('article.row')?.dataset.id
  const view = (): number => scroller?.clientHeight || USUAL_VIEW

  /** The rows to be drawn: those around the view, and the one that has the focus, which must not get lost. */
  const choose = (): { items: Item[]; from: number; to: number; pinnedIndex: number } => {
    const all = messages()
    const top = scroller?.scrollTop ?? 0
    const from = heights.at(top - AROUND)
    const to = Math.min(all.length, heights.at(top + view() + AROUND) + 1)
    const focused = focusedId()
    const focusedIndex = focused === undefined ? -1 : all.findIndex(({ id }) => id === focused)
    const pinnedIndex = focusedIndex >= from && focusedIndex < to ? -1 : focusedIndex
    const indexes = Array.from({ length: to - from }, (_, at) => from + at)
    if (pinnedIndex >= to) indexes.push(pinnedIndex)
    else if (pinnedIndex >= 0) indexes.unshift(pinnedIndex)
    const items = indexes.map((index) => {
      const message = all[index] as InboxMessage
      return { id: message.id, message, index }
    })
    return { items, from, to, pinnedIndex }
  }

  /** The room of the rows that are not drawn. */
  const makeRoom = (): void => {
    const below = heights.top(messages().length) - heights.top(range.to)
    room.setProperty('padding-block', `${heights.top(range.from)}px ${below}px`)
  }

  /** The row that Tab leads to: the one last walked to; when that is far away, the first in view. */
  const stop = (items: Item[]): string | undefined => {
    if (items.some(({ id }) => id === context?.currentId)) return context?.currentId
    const top = scroller?.scrollTop ?? 0
    const first = heights.at(top)
    const isCut = (heights.top(first) + heights.top(first + 1)) / 2 < top
    return messages()[isCut ? first + 1 : first]?.id
  }

  /** Answers whether rows are higher or lower than was thought. */
  const fill = (isForced: boolean): boolean => {
    const { items, from, to, pinnedIndex } = choose()
    const wanted = `${from} ${to} ${pinnedIndex} ${activeId}`
    if (context === undefined || (wanted === drawn && !isForced)) return false
    drawn = wanted
    range = { from, to }
    const shown: ViewContext = { ...context, currentId: stop(items), windowed: { activeId } }
    drawKeyed(rows, items, (item) => row(shown, item.message, item.index))
    items.forEach(({ index }, at) => {
      rows.children[at]?.classList.toggle('pinned', index === pinnedIndex)
    })
    // Before anything is measured: a list too short for a moment would be scrolled.
    makeRoom()
    if (pinnedIndex >= 0) pinned.setProperty('top', `${heights.top(pinnedIndex)}px`)
    return measure()
  }

  const measure = (): boolean => {
    const boxes = [...rows.children].filter((box) => !box.classList.contains('pinned'))
    return boxes.map((box, at) => heights.measure(range.from + at, heightOf(box))).includes(true)
  }

  /** Draws until what is in view is also what was measured; what a person looks at stays where it is. */
  const paint = (isForced = false, putBack = hold()): void => {
    if (context === undefined) return
    for (let pass = 0; pass < PASSES; pass++) {
      if (!fill(isForced && pass === 0)) break
      makeRoom()
      putBack()
    }
    onDrawn()
  }

  /** Remembers what is at the upper edge of the view (of a list scrolled to its end, at the lower one), to put it there again. */
  const hold = (sticksToEnd = true): (() => void) => {
    const [all, top] = [messages(), scroller?.scrollTop ?? 0]
    const isAtEnd = sticksToEnd && top > 0 && top + view() >= heights.top(all.length) - 1
    const index = heights.at(top)
    const [id, offset] = [all[index]?.id, top - heights.top(index)]
    return () => {
      if (scroller === undefined || top === 0) return
      const now = messages()[index]?.id === id ? index : messages().findIndex((message) => message.id === id)
      const wanted = isAtEnd ? heights.top(messages().length) - view() : now < 0 ? top : heights.top(now) + offset
      if (Math.abs(scroller.scrollTop - wanted) >= 1) scroller.scrollTop = wanted
    }
  }

  const onScroll = (): void => paint()
  const point = (event: Event): void => {
    const id = (event.target as Element).closest<HTMLElement>('article.row')?.dataset.id ?? focusedId()
    if (id === activeId) return
    activeId = id
    paint(true)
  }
  const remeasure = oncePerFrame((): void => {
    if (scroller === undefined || scroller.clientHeight === 0) return
    const putBack = hold()
    if (scroller.clientWidth !== width) {
      if (width !== 0) heights.forget()
      width = scroller.clientWidth
    }
    measure()
    makeRoom()
    putBack()
    paint(false, putBack)
  })
  const resized = new ResizeObserver(remeasure)

  const rest = (): void => {
    context = undefined
    resized.disconnect()
    scroller?.removeEventListener('scroll', onScroll)
    for (const type of POINTING) rows.removeEventListener(type, point)
    rows.classList.remove('windowed')
    for (const box of rows.children) box.classList.remove('pinned')
    scroller = undefined
    width = 0
  }
  const start = (found: HTMLElement | undefined): void => {
    scroller = found
    rows.classList.add('windowed')
    scroller?.addEventListener('scroll', onScroll, { passive: true })
    for (const type of POINTING) rows.addEventListener(type, point)
    for (const each of [rows, scroller]) if (each !== undefined) resized.observe(each)
  }

  return {
    rest,
    draw: (next) => {
      const found = rows.closest<HTMLElement>('.scroller') ?? undefined
      // Older messages that come at the end are not what the person looks at.
      const putBack = hold(false)
      if (found !== scroller) {
        rest()
        start(found)
      }
      context = next
      heights.take(messages().map(({ id }) => id))
      makeRoom()
      putBack()
      paint(true, putBack)
    },
    reveal: (index) => {
      if (scroller === undefined) return
      for (let pass = 0; pass < PASSES; pass++) {
        const [top, bottom] = [heights.top(index), heights.top(index + 1)]
        const before = scroller.scrollTop
        const wanted = before > top ? top : before + view() < bottom ? bottom - view() : before
        scroller.scrollTop = wanted
        const hasChanged = fill(false)
        makeRoom()
        if (!hasChanged && Math.abs(scroller.scrollTop - before) < 1) break
      }
      onDrawn()
    },
  }
}

/** The height as laid out, whatever the panel is being scaled to. */
const heightOf = (box: Element | undefined): number => (box ? Number.parseFloat(getComputedStyle(box).height) || 0 : 0)

/** Behind the rows lie the outlines of rows, held in view: they are seen when the browser scrolls ahead of the page. */
const longStyles = createSheet(`
.windowed { position: relative; overflow-anchor: none }
.windowed > div { background: var(--_surface) }
.windowed > .pinned { position: absolute; inset-inline: 0 }
.windowed article.row { content-visibility: visible }
.scroller:has(.windowed) { overflow-anchor: none }
.list:has(> .windowed)::before {
  --_bone: color-mix(in srgb, var(--_text) 8%, transparent);
  content: ""; display: block; position: sticky; top: 0; height: 100dvh; margin-block-end: -100dvh;
  background:
    linear-gradient(var(--_bone) 36px, transparent 0) 22px 14px / 36px 104px repeat-y,
    linear-gradient(var(--_bone) 13px, transparent 0) 70px 17px / 55% 104px repeat-y,
    linear-gradient(var(--_bone) 11px, transparent 0) 70px 40px / 70% 104px repeat-y,
    linear-gradient(var(--_bone) 11px, transparent 0) 70px 60px / 40% 104px repeat-y;
}
.list:dir(rtl):has(> .windowed)::before { transform: scaleX(-1) }
`)
