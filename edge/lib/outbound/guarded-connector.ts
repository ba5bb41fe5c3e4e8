// Opens connections on a customer's behalf to allowed addresses only: checks the connected address, never the name.

import { isIP, type LookupFunction, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { buildConnector } from 'undici'
import type { AddressRule } from './address-rule.ts'
import { OutboundError } from './outbound-error.ts'
import type { Resolve } from './resolve.ts'

export interface ConnectorOptions {
  rule: AddressRule
  /** Milliseconds for name, connection and TLS. */
  timeoutMs: number
  resolve: Resolve
  /** Opens permitted connections; default: that of undici. For tests, which dial public addresses on their own machine. */
  dial?: Dial
}

export type Dial = (options: buildConnector.BuildOptions) => buildConnector.connector

/**
 * Creates a connector for undici with three checks, each sufficient alone. A literal address is checked before a connection
 * is opened. The addresses of a name are checked, and only allowed ones are used. The peer of the open socket is checked.
 */
export function createGuardedConnector(options: ConnectorOptions): buildConnector.connector {
  const connectors = { 'https:': connectorFor('https:', options), 'http:': connectorFor('http:', options) }
  return (target, callback) => {
    const { protocol } = target
    if (protocol !== 'https:' && protocol !== 'http:') return callback(new OutboundError('forbidden-scheme'), null)
    const literal = target.hostname.replace(/^\[|\]$/g, '')
    if (isIP(literal) !== 0 && !mayReach(options.rule, protocol === 'https:', literal)) {
      return callback(new OutboundError('forbidden-address'), null)
    }
    connectors[protocol](target, (error, socket) => {
      if (error !== null) return callback(error, null)
      if (isReachable(options.rule, protocol === 'https:', socket)) return callback(null, socket)
      socket.destroy()
      callback(new OutboundError('forbidden-address'), null)
    })
  }
}

function connectorFor(protocol: 'https:' | 'http:', options: ConnectorOptions): buildConnector.connector {
  const lookup = createGuardedLookup(options.resolve, (address) =>
    mayReach(options.rule, protocol === 'https:', address),
  )
  // Typed by node as any of its kinds of connection; a lookup is one of TCP.
  const tcp = { lookup, timeout: options.timeoutMs, allowH2: false }
  return (options.dial ?? buildConnector)(tcp as buildConnector.BuildOptions)
}

/** Creates a lookup that returns only the allowed addresses of a name, and fails for a name without any. */
export function createGuardedLookup(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, lookupOptions, callback) => {
    resolve(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      const reachable = addresses.filter(({ address }) => isAllowed(address))
      const [first] = reachable
      if (first === undefined) return callback(new OutboundError('forbidden-address'), [])
      if (lookupOptions.all === true) return callback(null, reachable)
      callback(null, first.address, first.family)
    })
  }
}

/** Permits connections without TLS only to addresses of OUTBOUND_ALLOW. */
export function mayReach(rule: AddressRule, usesTls: boolean, address: string): boolean {
  const verdict = rule(address)
  return verdict === 'allowed' || (verdict === 'public' && usesTls)
}

function isReachable(rule: AddressRule, usesTls: boolean, socket: Socket | TLSSocket): boolean {
  return socket.remoteAddress !== undefined && mayReach(rule, usesTls, socket.remoteAddress)
}
