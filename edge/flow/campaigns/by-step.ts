// Converts a definition to an object of steps by id. Compared so, an inserted or moved step does not change all later ones.

/** Converts lists of steps and branches to objects by id or key; the member `order` keeps their order. */
export function byStep(value: unknown): unknown {
  if (Array.isArray(value)) {
    const keys = value.map((item: unknown) => keyOf(item))
    if (value.length === 0 || keys.includes(undefined)) return value.map(byStep)
    const members = value.map((item: unknown, at) => [keys[at] as string, byStep(item)] as const)
    return { order: keys.join(', '), ...Object.fromEntries(members) }
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, byStep(member)]))
}

/** The id of a step, or the key of a branch. */
function keyOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null) return undefined
  if ('id' in item && typeof item.id === 'string') return item.id
  return 'steps' in item && 'key' in item && typeof item.key === 'string' ? item.key : undefined
}
