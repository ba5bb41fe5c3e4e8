// Reads the audit log of an organisation and its environments in pages, newest first.

import {
  AUDIT_ACTORS,
  type AuditActor,
  type AuditEntry,
  type AuditFilter,
  type AuditLog,
  type NumberedEntry,
} from '../../domain/audit.ts'
import type { Environments } from '../../domain/environment.ts'
import { toIso } from '../../lib/clock.ts'
import { encodeCursor, parseCursor } from '../../lib/cursor.ts'
import { formatId, parseId } from '../../lib/id.ts'

/** An entry on the wire. */
export interface AuditAnswer {
  at: string
  actor: AuditActor
  who: string
  action: string
  subject: string
  environment: string | null
  correlationId: string | null
  detail: AuditEntry['detail']
}

export interface AuditQuery {
  cursor?: string | undefined
  limit: number
  /** Id of an environment; one of another organisation finds nothing. */
  environment?: string | undefined
  /** The interface (`cli`, `api`, `dashboard`, `seed`), or the person or key that made the change. */
  actor?: string | undefined
  /** A whole action such as `secret.rotate`, or a noun such as `secret`. */
  action?: string | undefined
  /** Epoch milliseconds, both inclusive. */
  from?: number | undefined
  to?: number | undefined
}

/** Throws `request/invalid-query` for a cursor of another list. */
export type ReadAuditLog = (
  organisationId: number,
  query: AuditQuery,
) => Promise<{ data: AuditAnswer[]; nextCursor: string | null }>

export function createReadAuditLog({
  audit,
  environments,
}: {
  audit: Pick<AuditLog, 'page'>
  environments: Pick<Environments, 'find'>
}): ReadAuditLog {
  async function findOwn(organisationId: number, environment: string): Promise<number | undefined> {
    const id = parseId('environment', environment)
    const found = id === undefined ? undefined : await environments.find(id)
    return found?.organisationId === organisationId ? found.id : undefined
  }

  return async function readAuditLog(organisationId, { cursor, limit, environment, actor, ...same }) {
    const name = { list: 'audit', of: organisationId }
    const before = parseCursor(name, cursor)
    const filter: AuditFilter & { organisationId: number } = {
      organisationId,
      ...filterOf(actor),
      ...given(same),
    }
    if (environment !== undefined) {
      const environmentId = await findOwn(organisationId, environment)
      if (environmentId === undefined) return { data: [], nextCursor: null }
      filter.environmentId = environmentId
    }
    const page = await audit.page(filter, before, limit + 1)
    const last = page.length > limit ? page[limit - 1] : undefined
    const nextCursor = last === undefined ? null : encodeCursor(name, last.number)
    return { data: page.slice(0, limit).map(toAnswer), nextCursor }
  }
}

function filterOf(actor: string | undefined): Pick<AuditFilter, 'actor' | 'who'> {
  if (actor === undefined) return {}
  const known = AUDIT_ACTORS.find((one) => one === actor)
  return known === undefined ? { who: actor } : { actor: known }
}

/** @returns The filters that have a value. */
function given({ action, from, to }: Pick<AuditQuery, 'action' | 'from' | 'to'>): AuditFilter {
  return {
    ...(action !== undefined && { action }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

function toAnswer({
  at,
  actor,
  who,
  action,
  subject,
  environmentId,
  correlationId,
  detail,
}: NumberedEntry): AuditAnswer {
  const environment = environmentId === null ? null : formatId('environment', environmentId)
  return { at: toIso(at), actor, who, action, subject, environment, correlationId: correlationId ?? null, detail }
}
