// What a schema finds, in plain words: whoever reads `details` knows this service, and not the library that it validates with.

import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** As the checks of campaigns and preferences say it. */
const WANTED: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
}

/** A schema's own words stay; the library's are put into ours. `value` is the whole in which it was found. */
export function tellFault(issue: Issue, value: unknown): string {
  if (!/^(?:Invalid |Too )/.test(issue.message)) return issue.message
  if (isAbsent(value, issue.path)) return 'This is missing.'
  const rule = ruleOf(issue)
  return rule === undefined ? issue.message : `This must ${rule}.`
}

function ruleOf(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return WANTED[issue.expected] && `be ${WANTED[issue.expected]}`
    case 'invalid_value':
      return `be ${oneOf(issue.values.map(String))}`
    case 'too_small':
      return tellBound(issue.origin, 'at least', Number(issue.minimum))
    case 'too_big':
      return tellBound(issue.origin, 'at most', Number(issue.maximum))
    default:
      return undefined
  }
}

function tellBound(origin: string, atLeastOrMost: string, bound: number): string {
  if (origin === 'string') return `have ${atLeastOrMost} ${bound} ${bound === 1 ? 'character' : 'characters'}`
  if (origin === 'array') return `have ${atLeastOrMost} ${bound} ${bound === 1 ? 'entry' : 'entries'}`
  return `be ${atLeastOrMost} ${bound}`
}

function oneOf(words: string[]): string {
  return words.length === 1 ? `${words[0]}` : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function isAbsent(value: unknown, path: readonly PropertyKey[]): boolean {
  let at = value
  for (const key of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined
  return path.length > 0 && at === undefined
}
