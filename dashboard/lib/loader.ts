// Loads what an element shows, keeps the state of the load, and drops answers that a newer load has replaced.

import type { ReactiveController, ReactiveControllerHost } from 'lit'

export type LoadState = 'idle' | 'loading' | 'ready' | 'failed'

/** What became of a load: `failure` is absent after a success; undefined: a newer load has dropped it. */
export type Polled = { failure?: unknown } | undefined

export class Loader<T> implements ReactiveController {
  readonly #host: ReactiveControllerHost
  #abort: AbortController | undefined
  state: LoadState = 'idle'
  /** The last loaded value; stays while it is loaded again. */
  value: T | undefined
  error: unknown

  constructor(host: ReactiveControllerHost) {
    this.#host = host
    host.addController(this)
  }

  hostDisconnected(): void {
    this.#abort?.abort()
  }

  /**
   * Begins a load, and drops the running one. @param quiet Keeps the shown state until the answer, and on a failure.
   * @returns what became of it
   */
  async load(read: (signal: AbortSignal) => Promise<T>, { quiet = false } = {}): Promise<Polled> {
    this.#abort?.abort()
    const abort = new AbortController()
    this.#abort = abort
    if (!quiet) this.#show('loading')
    try {
      const value = await read(abort.signal)
      if (abort.signal.aborted) return undefined
      this.value = value
      this.error = undefined
      this.#show('ready')
      return {}
    } catch (error) {
      if (abort.signal.aborted) return undefined
      this.error = error
      this.#show(quiet && this.value !== undefined ? this.state : 'failed')
      return { failure: error }
    }
  }

  /** Forgets the value, and drops the running load. */
  clear(): void {
    this.#abort?.abort()
    this.value = undefined
    this.error = undefined
    this.#show('idle')
  }

  #show(state: LoadState): void {
    this.state = state
    this.#host.requestUpdate()
  }
}
