// Manages the sources of an environment: list, read, create, change, pause, remove, last deliveries.

import { randomBytes } from 'node:crypto'
import type { Page } from '../../../contract/api.ts'
import type { CreatedSourceAnswer, NewSource, SourceAnswer, SourceChange } from '../../../contract/resources/source.ts'
import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { DeliveryRun } from '../../domain/connector/delivery-run.ts'
import {
  MAX_SOURCES,
  NO_COUNTS,
  type Source,
  type SourceState,
  type StoredSource,
  secretKindOf,
} from '../../domain/connector/source.ts'
import type { Core } from '../../domain/core.ts'
import type { KeptSecret, StoredSecretKind } from '../../domain/secret.ts'
import { nameTaken } from '../../domain/tenant/parse-name.ts'
import type { TakesRevision } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { cutPage, type PageQuery } from '../../lib/cut-page.ts'
import { differenceOf, isSameJson } from '../../lib/difference.ts'
import { formatId } from '../../lib/id.ts'
import { toRunAnswer } from '../connector/begin-run.ts'
import { checkConditions, checkPlatform } from '../connector/check-conditions.ts'
import { changeStored } from './change-stored.ts'
import { getSource } from './get-source.ts'
import { listSourceDeliveries } from './list-source-deliveries.ts'
import { makeSecret } from './make-secret.ts'
import { rotationOf } from './rotate-secret.ts'

type Taken = Pick<
  Core,
  'sources' | 'secrets' | 'deliveryRuns' | 'audit' | 'connectors' | 'seal' | 'publicUrl' | 'bus' | 'clock' | 'ids'
> & {
  newSecretValue(kind: StoredSecretKind, region: string): string
  region: string
}

export type ManageSources = ReturnType<typeof createManageSources>

const sourcesOf = (environmentId: number) => ({ list: 'sources', of: environmentId })

const idOf = ({ id }: StoredSource) => id

/** In the answer that refuses a name. */
const NOUN = 'source of this environment'

const NO_STATE: SourceState = {
  lastReceivedAt: null,
  lastErrorAt: null,
  lastError: null,
  counts: NO_COUNTS,
}

export function createManageSources(deps: Taken) {
  const { sources, secrets, bus, clock } = deps

  function auditOf(source: Source, verb: string, by: ChangedBy, detail: AuditEntry['detail']): AuditEntry {
    const { environmentId, publicId: subject } = source
    return { at: clock.now(), ...by, action: `source.${verb}`, environmentId, subject, detail }
  }

  async function toAnswer(source: StoredSource): Promise<SourceAnswer> {
    const [values, [run]] = await Promise.all([
      secrets.list(source.environmentId, secretKindOf(source)),
      deps.deliveryRuns.listOf(source.environmentId, [source.id]),
    ])
    return answerOf(source, values, run, deps)
  }

  /** Changes some fields against the revision that was read; writes nothing when none of them differs. */
  function change(
    environmentId: number,
    publicId: string,
    next: (former: StoredSource) => Partial<Source> | Promise<Partial<Source>>,
    auditChange: (former: StoredSource, changed: StoredSource) => AuditEntry,
    takes?: TakesRevision,
  ): Promise<SourceAnswer> {
    return changeStored('source', async () => {
      const former = await getSource(deps, environmentId, publicId, takes)
      const changed = { ...former, ...(await next(former)), updatedAt: clock.now() }
      if (isSameJson(toDocument(former), toDocument(changed))) return toAnswer(former)
      // One instant, by which `requireRevision` finds the entry.
      const entry = { ...auditChange(former, changed), at: changed.updatedAt }
      const saved = await sources.save(changed, entry)
      if (saved === 'taken') throw nameTaken(NOUN)
      if (saved === 'changed') return undefined
      bus.publish('environment-changed', { environmentId })
      return toAnswer({ ...changed, revision: former.revision + 1 })
    })
  }

  const setPaused =
    (isPaused: boolean, verb: string) =>
    (environmentId: number, publicId: string, by: ChangedBy, takes?: TakesRevision): Promise<SourceAnswer> =>
      change(
        environmentId,
        publicId,
        () => ({ isPaused }),
        (former) => auditOf(former, verb, by, {}),
        takes,
      )

  return {
    listDeliveries: (environmentId: number, publicId: string, query: PageQuery = {}) =>
      listSourceDeliveries(deps, environmentId, publicId, query),

    /** Throws `source/not-found`. */
    get: async (environmentId: number, publicId: string) => toAnswer(await getSource(deps, environmentId, publicId)),

    /** Newest first; without a limit all that fit. */
    async list(environmentId: number, query: PageQuery = {}): Promise<Page<SourceAnswer>> {
      const [all, values] = await Promise.all([sources.listOf(environmentId), secrets.listOfSources(environmentId)])
      const { data: stored, nextCursor } = cutPage(sourcesOf(environmentId), all, query, idOf)
      const runs = await deps.deliveryRuns.listOf(environmentId, stored.map(idOf))
      const data = stored.map((source) => {
        const kind = secretKindOf(source)
        const own = values.filter((secret) => secret.kind === kind)
        const run = runs.find(({ sourceId }) => sourceId === source.id)
        return answerOf(source, own, run, deps)
      })
      return { data, nextCursor }
    },

    /** Answers the value of the secret, once. Throws `request/invalid-body`; `request/conflict` beyond `MAX_SOURCES`. */
    async create(environmentId: number, input: NewSource, by: ChangedBy): Promise<CreatedSourceAnswer> {
      const { verificationSecret, ...settings } = input
      await checkConditions(settings.mappings)
      const source = newSource(deps, environmentId, settings)
      const kind = secretKindOf(source)
      const value = verificationSecret ?? deps.newSecretValue(kind, deps.region)
      const secret = await makeSecret(deps, environmentId, kind, value)
      const detail = { name: source.name, provider: source.provider }
      const inserted = await sources.insert(source, secret, auditOf(source, 'create', by, detail))
      if (inserted === 'taken') throw nameTaken(NOUN)
      if (inserted === 'full') throw tooMany()
      bus.publish('environment-changed', { environmentId })
      const stored = { ...source, ...NO_STATE, revision: 1 }
      const answer = answerOf(stored, [{ ...secret, settledAt: null }], undefined, deps)
      return { ...answer, verificationSecret: value }
    },

    /**
     * Fields that the input does not name stay as they are. Throws as `get` and `create` do, and `request/conflict` where
     * `takes` does not take the stored revision.
     */
    put: (environmentId: number, publicId: string, input: SourceChange, by: ChangedBy, takes?: TakesRevision) =>
      change(
        environmentId,
        publicId,
        async (former) => {
          checkPlatform(former, input)
          await checkConditions(input.mappings)
          const { provider: _, verificationSecret: __, ...settings } = input
          return settings
        },
        (former, changed) => {
          const difference = differenceOf(toDocument(former), toDocument(changed)).join('\n')
          return auditOf(former, 'change', by, { difference })
        },
        takes,
      ),

    /** Deliveries are answered 200 and dropped from now on. Throws `source/not-found`, and as `put` does for `takes`. */
    pause: setPaused(true, 'pause'),

    resume: setPaused(false, 'resume'),

    /** Throws `source/not-found`, and as `put` does for `takes`. */
    remove: (
      environmentId: number,
      publicId: string,
      by: ChangedBy,
      takes?: TakesRevision,
    ): Promise<{ deleted: true }> =>
      changeStored('source', async () => {
        const source = await getSource(deps, environmentId, publicId, takes)
        const detail = { name: source.name, provider: source.provider }
        const entry = auditOf(source, 'delete', by, detail)
        if (!(await sources.remove(environmentId, source.id, source.revision, entry))) return undefined
        bus.publish('environment-changed', { environmentId })
        return { deleted: true as const }
      }),
  }
}

