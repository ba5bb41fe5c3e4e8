// Checks a value by a schema, and says what is wrong with it in plain English.

import type { ZodType, z } from 'zod'
import type { ErrorCode, ErrorDetail } from '../../contract/errors.ts'
import { ApiError } from './api-error.ts'
import { cutLists } from './cut-lists.ts'
import { LARGE_INTEGER } from './json-guard.ts'
import { jsonPath, valueAt } from './json-path.ts'
import { keepDigits } from './read-json.ts'

/** Of one answer. */
const MAX_DETAILS = 100

/**
 * Validates a value.
 * @param others Faults that were found before.
 * @returns The output of the schema.
 * @throws ApiError `code`, with up to 100 faults as `details`, each with its JSON path.
 */
export function check<T>(schema: ZodType<T>, value: unknown, code: ErrorCode, others: ErrorDetail[] = []): T {
  const result = schema.safeParse(cutLists(schema, value))
  if (result.success && others.length === 0) {
    // What passed a schema stands in a free object.
    keepDigits(value, result.data)
    return result.data
  }
  const details = [...others, ...describeIssues(result.error?.issues ?? [], value)]
  throw new ApiError(code, { details: details.slice(0, MAX_DETAILS) })
}

/** @returns the faults of a value that stands at `path` */
export function findFaults(schema: ZodType, value: unknown, path: string): ErrorDetail[] {
  return describeIssues(schema.safeParse(value).error?.issues ?? [], value).map(({ message }) => ({ path, message }))
}

function describeIssues(issues: readonly Issue[], value: unknown): ErrorDetail[] {
  return issues.flatMap((issue) => {
    const message = describeIssue(issue, value)
    const isOurs = !OF_LIBRARY.test(issue.message)
    const inner = issue.code === 'invalid_union' && !isOurs ? findFitting(issue) : undefined
    if (inner !== undefined) return describeIssues(inner, value)
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: jsonPath([...issue.path, key]), message }))
    }
    const position: unknown = issue.code === 'custom' ? issue.params?.position : undefined
    return { path: jsonPath(issue.path), message, ...(typeof position === 'number' && { position }) }
  })
}

type Issue = z.core.$ZodIssue
/** How the library's own messages begin. */
const OF_LIBRARY = /^(?:Invalid |Too |Unrecognized )/

/** @returns the issues of the form that has the type of the value; undefined where it has none of these types */
function findFitting({ errors, path }: z.core.$ZodIssueInvalidUnion): Issue[] | undefined {
  const ofType = errors.find((own) => !own.some((one) => one.code === 'invalid_type' && one.path.length === 0))
  return ofType?.map((one) => ({ ...one, path: [...path, ...one.path] }))
}

/** The same terms are used in the checks of campaigns and preferences. */
const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
}

/**
 * Describes an issue in plain English, because readers of `details` do not know the validation library.
 * Keeps messages of our schemas and replaces messages of the library.
 * @param value The whole validated value.
 */
function describeIssue(issue: Issue, value: unknown): string {
  if (typeof valueAt(value, issue.path) === 'bigint') return LARGE_INTEGER
  if (!OF_LIBRARY.test(issue.message)) return issue.message
  // What is wrong with a key of a record stands inside.
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  if (issue.path.length > 0 && valueAt(value, issue.path) === undefined) return 'This is missing.'
  const rule = ruleOf(issue)
  return rule === undefined ? issue.message : `This must ${rule}.`
}

function ruleOf(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_NAMES[issue.expected] && `be ${TYPE_NAMES[issue.expected]}`
    case 'invalid_union':
      return `be ${oneOf(issue.errors.flatMap(([one]) => (one?.code === 'invalid_type' && TYPE_NAMES[one.expected]) || []))}`
    case 'invalid_value':
      return `be ${oneOf(issue.values.map(String))}`
    case 'too_small':
      return describeBound(issue.origin, 'at least', Number(issue.minimum))
    case 'too_big':
      return describeBound(issue.origin, 'at most', Number(issue.maximum))
    case 'unrecognized_keys':
      return 'not be here'
    default:
      return undefined
  }
}

function describeBound(origin: string, atLeastOrMost: string, bound: number): string {
  if (origin === 'string') return `have ${atLeastOrMost} ${bound} ${bound === 1 ? 'character' : 'characters'}`
  if (origin === 'array') return `have ${atLeastOrMost} ${bound} ${bound === 1 ? 'entry' : 'entries'}`
  return `be ${atLeastOrMost} ${bound}`
}

function oneOf(values: string[]): string {
  return values.length === 1 ? `${values[0]}` : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}
