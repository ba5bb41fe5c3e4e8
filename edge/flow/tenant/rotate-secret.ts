// Rotates the secrets of environments: `single → overlap → single`, and at once in an emergency.

import { DEFAULT_OVERLAP_MS, type SecretRotation, type SecretValueAnswer } from '../../../contract/resources/secret.ts'
import type { SecretKind } from '../../../contract/tenant.ts'
import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Bus } from '../../domain/bus.ts'
import type { Core } from '../../domain/core.ts'
import { isLive, isSourceKind, type KeptSecret, type Secret, type StoredSecretKind } from '../../domain/secret.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId, type IdSource } from '../../lib/id.ts'
import { changeStored } from './change-stored.ts'
import { makeSecret } from './make-secret.ts'

export type RotationAnswer<K extends StoredSecretKind = SecretKind> = Omit<SecretRotation, 'kind'> & { kind: K }

export type RotateSecret = ReturnType<typeof createRotateSecret>

export function createRotateSecret(
  deps: Pick<Core, 'secrets' | 'rotations' | 'clock' | 'seal'> & {
    bus: Pick<Bus, 'publish'>
    ids: { secret: IdSource }
    region: string
    newSecretValue(kind: StoredSecretKind, region: string): string
  },
) {
  const { rotations, clock, bus } = deps

  /** Adds a value; `overlapMs` null: all older ones end at once. */
  async function addValue<K extends StoredSecretKind>(
    environmentId: number,
    kind: K,
    overlapMs: number | null,
    by: ChangedBy,
    given?: string,
  ) {
    const value = given ?? deps.newSecretValue(kind, deps.region)
    const secret = await makeSecret(deps, environmentId, kind, value)
    const now = secret.createdAt
    const oldRetiresAt = overlapMs === null ? null : now + overlapMs
    const action = overlapMs === null ? 'secret.emergency' : 'secret.rotate'
    const detail = { secretId: formatId('secret', secret.id), oldRetiresAt: toIso(oldRetiresAt ?? now) }
    const result = await rotations.rotate(secret, oldRetiresAt, audit(action, environmentId, kind, now, by, detail))
    if (result === 'overlap') {
      throw new ApiError('request/conflict', {
        message: `Two values of ${nameOf(kind)} live already. Retire the old one first, or wait for its end.`,
      })
    }
    bus.publish('environment-changed', { environmentId })
    return { value, rotation: await read(environmentId, kind) }
  }

  async function moveEnd<K extends StoredSecretKind>(
    environmentId: number,
    kind: K,
    change: 'extend' | 'retire',
    retiresAt: number,
    by: ChangedBy,
  ) {
    const detail = { oldRetiresAt: toIso(retiresAt) }
    const entry = audit(`secret.${change}`, environmentId, kind, clock.now(), by, detail)
    const result = await rotations.moveEnd({ environmentId, kind, change, retiresAt }, entry)
    if (result === 'single') {
      throw new ApiError('request/conflict', {
        message: `There is no old value of ${nameOf(kind)}: it is not in an overlap.`,
      })
    }
    if (result === 'refused') {
      throw new ApiError('request/conflict', {
        message: `The old value of ${nameOf(kind)} lives longer than that already.`,
      })
    }
    bus.publish('environment-changed', { environmentId })
    return read(environmentId, kind)
  }

  async function read<K extends StoredSecretKind>(environmentId: number, kind: K): Promise<RotationAnswer<K>> {
    const rotation = rotationOf(await deps.secrets.list(environmentId, kind), clock.now())
    if (rotation !== undefined) return { kind, ...rotation }
    throw new ApiError('request/not-found', { message: `This environment has no ${nameOf(kind)}.` })
  }

  return {
    read,
    /** Returns the new value, once: `given`, or a generated one. Throws `request/conflict` during an overlap. */
    rotate: <K extends StoredSecretKind>(
      environmentId: number,
      kind: K,
      by: ChangedBy,
      overlapMs = DEFAULT_OVERLAP_MS,
      given?: string,
    ) => changeStored('secret', () => addValue(environmentId, kind, overlapMs, by, given)),
    /** The old value lives `overlapMs` from now on, if that is later than its end; else it throws `request/conflict`. */
    extend: <K extends StoredSecretKind>(
      environmentId: number,
      kind: K,
      by: ChangedBy,
      overlapMs = DEFAULT_OVERLAP_MS,
    ) => moveEnd(environmentId, kind, 'extend', clock.now() + overlapMs, by),
    /** Ends the old value now: callers that still use it are refused. Throws `request/conflict` when there is none. */
    retire: <K extends StoredSecretKind>(environmentId: number, kind: K, by: ChangedBy) =>
      moveEnd(environmentId, kind, 'retire', clock.now(), by),
    /** Returns a new value, once; every older one ends now. */
    emergency: <K extends StoredSecretKind>(environmentId: number, kind: K, by: ChangedBy, given?: string) =>
      changeStored('secret', () => addValue(environmentId, kind, null, by, given)),
  }
}

/** @param values Of one kind, newest first. @returns undefined when there are none */
export function rotationOf(values: readonly KeptSecret[], now: number): Omit<RotationAnswer, 'kind'> | undefined {
  const [current, previous] = values
  if (current === undefined) return undefined
  const isOverlap = previous !== undefined && isLive(previous, now)
  return {
    state: isOverlap ? 'overlap' : 'single',
    until: isOverlap ? toIso(previous.retiresAt) : null,
    current: toAnswer(current),
    previous: previous === undefined ? null : toAnswer(previous),
  }
}

/** @returns The kind without the source that it may name. */
const nameOf = (kind: StoredSecretKind) => (isSourceKind(kind) ? 'verificationSecret' : kind)

function audit(
  action: string,
  environmentId: number,
  subject: string,
  at: number,
  by: ChangedBy,
  detail: AuditEntry['detail'],
): AuditEntry {
  return { at, ...by, action, environmentId, subject, detail }
}

function toAnswer({ id, createdAt, lastUsedAt, retiresAt }: Secret): SecretValueAnswer {
  return {
    id: formatId('secret', id),
    createdAt: toIso(createdAt),
    lastUsedAt: toIso(lastUsedAt),
    retiresAt: toIso(retiresAt),
  }
}
