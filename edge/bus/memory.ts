// The bus of a single node: there is nobody else to tell (house section 3).

import type { Bus } from '../domain/bus.ts'
import { createListeners, type OnListenerError } from './listeners.ts'

export function createMemoryBus(options: { onListenerError?: OnListenerError } = {}): Bus {
  const listeners = createListeners(options.onListenerError)
  return {
    publish: listeners.tell,
    publishHere: listeners.tell,
    subscribe: listeners.subscribe,
    follow: async () => {},
    unfollow() {},
    isUp: () => true,
    close: async () => listeners.clear(),
  }
}
