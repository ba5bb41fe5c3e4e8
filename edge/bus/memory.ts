// Implements the bus of a single node, whose listeners are all in this process.

import type { Bus } from '../domain/bus.ts'
import { createListeners, type OnListenerError } from './listeners.ts'

export function createMemoryBus(options: { onListenerError?: OnListenerError } = {}): Bus {
  const listeners = createListeners(options.onListenerError)
  return {
    publish: listeners.emit,
    publishHere: listeners.emit,
    subscribe: listeners.subscribe,
    follow: async () => {},
    unfollow() {},
    isUp: () => true,
    close: async () => listeners.clear(),
  }
}
