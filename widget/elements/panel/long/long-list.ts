// A list of thousands of rows, of which those near the view are in the page. A part of its own, loaded when a list grows beyond what may stand whole.

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
  const { room, pinned } = createRules(shadow)
  let context: ViewContext | undefined
  let scroller: HTMLElement | undefined
  /** Pointed at, or in focus: this row shows what can be done with it. */
  let activeId: string | undefined
  let drawn = ''
  let range = { from: 0, to: 0 }
  let [width, view, top, roomNow] = [0, USUAL_VIEW, 0, '']

  const messages = (): InboxMessage[] => context?.messages ?? []
  const focusedId = (): string | undefined => shadow.activeElement?.closest<HTMLElement>('article.row')?.dataset.id

  /** Once before each time of drawing: read between two changes, it would have the page laid out for it. */
  const look = (): void => {
    view = scroller?.clientHeight || USUAL_VIEW
    top = scroller?.scrollTop ?? 0
  }
  const scrollTo = (wanted: number): void => {
    if (scroller === undefined || Math.abs(top - wanted) < 1) return
    scroller.scrollTop = wanted
    top = scroller.scrollTop
  }
  /** Whether the rows that are drawn fill the view, and so much more on each side. */
  const covers = (more: number): boolean =>
    heights.top(range.from) <= Math.max(0, top - more) &&
    heights.top(range.to) >= Math.min(heights.top(messages().length), top + view + more)

  /** The rows to be drawn: those around the view, and the one that has the focus, which must not get lost. */
  const choose = (isForced: boolean, more: number) => {
    const all = messages()
    const isKept = !isForced && covers(more)
    const from = isKept ? range.from : heights.at(top - AROUND)
    const to = isKept ? range.to : Math.min(all.length, heights.at(top + view + AROUND) + 1)
    const focused = focusedId()
    const focusedIndex = focused === undefined ? -1 : all.findIndex(({ id }) => id === focused)
    const pinnedIndex = focusedIndex >= from && focusedIndex < to ? -1 : focusedIndex
    return { from, to, pinnedIndex }
  }
  const itemsOf = ({ from, to, pinnedIndex }: ReturnType<typeof choose>): Item[] => {
    const indexes = Array.from({ length: to - from }, (_, at) => from + at)
    if (pinnedIndex >= to) indexes.push(pinnedIndex)
    else if (pinnedIndex >= 0) indexes.unshift(pinnedIndex)
    return indexes.map((index) => {
      const message = messages()[index] as InboxMessage
      return { id: message.id, message, index }
    })
  }

  /** The room of the rows that are not drawn. */
  const makeRoom = (): void => {
    const below = heights.top(messages().length) - heights.top(range.to)
    const wanted = `${heights.top(range.from)}px ${below}px`
    if (wanted !== roomNow) room.setProperty('padding-block', wanted)
    roomNow = wanted
  }

  /** The row that Tab leads to: the one last walked to; when that is far away, the first in view. */
  const stop = (items: Item[]): string | undefined => {
    if (items.some(({ id }) => id === context?.currentId)) return context?.currentId
    const first = heights.at(top)
    const isCut = (heights.top(first) + heights.top(first + 1)) / 2 < top
    return messages()[isCut ? first + 1 : first]?.id
  }

  /** Answers whether rows are higher or lower than was thought. */
  const fill = (isForced: boolean, more: number): boolean => {
    const chosen = choose(isForced, more)
    const wanted = `${chosen.from} ${chosen.to} ${chosen.pinnedIndex} ${activeId}`
    if (context === undefined || (wanted === drawn && !isForced)) return false
    const items = itemsOf(chosen)
    drawn = wanted
    range = chosen
    const shown: ViewContext = { ...context, currentId: stop(items), windowed: { activeId } }
    drawKeyed(rows, items, (item) => row(shown, item.message, item.index), isPlain)
    items.forEach(({ index }, at) => {
      rows.children[at]?.classList.toggle('pinned', index === chosen.pinnedIndex)
    })
    // Before anything is measured: a list too short for a moment would be scrolled.
    makeRoom()
    if (chosen.pinnedIndex >= 0) pinned.setProperty('top', `${heights.top(chosen.pinnedIndex)}px`)
    return measure(isForced)
  }

  /** `isAnew`: those too whose height is known. */
  const measure = (isAnew: boolean): boolean => {
    const boxes = [...rows.children].filter((box) => !box.classList.contains('pinned'))
    return boxes
      .map((box, at) => [box, range.from + at] as const)
      .filter(([, index]) => isAnew || !heights.knows(index))
      .map(([box, index]) => heights.measure(index, heightOf(box)))
      .includes(true)
  }

  /** Draws until what is in view is also what was measured; what a person looks at stays where it is. */
  const paint = (isForced = false, putBack = hold()): void => {
    if (context === undefined) return
    for (let pass = 0; pass < PASSES; pass++) {
      if (!fill(isForced && pass === 0, pass === 0 ? AROUND / 2 : 0)) break
      makeRoom()
      putBack()
    }
    onDrawn()
  }

  /** Remembers what is at the upper edge of the view (of a list scrolled to its end, at the lower one), to put it there again. */
  const hold = (sticksToEnd = true): (() => void) => {
    look()
    const [all, topNow] = [messages(), top]
    const isAtEnd = sticksToEnd && top > 0 && top + view >= heights.top(all.length) - 1
    const index = heights.at(top)
    const [id, offset] = [all[index]?.id, top - heights.top(index)]
    // Nobody has seen yet what comes into view by a leap.
    const isFree = topNow === 0 || !(isAtEnd || (index >= range.from && index < range.to))
    return () => {
      if (isFree) return
      const now = messages()[index]?.id === id ? index : messages().findIndex((message) => message.id === id)
      scrollTo(isAtEnd ? heights.top(messages().length) - view : now < 0 ? topNow : heights.top(now) + offset)
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
    measure(true)
    makeRoom()
    putBack()
    paint(false, putBack)
  })
  /** The rows are as high as they were measured, and the view is as it was. */
  const isAsThought = ({ target, contentRect }: ResizeObserverEntry): boolean => {
    const isNear = (length: number, thought: number) => Math.abs(length - thought) < 1
    if (target === rows) return isNear(contentRect.height, heights.top(range.to) - heights.top(range.from))
    return isNear(contentRect.width, width) && isNear(contentRect.height, view)
  }
  const resized = new ResizeObserver((entries) => entries.every(isAsThought) || remeasure())

  const rest = (): void => {
    context = undefined
    resized.disconnect()
    scroller?.removeEventListener('scroll', onScroll)
    scroller?.classList.remove('long')
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
    scroller?.classList.add('long')
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
      look()
      for (let pass = 0; pass < PASSES; pass++) {
        const [upper, lower, before] = [heights.top(index), heights.top(index + 1), top]
        scrollTo(before > upper ? upper : before + view < lower ? lower - view : before)
        const hasChanged = fill(false, 0)
        makeRoom()
        if (!hasChanged && Math.abs(top - before) < 1) break
      }
      onDrawn()
    },
  }
}

