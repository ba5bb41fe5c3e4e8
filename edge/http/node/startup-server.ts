// Answers requests while the edge waits for its store: `/healthz` alive, `/readyz` not ready, all other paths 503.

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { ApiError } from '../../lib/api-error.ts'
import { correlationIdOf } from '../../lib/correlation.ts'
import { errorAnswer, jsonAnswer } from '../kernel/answer.ts'
import { extendHeadersTimeout } from './body-timeouts.ts'

export interface StartupServer {
  /** Listens. Rejects when the port is in use. */
  open(): Promise<void>
  /** Releases the port; does nothing when it was never opened. */
  close(): Promise<void>
}

const TIMEOUTS = { headersTimeout: 3000, requestTimeout: 5000, connectionsCheckingInterval: 500 }

/** @returns A server that listens only after `open`. */
export function createStartupServer({ host, port }: { host: string; port: number }): StartupServer {
  let server: Server | undefined
  return {
    async open() {
      server = createServer(TIMEOUTS, getRequestListener(answer))
      extendHeadersTimeout(server)
      server.listen(port, host)
      await once(server, 'listening')
    },
    async close() {
      if (server === undefined) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      server = undefined
      await closed
    },
  }
}

function answer(request: Request): Response {
  const correlationId = correlationIdOf(request.headers.get('x-correlation-id') ?? undefined)
  const { pathname } = new URL(request.url)
  if (pathname === '/healthz') return jsonAnswer({ status: 'alive' }, 200, correlationId)
  const details = [{ path: 'store', message: 'The store is unreachable.' }]
  const error = new ApiError(
    'service/unavailable',
    pathname === '/readyz' ? { message: 'The store is unreachable.', reason: 'store', details } : {},
  )
  return errorAnswer(error, correlationId)
}
