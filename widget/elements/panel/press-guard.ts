// Drops clicks that a person did not mean: the second press of a double click on what has come under it, and the end of a drag over text.

import { listenInPage } from './listening.ts'
import type { PanelView } from './panel-types.ts'

const CONTROL = 'a, button:not(.title), input, select, textarea, label, article.row'
/** Views that take each other's place. */
const SURFACE = '.anchor, .list-side, .detail, .settings, .sheet, .bulk, .toasts'
/** Presses so soon and so near each other are one double press, also where the browser counts each alone (iOS). */
const [DOUBLE_MS, NEAR_MOUSE, NEAR_FINGER] = [400, 10, 40]
/** A hand that trembles moves less, in px. */
const SLACK = 6

interface Press {
  control: Element | null
  surface: Element | null
  at: number
  x: number
  y: number
}

/** Watches the whole element: bell, panel and toasts. */
export class PressGuard {
  #down: PointerEvent | undefined
  #first: Press | undefined

  constructor(panel: PanelView) {
    listenInPage(panel, () => [
      [panel.host.root, 'pointerdown', this.#onDown, { capture: true }],
      [panel.host.root, 'click', this.#onClick, { capture: true }],
    ])
  }

  readonly #onDown = (event: PointerEvent): void => {
    this.#down = event
  }

  readonly #onClick = (event: MouseEvent): void => {
    // A click by a key or by a script.
    if (event.detail === 0) return
    const press = pressOf(event)
    if (isSecond(event, press, this.#first) || endsDrag(event, press, this.#down)) {
      event.preventDefault()
      event.stopImmediatePropagation()
    } else this.#first = press
  }
}

function pressOf(event: MouseEvent): Press {
  const target = event.target as Element
  const [control, surface] = [target.closest(CONTROL), target.closest(SURFACE)]
  return { control, surface, at: event.timeStamp, x: event.clientX, y: event.clientY }
}

/** Something else lies there than under the first press. */
function isSecond(event: MouseEvent, press: Press, first: Press | undefined): boolean {
  if (first === undefined || press.control === first.control) return false
  if (event.detail > 1) return true
  const near = 'pointerType' in event && event.pointerType === 'touch' ? NEAR_FINGER : NEAR_MOUSE
  const isNear = Math.hypot(press.x - first.x, press.y - first.y) < near
  return isNear && press.at - first.at < DOUBLE_MS && press.surface !== first.surface
}

/** Text was selected in a row; a button is pressed wherever in it the pointer goes. */
function endsDrag(event: MouseEvent, { control }: Press, down: PointerEvent | undefined): boolean {
  if (!control?.matches('article.row') || down === undefined || down.pointerType === 'touch') return false
  return Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > SLACK
}
