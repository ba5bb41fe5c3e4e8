// Runs what a form does, once at a time, and keeps its state and the words of its failure.

import type { ReactiveControllerHost } from 'lit'
import { formMessageOf } from './states.ts'

export class Attempt {
  readonly #host: ReactiveControllerHost
  isBusy = false
  /** For people; empty without a failure. */
  error = ''

  constructor(host: ReactiveControllerHost) {
    this.#host = host
  }

  /** Does nothing while another one runs. */
  async run(action: () => Promise<void>): Promise<void> {
    if (this.isBusy) return
    this.#show(true, '')
    try {
      await action()
      this.#show(false, '')
    } catch (error) {
      this.#show(false, formMessageOf(error))
    }
  }

  #show(isBusy: boolean, error: string): void {
    this.isBusy = isBusy
    this.error = error
    this.#host.requestUpdate()
  }
}
