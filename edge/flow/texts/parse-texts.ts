// Parses translations and snippets as they are written, up to what the engine says of them.

import type { ErrorDetail } from '../../../contract/errors.ts'
import { MAX_MESSAGES } from '../../../contract/resources/text.ts'
import { MAX_SNIPPET_LEVELS, usedTextsIn } from '../../campaign/expression/used-texts.ts'

/** Of one environment, and of its files. */
export const TEXT_LIMITS = { files: 200, keys: MAX_MESSAGES, keyChars: 256, allChars: 2 * 1024 * 1024 }
const MAX_LEVELS = 8
export const MAX_FAULTS = 100

const MESSAGE_RULE = `This must be a message or an object of messages, at most ${MAX_LEVELS} levels deep.`

/** Reads messages by key; those of nested objects have joined keys, such as `order.shipped`. */
export function parseMessages(input: unknown): { messages: Map<string, string>; faults: ErrorDetail[] } {
  const messages = new Map<string, string>()
  const faults: ErrorDetail[] = []
  const refuse = (path: string, message: string) => {
    if (faults.length < MAX_FAULTS) faults.push({ path, message })
  }
  const read = (value: unknown, key: string, level: number): void => {
    if (typeof value === 'string') {
      if (key.length > TEXT_LIMITS.keyChars)
        refuse(`${key.slice(0, 100)}…`, `A key has at most ${TEXT_LIMITS.keyChars} characters.`)
      else if (messages.has(key)) refuse(key, 'Another message has this key.')
      else messages.set(key, value)
    } else if (typeof value !== 'object' || value === null || Array.isArray(value) || level > MAX_LEVELS) {
      refuse(key, MESSAGE_RULE)
    } else {
      for (const [name, one] of Object.entries(value)) {
        // It is refused already, whatever follows.
        if (messages.size > TEXT_LIMITS.keys || faults.length === MAX_FAULTS) return
        if (name === '') refuse(key, 'A key has at least one character.')
        else read(one, key === '' ? name : `${key}.${name}`, level + 1)
      }
    }
  }
  read(input, '', 0)
  if (messages.size > TEXT_LIMITS.keys) refuse('', `A locale has at most ${TEXT_LIMITS.keys} messages.`)
  return { messages, faults }
}

/** @returns the faults of snippets together: unknown names, cycles, and too many levels */
export function findSnippetFaults(name: string, sources: ReadonlyMap<string, string>): ErrorDetail[] {
  const inner = new Map([...sources].map(([each, source]) => [each, usedTextsIn(source).snippets]))
  const unknown = (inner.get(name) ?? []).filter((each) => !inner.has(each))
  const faults = unknown.map((each) => `There is no snippet ${each}.`)
  const cycle = findCycle(name, inner)
  if (cycle !== undefined) faults.push(`Snippets render each other: ${cycle.join(', ')}.`)
  else if (isTooDeep(inner)) faults.push(`Snippets nest at most ${MAX_SNIPPET_LEVELS} levels deep.`)
  return faults.map((message) => ({ path: 'source', message }))
}

type Inner = ReadonlyMap<string, readonly string[]>

/** Returns a way from the snippet to itself. */
function findCycle(name: string, inner: Inner): string[] | undefined {
  const ways = new Map((inner.get(name) ?? []).map((each) => [each, [name, each]]))
  // A map that grows is visited to its end.
  for (const [at, way] of ways) {
    if (at === name) return way
    for (const next of inner.get(at) ?? []) if (!ways.has(next)) ways.set(next, [...way, next])
  }
  return undefined
}

/** Returns whether any snippet has more levels of others in it than are rendered. */
function isTooDeep(inner: Inner): boolean {
  let levels = new Map<string, number>()
  for (let round = 0; round <= MAX_SNIPPET_LEVELS; round++) {
    const known = levels
    levels = new Map(
      [...inner].map(([name, names]) => [name, 1 + Math.max(0, ...names.map((one) => known.get(one) ?? 0))]),
    )
  }
  return [...levels.values()].some((count) => count > MAX_SNIPPET_LEVELS)
}
