// Manages the enrichers of an environment: list, read, put, remove, trial.

import { randomBytes } from 'node:crypto'
import type { Page } from '../../../contract/api.ts'
import type {
  EnricherAnswer,
  EnricherSettings,
  EnricherTrial,
  EnricherTrialAnswer,
} from '../../../contract/resources/enricher.ts'
import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { Enricher, EnricherRegistry, Enrichers } from '../../domain/enricher.ts'
import { EMPTY_PROFILE } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { encodeCursor, parseCursor } from '../../lib/cursor.ts'

export type ManageEnrichers = ReturnType<typeof createManageEnrichers>

const listOf = (environmentId: number) => ({ list: 'enrichers', of: environmentId })

export function createManageEnrichers({ enrichers, bus, clock }: Pick<Core, 'enrichers' | 'bus' | 'clock'>) {
  function auditOf(environmentId: number, name: string, verb: string, by: ChangedBy, detail: AuditEntry['detail']) {
    return { at: clock.now(), ...by, action: `enricher.${verb}`, environmentId, subject: name, detail }
  }

  return {
    /** Throws `enricher/not-found`. */
    get: async (environmentId: number, name: string) => toAnswer(await getEnricher(enrichers, environmentId, name)),

    async list(
      environmentId: number,
      { cursor, limit }: { cursor?: string | undefined; limit: number },
    ): Promise<Page<EnricherAnswer>> {
      const name = listOf(environmentId)
      const rows = await enrichers.list(environmentId, parseCursor(name, cursor), limit + 1)
      const last = rows.length > limit ? rows[limit - 1] : undefined
      const nextCursor = last === undefined ? null : encodeCursor(name, last.enricherNo)
      return { data: rows.slice(0, limit).map(toAnswer), nextCursor }
    },

    /** Adds it or replaces it as a whole. */
    async put(environmentId: number, name: string, settings: EnricherSettings, by: ChangedBy): Promise<EnricherAnswer> {
      const now = clock.now()
      const { timeoutMs, cacheSeconds } = settings
      // The query of an address may contain secrets of the customer.
      const address = withoutQuery(settings.url)
      const audit = auditOf(environmentId, name, 'put', by, { url: address, timeoutMs, cacheSeconds })
      const saved = await enrichers.save({ environmentId, name, ...settings, createdAt: now, updatedAt: now }, audit)
      bus.publish('enrichers-changed', { environmentId })
      return toAnswer(saved)
    },

    /** Throws `enricher/not-found`. */
    async remove(environmentId: number, name: string, by: ChangedBy): Promise<{ deleted: true }> {
      const isRemoved = await enrichers.remove(environmentId, name, auditOf(environmentId, name, 'delete', by, {}))
      if (!isRemoved) throw new ApiError('enricher/not-found')
      bus.publish('enrichers-changed', { environmentId })
      return { deleted: true }
    },
  }
}

export type TryEnricher = ReturnType<typeof createTryEnricher>

/** Default user and event of a trial. */
const TRIAL_USER = 'test'
const TRIAL_EVENT = 'test'

export function createTryEnricher(
  deps: Pick<Core, 'enrichers' | 'clock'> & {
    enricherCalls: Pick<Enrichers, 'call'>
  },
) {
  /** Calls the endpoint, whatever the cache and its circuit contain. Throws `enricher/not-found`. */
  return async function tryEnricher(
    environmentId: number,
    name: string,
    { params, user, event }: EnricherTrial,
    correlationId: string,
  ): Promise<EnricherTrialAnswer> {
    await getEnricher(deps.enrichers, environmentId, name)
    const id = typeof user?.id === 'string' ? user.id : TRIAL_USER
    const occurredAt = toIso(deps.clock.now())
    const result = await deps.enricherCalls.call({
      environmentId,
      name,
      params,
      user: { ...EMPTY_PROFILE, ...user, id },
      event: { name: TRIAL_EVENT, userId: id, properties: {}, occurredAt, ...event },
      callId: `enr_${randomBytes(16).toString('hex')}`,
      correlationId,
      isTest: true,
    })
    const { attempts, durationMs } = result
    if (result.ok) return { ok: true, name, data: result.data, attempts, durationMs }
    const { code, message, reason } = result
    return { ok: false, name, error: { code, message, ...(reason && { reason }) }, attempts, durationMs }
  }
}

async function getEnricher(
  enrichers: Pick<EnricherRegistry, 'find'>,
  environmentId: number,
  name: string,
): Promise<Enricher> {
  const enricher = await enrichers.find(environmentId, name)
  if (enricher === undefined) throw new ApiError('enricher/not-found')
  return enricher
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

function toAnswer({ name, url, timeoutMs, cacheSeconds, createdAt, updatedAt }: Enricher): EnricherAnswer {
  return { name, url, timeoutMs, cacheSeconds, createdAt: toIso(createdAt), updatedAt: toIso(updatedAt) }
}
