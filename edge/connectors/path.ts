// Reads what lies at a path in an item of a delivery.

/** What lies at a dotted path such as `data.items[0].id`, own fields only; undefined where there is nothing. */
export function valueAt(root: unknown, path: string): unknown {
  if (path === '') return root
  let value = root
  for (const key of path.split(/[.[\]]+/).filter((part) => part !== '')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}
