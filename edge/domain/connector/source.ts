// Defines a source: an address of an environment at which one platform delivers, and the port of their store.

import type { SourceMapping } from '../../../contract/resources/source-mapping.ts'
import type { ConnectorPlatform, DeliveryOutcome } from '../../../contract/tenant.ts'
import type { AuditEntry } from '../audit.ts'
import type { Environment } from '../environment.ts'
import { type Secret, SOURCE_KIND, type SourceSecretKind } from '../secret.ts'
import type { Revised, SavedName } from '../tenant/revised.ts'
import type { SourceChecks } from './connector.ts'

export const MAX_SOURCES = 100
/** Deliveries of a source that are kept, and for how long. */
export const DELIVERIES_KEPT = 200
export const DELIVERIES_KEPT_MS = 30 * 24 * 60 * 60 * 1000
/** How long a delivery is recognised as a repeat. */
export const REPEATS_KNOWN_MS = 7 * 24 * 60 * 60 * 1000

export interface Source extends SourceChecks {
  id: number
  environmentId: number
  /** Its address and its id on the wire (`src_…`): the time, and random text, because two schemes have no other defence. */
  publicId: string
  name: string
  provider: ConnectorPlatform
  isPaused: boolean
  mappings: SourceMapping[]
  createdAt: number
  updatedAt: number
}

export interface SourceCounts {
  accepted: number
  duplicates: number
  /** Deliveries with a wrong signature or a body that cannot be taken, and items that no signature covers. */
  refused: number
  /** Events whose item the mapping could not read. They are kept, too. */
  unreadable: number
  /** Items that arrived, rightly signed, while the source was paused or its environment disabled. */
  dropped: number
}

export const NO_COUNTS: SourceCounts = { accepted: 0, duplicates: 0, refused: 0, unreadable: 0, dropped: 0 }

/** What the deliveries of a source showed. */
export interface SourceState {
  lastReceivedAt: number | null
  lastErrorAt: number | null
  lastError: string | null
  counts: SourceCounts
}

/** What became of one item of a delivery; of a refused delivery nothing of its body is kept. */
export interface SourceDelivery {
  at: number
  deliveryId: string | null
  type: string | null
  outcome: DeliveryOutcome
  eventId: number | null
  reason: string | null
}

/** Deliveries of a source count from 1. */
export type NumberedDelivery = SourceDelivery & { number: number }

/** Deliveries of one source that are recorded together. */
export interface DeliveryRecords extends SourceState {
  environmentId: number
  sourceId: number
  /** Oldest first, the last 200 at most. */
  deliveries: SourceDelivery[]
}

export type StoredSource = Revised<Source> & SourceState

/** A source that a delivery addresses. */
export interface FoundSource {
  source: Source
  environment: Environment
  /** The live values of its secret, newest first: two during an overlap. */
  secrets: { id: number; value: string }[]
}

/** `taken`: another source of the environment has the name; `full`: the environment has `MAX_SOURCES`. */
export type InsertedSource = 'inserted' | 'taken' | 'full'

export interface Sources {
  /** Writes the source and the first value of its secret. */
  insert(source: Source, secret: Secret, audit: AuditEntry): Promise<InsertedSource>
  save(source: Revised<Source>, audit: AuditEntry): Promise<SavedName>
  /**
   * Removes the source with its secret and its deliveries. False when there is none of the revision; then nothing is
   * written.
   */
  remove(environmentId: number, id: number, revision: number, audit: AuditEntry): Promise<boolean>
  find(environmentId: number, publicId: string): Promise<StoredSource | undefined>
  /** Finds a source in any environment. */
  findByPublicId(publicId: string): Promise<Revised<Source> | undefined>
  /** All of an environment, newest first: there are few. */
  listOf(environmentId: number): Promise<StoredSource[]>
  /** Adds the counts, and keeps the last deliveries. Sources that were removed meanwhile are left out. */
  record(records: DeliveryRecords[]): Promise<void>
  /** Newest first; those before `since` (epoch ms) are left out. */
  listDeliveries(environmentId: number, sourceId: number, since: number): Promise<NumberedDelivery[]>
  /** Forgets deliveries older than `before` (epoch ms). */
  purgeDeliveries(before: number): Promise<void>
}

/** @returns The kind of the secret of a source among the secrets of its environment. */
export function secretKindOf({ publicId }: Pick<Source, 'publicId'>): SourceSecretKind {
  return `${SOURCE_KIND}${publicId}`
}
