// Defines the wait of a run: one row that is committed with the run's state, and that only one continuation can take.
// The row has the step (`stepId`), the state (`runState`), the due time and the event that ends the wait earlier. A claim
// raises `fence`, and a continuation must name that fence. So a run that was cancelled, erased or continued meanwhile is unchanged.

import type { Json } from '../../../contract/json.ts'
import type { CampaignHead } from '../campaign.ts'
import type { Environment } from '../environment.ts'
import type { TraceStep } from '../tracked-event.ts'

/** The steps of a run that is run again. */
export interface AgainSteps {
  /** Ids of the only steps that run up to the last of them, in their written order; empty: all run. */
  steps: string[]
  /** The run ends after the last of these steps. */
  isOnly?: true
}

/** State that a run keeps over its wait. Runs without waits store none. */
export interface StoredRunState {
  /** Keys of the branches taken. */
  branches: string[]
  /** Results of enrichers by step id. */
  enriched?: Record<string, Json>
  /** The event that ended the last waitFor. */
  awaited?: Json
  /** The events of the last digest, as templates see them: JSON text of a list. Absent: the run's own event alone. */
  events?: string
  /** State of the waiting step itself. */
  note?: Json
  /** The step has not run yet: the run had used its time, and continues with it. */
  isPostponed?: true
  /** A run that is run again has not reached its step yet, or ends after it. */
  again?: AgainSteps
}

/** A wait as a plan writes it. */
export interface NewWait {
  runId: number
  campaignId: number
  userId: string
  /** 1 for the first wait of the run. */
  number: number
  stepId: string
  /** Due time (epoch ms). */
  dueAt: number
  /** The name of the tracked event that ends the wait earlier, or null. */
  awaits: string | null
  /** JSON text of StoredRunState. */
  runState: string
}

/** Finds a run and what belongs to it. */
export interface RunKey {
  environmentId: number
  runId: number
}

/** Names the wait that a continuation ends. */
export interface WaitClaim extends RunKey {
  fence: number
}

/** The result of a continuation: the run's new state, and its next wait. */
export interface RunContinuation {
  /** Of the environment of its plan. */
  claim: Omit<WaitClaim, 'environmentId'>
  branch: string | null
  state: 'waiting' | 'completed' | 'exited' | 'failed' | 'cancelled'
  stateReason: string | null
  endedAt: number | null
  /** JSON text of TraceStep[], from the beginning of the run. */
  trace: string
  next: NewWait | null
  /** The campaign of a run that continues by its steps: refused while it is paused, or archived without draining. */
  checksCampaign?: number
  /** The run was given up for this reason: its wait stays, and is not due any more. */
  givenUp?: string
  /** The wait was for an event: the arrivals so far are used up. A later one raises the fence. */
  dropsArrivals?: boolean
}

/** A due wait under a claim. */
export interface ClaimedWait {
  runId: number
  environmentId: number
  campaignId: number
  number: number
  stepId: string
  /** Its due time, whenever it was claimed. */
  dueAt: number
  awaits: string | null
  runState: StoredRunState
  /** Size of the state as JSON (characters): events that a digest has gathered may be in it. */
  stateChars: number
  /** Attempts since the wait began, this one included. */
  attempts: number
  /** How often a process ended while it evaluated the wait. */
  crashes: number
  fence: number
  /** True when it fell due while its campaign was paused. */
  wasParked: boolean
  /** Time of the claim by the clock of claims, which may be ahead of a node's own. 0 before any claim. */
  claimedAt: number
}

/** A waiting run, with the event that began it. */
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
  /** Size of the event's properties as JSON. */
  eventChars: number
}

/** Current campaign and environment of runs. */
export interface RunContext {
  campaign: CampaignHead
  environment: Pick<Environment, 'id' | 'name' | 'isProduction' | 'appSchemes'>
}

export interface RunWaits {
  /**
   * Claims up to `limit` due waits for `leaseMs` in the order of their due times. When more are due, environments take
   * turns. Of waits that were claimed before, only the oldest is claimed. Waits with large states are claimed few at a time.
   */
  claim(now: number, leaseMs: number, limit: number): Promise<ClaimedWait[]>
  /** Releases claimed waits until `dueAt`; without an error it does not count as an attempt. */
  release(claims: WaitClaim[], dueAt: number, error: string | null): Promise<void>
  /**
   * Parks claimed waits until their campaign is resumed; those of a campaign that is not paused any more are due at
   * once.
   */
  park(claims: WaitClaim[], now: number): Promise<void>
  /**
   * Makes waits of a campaign due by `dueAt`, `limit` at a time in the order of their runs: parked ones, or all that
   * are due later. @returns the last run checked, or null at the end
   */
  makeDue(
    campaignId: number,
    which: 'parked' | 'all',
    after: number,
    limit: number,
    dueAt: number,
  ): Promise<number | null>
  /** Returns the ms until the next one is due, by the clock of claims; negative when overdue. Null without waits. */
  nextDueInMs(now: number): Promise<number | null>
  findRuns(keys: RunKey[]): Promise<Map<number, WaitingRun>>
  /** Returns them by campaign; deleted ones and those of other environments are absent. */
  findContexts(runs: Pick<WaitingRun, 'environmentId' | 'campaignId'>[]): Promise<Map<number, RunContext>>
  /**
   * Reads the waits of a user in a campaign, oldest run first. The page ends before `limit` where their states, traces and
   * events are large.
   */
  listOfUser(
    environmentId: number,
    campaignId: number,
    userId: string,
    after: number,
    limit: number,
  ): Promise<ClaimedWait[]>
}
