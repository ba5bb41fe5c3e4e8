// Keeps values in the browser by a key of each.

/** @returns the values that are kept under a name, by their keys */
export function readKept<T>(name: string): Record<string, T> {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '{}') as Record<string, T>
  } catch {
    return {}
  }
}

/** Keeps one more value, in place of that of its key. */
export function keepValue(name: string, key: string, value: unknown): void {
  localStorage.setItem(name, JSON.stringify({ ...readKept(name), [key]: value }))
}
