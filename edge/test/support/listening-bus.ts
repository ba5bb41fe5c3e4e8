// The bus of one process with an ear: what a flow has published can be asked.

import { createMemoryBus } from '../../bus/memory.ts'
import type { Bus, BusTopic, BusTopics } from '../../domain/bus.ts'

/** A bus within this process that remembers what was published. */
export function createListeningBus(): Bus & { published: { [T in BusTopic]: BusTopics[T][] } } {
  const bus = createMemoryBus()
  const published: { [T in BusTopic]: BusTopics[T][] } = {
    'inbox-pushed': [],
    'pushes-lost': [],
    'inboxes-changed': [],
    'sessions-ended': [],
    'environment-changed': [],
    'campaigns-changed': [],
    'send-rules-changed': [],
    'enrichers-changed': [],
  }
  return {
    ...bus,
    published,
    publish(topic, payload) {
      published[topic].push(payload)
      bus.publish(topic, payload)
    },
  }
}
