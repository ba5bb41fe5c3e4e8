// Decides whether a host is this machine or in a private network, for servers that listen everywhere without PUBLIC_URL.

import { BlockList, isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { isLoopback } from './loopback.ts'

/** Addresses that no name of the public Internet needs: private, of a link, of a provider's own network. */
const PRIVATE = new BlockList()
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4')
PRIVATE.addSubnet('fc00::', 7, 'ipv6')
PRIVATE.addSubnet('fe80::', 10, 'ipv6')

const ANYWHERE = /^(0\.0\.0\.0|\[::(ffff:0:0)?\])$/

/** @returns Whether a server that listens at this host listens at all addresses of the machine. */
export function isAnywhere(host: string): boolean {
  const address = `http://${isIP(host) === 6 ? `[${host}]` : host}`
  return URL.canParse(address) && ANYWHERE.test(new URL(address).hostname)
}

/**
 * @param host The `Host` of a request, which its sender chooses.
 * @returns The origin by plain HTTP where the host is loopback, a private address, or an address or the name of this
 *   machine; else undefined.
 */
export function findNearOrigin(host: string | undefined): string | undefined {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return undefined
  const url = new URL(`http://${host}`)
  const name = url.hostname.replace(/^\[|\]$/g, '')
  return isLoopback(name) || isPrivate(name) || isOwn(name) ? url.origin : undefined
}

function isPrivate(name: string): boolean {
  const family = isIP(name)
  return family !== 0 && PRIVATE.check(name, family === 4 ? 'ipv4' : 'ipv6')
}

function isOwn(name: string): boolean {
  const own = hostname().toLowerCase()
  if (name === own || name === `${own}.local`) return true
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === name))
}
