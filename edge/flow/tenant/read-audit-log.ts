// Reads the audit log of an organisation and its environments in pages, newest first.

import { AUDIT_ACTORS, type AuditAnswer, type AuditPage, type AuditQuery } from '../../../contract/resources/audit.ts'
import type { AuditEntry, AuditFilter } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import { toIso } from '../../lib/clock.ts'
import { encodeCursor, parseCursor } from '../../lib/cursor.ts'
import { given } from '../../lib/given.ts'
import { formatId, parseId } from '../../lib/id.ts'

/** Throws `request/invalid-query` for a cursor of another list. */
export type ReadAuditLog = (organisationId: number, query: AuditQuery) => Promise<AuditPage>

export function createReadAuditLog({ audit, environments }: Pick<Core, 'audit' | 'environments'>): ReadAuditLog {
  async function findOwn(organisationId: number, environment: string): Promise<number | undefined> {
    const id = parseId('environment', environment)
    const found = id === undefined ? undefined : await environments.find(id)
    return found?.organisationId === organisationId ? found.id : undefined
  }

  return async function readAuditLog(organisationId, { cursor, limit, environment, ...query }) {
    const name = { list: 'audit', of: organisationId }
    const before = parseCursor(name, cursor)
    const filter = { organisationId, ...auditFilterOf(query) }
    if (environment !== undefined) {
      const environmentId = await findOwn(organisationId, environment)
      if (environmentId === undefined) return { data: [], nextCursor: null }
      filter.environmentId = environmentId
    }
    const page = await audit.page(filter, before, limit + 1)
    const last = page.length > limit ? page[limit - 1] : undefined
    const nextCursor = last === undefined ? null : encodeCursor(name, last.number)
    return { data: page.slice(0, limit).map(toAuditAnswer), nextCursor }
  }
}

/** @returns the filters that have a value; `actor` is an interface, or the person or key that made the change */
export function auditFilterOf({
  actor,
  ...same
}: Pick<AuditQuery, 'actor' | 'action' | 'from' | 'to'>): Omit<AuditFilter, 'organisationId'> {
  const known = AUDIT_ACTORS.find((one) => one === actor)
  const by = known === undefined ? { who: actor } : { actor: known }
  return given({ ...by, ...same })
}

export function toAuditAnswer({
  at,
  actor,
  who,
  action,
  subject,
  environmentId,
  correlationId,
  detail,
}: AuditEntry): AuditAnswer {
  const environment = environmentId === null ? null : formatId('environment', environmentId)
  return { at: toIso(at), actor, who, action, subject, environment, correlationId: correlationId ?? null, detail }
}
