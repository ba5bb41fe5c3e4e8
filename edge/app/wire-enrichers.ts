// The way to customers' enrichers, wired.

import { setTimeout as delay } from 'node:timers/promises'
import { createEnrichers, type EnricherCalls } from '../enrichers/enrichers.ts'
import { createGuardedFetch } from '../lib/outbound/guarded-fetch.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'

export function wireEnrichers(core: Core, auth: Auth): EnricherCalls {
  const { stores, bus, clock, log, metrics, settings } = core
  // Connections of its own, as many as there are places: with a bound for each host, one environment's calls would wait
  // behind another's to the same host.
  const outbound = createGuardedFetch({ allow: settings.outboundAllow, connections: null, ...core.outbound })
  const calls = createEnrichers({
    registry: stores.enrichers,
    listSigningSecrets: auth.keyRing.listSigningSecrets,
    fetch: outbound.fetch,
    // Ends early without an error: whoever waits looks at the signal.
    pause: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
    bus,
    clock,
    log,
    watch: metrics,
  })
  return {
    ...calls,
    async stop() {
      await calls.stop()
      await outbound.close()
    },
  }
}
