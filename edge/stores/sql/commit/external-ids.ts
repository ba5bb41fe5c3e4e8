// Claims the ids that users have in other systems: each value belongs to one user of its environment.

import { MAX_EXTERNAL_IDS } from '../../../../contract/user-id.ts'
import { mergeProfile, type ProfileChange, type User } from '../../../domain/user.ts'
import { insertRows, type Sql, withRows } from '../sql.ts'
import type { WriteContext } from '../write.ts'

const ID = { environment_id: 'int', system: 'text', value: 'text' } as const
const CLAIM = insertRows(
  'external_id',
  { ...ID, user_no: 'int' },
  'ON CONFLICT (environment_id, system, value) DO NOTHING',
)
const FIND_OWNERS = withRows(
  ID,
  `SELECT x.environment_id, x.system, x.value, x.user_no, u.user_id FROM given CROSS JOIN external_id x
    INNER JOIN app_user u ON u.environment_id = x.environment_id AND u.user_no = x.user_no
    WHERE x.environment_id = given.environment_id AND x.system = given.system AND x.value = given.value`,
)
const RELEASE = withRows({ user_no: 'int' }, 'DELETE FROM external_id WHERE user_no IN (SELECT user_no FROM given)')

interface OwnerRow {
  environment_id: number
  system: string
  value: string
  user_no: number
  user_id: string
}
type IdRow = [...Id, userNo: number]
type Id = [environmentId: number, system: string, value: string]

export interface Claim {
  user: User
  change: Pick<ProfileChange, 'externalIds'>
}
export type ClaimRefusal = 'external-id-taken' | 'too-many-external-ids'

/** @returns Whether another user has one of the ids, also when this user does not exist yet. */
export async function isClaimed(
  sql: Sql,
  environmentId: number,
  userId: string,
  ids: ProfileChange['externalIds'],
): Promise<boolean> {
  const wanted = idsOf(environmentId, ids)
  if (wanted.length === 0) return false
  return (await sql.bulk<OwnerRow>(FIND_OWNERS, wanted)).some((owner) => owner.user_id !== userId)
}

/**
 * Writes the ids that the changes leave to their users, in the order of the changes. Asks the store nothing when no change
 * names an id. The caller merges the changes that are not refused.
 */
export async function claimExternalIds<C extends Claim>(
  context: WriteContext,
  changes: readonly C[],
): Promise<Map<C, ClaimRefusal>> {
  const claims = changes.filter(({ change }) => change.externalIds !== undefined)
  const refused = new Map<C, ClaimRefusal>()
  if (claims.length === 0) return refused
  const rows = claims.flatMap(({ user, change }) =>
    idsOf(user.environmentId, change.externalIds).map((id): IdRow => [...id, user.userNo]),
  )
  // In one order on all nodes. Waits for a transaction that claims the same id.
  if (rows.length > 0) await context.sql.bulk(CLAIM, rows.sort(byKey))
  const wantedIds = rows.map(([environmentId, system, value]) => [environmentId, system, value])
  const owners = rows.length === 0 ? [] : await context.sql.bulk<OwnerRow>(FIND_OWNERS, wantedIds)
  const ownerOf = new Map(owners.map((row) => [keyOf([row.environment_id, row.system, row.value]), row.user_no]))
  const kept = new Map<number, User>()
  for (const one of claims) {
    const before = kept.get(one.user.userNo) ?? one.user
    const after = { ...before, ...mergeProfile(before, { externalIds: one.change.externalIds ?? null }) }
    const wanted = idsOf(before.environmentId, one.change.externalIds)
    const isFree = wanted.every((id) => ownerOf.get(keyOf(id)) === before.userNo)
    const isFew = Object.keys(after.externalIds).length <= MAX_EXTERNAL_IDS
    if (!isFree || !isFew) refused.set(one, isFree ? 'too-many-external-ids' : 'external-id-taken')
    kept.set(before.userNo, isFree && isFew ? after : before)
  }
  await context.sql.bulk(
    RELEASE,
    [...kept.keys()].sort((a, b) => a - b).map((userNo) => [userNo]),
  )
  const remaining = [...kept.values()].flatMap(({ environmentId, userNo, externalIds }) =>
    idsOf(environmentId, externalIds).map((id): IdRow => [...id, userNo]),
  )
  if (remaining.length > 0) await context.sql.bulk(CLAIM, remaining.sort(byKey))
  return refused
}

function idsOf(environmentId: number, ids: ProfileChange['externalIds']): Id[] {
  return Object.entries(ids ?? {}).flatMap(([system, value]): Id[] =>
    value === null ? [] : [[environmentId, system, value]],
  )
}

const keyOf = (id: Id) => id.join('\n')
/** Rows of one key stay in the order of their changes. */
function byKey([environmentA, systemA, valueA]: IdRow, [environmentB, systemB, valueB]: IdRow): number {
  const [a, b] = [keyOf([environmentA, systemA, valueA]), keyOf([environmentB, systemB, valueB])]
  return a === b ? 0 : a < b ? -1 : 1
}
