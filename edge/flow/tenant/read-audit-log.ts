// Reads the audit log of an organisation and its environments in pages, newest first.

import { AUDIT_ACTORS, type AuditAnswer, type AuditPage, type AuditQuery } from '../../../contract/resources/audit.ts'
import type { AuditEntry, AuditFilter } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { Named, NamedKind, Names } from '../../domain/names.ts'
import { toIso } from '../../lib/clock.ts'
import { encodeCursor, parseCursor } from '../../lib/cursor.ts'
import { given } from '../../lib/given.ts'
import { formatId, type IdKind, parseId } from '../../lib/id.ts'

/** Throws `request/invalid-query` for a cursor of another list. */
export type ReadAuditLog = (organisationId: number, query: AuditQuery) => Promise<AuditPage>

export function createReadAuditLog({
  audit,
  environments,
  names,
}: Pick<Core, 'audit' | 'environments' | 'names'>): ReadAuditLog {
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
    return { data: await toAuditAnswers(names, organisationId, page.slice(0, limit)), nextCursor }
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

/** What the subject of an entry is, by the noun of its action. */
const SUBJECTS: Readonly<Record<string, NamedKind>> = {
  campaign: 'campaign-key',
  config: 'config',
  'email-integration': 'integration',
  source: 'source',
  suppression: 'user',
  user: 'user',
}
const PREFIXED: Partial<Record<NamedKind, IdKind>> = { config: 'notificationConfig', integration: 'mailIntegration' }

function namedOf({ action, subject, environmentId }: AuditEntry, organisationId: number): Named[] {
  const kind = SUBJECTS[action.slice(0, action.indexOf('.'))]
  const scope = kind === 'config' ? organisationId : environmentId
  if (kind === undefined || scope === null) return []
  const prefixed = PREFIXED[kind]
  const id = prefixed === undefined ? subject : parseId(prefixed, subject)
  return id === undefined ? [] : [{ kind, scope, id }]
}

/** @returns The entries of an organisation for people, with the names of their subjects. */
async function toAuditAnswers(
  names: Names,
  organisationId: number,
  entries: readonly AuditEntry[],
): Promise<AuditAnswer[]> {
  const named = entries.map((entry) => namedOf(entry, organisationId)[0])
  const nameOf = await names.find(named.filter((one) => one !== undefined))
  return entries.map((entry, at) => {
    const one = named[at]
    return { ...toAuditAnswer(entry), subjectName: one === undefined ? null : nameOf(one) }
  })
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
}: AuditEntry): Omit<AuditAnswer, 'subjectName'> {
  const environment = environmentId === null ? null : formatId('environment', environmentId)
  return { at: toIso(at), actor, who, action, subject, environment, correlationId: correlationId ?? null, detail }
}
