// Defines the audit log: who changed which secret or setting, and when. It never contains the value of a secret.

import type { AuditActor } from '../../contract/resources/audit.ts'

/** The person or program that requests a change, for the audit log. */
export interface ChangedBy {
  /** The interface by which the change was requested; `server`: the service itself, by a periodic task. */
  actor: AuditActor
  /** The operating system's account, the id of an sdkSecretKey (`sec_…`), or the e-mail address of a person. */
  who: string
  /** Correlation id of the request. */
  correlationId?: string
}

export interface AuditEntry {
  /** Epoch milliseconds. */
  at: number
  actor: AuditActor
  /** The requester as far as it is known: for the command line the operating system's account. */
  who: string
  /** Noun and verb, such as `secret.rotate`. */
  action: string
  environmentId: number | null
  /** The organisation that is changed; absent for an environment, whose organisation the store adds. */
  organisationId?: number | null
  /** Correlation id of the request that made the change. */
  correlationId?: string | null
  /** The changed object, such as a kind of secret or a campaign's key. */
  subject: string
  /** Facts about the change, without secrets. */
  detail: Record<string, string | number | boolean | null>
}

/** Filters of a search; absent fields match everything. */
export interface AuditFilter {
  environmentId?: number
  /** Also matches entries of the organisation itself and of all its environments. */
  organisationId?: number
  /** A whole action such as `secret.rotate`, or a noun such as `secret`. */
  action?: string
  who?: string
  actor?: AuditActor
  /** Epoch milliseconds, both inclusive. */
  from?: number
  to?: number
}

/** An entry with its position in the log. */
export interface NumberedEntry extends AuditEntry {
  number: number
}

export interface AuditLog {
  record(entry: AuditEntry): Promise<void>
  /** Newest first; of all environments when `environmentId` is null. */
  list(environmentId: number | null, limit: number): Promise<AuditEntry[]>
  /** Newest first. */
  search(filter: AuditFilter, limit: number): Promise<AuditEntry[]>
  /** Reads the entries of an organisation and of its environments before a position, newest first. */
  page(filter: AuditFilter & { organisationId: number }, before: number | null, limit: number): Promise<NumberedEntry[]>
}
