// Takes the place of @socket.io/component-emitter under the realtime client (decision 0070): listeners by name, called in order.

type Listener = (...args: never[]) => void

export class Emitter {
  readonly #listeners = new Map<string, Listener[]>()

  on(name: string, listener: Listener): this {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener])
    return this
  }

  /** Without a listener all of this name go, without a name all. */
  off(name?: string, listener?: Listener): this {
    if (name === undefined) this.#listeners.clear()
    else
      this.#listeners.set(
        name,
        (this.#listeners.get(name) ?? []).filter((each) => listener !== undefined && each !== listener),
      )
    return this
  }

  emit(name: string, ...args: unknown[]): this {
    return this.emitReserved(name, ...args)
  }

  /** The client's own sockets give `emit` another sense (to the server); this one stays here. */
  emitReserved(name: string, ...args: unknown[]): this {
    for (const listener of this.#listeners.get(name) ?? []) Reflect.apply(listener, this, args)
    return this
  }
}
