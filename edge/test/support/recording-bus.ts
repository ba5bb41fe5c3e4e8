// Records what flows publish on the bus of one process.

import { createMemoryBus } from '../../bus/memory.ts'
import type { Bus, BusTopic, BusTopics } from '../../domain/bus.ts'

/** Creates an in-process bus that keeps all published values. */
export function createRecordingBus(): Bus & { published: { [T in BusTopic]: BusTopics[T][] } } {
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
    'mail-integrations-changed': [],
    'users-online': [],
    'campaign-edited': [],
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
