// Describes the table of jobs that send and run again.

import type { AgainFrom, AgainKind, AgainVersion } from '../../../contract/again.ts'
import type { AuditActor } from '../../../contract/resources/audit.ts'
import type { AgainFilter, AgainProgress, NewAgainJob } from '../../domain/again-job.ts'
import { type ColumnsOf, integer, json, orNull, table, text, textOf } from './table.ts'

const begun = {
  environmentId: integer(),
  id: integer(),
  kind: textOf<AgainKind>(),
  filter: json<AgainFilter>(),
  userId: orNull(text()),
  version: textOf<AgainVersion>(),
  from: textOf<AgainFrom>('begins_from'),
  pace: integer(),
  total: integer(),
  actor: textOf<AuditActor>(),
  who: text(),
  correlationId: text(),
  startedAt: integer(),
} satisfies ColumnsOf<NewAgainJob>

const progress = {
  done: integer(),
  made: integer(),
  refused: integer(),
  before: orNull(integer('before_id')),
  endedAt: orNull(integer()),
} satisfies ColumnsOf<AgainProgress>

export const AGAIN_JOB = table('again_job', { ...begun, ...progress, stoppedAt: orNull(integer()) })
