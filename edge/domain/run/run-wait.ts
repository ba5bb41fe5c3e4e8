// The wait of a run: one row that commits with the state it belongs to, and that only one continuation can take (contract section 6).
//
// A run that waits has exactly one row: where it stands (`stepId`), what it has gathered (`course`), when it is due and which
// event wakes it before. Claiming it raises `fence`; a continuation takes effect only while the row still has the fence that
// its claim gave it. So a run that was cancelled, erased or carried on by somebody else meanwhile is left as it is.

import type { CampaignHead } from '../campaign.ts'
import type { Environment } from '../environment.ts'
import type { Json } from '../json.ts'
import type { TraceStep } from '../tracked-event.ts'

/** What a run has gathered by the time it waits; it goes on with it. Runs that never wait store none. */
export interface StoredCourse {
  /** Keys of the branches taken. */
  branches: string[]
  /** Answers of enrichers by step id. */
  enriched?: Record<string, Json>
  /** The event that ended the last waitFor. */
  awaited?: Json
  /** The events of the last digest, as templates see them; without it the run's own event alone. */
  events?: Json[]
  /** What the step that waits has noted for itself. */
  note?: Json
}

/** A wait as a plan writes it. */
export interface NewWait {
  runId: number
  campaignId: number
  userId: string
  /** 1 for the first wait of the run. */
  number: number
  stepId: string
  /** When time wakes it (epoch ms). */
  dueAt: number
  /** The name of the tracked event that wakes it before, or null. */
  awaits: string | null
  /** JSON text of StoredCourse. */
  course: string
}

/** Names the wait that a continuation ends. */
export interface WaitClaim {
  runId: number
  fence: number
}

/** How a run goes on from its wait: what becomes of it, and what it waits for next. */
export interface RunContinuation {
  claim: WaitClaim
  branch: string | null
  state: 'waiting' | 'completed' | 'exited' | 'failed' | 'cancelled'
  stateReason: string | null
  endedAt: number | null
  /** JSON text of TraceStep[], from the beginning of the run. */
  trace: string
  next: NewWait | null
  /** The run's campaign, when it goes on by its steps: refused while that is paused, or archived without draining. */
  asksCampaign?: number
  /** The wait was for an event: what has come is done with. One that comes meanwhile raises the fence. */
  dropsArrivals?: boolean
}

/** A wait that is due, claimed for a while. */
export interface ClaimedWait {
  runId: number
  environmentId: number
  campaignId: number
  number: number
  stepId: string
  /** When time wakes it, whenever it was claimed. */
  dueAt: number
  awaits: string | null
  course: StoredCourse
  /** Since the wait began, this one included. */
  attempts: number
  fence: number
  /** It fell due while its campaign was paused. */
  wasParked: boolean
  /** By the clock that claims go by, which may be ahead of a node's own: whatever is due by then has come. 0 while nobody has claimed it. */
  claimedAt: number
}

/** A run that waits, with the event that began it. */
export interface WaitingRun {
  id: number
  environmentId: number
  campaignId: number
  version: number
  eventId: number
  userId: string
  isTest: boolean
  correlationId: string
  trace: TraceStep[]
  event: { name: string; properties: Record<string, Json>; occurredAt: number }
}

/** Where runs belong: their campaign and environment as they are now. */
export interface RunHome {
  campaign: CampaignHead
  environment: Pick<Environment, 'id' | 'name' | 'isProduction'>
}

export interface RunWaits {
  /** Takes up to `limit` due waits under a lease of `leaseMs`, in the order of their time. When more are due, environments take turns and share. */
  claim(now: number, leaseMs: number, limit: number): Promise<ClaimedWait[]>
  /** Gives claimed waits back for `dueAt`; without an error that was no attempt. */
  release(claims: WaitClaim[], dueAt: number, error: string | null): Promise<void>
  /** Lays claimed waits aside until their campaign is resumed; one whose campaign is not paused any more is due at once. */
  park(claims: WaitClaim[], now: number): Promise<void>
  /** Makes waits of a campaign due by `dueAt`, `limit` at a time in the order of their runs: parked ones, or all that are due later. Answers the last run looked at, or null at the end. */
  rouse(
    campaignId: number,
    which: 'parked' | 'all',
    after: number,
    limit: number,
    dueAt: number,
  ): Promise<number | null>
  /** In how many ms the next one is due, by the clock that claims go by; below 0 when it was due before. Null when none is. */
  nextDueInMs(now: number): Promise<number | null>
  findRuns(runIds: number[]): Promise<Map<number, WaitingRun>>
  /** By campaign; one that is no more, or is another environment's, is absent. */
  findHomes(runs: Pick<WaitingRun, 'environmentId' | 'campaignId'>[]): Promise<Map<number, RunHome>>
  /** What runs of a user wait for in a campaign, oldest run first. */
  listOfUser(
    environmentId: number,
    campaignId: number,
    userId: string,
    after: number,
    limit: number,
  ): Promise<ClaimedWait[]>
}
