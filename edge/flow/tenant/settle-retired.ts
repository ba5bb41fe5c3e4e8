// Tidies up after values whose time is over, however that came: their sessions end, their text is forgotten.

import type { Bus } from '../../domain/bus.ts'
import type { Secret } from '../../domain/secret.ts'
import type { SecretRotations } from '../../domain/tenant/secret-rotation.ts'
import type { Clock } from '../../lib/clock.ts'

export interface SettleRetiredDeps {
  rotations: Pick<SecretRotations, 'listRetired' | 'settle'>
  /** Ends the sessions and closes their sockets; answers how many. */
  endSessions(environmentId: number, by: { credential?: string; frontKeyId?: number }): Promise<number>
  bus: Pick<Bus, 'publish'>
  clock: Clock
}

const STEP = 50

/**
 * Answers how many values it tidied up. Killed in between it begins anew with the same value: sessions first, the mark
 * last. Refusals do not wait for it, the instant of retirement is judged at every use.
 */
export function createSettleRetired({ rotations, endSessions, bus, clock }: SettleRetiredDeps) {
  return async function settleRetired(): Promise<number> {
    const retired = await rotations.listRetired(clock.now(), STEP)
    for (const secret of retired) {
      const by = vouchedBy(secret)
      if (by !== undefined) await endSessions(secret.environmentId, by)
      await rotations.settle(secret.id, clock.now())
      bus.publish('environment-changed', { environmentId: secret.environmentId })
    }
    return retired.length
  }
}

/** How sessions name a value that vouched for them. */
function vouchedBy({ kind, hash, id }: Secret): { credential?: string; frontKeyId?: number } | undefined {
  if (kind === 'authSecretKey') return { credential: hash }
  if (kind === 'frontApiKey') return { frontKeyId: id }
  return undefined
}
