// Events that came for runs that wait for their name (contract section 6, `waitFor`). Written in the event's own commit.

import type { Json } from '../json.ts'

/** An event that a waiting run has yet to look at. */
export interface Arrival {
  eventId: number
  name: string
  properties: Record<string, Json>
  occurredAt: number
}

/** In a plan: an event that may wake runs of these users. */
export interface Waking {
  eventId: number
  name: string
  userIds: string[]
}

export interface Arrivals {
  /** Of each run, oldest first. */
  find(runIds: number[]): Promise<Map<number, Arrival[]>>
  /** The names that published versions of an environment wait for. */
  listNames(environmentId: number): Promise<string[]>
}
