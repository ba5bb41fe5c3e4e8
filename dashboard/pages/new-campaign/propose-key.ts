// Proposes the key of a campaign from its name, and makes it one that no campaign has.

import { MAX_KEY_CHARS } from '../../../contract/key.ts'

/** Without a letter that a key may have. */
const UNNAMED = 'campaign'

/** @returns Lower-case words joined by `-`; accents are left out. */
export function keyOfName(name: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
  // Room for the number of a key that is taken.
  const key = words.join('-').slice(0, MAX_KEY_CHARS - 5)
  return key.replace(/-+$/, '') || UNNAMED
}

/** @returns The key itself, else the first of `key-2`, `key-3` … that is not taken. */
export function freeKey(key: string, taken: ReadonlySet<string>): string {
  if (!taken.has(key)) return key
  const base = key.slice(0, MAX_KEY_CHARS - 5).replace(/[._-]+$/, '')
  let number = 2
  while (taken.has(`${base}-${number}`)) number++
  return `${base}-${number}`
}
