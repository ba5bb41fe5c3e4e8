// Swiping a row towards the start of the line archives it, or takes it out of the archive. A part, for pages that are touched.

import { css, type ReactiveController, render } from 'lit'
import type { InboxMessage } from '../../../contract/api.ts'
import { element } from '../../lib/dom.ts'
import { icon } from './icons.ts'
import type { SwipedPanel } from './panel-types.ts'

interface Swipe {
  pointerId: number
  row: HTMLElement
  message: InboxMessage
  fromX: number
  fromY: number
  startedAt: number
  /** 1 when the line starts on the left. */
  way: 1 | -1
  isMoving: boolean
  /** How far, towards the start of the line, in px. */
  by: number
}

/** Less is a finger that trembles. */
const SLACK = 10
/** A row that was moved this far of its width goes. */
const FAR = 0.35
/** Or this far, this fast. */
const [FLICK, FLICK_PER_MS] = [48, 0.45]
const GLIDE_MS = 160
/** The click that ends a swipe follows within. */
const CLICK_MS = 50

/** Up and down stays the browser's: only what it leaves to the page is seen here. */
export class SwipeController implements ReactiveController {
  readonly #panel: SwipedPanel
  readonly #positions = new CSSStyleSheet()
  readonly #moved: CSSStyleDeclaration
  readonly #beneath: CSSStyleDeclaration
  readonly #listeners = {
    pointerdown: (event: PointerEvent) => this.#down(event),
    pointermove: (event: PointerEvent) => this.#move(event),
    pointerup: (event: PointerEvent) => this.#up(event),
    pointercancel: (event: PointerEvent) => this.#up(event),
  }
  #swipe: Swipe | undefined

  constructor(panel: SwipedPanel) {
    this.#panel = panel
    this.#positions.replaceSync('.swiped>article.row{}.swiped>.beneath{}')
    const [moved, beneath] = [...this.#positions.cssRules].map((rule) => (rule as CSSStyleRule).style)
    this.#moved = moved as CSSStyleDeclaration
    this.#beneath = beneath as CSSStyleDeclaration
    panel.addController(this)
  }

  get #sheets(): CSSStyleSheet[] {
    return [swipeStyles.styleSheet as CSSStyleSheet, this.#positions]
  }

  hostConnected(): void {
    this.#panel.host.shadow.adoptedStyleSheets.push(...this.#sheets)
    for (const [type, listener] of Object.entries(this.#listeners))
      this.#panel.addEventListener(type, listener as EventListener)
  }

  hostDisconnected(): void {
    const { shadow } = this.#panel.host
    const sheets = this.#sheets
    shadow.adoptedStyleSheets = shadow.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet))
    for (const [type, listener] of Object.entries(this.#listeners))
      this.#panel.removeEventListener(type, listener as EventListener)
  }

  #down(event: PointerEvent): void {
    const row = (event.target as Element).closest<HTMLElement>('article.row')
    const message = this.#panel.selected === undefined ? this.#panel.actions.find(row?.dataset.id) : undefined
    if (this.#swipe || event.pointerType === 'mouse' || !event.isPrimary || !row || !message) return
    const way = getComputedStyle(row).direction === 'rtl' ? -1 : 1
    const [fromX, fromY, startedAt] = [event.clientX, event.clientY, event.timeStamp]
    this.#swipe = { pointerId: event.pointerId, row, message, fromX, fromY, startedAt, way, isMoving: false, by: 0 }
  }

  #move(event: PointerEvent): void {
    const swipe = this.#swipe
    if (swipe?.pointerId !== event.pointerId) return
    const by = (swipe.fromX - event.clientX) * swipe.way
    if (!swipe.isMoving) {
      if (Math.abs(event.clientY - swipe.fromY) > SLACK || by < -SLACK) this.#swipe = undefined
      if (this.#swipe === undefined || by < SLACK) return
      this.#begin(swipe)
    }
    swipe.by = Math.max(0, by)
    this.#moved.setProperty('transform', `translateX(${-swipe.by * swipe.way}px)`)
  }

  #begin(swipe: Swipe): void {
    swipe.isMoving = true
    const { row, message, pointerId } = swipe
    // The pointer is the row's from here on, wherever it goes. One that is gone already ends by itself.
    capture(row, pointerId)
    const beneath = element('div', { class: 'beneath', 'aria-hidden': 'true' })
    render(icon(message.archivedAt === null ? 'archive' : 'unarchive'), beneath)
    row.parentElement?.append(beneath)
    row.parentElement?.classList.add('swiped')
    this.#beneath.setProperty('height', `${row.offsetHeight}px`)
  }

  #up(event: PointerEvent): void {
    const swipe = this.#swipe
    if (swipe?.pointerId !== event.pointerId) return
    this.#swipe = undefined
    if (!swipe.isMoving) return
    this.#suppressClick()
    const { by, row, startedAt } = swipe
    const isFlick = by > FLICK && by / (event.timeStamp - startedAt) > FLICK_PER_MS
    const goes = event.type === 'pointerup' && (by > row.offsetWidth * FAR || isFlick)
    void glide(swipe, goes ? row.offsetWidth : 0).then(() => {
      this.#clear(row)
      if (goes) this.#panel.actions.archive([swipe.message])
    })
  }

  #clear(row: HTMLElement): void {
    for (const animation of row.getAnimations()) animation.cancel()
    row.parentElement?.classList.remove('swiped')
    row.parentElement?.querySelector('.beneath')?.remove()
    this.#moved.removeProperty('transform')
  }

  /** The press that ends a swipe is not one on the row. */
  #suppressClick(): void {
    const swallow = (event: Event): void => {
      event.stopPropagation()
      event.preventDefault()
    }
    this.#panel.addEventListener('click', swallow, { capture: true, once: true })
    setTimeout(() => this.#panel.removeEventListener('click', swallow, { capture: true }), CLICK_MS)
  }
}

/** To where it goes, or back to where it was. */
async function glide({ row, by, way }: Swipe, to: number): Promise<void> {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const at = (px: number) => ({ transform: `translateX(${-px * way}px)` })
  await row.animate([at(by), at(to)], { duration: GLIDE_MS, easing: 'ease-out', fill: 'forwards' }).finished
}

function capture(row: HTMLElement, pointerId: number): void {
  try {
    row.setPointerCapture(pointerId)
  } catch {
    // The finger has left the glass between two of its messages.
  }
}

const swipeStyles = css`
article.row { touch-action: pan-y }
.swiped { position: relative; overflow: clip }
.swiped > article.row { z-index: 1; background: var(--_surface) }
.beneath { position: absolute; inset: auto 0 0; display: flex; justify-content: flex-end; align-items: center; padding-inline: 24px; background: var(--_accent); color: var(--_on-accent) }
.beneath svg { width: 24px; height: 24px }
`
