// Describes the tables of runs, of their waits and of what arrived for them.

import type { NewRun } from '../../domain/plan.ts'
import type { NewWait, RunKey, StoredRunState } from '../../domain/run/run-wait.ts'
import type { RunStatus, TraceStep } from '../../domain/tracked-event.ts'
import type { Unpack } from '../codec/record-codec.ts'
import { boolean, type ColumnsOf, integer, jsonText, orNull, plannedTable, table, text, textOf } from './table.ts'

/** Columns that the plan fills. */
const planned = {
  id: integer(),
  eventId: integer(),
  campaignId: integer(),
  version: integer(),
  branch: orNull(text()),
  userId: text(),
  state: textOf<RunStatus>(),
  stateReason: orNull(text()),
  isTest: boolean(),
  correlationId: text(),
  startedAt: integer(),
  endedAt: orNull(integer()),
  trace: jsonText<TraceStep[]>(),
} satisfies ColumnsOf<NewRun>

export const RUN = plannedTable('run', planned, {
  environmentId: integer(),
  userNo: integer(),
  hasMessage: boolean(),
})

/** Unpacks a planned row in the writer thread: a literal, as in `message.ts`, because a loop over names is slower. */
export const unpackRun: Unpack<NewRun> = (values, at) => ({
  id: values[at++],
  eventId: values[at++],
  campaignId: values[at++],
  version: values[at++],
  branch: values[at++],
  userId: values[at++],
  state: values[at++],
  stateReason: values[at++],
  isTest: values[at++],
  correlationId: values[at++],
  startedAt: values[at++],
  endedAt: values[at++],
  trace: values[at++],
})

/** `userId` of a planned wait is stored as `user_no`. */
const plannedWait = {
  runId: integer(),
  campaignId: integer(),
  number: integer('wait_no'),
  stepId: text(),
  awaits: orNull(text()),
  /** When the timer of the wait ends. */
  dueAt: integer('timer_at'),
  runState: jsonText<StoredRunState>('course'),
} satisfies ColumnsOf<Omit<NewWait, 'userId'>>

export const RUN_WAIT = plannedTable('run_wait', plannedWait, {
  environmentId: integer(),
  userNo: integer(),
  /** Null while the campaign is paused. */
  claimableAt: orNull(integer('due_at')),
  attempts: integer(),
  fence: integer(),
  wasParked: boolean('parked'),
  error: orNull(text()),
  /** How often a process ended while it handled this wait. */
  crashes: integer(),
  givenUpAt: orNull(integer()),
})

/** Events that a waiting run has yet to read. */
export const RUN_ARRIVAL = table('run_arrival', { environmentId: integer(), runId: integer(), eventId: integer() })

/** The columns by which rows of a run are found, and their values. */
export const RUN_KEY = { environment_id: 'int', run_id: 'int' } as const
export const runKeyOf = ({ environmentId, runId }: RunKey): [number, number] => [environmentId, runId]