function newSource(
  { clock, connectors, ids, region }: Pick<Taken, 'clock' | 'connectors' | 'ids' | 'region'>,
  environmentId: number,
  given: Omit<NewSource, 'verificationSecret'>,
): Source {
  const { name, provider } = given
  const at = clock.now()
  const id = ids.source.next()
  // The region, for whoever routes requests to regions; sorted by its time all the same.
  const publicId = `${formatId('source', id)}_${region}_${randomBytes(16).toString('hex')}`
  return {
    ...{ id, environmentId, publicId, name, provider, isPaused: false },
    mappings: given.mappings ?? [...connectors[provider].defaultMappings],
    // The former schemes of HubSpot have no time: whoever removes the headers of version 3 could send again.
    requireV3: given.requireV3 ?? provider === 'hubspot',
    allowUnsignedBatchTail: given.allowUnsignedBatchTail ?? false,
    settings: given.settings ?? null,
    ...{ createdAt: at, updatedAt: at },
  }
}

function answerOf(
  source: StoredSource,
  values: readonly KeptSecret[],
  run: DeliveryRun | undefined,
  { publicUrl, clock }: Pick<Taken, 'publicUrl' | 'clock'>,
): SourceAnswer {
  const { publicId: id, name, provider, isPaused, mappings, requireV3, allowUnsignedBatchTail, settings } = source
  const rotation = rotationOf(values, clock.now())
  const old = rotation?.state === 'overlap' ? rotation.previous : null
  return {
    id,
    name,
    provider,
    status: isPaused ? 'paused' : 'active',
    url: `${publicUrl().replace(/\/$/, '')}/v1/connectors/${provider}/${id}`,
    mappings,
    requireV3,
    allowUnsignedBatchTail,
    settings,
    secret: {
      state: rotation?.state ?? 'single',
      createdAt: rotation?.current.createdAt ?? toIso(source.createdAt),
      retiresAt: old?.retiresAt ?? null,
      lastUsedAt: rotation?.current.lastUsedAt ?? null,
      oldLastUsedAt: old?.lastUsedAt ?? null,
    },
    lastReceivedAt: toIso(source.lastReceivedAt),
    lastErrorAt: toIso(source.lastErrorAt),
    lastError: source.lastError,
    counts: source.counts,
    run: run === undefined ? null : toRunAnswer(run),
    createdAt: toIso(source.createdAt),
    updatedAt: toIso(source.updatedAt),
    revision: source.revision,
  }
}

/** @returns The settings, for the audit log. */
function toDocument({ name, isPaused, mappings, requireV3, allowUnsignedBatchTail, settings }: Source) {
  return { name, isPaused, mappings, requireV3, allowUnsignedBatchTail, settings }
}

function tooMany(): ApiError {
  return new ApiError('request/conflict', { message: `An environment has at most ${MAX_SOURCES} sources.` })
}
