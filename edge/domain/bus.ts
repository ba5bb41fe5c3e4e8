// The bus: what one part (or node) tells the others after a commit. At most once; every listener can also live without it.

import type { InboxPush, NewMessage } from './plan.ts'

export interface BusTopics {
  /** One user's inbox changed; `added` holds the messages that the push's `add`s name. */
  'inbox-pushed': { push: InboxPush; added: NewMessage[] }
  /** These widget sessions are over: their tokens are refused and their sockets closed. */
  'sessions-ended': { sessionIds: number[] }
  /** Keys, origins or settings of an environment changed: caches drop it. */
  'environment-changed': { environmentId: number }
  /** A campaign was published, paused, resumed or archived: caches drop the environment's campaigns. */
  'campaigns-changed': { environmentId: number }
}
export type BusTopic = keyof BusTopics

export interface Bus {
  publish<T extends BusTopic>(topic: T, payload: BusTopics[T]): void
  /** Answers the function that ends the subscription. */
  subscribe<T extends BusTopic>(topic: T, listener: (payload: BusTopics[T]) => void): () => void
  close(): Promise<void>
}
