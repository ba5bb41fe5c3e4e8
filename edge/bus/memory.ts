// The bus of a single node: listeners are called at once, in the order of their subscription (house section 3).

import type { Bus, BusTopic, BusTopics } from '../domain/bus.ts'

export interface MemoryBusOptions {
  /** Told of what a listener threw; neither the publisher nor the other listeners notice. */
  onListenerError?: (error: unknown, topic: BusTopic) => void
}

type Listener = (payload: never) => void

export function createMemoryBus(options: MemoryBusOptions = {}): Bus {
  const listeners = new Map<BusTopic, Set<Listener>>()

  return {
    publish<T extends BusTopic>(topic: T, payload: BusTopics[T]) {
      // A copy: a listener may end its own or another subscription while it is called.
      for (const listener of [...(listeners.get(topic) ?? [])] as ((payload: BusTopics[T]) => void)[]) {
        try {
          listener(payload)
        } catch (error) {
          options.onListenerError?.(error, topic)
        }
      }
    },
    subscribe(topic, listener) {
      // Wrapped, so that the same function subscribed twice is two subscriptions.
      const own: Listener = (payload) => listener(payload)
      const ofTopic = listeners.get(topic) ?? new Set()
      listeners.set(topic, ofTopic.add(own))
      return () => void ofTopic.delete(own)
    },
    async close() {
      listeners.clear()
    },
  }
}
