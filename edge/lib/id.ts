// Ids: integers inside (41 bits of milliseconds since 2026, 5 of node, 7 of counter), `prefix_` and 11 characters on the wire (contract section 1).

import type { Clock } from './clock.ts'

const EPOCH_MS = Date.UTC(2026, 0, 1)
const NODES = 32
const PER_MS = 128
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const WIDTH = 11
const VALUE = new Map([...ALPHABET].map((char, index) => [char, index]))

export const ID_PREFIXES = {
  event: 'evt',
  message: 'msg',
  campaign: 'cmp',
  run: 'run',
  source: 'src',
  organisation: 'org',
  environment: 'env',
  secret: 'sec',
  session: 'ses',
  job: 'job',
  notificationConfig: 'cfg',
} as const
export type IdKind = keyof typeof ID_PREFIXES

export interface IdSource {
  /** The next id: greater than every one before it, also when the clock has stepped back. */
  next(): number
  /** Never hand out an id at or below this one (the store's floor, read at the start). */
  raise(floor: number): void
}

/** One source per kind and process. `node` is 0–31, or asked for at each id. Ids borrow from the coming millisecond when one is used up. */
export function createIdSource(clock: Clock, node: number | (() => number) = 0): IdSource {
  const nodeNow = typeof node === 'number' ? () => node : node
  let lastMs = 0
  let counter = 0
  return {
    next() {
      const nowMs = clock.now() - EPOCH_MS
      if (nowMs > lastMs) {
        lastMs = nowMs
        counter = 0
      } else if (++counter === PER_MS) {
        lastMs++
        counter = 0
      }
      return (lastMs * NODES + nodeNow()) * PER_MS + counter
    },
    raise(floor) {
      const floorMs = Math.floor(floor / (NODES * PER_MS)) + 1
      if (floorMs > lastMs) {
        lastMs = floorMs
        counter = -1
      }
    },
  }
}

/** The smallest id of an instant (epoch milliseconds): turns a time filter into an id range. */
export function idFloorAt(atMs: number): number {
  return Math.max(0, atMs - EPOCH_MS) * NODES * PER_MS
}

/** How much later than an instant the id says that it was made (ms); negative when it is the earlier. */
export function leadOf(id: number, atMs: number): number {
  return Math.floor(id / (NODES * PER_MS)) + EPOCH_MS + 1 - atMs
}

export function formatId(kind: IdKind, value: number): string {
  let text = ''
  let rest = value
  for (let i = 0; i < WIDTH; i++) {
    text = ALPHABET[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return `${ID_PREFIXES[kind]}_${text}`
}

/** The integer of a wire id, or undefined when it is not one of that kind. */
export function parseId(kind: IdKind, text: string): number | undefined {
  const prefix = ID_PREFIXES[kind]
  if (text.length !== prefix.length + 1 + WIDTH || !text.startsWith(`${prefix}_`)) return undefined
  let value = 0
  for (let i = prefix.length + 1; i < text.length; i++) {
    const digit = VALUE.get(text[i] as string)
    if (digit === undefined) return undefined
    value = value * 32 + digit
  }
  return Number.isSafeInteger(value) ? value : undefined
}
