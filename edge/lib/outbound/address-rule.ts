// Which addresses a call on a customer's behalf may reach: public unicast, and what the operator's OUTBOUND_ALLOW names (contract sections 8 and 12).

import ipaddr from 'ipaddr.js'

/** `allowed`: a range of OUTBOUND_ALLOW, where http may be spoken too; `public`: https only; `refused`: never. */
export type AddressVerdict = 'allowed' | 'public' | 'refused'
export type AddressRule = (address: string) => AddressVerdict

// The only block that IANA hands out as global unicast; the library takes all that it does not know for unicast.
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** `allow` are ranges such as `10.0.0.0/8`. Throws when one is none. */
export function createAddressRule(allow: readonly string[]): AddressRule {
  const ranges = allow.map((range) => ipaddr.parseCIDR(range))
  return (text) => {
    if (!ipaddr.isValid(text)) return 'refused'
    const address = unwrap(ipaddr.parse(text))
    if (ranges.some((range) => range[0].kind() === address.kind() && address.match(range))) return 'allowed'
    return isPublicUnicast(address) ? 'public' : 'refused'
  }
}

/** An IPv4 address in IPv6 clothes is judged as what it reaches. */
function unwrap(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

function isPublicUnicast(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6)
}
