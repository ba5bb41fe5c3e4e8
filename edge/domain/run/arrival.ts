// Defines arrivals: events for runs that wait for their name. Written in the event's own commit.

import type { Json } from '../../../contract/json.ts'
import type { RunKey } from './run-wait.ts'

/** An event that a waiting run has not checked yet. */
export interface Arrival {
  eventId: number
  name: string
  properties: Record<string, Json>
  occurredAt: number
}

/** Part of a plan: an event that may resume runs of these users. */
export interface AwaitedEvent {
  eventId: number
  name: string
  userIds: string[]
  /** Number of their runs that wait for it, if counted before. */
  runs?: number
}

export interface Arrivals {
  /** Returns the size of each run's arrivals, as JSON (bytes). */
  weigh(runs: RunKey[]): Promise<Map<number, number>>
  /** Reads arrivals of each run, oldest first. */
  find(runs: RunKey[]): Promise<Map<number, Arrival[]>>
  /** Reads at most `limit` arrivals of a run after this event, oldest first. */
  findAfter(run: RunKey, eventId: number, limit: number): Promise<Arrival[]>
  /** Counts the runs of each user that wait for an event of that name; users without any are absent. */
  countWaiting(environmentId: number, name: string, userIds: string[]): Promise<Map<string, number>>
  /** Lists the event names that published versions of an environment wait for. */
  listNames(environmentId: number): Promise<string[]>
}
