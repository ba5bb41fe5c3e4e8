// Opens TCP connections to servers that customers configured (SMTP), but not to internal addresses (SSRF protection).

import { connect, isIP, type Socket } from 'node:net'
import { createAddressRule } from './address-rule.ts'
import { createGuardedLookup, mayReach } from './guarded-connector.ts'
import { OutboundError } from './outbound-error.ts'
import { createResolve, type Resolve } from './resolve.ts'

const TIMEOUT_MS = 10_000

export interface SocketTarget {
  /** A name or an address. */
  host: string
  port: number
  /** False: no TLS will follow, which only addresses of OUTBOUND_ALLOW may have. */
  usesTls: boolean
}

/** @returns the open connection, without TLS yet. @throws OutboundError */
export type GuardedConnect = (target: SocketTarget) => Promise<Socket>

export interface GuardedSocketDeps {
  /** Ranges of OUTBOUND_ALLOW. */
  allow: readonly string[]
  /** Default: that of `createGuardedFetch`. */
  resolve?: Resolve
  timeoutMs?: number
}

/** The addresses of a name are checked and only allowed ones are dialled; the peer of the open connection is checked. */
export function createGuardedConnect({
  allow,
  resolve = createResolve({ asksSystem: allow.length > 0 }),
  timeoutMs = TIMEOUT_MS,
}: GuardedSocketDeps): GuardedConnect {
  const rule = createAddressRule(allow)
  return ({ host, port, usesTls }) => {
    const isAllowed = (address: string) => mayReach(rule, usesTls, address)
    const name = host.replace(/^\[|\]$/g, '')
    if (isIP(name) !== 0 && !isAllowed(name)) return Promise.reject(new OutboundError('forbidden-address'))
    return new Promise((succeed, fail) => {
      const socket = connect({ host: name, port, lookup: createGuardedLookup(resolve, isAllowed) })
      const end = (error: OutboundError) => {
        clearTimeout(timer)
        socket.destroy()
        fail(error)
      }
      const timer = setTimeout(() => end(new OutboundError('timeout')), timeoutMs)
      socket.on('error', (error) => end(toOutboundError(error)))
      socket.once('connect', () => {
        const { remoteAddress } = socket
        if (remoteAddress === undefined || !isAllowed(remoteAddress)) return end(new OutboundError('forbidden-address'))
        clearTimeout(timer)
        succeed(socket)
      })
    })
  }
}

function toOutboundError(error: unknown): OutboundError {
  // With several addresses node collects the error of each attempt.
  const all: unknown[] = error instanceof AggregateError ? error.errors : [error]
  const inner = all.find((one) => one instanceof OutboundError)
  return inner instanceof OutboundError ? inner : new OutboundError('unreachable', { cause: error })
}
