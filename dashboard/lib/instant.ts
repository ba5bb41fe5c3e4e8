// Turns the local times of an address and of fields into the instants of the API.

/** @returns undefined for a text that is no time. */
export function toInstant(local: string | undefined): string | undefined {
  const at = local === undefined ? Number.NaN : Date.parse(local)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
