// Defines the port of mails that are held: they wait for a permit of their integration, or for the end of a pause.

/**
 * A mail for an integration with `maxPerSecond` is handed over with a permit alone. Permits are issued at that rate over
 * all nodes, the oldest mails first. Mails for an integration that takes none for now wait for a permit too.
 */
export interface HeldMails {
  /**
   * Issues the permits that are free, and makes their mails due. Mails also become due, without a permit, when their
   * integration needs none any more, and when their campaign does not let them go.
   * @returns how many mails became due
   */
  issuePermits(now: number): Promise<number>
  /** The integration takes no mails for so long (ms): none gets a permit meanwhile. */
  suspendPermits(environmentId: number, integrationId: number, now: number, forMs: number): Promise<void>
  /** Makes mails due whose campaign is no longer paused. @returns how many became due */
  releaseResumed(now: number): Promise<number>
}
