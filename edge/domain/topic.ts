// The topic: a named list of users that an event can address (contract section 3).

export interface Topics {
  /** A page of user ids in the order in which they joined; `after` is the last place seen (0 at the start). */
  listSubscribers(
    environmentId: number,
    topicKey: string,
    after: number,
    limit: number,
  ): Promise<{ place: number; userId: string }[]>
  countSubscribers(environmentId: number, topicKey: string, upTo: number): Promise<number>
  /** Adds and removes users (created when unknown) in one transaction; the topic too is created when unknown. */
  change(environmentId: number, topicKey: string, add: string[], remove: string[], now: number): Promise<void>
}
