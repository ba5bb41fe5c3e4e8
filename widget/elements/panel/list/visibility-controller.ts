// Reports which rows a person can really see: at least half in view, in a list that shows, on a visible page.

import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { listenInPage } from '../listening.ts'

/** A list that moves is looked at so often: what flies past between two looks, nobody has seen. */
const LOOK_MS = 100

export interface VisibilityOptions {
  /** False while something lies over the list. */
  isListInFront: () => boolean
  /** Called for the rows that come into view, for some perhaps more than once. */
  onSeen: (ids: string[]) => void
}

export class VisibilityController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement
  readonly #options: VisibilityOptions
  readonly #ids = new WeakMap<Element, string>()
  readonly #inView = new Set<Element>()
  readonly #observer = new IntersectionObserver(
    (entries) => {
      for (const { target, intersectionRatio } of entries) {
        if (intersectionRatio >= 0.5) this.#inView.add(target)
        else this.#inView.delete(target)
      }
      this.#report()
    },
    { threshold: 0.5 },
  )
  #nextLook: ReturnType<typeof setTimeout> | undefined

  constructor(host: ReactiveControllerHost & HTMLElement, options: VisibilityOptions) {
    this.#host = host
    this.#options = options
    host.addController(this)
    listenInPage(host, () => [
      [document, 'visibilitychange', this.#report],
      [host, 'scroll', this.#lookLater, { passive: true }],
    ])
  }

  hostDisconnected(): void {
    this.#observer.disconnect()
    clearTimeout(this.#nextLook)
    this.#nextLook = undefined
    this.#inView.clear()
  }

  hostUpdated(): void {
    for (const row of this.#host.querySelectorAll<HTMLElement>('article.row')) this.#observe(row, row.dataset.id ?? '')
    // The list may have been shown again: what lies in view now counts.
    this.#report()
  }

  #observe(row: HTMLElement, id: string): void {
    if (this.#ids.get(row) === id) return
    // A row that became another message's is looked at anew.
    if (this.#ids.has(row)) this.#observer.unobserve(row)
    this.#inView.delete(row)
    this.#ids.set(row, id)
    this.#observer.observe(row)
  }

  readonly #report = (): void => {
    if (this.#nextLook !== undefined || document.visibilityState !== 'visible' || !this.#options.isListInFront()) return
    const rows = [...this.#inView].filter((row) => row.isConnected)
    const visible = rows.filter(isVisible)
    // No observer reports when an element that hides them, or fades in, becomes visible.
    if (visible.length < rows.length) this.#lookLater()
    const seen = visible.flatMap((row) => this.#ids.get(row) ?? [])
    if (seen.length > 0) this.#options.onSeen(seen)
  }

  readonly #lookLater = (): void => {
    this.#nextLook ??= setTimeout(() => {
      this.#nextLook = undefined
      this.#report()
    }, LOOK_MS)
  }
}

/** Neither hidden nor wholly transparent, by its own styles or those of anything that it is in, the page's elements included. */
function isVisible(row: Element): boolean {
  return row.checkVisibility({
    visibilityProperty: true,
    opacityProperty: true,
    // Firefox before 122 reads the former names of the same two options.
    checkVisibilityCSS: true,
    checkOpacity: true,
  })
}
