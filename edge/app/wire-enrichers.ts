// Wires the calls to the enrichers of customers.

import { setTimeout as delay } from 'node:timers/promises'
import { createEnrichers, type EnricherCalls } from '../enrichers/enrichers.ts'
import { createGuardedFetch } from '../lib/outbound/guarded-fetch.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'

export function wireEnrichers(core: Core, auth: Auth): EnricherCalls {
  const { stores, bus, clock, log, metrics, settings } = core
  // Separate connections without a limit per host: with it, calls of one environment would wait behind those of another to
  // the same host.
  const outbound = createGuardedFetch({ allow: settings.outboundAllow, connections: null, ...core.outbound })
  const calls = createEnrichers({
    registry: stores.enrichers,
    listSigningSecrets: auth.keyRing.listSigningSecrets,
    fetch: outbound.fetch,
    // Resolves early without an error: the caller checks the signal.
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
