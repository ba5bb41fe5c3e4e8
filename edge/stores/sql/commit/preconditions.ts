// Checks the preconditions of tracked plans in the transaction: live keys, valid claims, and new idempotency keys.

import type { TrackOutcome, TrackPlan } from '../../../domain/plan.ts'
import { isClosed } from '../closed.ts'
import { withRows } from '../sql.ts'
import type { WriteContext } from '../write.ts'
import { refuseEnded } from './continuations.ts'
import type { LiveSecret } from './writer-cache.ts'

const RECORD_USE_EVERY_MS = 60_000
const SWEEP_EVERY_MS = 60_000
const SWEEP_ROWS = 1000

const READ_SECRETS = withRows(
  { environment_id: 'int', id: 'int' },
  `SELECT s.environment_id, s.id, s.retires_at, s.last_used_at, CASE WHEN ${isClosed('s.environment_id')} THEN 1 ELSE 0 END AS is_closed
    FROM given CROSS JOIN secret s
    WHERE s.environment_id = given.environment_id AND s.id = given.id AND s.settled_at IS NULL`,
)
const touchSecrets = (lock: string) =>
  withRows(
    { environment_id: 'int', id: 'int', used_at: 'int' },
    `UPDATE secret SET last_used_at = given.used_at FROM given
      WHERE secret.environment_id = given.environment_id AND secret.id = given.id
        AND secret.id IN (SELECT s.id FROM secret s WHERE (s.environment_id, s.id) IN (SELECT environment_id, id FROM given)${lock})`,
  )
const TOUCH_SECRETS = touchSecrets('')
/** Skips locked rows, because this batch may have locked inboxes and must not wait for a key. */
const TOUCH_UNLOCKED_SECRETS = touchSecrets(' FOR UPDATE SKIP LOCKED')
const COMPLETE_JOBS = withRows(
  { environment_id: 'int', id: 'int', fence: 'int' },
  'DELETE FROM job WHERE (environment_id, id, fence) IN (SELECT environment_id, id, fence FROM given) RETURNING id',
)
/** Inserts a key, or replaces an expired one; a live key is not changed and not returned. */
const TAKE_KEYS = {
  into: 'idempotency',
  columns: {
    environment_id: 'int',
    idempotency_key: 'text',
    body_hash: 'text',
    event_id: 'int',
    correlation_id: 'text',
    received_at: 'int',
    expires_at: 'int',
  },
  text: `ON CONFLICT (environment_id, idempotency_key) DO UPDATE SET body_hash = excluded.body_hash, event_id = excluded.event_id,
    correlation_id = excluded.correlation_id, received_at = excluded.received_at, expires_at = excluded.expires_at
    WHERE idempotency.expires_at <= excluded.received_at RETURNING environment_id, idempotency_key`,
} as const
const READ_KEYS = withRows(
  { environment_id: 'int', idempotency_key: 'text' },
  `SELECT i.environment_id, i.idempotency_key, i.body_hash, i.event_id, i.correlation_id, i.received_at FROM given
    CROSS JOIN idempotency i WHERE i.environment_id = given.environment_id AND i.idempotency_key = given.idempotency_key`,
)

interface TakenKey {
  environment_id: number
  idempotency_key: string
  body_hash: string
  event_id: number
  correlation_id: string
  received_at: number
}

/**
 * Checks the plans, completes their jobs and moves their waits.
 * @returns The outcomes of the plans that must not be written; the other plans are not in the map.
 */
export async function checkPreconditions(
  context: WriteContext,
  plans: TrackPlan[],
): Promise<Map<TrackPlan, TrackOutcome>> {
  const refused = new Map<TrackPlan, TrackOutcome>()
  await refuseRevoked(context, plans, refused)
  await refuseLostLeases(context, plans, refused)
  await refuseRepeats(context, plans, refused)
  await refuseEnded(context, plans, refused)
  return refused
}

