// Decides which addresses a call on a customer's behalf may reach: public unicast, and the ranges of OUTBOUND_ALLOW.

import ipaddr from 'ipaddr.js'

/** `allowed`: in OUTBOUND_ALLOW, http permitted too; `public`: https only; `refused`: never. */
export type AddressVerdict = 'allowed' | 'public' | 'refused'
export type AddressRule = (address: string) => AddressVerdict

// The only block that IANA assigns as global unicast; the library treats every unknown block as unicast.
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')
/** Public by their number, but each machine of that cloud reaches the cloud's own services there. */
const CLOUD_INTERNAL = [
  // Azure: keys and certificates of the virtual machine, and its name server.
  '168.63.129.16/32',
  // IBM Cloud: service endpoints of its private network.
  '161.26.0.0/16',
  '166.8.0.0/14',
].map((range) => ipaddr.parseCIDR(range))

/** @param allow Ranges such as `10.0.0.0/8`. @throws Error when one is invalid. */
export function createAddressRule(allow: readonly string[]): AddressRule {
  const ranges = allow.map((range) => ipaddr.parseCIDR(range))
  return (text) => {
    if (!ipaddr.isValid(text)) return 'refused'
    const address = unwrap(ipaddr.parse(text))
    if (isWithin(ranges, address)) return 'allowed'
    return isPublicUnicast(address) ? 'public' : 'refused'
  }
}

/** Converts an IPv4 address embedded in IPv6, which is checked as the IPv4 address that it reaches. */
function unwrap(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

function isWithin(ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][], address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return ranges.some((range) => range[0].kind() === address.kind() && address.match(range))
}

function isPublicUnicast(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast' || isWithin(CLOUD_INTERNAL, address)) return false
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6)
}
