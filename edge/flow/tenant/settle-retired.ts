// Settles retired values of secrets: ends their sessions and deletes their text.

import type { Core } from '../../domain/core.ts'
import type { Secret } from '../../domain/secret.ts'

const STEP = 50

/**
 * Creates the task, which returns the number of settled values. After a crash it repeats the same value: sessions end
 * first, the mark comes last. Refusals do not wait for it, because each use checks the time of retirement.
 */
export function createSettleRetired({
  rotations,
  endSessions,
  bus,
  clock,
}: Pick<Core, 'rotations' | 'bus' | 'clock'> & {
  /** Ends the sessions and closes their sockets. Returns their number. */
  endSessions(environmentId: number, by: { credential?: string; frontKeyId?: number }): Promise<number>
}) {
  return async function settleRetired(): Promise<number> {
    const retired = await rotations.listRetired(clock.now(), STEP)
    for (const secret of retired) {
      const by = sessionsOf(secret)
      if (by !== undefined) await endSessions(secret.environmentId, by)
      await rotations.settle(secret.environmentId, secret.id, clock.now())
      bus.publish('environment-changed', { environmentId: secret.environmentId })
    }
    return retired.length
  }
}

/** @returns How sessions refer to the value that granted them; undefined for kinds that grant none. */
function sessionsOf({ kind, hash, id }: Secret): { credential?: string; frontKeyId?: number } | undefined {
  if (kind === 'authSecretKey') return { credential: hash }
  if (kind === 'frontApiKey') return { frontKeyId: id }
  return undefined
}
