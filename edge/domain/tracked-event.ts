// Defines the tracked event of a customer: its record, its runs, and their reads.

import type { Json } from '../../contract/json.ts'

/** The inputs of a step's decision, by name; `cut: true` where some were omitted. */
export type TraceInputs = Record<string, Json>

export type EventOutcome = 'matched' | 'unmatched' | 'no-user' | 'fanned-out'
/** `again`: an event that was run again. */
export type EventSource = 'api' | 'again' | 'test' | `connector:${string}`

/** The result of matching a live campaign on this event's name. */
export interface Consideration {
  campaignId: number
  campaignKey: string
  outcome: 'run' | 'paused' | 'condition-false' | 'condition-error' | 'failed'
  reason: string | null
  /** The values that the trigger's `where` read, of the first recipient with that outcome. */
  inputs?: TraceInputs
}

export interface TrackedEvent {
  id: number
  environmentId: number
  correlationId: string
  name: string
  /** The single recipient; null for a list or a topic. */
  userId: string | null
  /** With `ERASED_USER_ID` in place of erased users. */
  userIds: string[] | null
  topic: string | null
  properties: Record<string, Json>
  source: EventSource
  occurredAt: number
  receivedAt: number
  outcome: EventOutcome
  considered: Consideration[]
  /** What was sent and no other field has: `user`, `idempotencyKey` and unknown fields; null when there is nothing. */
  raw: Record<string, Json> | null
}

export type RunStatus = 'running' | 'waiting' | 'completed' | 'exited' | 'failed' | 'cancelled'

/** One step of a run's trace. `at` is epoch milliseconds. */
export interface TraceStep {
  stepId: string
  type: string
  outcome: 'done' | 'skipped' | 'taken' | 'not-taken' | 'failed' | 'waiting' | 'exited'
  reason: string | null
  at: number
  durationMs: number
  /** The inputs of the decision; absent where the outcome implies them. */
  inputs?: TraceInputs
  /** For counters: the key of the branch taken, or why it was skipped or failed. Steps that send have that in their message. */
  code?: string
  /** The run had ended before this step. */
  isUnreached?: true
}

/** One campaign version for one user, begun by one event. */
export interface Run {
  id: number
  environmentId: number
  eventId: number
  campaignId: number
  campaignKey: string
  campaignName: string
  version: number
  branch: string | null
  userId: string
  /** Null without one. */
  userName: string | null
  state: RunStatus
  stateReason: string | null
  isTest: boolean
  correlationId: string
  startedAt: number
  endedAt: number | null
  steps: TraceStep[]
  messageIds: number[]
}

export type RunSummary = Pick<
  Run,
  | 'id'
  | 'campaignId'
  | 'campaignKey'
  | 'campaignName'
  | 'version'
  | 'branch'
  | 'userId'
  | 'userName'
  | 'state'
  | 'stateReason'
>

/** Replaces the id of an erased user in a list of recipients; no user can have it. */
export const ERASED_USER_ID = ''

/** Returns the recipients for customers. */
export function listKnown(userIds: string[] | null): string[] | null {
  return userIds?.filter((userId) => userId !== ERASED_USER_ID) ?? null
}

export interface EventFilter {
  name?: string
  /** The events of one request: of a batch several. */
  correlationId?: string
  /** Also among several recipients. */
  userId?: string
  from?: number
  to?: number
}

export interface EventPage {
  events: TrackedEvent[]
  /** `before` of the next page; null at the end. */
  next: number | null
}

export interface TrackedEvents {
  find(environmentId: number, id: number): Promise<TrackedEvent | undefined>
  /** Newest first; `before` is the id that the page ends at (exclusive). A page of large events has fewer than `limit`. */
  list(environmentId: number, filter: EventFilter, before: number | null, limit: number): Promise<EventPage>
  /** Newest first; `before` is the id that the page ends at (exclusive). */
  listRuns(eventId: number, before: number | null, limit: number): Promise<RunSummary[]>
  /** Reads the first runs and message ids of several events at once, for lists. */
  summarize(
    environmentId: number,
    eventIds: number[],
    limit: number,
  ): Promise<Map<number, { runs: RunSummary[]; messageIds: number[] }>>
  findRun(environmentId: number, id: number): Promise<Run | undefined>
}
