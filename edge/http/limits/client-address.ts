// Whose word is taken for a caller's address: the connection's, or what the outermost of the known proxies saw (`TRUSTED_PROXIES`).

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type Asked, headerOf } from '../context.ts'

/**
 * The caller's address. With `trustedProxies` n it is the n-th of `X-Forwarded-For` from the right: what stands further
 * left anyone may have written. Where that is no address, it is that of the connection.
 */
export function clientAddress(c: Asked, trustedProxies: number): string {
  const peer = c.env?.incoming?.socket.remoteAddress ?? ''
  const forwarded = trustedProxies === 0 ? undefined : headerOf(c, 'x-forwarded-for')
  if (forwarded === undefined) return peer
  // Bounded by the limit of headers; each proxy appends one, so the last n are the known ones' words.
  const hops = forwarded.split(',').slice(-trustedProxies)
  return findAddress(hops[0] as string) ?? peer
}

/** Some proxies write `address:port`, and `[…]` around IPv6. */
function findAddress(hop: string): string | undefined {
  const text = hop.trim()
  const bare = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  return isIP(bare) === 0 ? undefined : bare
}

/** Who is counted as one caller: a household of IPv6 has a /64 to pick addresses from. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  // A zone (`fe80::1%eth0`) is no part of the network.
  const parsed = ipaddr.parse(address.split('%', 1)[0] as string)
  if (!(parsed instanceof ipaddr.IPv6)) return address
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : parsed.parts.slice(0, 4).join(':')
}
