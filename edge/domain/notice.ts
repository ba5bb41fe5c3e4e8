// Defines notices: changes by other nodes, or by the command line next to a running server.

import type { BusTopics } from './bus.ts'

export type NoticeTopic = Exclude<keyof BusTopics, 'inbox-pushed' | 'pushes-lost'>

/** An event for the bus of other processes on the same store. */
export type Notice = { [T in NoticeTopic]: { topic: T; payload: BusTopics[T] } }[NoticeTopic]

/** Stores notices in the transaction of their change. */
export interface Notices {
  /** Returns the position for a reader that has read the current state. */
  lastNumber(): Promise<number>
  /** Reads notices in their order. With several nodes, one with a lower number may be committed later. */
  listAfter(number: number): Promise<{ number: number; notice: Notice }[]>
  /** Removes notices that are hours old. */
  purge(now: number): Promise<void>
}
