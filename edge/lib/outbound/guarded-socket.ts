// Opens TCP connections on a customer's behalf to allowed addresses only: checks the connected address, never the name.

import { connect, isIP, type Socket } from 'node:net'
import type { AddressRule } from './address-rule.ts'
import { createGuardedLookup } from './guarded-connector.ts'
import { OutboundError } from './outbound-error.ts'
import type { Resolve } from './resolve.ts'

export interface SocketGuard {
  rule: AddressRule
  resolve: Resolve
  /** Milliseconds for name and connection. */
  timeoutMs: number
}

/**
 * Resolves the host once, connects to those of its addresses that may be reached, and checks the peer of the open socket.
 * @throws OutboundError
 */
export function openGuardedSocket({ rule, resolve, timeoutMs }: SocketGuard, host: string, port: number) {
  const mayReach = (address: string | undefined) => address !== undefined && rule(address) !== 'refused'
  const lookup = createGuardedLookup(resolve, mayReach)
  return new Promise<Socket>((done, fail) => {
    // No lookup takes place for a literal address.
    if (isIP(host) !== 0 && !mayReach(host)) return fail(new OutboundError('forbidden-address'))
    const socket = connect({ host, port, lookup })
    const end = (error: OutboundError) => {
      clearTimeout(timer)
      socket.destroy()
      fail(error)
    }
    const timer = setTimeout(() => end(new OutboundError('timeout')), timeoutMs)
    // Stays: an error before the caller listens would otherwise end the process.
    socket.on('error', (error) => end(toOutboundError(error)))
    socket.once('connect', () => {
      if (!mayReach(socket.remoteAddress)) return end(new OutboundError('forbidden-address'))
      clearTimeout(timer)
      done(socket)
    })
  })
}

/** With several addresses node collects the error of each attempt. */
function toOutboundError(error: unknown): OutboundError {
  const all = error instanceof AggregateError ? error.errors : [error]
  const inner = all.find((one) => one instanceof OutboundError)
  return inner ?? new OutboundError('unreachable', { cause: error })
}
