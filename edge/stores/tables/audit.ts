// Describes the table of the audit log.

import type { AuditActor } from '../../../contract/resources/audit.ts'
import type { AuditEntry, NumberedEntry } from '../../domain/audit.ts'
import { type ColumnsOf, integer, json, namesOf, orNull, table, text, textOf } from './table.ts'

const entry = {
  at: integer(),
  actor: textOf<AuditActor>(),
  who: text(),
  action: text(),
  environmentId: orNull(integer()),
  /** Also of an entry of an environment, so that one index serves the log of an organisation. */
  organisationId: orNull(integer()),
  correlationId: orNull(text()),
  subject: text(),
  detail: json<AuditEntry['detail']>(),
} satisfies ColumnsOf<Required<AuditEntry>>

export const AUDIT_ENTRY = table('audit_entry', {
  ...entry,
  number: integer(),
} satisfies ColumnsOf<Required<NumberedEntry>>)

export const ENTRY_FIELDS = namesOf(entry)
