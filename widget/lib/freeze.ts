// Freezes an object with all that it holds. In a loop: data may be nested deeper than calls may be.

export function freeze<T extends object>(value: T): T {
  const open: object[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Object.isFrozen(next)) continue
    Object.freeze(next)
    for (const held of Object.values(next)) if (typeof held === 'object' && held !== null) open.push(held)
  }
  return value
}
