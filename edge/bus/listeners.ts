// Calls the listeners of one node at once, in the order of their subscription.

import type { Bus, BusTopic, BusTopics } from '../domain/bus.ts'

/** Receives what a listener threw; the publisher and the other listeners are not affected. */
export type OnListenerError = (error: unknown, topic: BusTopic) => void

export interface Listeners {
  emit: Bus['publishHere']
  subscribe: Bus['subscribe']
  clear(): void
}

type Listener = (payload: never) => void

export function createListeners(onListenerError?: OnListenerError): Listeners {
  const listeners = new Map<BusTopic, Set<Listener>>()
  return {
    emit<T extends BusTopic>(topic: T, payload: BusTopics[T]) {
      // A copy: a listener may end its own or another subscription while it is called.
      for (const listener of [...(listeners.get(topic) ?? [])] as ((payload: BusTopics[T]) => void)[]) {
        try {
          listener(payload)
        } catch (error) {
          onListenerError?.(error, topic)
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
    clear: () => listeners.clear(),
  }
}
