// Defines the topic: a named list of users that an event can address.

export interface Topics {
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
  /** Adds and removes users in one transaction; unknown users and an unknown topic are created. */
  change(environmentId: number, topicKey: string, add: string[], remove: string[], now: number): Promise<void>
}
