// What another node, or the command line beside the server, has changed in the store (contract sections 2 and 11).

import type { BusTopics } from './bus.ts'

export type NoticeTopic = Exclude<keyof BusTopics, 'inbox-pushed' | 'pushes-lost'>

/** A word for the bus of whoever else works on the store. */
export type Notice = { [T in NoticeTopic]: { topic: T; payload: BusTopics[T] } }[NoticeTopic]

/** Written in the transaction of the change they tell of. */
export interface Notices {
  /** Where a reader that knows the present state begins. */
  lastNumber(): Promise<number>
  /** In their order. On several nodes one with a lower number may still be under way. */
  listAfter(number: number): Promise<{ number: number; notice: Notice }[]>
  /** Forgets those that are hours old. */
  purge(now: number): Promise<void>
}
