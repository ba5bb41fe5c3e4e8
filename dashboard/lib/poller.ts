// Calls a function again and again while its element is on the page and the page is visible.

import type { ReactiveController, ReactiveControllerHost } from 'lit'

export class Poller implements ReactiveController {
  readonly #poll: () => Promise<unknown>
  readonly #everyMs: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #isConnected = false
  #isOn = true

  /** @param everyMs Milliseconds from the end of one call to the next. */
  constructor(host: ReactiveControllerHost, everyMs: number, poll: () => Promise<unknown>) {
    this.#poll = poll
    this.#everyMs = everyMs
    host.addController(this)
  }

  get isOn(): boolean {
    return this.#isOn
  }

  set isOn(isOn: boolean) {
    this.#isOn = isOn
    this.#plan()
  }

  hostConnected(): void {
    this.#isConnected = true
    document.addEventListener('visibilitychange', this.#onVisibility)
    this.#plan()
  }

  hostDisconnected(): void {
    this.#isConnected = false
    document.removeEventListener('visibilitychange', this.#onVisibility)
    this.#plan()
  }

  readonly #onVisibility = (): void => this.#plan(0)

  #plan(afterMs = this.#everyMs): void {
    clearTimeout(this.#timer)
    if (this.#isConnected && this.#isOn && !document.hidden) this.#timer = setTimeout(this.#run, afterMs)
  }

  readonly #run = async (): Promise<void> => {
    try {
      await this.#poll()
    } finally {
      this.#plan()
    }
  }
}
