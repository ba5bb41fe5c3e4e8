// Describes the table of doubts.

import type { DoubtKind, DoubtSubject } from '../../../contract/doubt.ts'
import { integer, orNull, table, text, textOf } from './table.ts'

export const DOUBT = table('doubt', {
  environmentId: integer(),
  /** Of kind, subject and message, so that nodes add to one count. */
  doubtId: text(),
  kind: textOf<DoubtKind>(),
  subjectType: textOf<DoubtSubject>(),
  subjectId: text(),
  message: text(),
  example: orNull(text()),
  /** Whose data the example has. */
  userId: orNull(text()),
  count: integer(),
  firstAt: integer(),
  /** The last time (ms) and three digits. */
  place: integer(),
})