/** What the script alone knows of places, in a sheet of its own: no style attribute anywhere. */
function createRules(shadow: ShadowRoot): Record<'room' | 'pinned', CSSStyleDeclaration> {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('.windowed{}.pinned{}')
  adopt(shadow, longStyles())
  adopt(shadow, sheet)
  const [room, pinned] = [...sheet.cssRules].map((rule) => (rule as CSSStyleRule).style)
  return { room, pinned } as Record<'room' | 'pinned', CSSStyleDeclaration>
}

/** Another message may take its place: none sees the picture of the one before, nor its focus, nor the words that a browser has put in place of its own (`font`). */
const isPlain = (box: HTMLElement): boolean =>
  !box.classList.contains('pinned') && box.querySelector('img, font') === null

/** The height as laid out, whatever the panel is being scaled to. */
const heightOf = (box: Element | undefined): number => (box ? Number.parseFloat(getComputedStyle(box).height) || 0 : 0)

/** Behind the rows lie the outlines of rows, held in view: they are seen when the browser scrolls ahead of the page. */
const longStyles = createSheet(`
.windowed { position: relative; overflow-anchor: none }
.windowed > div { background: var(--_surface) }
.windowed > .pinned { position: absolute; inset-inline: 0 }
.long { overflow-anchor: none }
.long > .list::before {
  --_bone: color-mix(in srgb, var(--_text) 8%, transparent);
  content: ""; display: block; position: sticky; top: 0; height: 100dvh; margin-block-end: -100dvh;
  background:
    linear-gradient(var(--_bone) 36px, transparent 0) 22px 14px / 36px 104px repeat-y,
    linear-gradient(var(--_bone) 13px, transparent 0) 70px 17px / 55% 104px repeat-y,
    linear-gradient(var(--_bone) 11px, transparent 0) 70px 40px / 70% 104px repeat-y,
    linear-gradient(var(--_bone) 11px, transparent 0) 70px 60px / 40% 104px repeat-y;
}
.long > .list:dir(rtl)::before { transform: scaleX(-1) }
`)
