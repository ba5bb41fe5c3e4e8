// Declares the bus: signals between parts and nodes after a commit, delivered at most once. No listener depends on
// them.

import type { InboxFrame } from '../../contract/frames.ts'
import type { InboxPush } from './plan.ts'

/** The user of the inbox, and the seqs before and after the frame. */
export type PushSpan = Pick<InboxPush, 'userNo' | 'from' | 'seq' | 'reset'>

/** The changes of one inbox by one commit, on their way to the user's sockets on any node. */
export interface PushedFrame extends PushSpan {
  frame(): InboxFrame
  /** The frame as JSON, for other nodes and for sockets. */
  text(): string
}

/** Time between two reports of a node of who is online. */
export const ONLINE_EVERY_MS = 5000

/** The users with a socket at a node. */
export interface OnlineReport {
  /** Another one after each start. */
  nodeId: string
  users: [environmentId: number, count: number][]
}

/** Time between two reports of a page that has the editor of a campaign open. */
export const EDITING_EVERY_MS = 5000

/** A person has the editor of a campaign open. */
export interface CampaignEdited {
  campaignId: number
  person: { id: number; name: string; email: string }
}

export interface BusTopics {
  /** One user's inbox changed. Reaches the nodes that follow the user. */
  'inbox-pushed': PushedFrame
  /** Pushes of this node, or to this node, may be lost: heads are sent to clients. Published by the bus itself. */
  'pushes-lost': { nodeId: string }
  /** A process without a bus has changed these inboxes: nodes with their sockets send heads. */
  'inboxes-changed': { userNos: number[] }
  /** These widget sessions are over: their tokens are refused and their sockets closed. */
  'sessions-ended': { sessionIds: number[] }
  /** Keys, origins or settings of an environment changed: caches drop it. */
  'environment-changed': { environmentId: number }
  /** A campaign was published, paused, resumed or archived: caches drop the environment's campaigns. */
  'campaigns-changed': { environmentId: number }
  /** An environment has its first preference or suppression. Null: a config or settings of several environments changed. */
  'send-rules-changed': { environmentId: number | null }
  /** An enricher was added, changed or removed: caches drop the environment's enrichers. */
  'enrichers-changed': { environmentId: number }
  /** An integration of mail was added, changed or removed: caches drop the environment's senders. */
  'mail-integrations-changed': { environmentId: number }
  /** Each node reports it every few seconds. */
  'users-online': OnlineReport
  /** Each open editor reports it every few seconds. */
  'campaign-edited': CampaignEdited
}
export type BusTopic = keyof BusTopics

export interface Bus {
  /** Calls the listeners of this node at once and those of other nodes soon. Never waits, never throws. */
  publish<T extends BusTopic>(topic: T, payload: BusTopics[T]): void
  /** Calls the listeners of this node only. */
  publishHere<T extends BusTopic>(topic: T, payload: BusTopics[T]): void
  /** @returns the function that ends the subscription */
  subscribe<T extends BusTopic>(topic: T, listener: (payload: BusTopics[T]) => void): () => void
  /**
   * Resolves when pushes of this user arrive here from all nodes; `pushes-lost` reports when they may not have. What is read
   * from the store after it misses nothing. Never rejects.
   */
  follow(userNo: number): Promise<void>
  unfollow(userNo: number): void
  /** Whether other nodes can be reached. */
  isUp(): boolean
  close(): Promise<void>
}
