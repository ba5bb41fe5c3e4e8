// The topic: a named list of users that an event can address (contract section 3).

export interface Topics {
  /** A page of user ids in the order in which they joined; `after` is the last place seen (0 at the start). */
  listSubscribers(
    environmentId: number,
    topicKey: string,
    after: number,
    limit: number,
  ): Promise<{ place: number; userId: string }[]>
  /** The same from the other end, for people: `before` is the last place seen (null at the newest). */
  listNewestSubscribers(
    environmentId: number,
    topicKey: string,
    before: number | null,
    limit: number,
  ): Promise<{ place: number; userId: string }[]>
  /** How many it has, counted up to `most`. */
  countSubscribers(environmentId: number, topicKey: string, most: number): Promise<number>
  /** Adds and removes users (created when unknown) in one transaction; the topic too is created when unknown. */
  change(environmentId: number, topicKey: string, add: string[], remove: string[], now: number): Promise<void>
}
