// Defines the job that sends or runs again all of a filter, one after the other at a pace, and its store.

import type { AgainFrom, AgainKind, AgainVersion } from '../../contract/again.ts'
import type { AuditActor } from '../../contract/resources/audit.ts'
import type { AuditEntry } from './audit.ts'
import type { DeliveryFilter } from './delivery/delivery-record.ts'
import type { NewJob } from './job.ts'
import type { EventFilter } from './tracked-event.ts'

/** `failed`: its job was given up, and may be run again. */
export type AgainState = 'running' | 'stopped' | 'done' | 'failed'

/** What of the history, or of the events, it takes. */
export type AgainFilter = { deliveries: DeliveryFilter } | { events: EventFilter }

export interface NewAgainJob {
  environmentId: number
  /** That of its job. */
  id: number
  kind: AgainKind
  filter: AgainFilter
  /** Of the filter: an erasure of that user removes the job. */
  userId: string | null
  version: AgainVersion
  /** Of runs. */
  from: AgainFrom
  /** Items a minute. */
  pace: number
  /** How many there were when it began. */
  total: number
  actor: AuditActor
  who: string
  correlationId: string
  startedAt: number
}

/** What a job has done so far. */
export interface AgainProgress {
  /** Items that it has looked at. */
  done: number
  /** New runs and events. */
  made: number
  /** Items that cannot be run again. */
  refused: number
  /** The last item: those before it are left; null before the first. */
  before: number | null
  endedAt: number | null
}

export interface AgainJob extends NewAgainJob, AgainProgress {
  stoppedAt: number | null
  state: AgainState
}

export interface AgainJobs {
  /** Writes it with its job. False while another one of the environment runs; then nothing is written. */
  begin(again: NewAgainJob, job: NewJob, audit: AuditEntry): Promise<boolean>
  /** Records a part. False when another worker has recorded it; then nothing is written. */
  advance(former: AgainJob, next: AgainProgress): Promise<boolean>
  /** False when it runs no more; then nothing is written. */
  stop(environmentId: number, id: number, now: number, audit: AuditEntry): Promise<boolean>
  find(environmentId: number, id: number): Promise<AgainJob | undefined>
  /** Newest first. */
  list(environmentId: number, limit: number): Promise<AgainJob[]>
}

/** The newest that are kept of an environment. */
export const AGAIN_JOBS_KEPT = 50
