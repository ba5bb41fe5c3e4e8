// Defines the topic: a named list of users that an event can address.

import type { UserAudit } from './user.ts'

export interface Topic {
  /** Our integer; never on the wire. */
  topicNo: number
  key: string
  /** Counted up to COUNTED_SUBSCRIBERS. */
  subscribers: number
  createdAt: number
}

export interface Topics {
  findByNumber(environmentId: number, topicNo: number): Promise<Topic | undefined>
  /** Newest first; `before` is the last number read (null at the newest). */
  listNewest(environmentId: number, before: number | null, limit: number): Promise<Topic[]>
  /** Reads a page of the topics whose key has this beginning, in the order of their keys. */
  search(environmentId: number, beginning: string, after: Topic | null, limit: number): Promise<Topic[]>
  /** Returns the keys of the topics that a user subscribes to. */
  listOfUser(userNo: number): Promise<string[]>
  /** Reads a page of user ids in the order in which they joined; `after` is the last position read (0 at the start). */
  listSubscribers(
    environmentId: number,
    topicKey: string,
    after: number,
    limit: number,
  ): Promise<{ place: number; userId: string }[]>
  /** Reads a page from the other end, for people: `before` is the last position read (null at the newest). */
  listNewestSubscribers(
    environmentId: number,
    topicKey: string,
    before: number | null,
    limit: number,
  ): Promise<{ place: number; userId: string }[]>
  /** Counts the subscribers, up to `most`. */
  countSubscribers(environmentId: number, topicKey: string, most: number): Promise<number>
  /**
   * Adds and removes users in one transaction; unknown users and an unknown topic are created. Writes the audit entry,
   * if given, with the users that were added and removed.
   */
  change(
    environmentId: number,
    topicKey: string,
    add: string[],
    remove: string[],
    now: number,
    audit?: UserAudit,
  ): Promise<void>
}
