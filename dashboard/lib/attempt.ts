// Runs one change at a time for an element, and keeps whether it is under way and why the last one failed.

import type { ReactiveControllerHost } from 'lit'

export class Attempt {
  readonly #host: ReactiveControllerHost
  isBusy = false
  error: unknown

  constructor(host: ReactiveControllerHost) {
    this.#host = host
  }

  /** Does nothing while another one is under way. @returns whether it succeeded */
  async run(work: () => Promise<void>): Promise<boolean> {
    if (this.isBusy) return false
    this.#show(true, undefined)
    try {
      await work()
      this.#show(false, undefined)
      return true
    } catch (error) {
      this.#show(false, error)
      return false
    }
  }

  /** Forgets the failure. */
  clear(): void {
    this.#show(this.isBusy, undefined)
  }

  #show(isBusy: boolean, error: unknown): void {
    this.isBusy = isBusy
    this.error = error
    this.#host.requestUpdate()
  }
}
