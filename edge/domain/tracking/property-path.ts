// Writes and compares the paths of properties of events, such as `items[].sku`, `balances.*` or `["odd key"].total`.

/** Any item of a list. */
export const ANY_ITEM = '[]'
/** Any of the keys that are values themselves, such as ids. */
export const ANY_KEY = '*'

const NAME = /^[A-Za-z_]\w*$/
const MAX_KEY_CHARS = 64
/** Names have versions and years; ids, times and phone numbers have more digits. */
const MOST_DIGITS = 4
/** Our keys, those of others with the usual beginnings, and tokens: what is learned outlives the event. */
const SECRET = /^(?:nc_(?:sdk|auth|front)_|whsec_|[srp]k_(?:live|test)_|gh[a-z]_|xox[a-z]-|eyJ[\w-]{8})/

/** @returns The path of a key of the object at `path`; '' is the root. */
export function pathOfKey(path: string, key: string): string {
  if (!NAME.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}

/** @returns The path of all keys of the object at `path` that are values themselves. */
export const pathOfAnyKey = (path: string): string => (path === '' ? ANY_KEY : `${path}.${ANY_KEY}`)

/** @returns The path of the items of the list at `path`. */
export const pathOfItems = (path: string): string => `${path}${ANY_ITEM}`

/** Whether a key is data and not a name, such as a user id, an address, a secret or a time: it may be personal, and there are many. */
export function isValueKey(key: string): boolean {
  if (key.length > MAX_KEY_CHARS || key.includes('@') || SECRET.test(key)) return true
  let digits = 0
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at)
    if (code >= 48 && code <= 57 && ++digits > MOST_DIGITS) return true
  }
  return false
}

const INDEX = /^-?\d{1,9}$/
/** Names by which Liquid reads an item, or a size that no event has. */
const ITEM_NAMES = new Set(['first', 'last'])
const SIZE = 'size'

/**
 * Finds whether `known` has a path, as templates and conditions write it: an index or `first` is an item of a list.
 * @param keys Such as `['items', '0', 'sku']`.
 */
export function isKnownPath(known: ReadonlySet<string>, keys: readonly string[], path = ''): boolean {
  const [key, ...rest] = keys
  if (key === undefined) return path === '' || known.has(path)
  if (path !== '' && !known.has(path)) return false
  if (key === SIZE && rest.length === 0 && path !== '') return true
  const next = [pathOfKey(path, key), pathOfAnyKey(path)]
  if (key === ANY_ITEM || INDEX.test(key) || ITEM_NAMES.has(key)) next.push(pathOfItems(path))
  return next.some((one) => known.has(one) && isKnownPath(known, rest, one))
}

/** @returns The path that reads like these keys, for people. */
export function pathOfKeys(keys: readonly string[]): string {
  return keys.reduce((path, key) => {
    if (key === ANY_ITEM) return pathOfItems(path)
    return INDEX.test(key) && path !== '' ? `${path}[${key}]` : pathOfKey(path, key)
  }, '')
}
