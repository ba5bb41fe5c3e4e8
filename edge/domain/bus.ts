// The bus: what one part (or node) tells the others after a commit. At most once; every listener can also live without it.

import type { PushedFrame } from './delivery/pushed-frame.ts'

export interface BusTopics {
  /** One user's inbox changed. Reaches the nodes that follow the user. */
  'inbox-pushed': PushedFrame
  /** Pushes of this node, or to this node, may be lost: clients hear their heads anew. Told by the bus itself. */
  'pushes-lost': { nodeId: string }
  /** These inboxes were changed by somebody without a bus: whoever has their sockets states their heads. */
  'inboxes-changed': { userNos: number[] }
  /** These widget sessions are over: their tokens are refused and their sockets closed. */
  'sessions-ended': { sessionIds: number[] }
  /** Keys, origins or settings of an environment changed: caches drop it. */
  'environment-changed': { environmentId: number }
  /** A campaign was published, paused, resumed or archived: caches drop the environment's campaigns. */
  'campaigns-changed': { environmentId: number }
  /** An environment has its first preference or suppression; null: a notification config changed, whose environments are many. */
  'send-rules-changed': { environmentId: number | null }
  /** An enricher was added, changed or removed: caches drop the environment's enrichers. */
  'enrichers-changed': { environmentId: number }
}
export type BusTopic = keyof BusTopics

export interface Bus {
  /** Tells the listeners of this node at once and those of the others soon. Never waits, never throws. */
  publish<T extends BusTopic>(topic: T, payload: BusTopics[T]): void
  /** Tells the listeners of this node alone. */
  publishHere<T extends BusTopic>(topic: T, payload: BusTopics[T]): void
  /** Answers the function that ends the subscription. */
  subscribe<T extends BusTopic>(topic: T, listener: (payload: BusTopics[T]) => void): () => void
  /**
   * From when it resolves, pushes of this user come here from all nodes, or `pushes-lost` tells that they may not have:
   * what is read from the store after it misses nothing. Never rejects.
   */
  follow(userNo: number): Promise<void>
  unfollow(userNo: number): void
  /** Whether the other nodes are in reach. */
  isUp(): boolean
  close(): Promise<void>
}
