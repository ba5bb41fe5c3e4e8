// Defines the secrets of an environment.

import type { SecretKind } from '../../contract/tenant.ts'

/** Begins the kinds of the secrets of sources. */
export const SOURCE_KIND = 'verificationSecret:'
/** The `verificationSecret` of the source with this id. */
export type SourceSecretKind = `${typeof SOURCE_KIND}${string}`
export type StoredSecretKind = SecretKind | SourceSecretKind

export function isSourceKind(kind: StoredSecretKind): kind is SourceSecretKind {
  return kind.startsWith(SOURCE_KIND)
}

/** One value of a secret. At most two of a kind are live: the current one and, in an overlap, the old one. */
export interface Secret {
  id: number
  environmentId: number
  kind: StoredSecretKind
  /** Lower-case hex SHA-256 of the value, by which `sdkSecretKey` and Front API Key are found. */
  hash: string
  /** The value itself: plain for the Front API Key, sealed for authSecretKey, webhookSigningSecret and sources, null for sdkSecretKey. */
  plain: string | null
  sealed: string | null
  createdAt: number
  /** Set when a newer value exists: when this one stops working (end of the overlap, or the moment of retirement). */
  retiresAt: number | null
  lastUsedAt: number | null
}

/** A secret as stored. */
export interface KeptSecret extends Secret {
  /**
   * Set when its sessions have ended and its value was deleted: from then on it is dead, whatever the clock is set to.
   */
  settledAt: number | null
}

/** Whether a value is accepted at `now` (epoch ms). */
export function isLive({ retiresAt, settledAt }: Pick<KeptSecret, 'retiresAt' | 'settledAt'>, now: number): boolean {
  return settledAt === null && (retiresAt === null || now < retiresAt)
}

export interface Secrets {
  create(secret: Secret): Promise<void>
  /** Finds a value, live or retired: callers check. */
  findByHash(kind: SecretKind, hash: string): Promise<KeptSecret | undefined>
  /** Lists all stored values of a kind, newest first. */
  list(environmentId: number, kind: StoredSecretKind): Promise<KeptSecret[]>
  /** Lists all stored values of all sources of an environment, newest first. */
  listOfSources(environmentId: number): Promise<KeptSecret[]>
  /** Retires a value: from `retiresAt` on it is refused, also by plans in progress (checked in their transaction). */
  retire(environmentId: number, id: number, retiresAt: number): Promise<void>
  /** Records the last use; an earlier instant than the stored one changes nothing. */
  touch(environmentId: number, id: number, usedAt: number): Promise<void>
}