/** Removes a bounded number of expired keys once a minute, or with each batch while there are more. */
export async function sweepKeys(context: WriteContext): Promise<void> {
  if (context.now < context.keySweep.nextAt) return
  const removed = await context.sql.run(
    `DELETE FROM idempotency WHERE (environment_id, idempotency_key) IN
      (SELECT environment_id, idempotency_key FROM idempotency WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
    [context.now, SWEEP_ROWS],
  )
  context.keySweep.nextAt = removed < SWEEP_ROWS ? context.now + SWEEP_EVERY_MS : context.now
}

interface StoredSecret {
  environment_id: number
  id: number
  retires_at: number | null
  last_used_at: number | null
  is_closed: number
}

/** @returns The primary keys of the secrets that the plans name, each once. */
export function secretKeysOf(plans: readonly TrackPlan[]): [environmentId: number, id: number][] {
  const environments = new Map<number, number>()
  for (const { secretId, environmentId } of plans) if (secretId !== null) environments.set(secretId, environmentId)
  return [...environments].map(([id, environmentId]) => [environmentId, id])
}

async function refuseRevoked(context: WriteContext, plans: TrackPlan[], refused: Map<TrackPlan, TrackOutcome>) {
  const keys = secretKeysOf(plans)
  if (keys.length === 0) return
  const secrets = await context.sql.bulk<StoredSecret>(READ_SECRETS, keys)
  const live = secrets.filter((secret) => secret.retires_at === null || secret.retires_at > context.now)
  const liveIds = new Set(live.map((secret) => secret.id))
  // An export that begins after the close must not miss what is answered 202.
  const closedIds = new Set(live.filter((secret) => secret.is_closed === 1).map((secret) => secret.id))
  for (const plan of plans) {
    if (plan.secretId === null) continue
    if (!liveIds.has(plan.secretId)) refused.set(plan, { result: 'revoked' })
    else if (closedIds.has(plan.secretId)) refused.set(plan, { result: 'closed' })
  }
  const stale = live.filter((secret) => context.now - (secret.last_used_at ?? 0) >= RECORD_USE_EVERY_MS)
  if (stale.length > 0) {
    await context.sql.bulk(
      context.sql.skipLocked === '' ? TOUCH_SECRETS : TOUCH_UNLOCKED_SECRETS,
      stale.map((secret) => [secret.environment_id, secret.id, context.now]),
    )
  }
  context.cache?.learnSecrets(
    live.map(({ id, retires_at, last_used_at }) => ({
      id,
      retiresAt: retires_at,
      lastUsedAt: stale.some((secret) => secret.id === id) ? context.now : (last_used_at ?? 0),
    })),
  )
}

/** Returns whether a cached key is live, and its use was recorded less than a minute ago. */
export function isInUse(secret: LiveSecret | undefined, now: number): boolean {
  return (
    secret !== undefined &&
    (secret.retiresAt === null || secret.retiresAt > now) &&
    now - secret.lastUsedAt < RECORD_USE_EVERY_MS
  )
}

async function refuseLostLeases(context: WriteContext, plans: TrackPlan[], refused: Map<TrackPlan, TrackOutcome>) {
  const claims = plans.flatMap((plan) => (plan.completes === null ? [] : [plan.completes]))
  if (claims.length === 0) return
  const completed = await context.sql.bulk<{ id: number }>(
    COMPLETE_JOBS,
    claims.map(({ environmentId, id, fence }) => [environmentId, id, fence]),
  )
  const completedIds = new Set(completed.map((row) => row.id))
  for (const plan of plans) {
    // Each id is deleted once: of two plans that complete the same job the second is refused.
    if (plan.completes !== null && !completedIds.delete(plan.completes.id)) refused.set(plan, { result: 'lease-lost' })
  }
}

async function refuseRepeats(context: WriteContext, plans: TrackPlan[], refused: Map<TrackPlan, TrackOutcome>) {
  const firstByKey = new Map<string, TrackPlan>()
  for (const plan of plans) {
    if (plan.idempotency === null || firstRowOf(plan) === undefined || refused.has(plan)) continue
    const key = keyOf(spaceOf(plan), plan.idempotency.key)
    if (!firstByKey.has(key)) firstByKey.set(key, plan)
  }
  if (firstByKey.size === 0) return
  const rowsByKey = await takeKeys(context, firstByKey)
  for (const plan of plans) {
    if (plan.idempotency === null || refused.has(plan)) continue
    const first = firstByKey.get(keyOf(spaceOf(plan), plan.idempotency.key))
    const row = rowsByKey.get(keyOf(spaceOf(plan), plan.idempotency.key))
    if (row === undefined || (first === plan && row.event_id === firstRowOf(plan)?.id)) continue
    refused.set(plan, repeatOf(row, plan.idempotency.bodyHash))
  }
}

/** Returns the row of each key: the plan's own when it was the first, else the earlier one. */
async function takeKeys(context: WriteContext, firstByKey: Map<string, TrackPlan>): Promise<Map<string, TakenKey>> {
  const rowsByKey = new Map<string, TakenKey>()
  // Sorted, so that two nodes lock keys in the same order and cannot deadlock.
  const wanted = [...firstByKey.entries()].sort(([a], [b]) => (a < b ? -1 : 1))
  const taken = await context.sql.bulk<{ environment_id: number; idempotency_key: string }>(
    TAKE_KEYS,
    wanted.map(([, plan]) => keyRow(plan)),
  )
  const takenKeys = new Set(taken.map((row) => keyOf(row.environment_id, row.idempotency_key)))
  const others = wanted.filter(([key]) => !takenKeys.has(key))
  const rows = others.map(([, plan]) => [spaceOf(plan), plan.idempotency?.key ?? ''])
  for (const row of others.length === 0 ? [] : await context.sql.bulk<TakenKey>(READ_KEYS, rows)) {
    rowsByKey.set(keyOf(row.environment_id, row.idempotency_key), row)
  }
  for (const [key, plan] of wanted) {
    const row = firstRowOf(plan)
    if (!takenKeys.has(key) || row === undefined || plan.idempotency === null) continue
    rowsByKey.set(key, {
      environment_id: spaceOf(plan),
      idempotency_key: plan.idempotency.key,
      body_hash: plan.idempotency.bodyHash,
      event_id: row.id,
      correlation_id: row.correlationId,
      received_at: plan.now,
    })
  }
  return rowsByKey
}

function keyRow(plan: TrackPlan) {
  const { idempotency } = plan
  const row = firstRowOf(plan)
  if (row === undefined || idempotency === null) throw new Error('row missing in a plan with an idempotency key')
  const { key, bodyHash, expiresAt } = idempotency
  return [spaceOf(plan), key, bodyHash, row.id, row.correlationId, plan.now, expiresAt]
}

/** What the key names: the event, or the first run of a plan without one. */
const firstRowOf = ({ event, runs }: TrackPlan) => event ?? runs[0]

function repeatOf(row: TakenKey, bodyHash: string): TrackOutcome {
  if (row.body_hash !== bodyHash) return { result: 'conflict' }
  return { result: 'duplicate', eventId: row.event_id, correlationId: row.correlation_id, receivedAt: row.received_at }
}

/** @returns The number under which the key is stored: the environment's, or a negative one of a source. */
const spaceOf = (plan: TrackPlan) => plan.idempotency?.space ?? plan.environmentId

const keyOf = (space: number, key: string) => `${space}:${key}`
