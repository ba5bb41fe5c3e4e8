// What digests have gathered (contract section 6). A window is closed first, in a commit of its own, and read then: what is read
// cannot change any more, and a crash between the two repeats both with the same result.

/** An event that a run has gathered, as it was tracked. */
export interface GatheredEvent {
  eventId: number
  name: string
  properties: Record<string, unknown>
  occurredAt: number
}

export interface Digests {
  /** From here on no event joins these runs. Those of them without an open window are passed over. */
  close(runIds: number[]): Promise<void>
  /** By run, in the order in which they joined. */
  listEvents(runIds: number[]): Promise<Map<number, GatheredEvent[]>>
}
