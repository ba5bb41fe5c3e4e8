// The audit log: who changed which secret or setting, and when (contract section 11, last paragraph). It never holds a value of a secret.

/** The door that a change came through. */
export type AuditActor = 'cli' | 'seed' | 'api'

/** Whoever asks for a change, for the audit log. */
export interface ChangedBy {
  actor: AuditActor
  /** The account of the operating system, the id of an sdkSecretKey (`sec_…`), or a person. */
  who: string
  /** Of the request that asks. */
  correlationId?: string
}

export interface AuditEntry {
  /** Epoch milliseconds. */
  at: number
  actor: AuditActor
  /** Who it was behind that door, as far as it is known: the account of the operating system for the command line. */
  who: string
  /** Noun and verb, such as `secret.rotate`. */
  action: string
  environmentId: number | null
  /** Of a change to an organisation itself. */
  organisationId?: number | null
  /** Of the request that made the change. */
  correlationId?: string | null
  /** What was changed, such as a kind of secret or a campaign's key. */
  subject: string
  /** Facts about the change, none of them secret. */
  detail: Record<string, string | number | boolean | null>
}

/** Absent fields let everything through. */
export interface AuditFilter {
  environmentId?: number
  /** What concerns the organisation itself, and what concerns any of its environments. */
  organisationId?: number
  /** A whole action such as `secret.rotate`, or a noun such as `secret`. */
  action?: string
  who?: string
  /** Epoch milliseconds, both inclusive. */
  from?: number
  to?: number
}

export interface AuditLog {
  record(entry: AuditEntry): Promise<void>
  /** Newest first; of all environments when `environmentId` is null. */
  list(environmentId: number | null, limit: number): Promise<AuditEntry[]>
  /** Newest first. */
  search(filter: AuditFilter, limit: number): Promise<AuditEntry[]>
}
