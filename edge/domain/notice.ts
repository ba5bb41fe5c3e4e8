// What another process has changed in the store of a running server (contract section 11: the command line works beside it).

import type { BusTopics } from './bus.ts'

export type NoticeTopic = Exclude<keyof BusTopics, 'inbox-pushed' | 'pushes-lost'>

/** A word for the bus of whoever else works on the store. */
export type Notice = { [T in NoticeTopic]: { topic: T; payload: BusTopics[T] } }[NoticeTopic]

/** Written in the transaction of the change they tell of. */
export interface Notices {
  /** Where a reader that knows the present state begins. */
  lastNumber(): Promise<number>
  /** In their order. */
  listAfter(number: number): Promise<{ number: number; notice: Notice }[]>
}
