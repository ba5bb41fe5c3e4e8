// Defines the run of kept deliveries of a source, part by part with the mappings of its begin, and its store.

import type { SourceMapping } from '../../../contract/resources/source-mapping.ts'
import type { DeliveryOutcome } from '../../../contract/tenant.ts'
import type { AuditEntry } from '../audit.ts'
import type { NewJob } from '../job.ts'
import type { DeliveryBody } from './delivery-body.ts'

/** `failed`: its job was given up, and may be run again. */
export type DeliveryRunState = 'running' | 'stopped' | 'done' | 'failed'

/** What a run has done so far. */
export interface RunProgress {
  /** Deliveries that were run. */
  done: number
  /** New events. */
  accepted: number
  /** Deliveries that could not be stored. */
  refused: number
  /** The last body that was run; null before the first. */
  after: Pick<DeliveryBody, 'at' | 'bodyId'> | null
  endedAt: number | null
}

export interface NewDeliveryRun {
  sourceId: number
  environmentId: number
  jobId: number
  /** Epoch ms, both inclusive. */
  from: number
  to: number
  /** Deliveries of this outcome alone; null: all. */
  outcome: DeliveryOutcome | null
  mappings: SourceMapping[]
  correlationId: string
  /** How many deliveries there are to run. */
  deliveries: number
  /** Bodies a minute; null: as many as there is time for. */
  pace: number | null
  startedAt: number
}

export interface DeliveryRun extends NewDeliveryRun, RunProgress {
  stoppedAt: number | null
  state: DeliveryRunState
}

export interface DeliveryRuns {
  /** Writes the run in place of the former one, and its job. False while one runs; then nothing is written. */
  begin(run: NewDeliveryRun, job: NewJob, audit: AuditEntry): Promise<boolean>
  /** Records a part. False when another worker has recorded it; then nothing is written. */
  advance(former: DeliveryRun, next: RunProgress): Promise<boolean>
  /** False when none of the source is under way; then nothing is written. */
  stop(environmentId: number, sourceId: number, now: number, audit: AuditEntry): Promise<boolean>
  /** The last run of each of these sources of an environment. */
  listOf(environmentId: number, sourceIds: number[]): Promise<DeliveryRun[]>
}
