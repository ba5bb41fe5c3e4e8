// Defines what is learned of tracked events: their names, and paths and types of their properties; and the port that keeps it.

/** The types of a value, in the order of the bits of `TypeMask`. */
export const PROPERTY_TYPES = ['string', 'number', 'boolean', 'null', 'object', 'array'] as const
export type PropertyType = (typeof PROPERTY_TYPES)[number]

/** In how many events a path had a value of each type: an event counts once for each of its types. */
export type TypeCounts = Record<PropertyType, number>

/** What one node has counted of a name since its last write. */
export interface CountedName {
  environmentId: number
  name: string
  /** Events that came. */
  events: number
  /** Those of them whose properties were read. */
  sampled: number
  /** Whether some paths were left out. */
  isCut: boolean
  /** Epoch ms. */
  firstAt: number
  lastAt: number
  paths: CountedPath[]
}

export interface CountedPath {
  path: string
  types: TypeCounts
  /** Sampled events that had the path. */
  present: number
  lastAt: number
}

export interface KeptName extends Omit<CountedName, 'environmentId' | 'paths'> {
  /** The place in the list: rises with `lastAt`. */
  place: number
}

/** Of an environment; beyond it, the names go whose last event is the oldest. */
export const NAMES_KEPT = 1000
/** Of a name; beyond it, the paths go that were last seen the longest ago. */
export const PATHS_KEPT = 200

/** Learns from an accepted event. Never waits and never fails: nothing depends on what is learned. `at`: epoch ms. */
export type LearnEvent = (
  environmentId: number,
  event: {
    name: string
    userId?: string | undefined
    userIds?: readonly string[] | undefined
    properties?: object | undefined
  },
  at: number,
) => void

export interface EventNames {
  /** Adds to the counts that are there. */
  add(names: CountedName[]): Promise<void>
  /** Newest first; `before`: the place of the last one read (null at the newest). `q`: a part of the name, in any case. */
  listPage(environmentId: number, q: string | undefined, before: number | null, limit: number): Promise<KeptName[]>
  /** In no order. */
  findMany(environmentId: number, names: readonly string[]): Promise<KeptName[]>
  /** Of several names, by name; the paths in their order. */
  listPaths(environmentId: number, names: readonly string[]): Promise<Map<string, CountedPath[]>>
  /** The properties of the newest events of a name, but for events with more characters. */
  listRecent(environmentId: number, name: string, most: { events: number; chars: number }): Promise<object[]>
}
