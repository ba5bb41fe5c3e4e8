// Shows the live values of a secret, with an audit entry; an sdkSecretKey cannot be shown, because only its hash is stored.

import type { ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import { isLive, type StoredSecretKind } from '../../domain/secret.ts'
import { ApiError } from '../../lib/api-error.ts'

/** Returns the current value first. Throws `request/conflict` for an `sdkSecretKey`. */
export type ShowSecret = <K extends StoredSecretKind>(
  environmentId: number,
  kind: K,
  by: ChangedBy,
) => Promise<{ kind: K; values: string[] }>

export function createShowSecret({
  secrets,
  audit,
  open,
  clock,
}: Pick<Core, 'secrets' | 'audit' | 'open' | 'clock'>): ShowSecret {
  return async function showSecret(environmentId, kind, by) {
    if (kind === 'sdkSecretKey') {
      throw new ApiError('request/conflict', {
        message: 'Of an sdkSecretKey only a hash is kept. Rotate it to get a new one.',
      })
    }
    const now = clock.now()
    const live = (await secrets.list(environmentId, kind)).filter((secret) => isLive(secret, now))
    // Recorded before it is shown: a value that cannot be recorded is not shown. A Front API Key is public.
    const entry = { at: now, ...by, action: 'secret.show', environmentId, subject: kind, detail: {} }
    if (kind !== 'frontApiKey') await audit.record(entry)
    const values = await Promise.all(live.map(({ plain, sealed }) => plain ?? (sealed === null ? '' : open(sealed))))
    return { kind, values }
  }
}
