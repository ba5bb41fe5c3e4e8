// Wires the calls to the enrichers of customers.

import { setTimeout as delay } from 'node:timers/promises'
import { createEnrichers, type EnricherCalls } from '../enrichers/enrichers.ts'
import { createGuardedFetch } from '../lib/outbound/guarded-fetch.ts'
import type { AppCore } from './core.ts'
import type { Auth } from './wire-auth.ts'
import { traceEnrichers, traceFetch } from './wire-traces.ts'

/** @returns The calls; `stop` also closes their connections. */
export function wireEnrichers(core: AppCore, auth: Auth): EnricherCalls {
  const { metrics, settings } = core
  // Uses its own connections without a limit per host: calls of one environment must not wait for those of another.
  const outbound = createGuardedFetch({ allow: settings.outboundAllow, connections: null, ...core.outbound })
  const calls = createEnrichers({
    ...core,
    listSigningSecrets: auth.keyRing.listSigningSecrets,
    fetch: traceFetch(core.traces, outbound.fetch),
    // Resolves early without an error: the caller checks the signal.
    pause: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
    watch: metrics,
  })
  return {
    ...traceEnrichers(core.traces, calls),
    async stop() {
      await calls.stop()
      await outbound.close()
    },
  }
}
