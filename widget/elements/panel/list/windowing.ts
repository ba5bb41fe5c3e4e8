// Chooses which rows of a list are in the page: those near the view, and the one that has the focus.
// Ours: `@lit-labs/virtualizer` sets style attributes and drops the focused row; `@tanstack/virtual-core` is four times as large, and measures no row while the list scrolls.

import type { LitElement, ReactiveController } from 'lit'
import type { InboxMessage } from '../../../../contract/api.ts'
import { oncePerFrame } from '../../../lib/schedule.ts'
import { adopt, release } from '../../../lib/sheet.ts'
import { listenInPage } from '../listening.ts'
import type { NcRow } from '../message/row.ts'
import { createRowHeights } from './row-heights.ts'

/** Lists up to this length are in the page as a whole. */
const WHOLE = 8
/** Rows beyond the view, in px: what one turn of a wheel brings. */
const AROUND = 180
/** While nothing is laid out yet. */
const USUAL_VIEW = 560
/** Measured rows may bring others into view, a few times at most. */
const PASSES = 5

/** The list as its window sees it. */
export interface WindowHost extends LitElement {
  readonly messages: readonly InboxMessage[]
  readonly focusedId: string | undefined
  indexOf(id: string | undefined): number
  renderNow(): void
}

/** What a person looks at, to be put there again. */
interface Anchor {
  isAtEnd: boolean
  /** The row at the upper edge of the view. */
  id: string | undefined
  index: number
  /** From its upper edge to that of the view, px. */
  offset: number
  top: number
}

export class WindowController implements ReactiveController {
  readonly #host: WindowHost
  readonly #heights = createRowHeights()
  /** What the script alone knows of positions, in a sheet of its own: no style attribute anywhere. */
  readonly #sheet = new CSSStyleSheet()
  readonly #room: CSSStyleDeclaration
  readonly #pinnedRow: CSSStyleDeclaration
  readonly #resized = new ResizeObserver(
    (entries) => entries.every((entry) => this.#isAsThought(entry)) || this.#remeasure(),
  )
  #messages: readonly InboxMessage[] = []
  #range = { from: 0, to: 0, pinned: -1 }
  /** By message. */
  #keys = new Map<string, number>()
  #nextKey = 0
  #anchor: Anchor | undefined
  /** Heights may be others: of the same rows, or of rows before them. */
  #isChanged = false
  #passes = 0
  #width = 0
  #view = USUAL_VIEW
  #top = 0
  #roomNow = ''
  #holder: Element | null = null
  #root: ShadowRoot | undefined

