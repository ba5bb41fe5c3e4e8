// Describes the table of jobs.

import type { NewJob } from '../../domain/job.ts'
import { type ColumnsOf, integer, orNull, plannedTable, text } from './table.ts'

const planned = {
  id: integer(),
  environmentId: integer(),
  kind: text(),
  payload: text(),
  runAt: integer(),
  createdAt: integer(),
} satisfies ColumnsOf<NewJob>

export const JOB = plannedTable('job', planned, {
  /** Null when the job is dead: its attempts are used up. */
  claimableAt: orNull(integer('due_at')),
  attempts: integer(),
  fence: integer(),
  error: orNull(text()),
  /** How often a process ended while it handled the job. */
  crashes: integer(),
  givenUpAt: orNull(integer()),
})
