// Who calls: the environment of an sdkSecretKey, the widget session of a token (contract sections 1, 3 and 5).

import { findBearer, requireBearer } from '../auth/tracking-key.ts'
import type { ChangedBy } from '../domain/audit.ts'
import type { WidgetSession } from '../domain/session.ts'
import { ApiError } from '../lib/api-error.ts'
import { formatId } from '../lib/id.ts'
import type { Callers, KeyCaller } from './http.ts'

export { findBearer } from '../auth/tracking-key.ts'

export interface CallersDeps {
  /** 403 for an unknown key, 401 for a disabled environment (`auth/tracking-key.ts`). */
  resolveKey(value: string): Promise<KeyCaller>
  /** Throws `auth/invalid-session`. */
  verifySession(token: string | undefined): Promise<WidgetSession>
}

export function createCallers(deps: CallersDeps): Callers {
  return {
    // Async, so that a refusal is always a rejection.
    key: async (authorization) => deps.resolveKey(requireBearer(authorization)),
    widget: (authorization) => deps.verifySession(findBearer(authorization)),
  }
}

/** Who changes something, for the audit log: the key by its id, never by its value. */
export function changedBy({ secretId, correlationId }: KeyCaller & { correlationId: string }): ChangedBy {
  return { actor: 'api', who: formatId('secret', secretId), correlationId }
}

/** Refuses a key whose environment keeps campaigns, enrichers and e-mail settings from keys (contract section 1, "Callers"). */
export function requireMayManage(caller: KeyCaller): void {
  if (!caller.environment.sdkKeyMayManage) {
    throw new ApiError('authorization/not-allowed', {
      message: 'This environment does not let an sdkSecretKey change campaigns or enrichers.',
    })
  }
}