  constructor(host: WindowHost) {
    this.#host = host
    this.#sheet.replaceSync('.rows{}nc-row[pinned]{}')
    const [room, pinnedRow] = [...this.#sheet.cssRules].map((rule) => (rule as CSSStyleRule).style)
    this.#room = room as CSSStyleDeclaration
    this.#pinnedRow = pinnedRow as CSSStyleDeclaration
    host.addController(this)
    listenInPage(host, () => [[host, 'scroll', this.#onScroll, { passive: true }]])
  }

  /** Not every row of the list is in the page. */
  get isWindowed(): boolean {
    return this.#messages.length > WHOLE
  }

  /** Places in the list of the rows that are to be in the page. */
  get indexes(): number[] {
    const { from, to, pinned } = this.#range
    const indexes = Array.from({ length: to - from }, (_, at) => from + at)
    if (pinned < 0) return indexes
    return pinned >= to ? [...indexes, pinned] : [pinned, ...indexes]
  }

  /** Of the element that shows this message. */
  keyOf({ id }: InboxMessage): number | undefined {
    return this.#keys.get(id)
  }

  /** The focused row when it is far from the view: it stands outside of the flow of the others. */
  get pinned(): number {
    return this.#range.pinned
  }

  /** The row that Tab leads to: this one; when it is not in the page, the first in view. */
  currentIndex(currentId: string | undefined): number {
    const current = this.indexes.find((index) => this.#messages[index]?.id === currentId)
    if (current !== undefined) return current
    const first = this.#heights.at(this.#top)
    const middle = (this.#heights.top(first) + this.#heights.top(first + 1)) / 2
    return middle < this.#top ? first + 1 : first
  }

  /** Brings this row into view, as little as is needed. */
  reveal(index: number): void {
    this.#look()
    for (let pass = 0; pass < PASSES; pass++) {
      const [upper, lower, before] = [this.#heights.top(index), this.#heights.top(index + 1), this.#top]
      this.#anchor = undefined
      this.#scrollTo(before > upper ? upper : before + this.#view < lower ? lower - this.#view : before)
      this.#host.renderNow()
      if (!this.#host.isUpdatePending && Math.abs(this.#top - before) < 1) break
    }
  }

  hostConnected(): void {
    this.#root = this.#host.getRootNode() as ShadowRoot
    adopt(this.#root, this.#sheet)
    this.#resized.observe(this.#host)
  }

  hostDisconnected(): void {
    if (this.#root) release(this.#root, this.#sheet)
    this.#resized.disconnect()
    this.#holder = null
  }

  hostUpdate(): void {
    const { messages } = this.#host
    const isChanged = messages !== this.#messages
    this.#isChanged ||= isChanged
    // The first rendering has no place in the page yet.
    if (this.#host.hasUpdated) this.#look()
    if (isChanged) {
      // Older messages that come at the end are not what the person looks at.
      this.#anchor ??= this.#hold(false)
      this.#messages = messages
      this.#heights.take(messages.map(({ id }) => id))
      this.#makeRoom()
      this.#restore()
    }
    this.#choose(isChanged)
  }

  /** Renders until what is in view is also what was measured; what a person looks at stays where it is. */
  hostUpdated(): void {
    // Before anything is read of the layout: the browser scrolls a list that is too short even for a moment.
    this.#makeRoom()
    this.#observeHolder()
    if (this.#host.clientHeight === 0) return
    this.#width ||= this.#host.clientWidth
    if (this.#measure(this.#isChanged)) this.#makeRoom()
    this.#restore()
    this.#isChanged = false
    if (!this.#covers(0) && this.#passes++ < PASSES) this.#host.requestUpdate()
    else {
      this.#passes = 0
      this.#anchor = undefined
    }
  }

  /** Read once before each rendering: between two changes it would have the page laid out. */
  #look(): void {
    this.#view = this.#host.clientHeight || USUAL_VIEW
    this.#top = this.#host.scrollTop
  }

  #scrollTo(wanted: number): void {
    if (Math.abs(this.#top - wanted) < 1) return
    this.#host.scrollTop = wanted
    this.#top = this.#host.scrollTop
  }

  /** Whether the rows in the page fill the view, and so much more on each side. */
  #covers(more: number): boolean {
    const { from, to } = this.#range
    const end = this.#heights.top(this.#messages.length)
    return (
      this.#heights.top(from) <= Math.max(0, this.#top - more) &&
      this.#heights.top(to) >= Math.min(end, this.#top + this.#view + more)
    )
  }

  #choose(isForced: boolean): void {
    const { length } = this.#messages
    let { from, to } = this.#range
    if (!this.isWindowed) [from, to] = [0, length]
    else if (isForced || !this.#covers(this.#passes === 0 ? AROUND / 2 : 0)) {
      from = this.#heights.at(this.#top - AROUND)
      to = Math.min(length, this.#heights.at(this.#top + this.#view + AROUND) + 1)
    }
    const focused = this.#host.indexOf(this.#host.focusedId)
    const isFar = focused < from || focused >= to
    const isDown = to > this.#range.to
    this.#range = { from, to, pinned: isFar ? focused : -1 }
    this.#assignKeys(isDown)
  }

  /** A row element whose message has left the page shows another: that costs half of making one. */
  #assignKeys(isDown: boolean): void {
    const [before, ids] = [this.#keys, this.indexes.map((index) => this.#messages[index]?.id ?? '')]
    const [staying, added] = [new Set(ids), ids.filter((id) => !before.has(id))]
    const free = this.isWindowed
      ? [...this.#host.querySelectorAll<NcRow>('nc-row')]
          .filter((row) => !staying.has(row.message.id) && isPlain(row))
          .flatMap((row) => before.get(row.message.id) ?? [])
      : []
    // In reverse, with new elements beside those that stay: so Lit's `repeat` moves none that stays, and the focus is kept.
    // After a leap none stays, and in their own order none moves: a moved element is styled and laid out anew.
    const isLeap = added.length === ids.length
    const reused = (isLeap ? free : free.reverse()).slice(0, added.length)
    const made = Array.from({ length: added.length - reused.length }, () => this.#nextKey++)
    const keys = isDown && !isLeap ? [...made, ...reused] : [...reused, ...made]
    this.#keys = new Map(ids.map((id) => [id, before.get(id) ?? (keys.shift() as number)]))
  }

  /** The room of the rows that are not in the page. */
  #makeRoom(): void {
    const { from, to, pinned } = this.#range
    const below = this.#heights.top(this.#messages.length) - this.#heights.top(to)
    const wanted = `${this.#heights.top(from)}px ${Math.max(0, below)}px`
    if (wanted !== this.#roomNow) this.#room.setProperty('padding-block', wanted)
    this.#roomNow = wanted
    if (pinned >= 0) this.#pinnedRow.setProperty('top', `${this.#heights.top(pinned)}px`)
  }

  /** `isAnew`: those too whose height is known. @returns whether rows are higher or lower than was thought */
  #measure(isAnew: boolean): boolean {
    return [...this.#host.querySelectorAll('nc-row:not([pinned])')]
      .map((row, at) => [row, this.#range.from + at] as const)
      .filter(([, index]) => isAnew || !this.#heights.knows(index))
      .map(([row, index]) => this.#heights.measure(index, heightOf(row)))
      .includes(true)
  }

  /** Remembers what is at the upper edge of the view; of a list scrolled to its end, at the lower one. */
  #hold(sticksToEnd: boolean): Anchor | undefined {
    const top = this.#top
    const isAtEnd = sticksToEnd && top > 0 && top + this.#view >= this.#heights.top(this.#messages.length) - 1
    const index = this.#heights.at(top)
    // Nobody has seen yet what comes into view by a leap.
    const isSeen = isAtEnd || (index >= this.#range.from && index < this.#range.to)
    if (top === 0 || !isSeen) return undefined
    return { isAtEnd, id: this.#messages[index]?.id, index, offset: top - this.#heights.top(index), top }
  }

  #restore(): void {
    if (this.#anchor === undefined) return
    const { isAtEnd, id, index, offset, top } = this.#anchor
    const now = this.#messages[index]?.id === id ? index : this.#messages.findIndex((message) => message.id === id)
    if (isAtEnd) this.#scrollTo(this.#heights.top(this.#messages.length) - this.#view)
    else this.#scrollTo(now < 0 ? top : this.#heights.top(now) + offset)
  }

  readonly #onScroll = (): void => {
    this.#look()
    if (!this.isWindowed || this.#covers(AROUND / 2)) return
    this.#anchor ??= this.#hold(true)
    this.#host.requestUpdate()
  }

  #observeHolder(): void {
    const holder = this.#host.querySelector('.rows')
    if (holder === this.#holder) return
    if (this.#holder) this.#resized.unobserve(this.#holder)
    if (holder) this.#resized.observe(holder)
    this.#holder = holder
  }

  /** The rows are as high as they were measured, and the view is as it was. */
  #isAsThought({ target, contentRect }: ResizeObserverEntry): boolean {
    const isNear = (length: number, thought: number) => Math.abs(length - thought) < 1
    const { from, to } = this.#range
    if (target !== this.#host) return isNear(contentRect.height, this.#heights.top(to) - this.#heights.top(from))
    return isNear(contentRect.width, this.#width) && isNear(contentRect.height, this.#view)
  }

  readonly #remeasure = oncePerFrame((): void => {
    if (this.#host.clientHeight === 0) return
    this.#look()
    this.#anchor = this.#hold(true)
    if (this.#host.clientWidth !== this.#width) this.#heights.forget()
    this.#width = this.#host.clientWidth
    this.#measure(true)
    this.#makeRoom()
    this.#restore()
    this.#host.requestUpdate()
  })
}

/** The height as laid out, whatever the panel is being scaled to. */
const heightOf = (row: Element): number => Number.parseFloat(getComputedStyle(row).height) || 0

/** No other message may have its picture, its focus, nor the words that a browser has put in place of its own (`font`). */
const isPlain = (row: NcRow): boolean =>
  !row.matches('[pinned], :focus-within') && row.querySelector('img, font, .beneath') === null
