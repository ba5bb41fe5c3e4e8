// Declares what all providers of mail are created with.

import type { Clock } from '../../lib/clock.ts'
import type { GuardedFetch } from '../../lib/outbound/guarded-fetch.ts'
import type { GuardedConnect } from '../../lib/outbound/guarded-socket.ts'

export interface ProviderDeps {
  fetch: GuardedFetch['fetch']
  connect: GuardedConnect
  clock: Clock
  /** Of one hand-over to an HTTP API, and of each wait for an SMTP server. Defaults: 15 s and 30 s. */
  timeoutMs?: number
  /** A certificate (PEM) that SMTP connections trust in place of the usual ones. For tests. */
  trustedCa?: string
}
