// Asks before the page is left while an element holds something that would be lost.

import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { LEAVE } from '../routing/router.ts'

export class LeaveGuard implements ReactiveController {
  readonly #loss: () => string | undefined

  /** @param loss What would be lost, as a question; undefined: nothing. */
  constructor(host: ReactiveControllerHost, loss: () => string | undefined) {
    this.#loss = loss
    host.addController(this)
  }

  hostConnected(): void {
    addEventListener('beforeunload', this.#onUnload)
    addEventListener(LEAVE, this.#onLeave)
  }

  hostDisconnected(): void {
    removeEventListener('beforeunload', this.#onUnload)
    removeEventListener(LEAVE, this.#onLeave)
  }

  /** The browser asks in its own words. */
  readonly #onUnload = (event: Event): void => {
    if (this.#loss() !== undefined) event.preventDefault()
  }

  readonly #onLeave = (event: Event): void => {
    const loss = this.#loss()
    if (loss !== undefined && !confirm(loss)) event.preventDefault()
  }
}
