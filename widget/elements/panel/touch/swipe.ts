// Swiping a row towards the start of the line archives it, or takes it out of the archive. A part of its own, for pages that are touched.

import type { InboxMessage } from '../../../../contract/api.ts'
import { element } from '../../../lib/dom.ts'
import { outlineIcon } from '../../../lib/outline-icon.ts'
import { adopt, createSheet } from '../../../lib/sheet.ts'
import { PATHS } from '../icons.ts'

export interface SwipeDeps {
  shadow: ShadowRoot
  /** Holds the boxes of the rows. */
  rows: HTMLElement
  /** The message of a row that may be swiped now. */
  find: (id: string) => InboxMessage | undefined
  archive: (message: InboxMessage) => void
}

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

/** Answers how to stop. Up and down stays the browser's: only what it leaves to the page is seen here. */
export function createSwipe({ shadow, rows, find, archive }: SwipeDeps): () => void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('.swiped>article.row{}.swiped>.beneath{}')
  const [moved, beneath] = [...sheet.cssRules].map((rule) => (rule as CSSStyleRule).style) as [
    CSSStyleDeclaration,
    CSSStyleDeclaration,
  ]
  adopt(shadow, swipeStyles())
  adopt(shadow, sheet)
  let swipe: Swipe | undefined

  const down = (event: PointerEvent): void => {
    const row = (event.target as Element).closest<HTMLElement>('article.row')
    const message = find(row?.dataset.id ?? '')
    if (swipe !== undefined || event.pointerType === 'mouse' || !event.isPrimary || !row || !message) return
    const way = getComputedStyle(row).direction === 'rtl' ? -1 : 1
    const [fromX, fromY, startedAt] = [event.clientX, event.clientY, event.timeStamp]
    swipe = { pointerId: event.pointerId, row, message, fromX, fromY, startedAt, way, isMoving: false, by: 0 }
  }

  const move = (event: PointerEvent): void => {
    if (swipe?.pointerId !== event.pointerId) return
    const by = (swipe.fromX - event.clientX) * swipe.way
    if (!swipe.isMoving) {
      if (Math.abs(event.clientY - swipe.fromY) > SLACK || by < -SLACK) swipe = undefined
      if (swipe === undefined || by < SLACK) return
      begin(swipe)
    }
    swipe.by = Math.max(0, by)
    moved.setProperty('transform', `translateX(${-swipe.by * swipe.way}px)`)
  }

  const begin = (swiped: Swipe): void => {
    swiped.isMoving = true
    const { row, message, pointerId } = swiped
    // The pointer is the row's from here on, wherever it goes. One that is gone already ends by itself.
    capture(row, pointerId)
    const name = message.archivedAt === null ? 'archive' : 'unarchive'
    row.parentElement?.append(element('div', { class: 'beneath', 'aria-hidden': 'true' }, outlineIcon(PATHS[name])))
    row.parentElement?.classList.add('swiped')
    beneath.setProperty('height', `${row.offsetHeight}px`)
  }

  const up = (event: PointerEvent): void => {
    if (swipe?.pointerId !== event.pointerId) return
    const ended = swipe
    swipe = undefined
    if (!ended.isMoving) return
    suppressClick()
    const { by, row, startedAt } = ended
    const isFlick = by > FLICK && by / (event.timeStamp - startedAt) > FLICK_PER_MS
    const goes = event.type === 'pointerup' && (by > row.offsetWidth * FAR || isFlick)
    void glide(ended, goes ? row.offsetWidth : 0).then(() => {
      clear(row)
      if (goes) archive(ended.message)
    })
  }

  /** To where it goes, or back to where it was. */
  const glide = async ({ row, by, way }: Swipe, to: number): Promise<void> => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const at = (px: number) => ({ transform: `translateX(${-px * way}px)` })
    await row.animate([at(by), at(to)], { duration: GLIDE_MS, easing: 'ease-out', fill: 'forwards' }).finished
  }
  const clear = (row: HTMLElement): void => {
    for (const animation of row.getAnimations()) animation.cancel()
    row.parentElement?.classList.remove('swiped')
    row.parentElement?.querySelector('.beneath')?.remove()
    moved.removeProperty('transform')
  }
  /** The press that ends a swipe is not one on the row. */
  const suppressClick = (): void => {
    const swallow = (event: Event): void => {
      event.stopPropagation()
      event.preventDefault()
    }
    rows.addEventListener('click', swallow, { capture: true, once: true })
    setTimeout(() => rows.removeEventListener('click', swallow, { capture: true }), 50)
  }

  const listeners = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up }
  for (const [type, listener] of Object.entries(listeners)) rows.addEventListener(type, listener as EventListener)
  return () => {
    for (const [type, listener] of Object.entries(listeners)) rows.removeEventListener(type, listener as EventListener)
  }
}

function capture(row: HTMLElement, pointerId: number): void {
  try {
    row.setPointerCapture(pointerId)
  } catch {
    // The finger has left the glass between two of its messages.
  }
}

const swipeStyles = createSheet(`
article.row { touch-action: pan-y }
.swiped { position: relative; overflow: clip }
.swiped > article.row { z-index: 1; background: var(--_surface) }
.beneath { position: absolute; inset: auto 0 0; display: flex; justify-content: flex-end; align-items: center; padding-inline: 24px; background: var(--_accent); color: var(--_on-accent) }
.beneath svg { width: 24px; height: 24px }
`)
