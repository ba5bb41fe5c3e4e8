// Learns names and properties of events in memory, and writes what it counted every few seconds: tracking does not wait for it.

import type { Core } from '../../domain/core.ts'
import {
  type CountedName,
  type CountedPath,
  type LearnEvent,
  PATHS_KEPT,
  PROPERTY_TYPES,
  type TypeCounts,
} from '../../domain/event-names.ts'
import { type ReadPaths, readPaths, type TypeMask } from './read-paths.ts'

export interface LearnEvents {
  learn: LearnEvent
  /** Resolves when all counts are written. Never rejects: counts that could not be written are lost. */
  settle(): Promise<void>
}

const WRITE_EVERY_MS = 5000
/** Of a name, all of the first events are read, and then one in so many. */
const READ_FIRST = 100
const READ_EVERY = 50
/** Values that are looked at between two writes, of an environment and of all: some 10 and 50 ms. */
const MOST_VALUES = { environment: 40_000, all: 200_000 }
/** Names that this process did not know, between two writes; of further ones, no event is counted. */
const MOST_NEW = { environment: 200, all: 1000 }
/** Rows of one write: it takes some 20 ms of the writer. */
const MOST_PATHS = 4000
/** Beyond it, the process begins anew to know names. */
const MOST_KNOWN = 20_000

/** A name that this process knows, with its counts since the last write. */
interface KnownName extends Omit<CountedName, 'paths'> {
  /** Events that came since the process began to know the name. */
  seen: number
  paths: Map<string, CountedPath>
}

interface KnownEnvironment {
  names: Map<string, KnownName>
  /** Looked at since the last write. */
  values: number
  added: number
}

export function createLearnEvents({ eventNames, log }: Pick<Core, 'eventNames' | 'log'>): LearnEvents {
  let environments = new Map<number, KnownEnvironment>()
  let known = 0
  let changed: KnownName[] = []
  const spent = { values: 0, added: 0, paths: 0 }
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  function findEnvironment(environmentId: number): KnownEnvironment {
    let found = environments.get(environmentId)
    if (found === undefined) {
      found = { names: new Map(), values: 0, added: 0 }
      environments.set(environmentId, found)
    }
    return found
  }

  /** @returns Undefined when there are too many new names. */
  function addName(environment: KnownEnvironment, environmentId: number, name: string): KnownName | undefined {
    if (environment.added >= MOST_NEW.environment || spent.added >= MOST_NEW.all) return undefined
    environment.added++
    spent.added++
    known++
    const added = { environmentId, name, seen: 0, ...NOTHING, paths: new Map() }
    environment.names.set(name, added)
    return added
  }

  function sample(environment: KnownEnvironment, one: KnownName, event: Parameters<LearnEvent>[1], at: number): void {
    const hasRoom = environment.values < MOST_VALUES.environment && spent.values < MOST_VALUES.all
    if (!hasRoom || spent.paths >= MOST_PATHS) return
    const before = one.paths.size
    const read = readPaths(event.properties ?? {}, usersOf(event))
    addPaths(one, read, at)
    spent.paths += one.paths.size - before
    environment.values += read.values
    spent.values += read.values
  }

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const counted = changed.map(take)
    changed = []
    Object.assign(spent, { values: 0, added: 0, paths: 0 })
    if (known > MOST_KNOWN) {
      environments = new Map()
      known = 0
    } else
      for (const environment of environments.values()) {
        environment.values = 0
        environment.added = 0
      }
    if (counted.length === 0) return
    await eventNames.add(counted).catch((error: unknown) => log.warn('event names not recorded', { error }))
  }

  function settle(): Promise<void> {
    writing = writing.then(write)
    return writing
  }

  return {
    learn(environmentId, event, at) {
      const environment = findEnvironment(environmentId)
      const one = environment.names.get(event.name) ?? addName(environment, environmentId, event.name)
      if (one === undefined) return
      if (one.events === 0) {
        one.firstAt = at
        changed.push(one)
        timer ??= setTimeout(settle, WRITE_EVERY_MS).unref()
      }
      one.events++
      one.lastAt = at
      if (++one.seen <= READ_FIRST || one.seen % READ_EVERY === 0) sample(environment, one, event, at)
    },
    settle,
  }
}

/** @returns Those that the event names; not the subscribers of a topic. */
const usersOf = ({ userId, userIds = [] }: Parameters<LearnEvent>[1]): ReadonlySet<string> =>
  userId === undefined ? new Set(userIds) : new Set([userId])

const NOTHING = { events: 0, sampled: 0, isCut: false, firstAt: 0, lastAt: 0 }

/** Takes the counts of a name, which begin anew. */
function take(one: KnownName): CountedName {
  const { environmentId, name, events, sampled, isCut, firstAt, lastAt, paths } = one
  Object.assign(one, { ...NOTHING, paths: new Map() })
  return { environmentId, name, events, sampled, isCut, firstAt, lastAt, paths: [...paths.values()] }
}

function addPaths(one: KnownName, { paths, isCut }: ReadPaths, at: number): void {
  one.sampled++
  one.isCut ||= isCut
  for (const [path, mask] of paths) {
    let counted = one.paths.get(path)
    if (counted === undefined) {
      if (one.paths.size >= PATHS_KEPT) {
        one.isCut = true
        continue
      }
      counted = { path, types: noTypes(), present: 0, lastAt: at }
      one.paths.set(path, counted)
    }
    counted.present++
    counted.lastAt = at
    addTypes(counted.types, mask)
  }
}

const noTypes = (): TypeCounts => ({ string: 0, number: 0, boolean: 0, null: 0, object: 0, array: 0 })

function addTypes(types: TypeCounts, mask: TypeMask): void {
  for (const [bit, type] of PROPERTY_TYPES.entries()) if ((mask & (1 << bit)) !== 0) types[type]++
}
