// Generates and formats ids. Internally they are integers: 41 bits of milliseconds since 2026, 5 of node, 7 of counter. On
// the wire they are `prefix_` and 11 characters.

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
  person: 'per',
  dashboardSession: 'das',
  invitation: 'inv',
  passkey: 'pky',
  mailIntegration: 'int',
} as const
export type IdKind = keyof typeof ID_PREFIXES

export interface IdSource {
  /** Returns an id greater than all before it, also after the clock has stepped back. */
  next(): number
  /** Makes all further ids greater than this one (the floor of the store, read at the start). */
  raise(floor: number): void
}

/**
 * Creates the source of one kind in one process. `node` is 0–31, or a function called for each id. When a millisecond has
 * no number left, ids of the next one are used.
 */
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

/** @returns The smallest id of an instant (epoch milliseconds), to turn a time filter into an id range. */
export function idFloorAt(atMs: number): number {
  return Math.max(0, atMs - EPOCH_MS) * NODES * PER_MS
}

/** @returns Milliseconds from an instant to the creation time of the id; negative when the id is older. */
export function leadOf(id: number, atMs: number): number {
  return Math.floor(id / (NODES * PER_MS)) + EPOCH_MS + 1 - atMs
}

/** @returns The wire form of an id, such as `evt_0…`. */
export function formatId(kind: IdKind, value: number): string {
  let text = ''
  let rest = value
  for (let i = 0; i < WIDTH; i++) {
    text = ALPHABET[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return `${ID_PREFIXES[kind]}_${text}`
}

/** @returns The integer of a wire id; undefined when the text is no id of that kind. */
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
