// Lets a pointer take a step of the picture to another place between steps. A finger scrolls instead.

import type { ReactiveController, ReactiveControllerHost } from 'lit'
import type { Path } from '../../editor/step-tree.ts'

/** A shorter way is a click (px). */
const CLICK_PX = 6
/** How near to a place the pointer must be (px). */
const NEAR_PX = 90

type Drop = (id: string, list: Path, index: number) => void

export class StepDrag implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement
  readonly #drop: Drop
  #from: { id: string; x: number; y: number; item: HTMLElement } | undefined
  #isDragging = false
  #target: HTMLElement | undefined

  constructor(host: ReactiveControllerHost & HTMLElement, drop: Drop) {
    this.#host = host
    this.#drop = drop
    host.addController(this)
  }

  hostConnected(): void {
    this.#host.addEventListener('pointerdown', this.#down)
  }

  hostDisconnected(): void {
    this.#host.removeEventListener('pointerdown', this.#down)
    this.#end()
  }

  readonly #down = (event: PointerEvent): void => {
    if (event.button !== 0 || event.pointerType === 'touch') return
    const item = (event.target as HTMLElement).closest<HTMLElement>('[data-item][data-kind=step]')
    if (item === null || this.#host.querySelector('.flow-add') === null) return
    this.#from = { id: item.dataset.item ?? '', x: event.clientX, y: event.clientY, item }
    addEventListener('pointermove', this.#move)
    addEventListener('pointerup', this.#up)
    addEventListener('pointercancel', this.#cancel)
    addEventListener('keydown', this.#cancelByKey, true)
  }

  readonly #move = ({ clientX, clientY }: PointerEvent): void => {
    const from = this.#from
    if (from === undefined) return
    const [x, y] = [clientX - from.x, clientY - from.y]
    if (!this.#isDragging && Math.hypot(x, y) < CLICK_PX) return
    if (!this.#isDragging) {
      this.#isDragging = true
      this.#host.toggleAttribute('data-dragging', true)
      from.item.toggleAttribute('data-dragged', true)
      getSelection()?.removeAllRanges()
    }
    // The picture may be smaller than its own measures.
    const scale = from.item.getBoundingClientRect().width / from.item.offsetWidth
    from.item.style.setProperty('transform', `translate(${x / scale}px, ${y / scale}px)`)
    this.#aim(this.#nearest(clientX, clientY))
  }

  /** @returns the nearest place between steps that is near enough */
  #nearest(x: number, y: number): HTMLElement | undefined {
    let [nearest, least] = [undefined as HTMLElement | undefined, NEAR_PX]
    for (const place of this.#host.querySelectorAll<HTMLElement>('.flow-add')) {
      const { left, top, width, height } = place.getBoundingClientRect()
      // Steps are wide: a place is as near from their sides as from their middle.
      const distance = Math.hypot(Math.max(0, Math.abs(x - left - width / 2) - 80), y - top - height / 2)
      if (distance < least) [nearest, least] = [place, distance]
    }
    return nearest
  }

  #aim(target: HTMLElement | undefined): void {
    if (target === this.#target) return
    this.#target?.removeAttribute('data-aimed')
    target?.toggleAttribute('data-aimed', true)
    this.#target = target
  }

  readonly #up = (): void => {
    const [from, target, wasDragging] = [this.#from, this.#target, this.#isDragging]
    this.#end()
    if (!wasDragging) return
    // The click after a drag selects nothing.
    addEventListener('click', stop, { capture: true, once: true })
    setTimeout(() => removeEventListener('click', stop, { capture: true }))
    if (from === undefined || target === undefined) return
    this.#drop(from.id, JSON.parse(target.dataset.list ?? '[]') as Path, Number(target.dataset.index))
  }

  readonly #cancel = (): void => this.#end()

  readonly #cancelByKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.#isDragging) return
    event.preventDefault()
    event.stopPropagation()
    this.#end()
  }

  #end(): void {
    removeEventListener('pointermove', this.#move)
    removeEventListener('pointerup', this.#up)
    removeEventListener('pointercancel', this.#cancel)
    removeEventListener('keydown', this.#cancelByKey, true)
    this.#from?.item.removeAttribute('data-dragged')
    this.#from?.item.style.removeProperty('transform')
    this.#host.removeAttribute('data-dragging')
    this.#aim(undefined)
    this.#from = undefined
    this.#isDragging = false
  }
}

const stop = (event: Event): void => {
  event.preventDefault()
  event.stopPropagation()
}
