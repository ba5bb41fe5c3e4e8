// Decides whether a host is this machine alone, in every spelling of names and addresses.

import { isIP } from 'node:net'

/**
 * Takes a name or address without a port; an IPv6 address with or without brackets.
 * @returns False also for names that a resolver may map to this machine: only `localhost` is reserved for it.
 */
export function isLoopback(host: string): boolean {
  const name = hostnameOf(host) ?? ''
  const isIPv4 = isIP(name) === 4 && name.startsWith('127.')
  return isIPv4 || name === 'localhost' || name === '::1' || /^::ffff:7f[0-9a-f]{2}:/.test(name)
}

/** @returns Whether only this machine can reach the host of an address. */
export function isLoopbackUrl(url: string): boolean {
  return isLoopback(new URL(url).hostname)
}

/** Lets the URL parser write the host in its one normal form. @returns Undefined for what is no host. */
function hostnameOf(host: string): string | undefined {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  const isIPv6 = isIP(bare) === 6
  if (!isIPv6 && !/^[\w.-]+$/.test(bare)) return undefined
  const address = `http://${isIPv6 ? `[${bare}]` : bare}/`
  return URL.canParse(address) ? new URL(address).hostname.replace(/^\[|\]$|\.$/g, '') : undefined
}
