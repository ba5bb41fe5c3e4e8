// Serves /metrics and the probes on a port of their own (METRICS_PORT), which no proxy makes public.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { HttpApp } from '../kernel/context.ts'

const PATHS = new Set(['/metrics', '/healthz', '/readyz'])
const TIMEOUTS = { headersTimeout: 3000, requestTimeout: 5000, connectionsCheckingInterval: 500 }

/** @returns A function that closes the port; without METRICS_PORT none is opened. Rejects when the port is taken. */
export async function openMetricsPort(
  app: Pick<HttpApp, 'fetch'>,
  { host, metricsPort: port }: { host: string; metricsPort: number | null },
): Promise<() => void> {
  if (port === null) return () => {}
  const server = createServer(
    TIMEOUTS,
    getRequestListener((request, env) => {
      if (!PATHS.has(new URL(request.url).pathname)) return new Response(null, { status: 404 })
      return app.fetch(request, Object.assign(env, { isMetricsPort: true as const }))
    }),
  )
  server.listen(port, host)
  await once(server, 'listening')
  return () => {
    server.close()
    server.closeAllConnections()
  }
}
