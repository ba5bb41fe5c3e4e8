// Decides which addresses a call on a customer's behalf may reach: public unicast, and the ranges of OUTBOUND_ALLOW.

import ipaddr from 'ipaddr.js'

/** `allowed`: in OUTBOUND_ALLOW, http permitted too; `public`: https only; `refused`: never. */
export type AddressVerdict = 'allowed' | 'public' | 'refused'
export type AddressRule = (address: string) => AddressVerdict

// The only block that IANA assigns as global unicast; the library treats every unknown block as unicast.
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** @param allow Ranges such as `10.0.0.0/8`. @throws Error when one is invalid. */
export function createAddressRule(allow: readonly string[]): AddressRule {
  const ranges = allow.map((range) => ipaddr.parseCIDR(range))
  return (text) => {
    if (!ipaddr.isValid(text)) return 'refused'
    const address = unwrap(ipaddr.parse(text))
    if (ranges.some((range) => range[0].kind() === address.kind() && address.match(range))) return 'allowed'
    return isPublicUnicast(address) ? 'public' : 'refused'
  }
}

/** Converts an IPv4 address embedded in IPv6, which is checked as the IPv4 address that it reaches. */
function unwrap(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

function isPublicUnicast(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6)
}
