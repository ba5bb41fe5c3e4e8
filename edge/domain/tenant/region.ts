// Checks the region of keys, and finds the address that serves a region.

export interface Regions {
  /** The region in this deployment's keys. */
  own: string
  /** Addresses by region, from REGION_HOSTS. */
  hosts: Readonly<Record<string, string>>
}

/** @returns The region's address; null where REGION_HOSTS has none. */
export function hostOfRegion({ hosts }: Regions, region: string): string | null {
  // A region's name may equal an inherited property.
  return Object.hasOwn(hosts, region) ? (hosts[region] ?? null) : null
}

/**
 * Describes why a key of another region is refused, for the caller to correct the address.
 * @returns Undefined for a key of this region, and for a text that names none.
 */
export function describeForeignKey(kind: string, named: string | undefined, regions: Regions): string | undefined {
  if (named === undefined || named === regions.own) return undefined
  const host = hostOfRegion(regions, named)
  const use = host === null ? '' : ` Use ${host} with it.`
  return `This ${kind} belongs to region "${named}"; this is region "${regions.own}".${use}`
}
