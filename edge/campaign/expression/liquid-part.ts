// Remembers which tag or filter of a template ended it, and says what to write instead.

import { type Template as Node, TypeGuards } from 'liquidjs'

/** Evaluations are synchronous and do not contain each other, so one of each is enough. */
let failedNode: Node | undefined
let filterInCall: string | undefined

/** Begins a template. */
export function forgetPart(): void {
  failedNode = undefined
  filterInCall = undefined
}

/** Notes a node that failed; the innermost is told first, and stays. */
export function noteNode(node: Node | undefined): void {
  failedNode ??= node
}

/** Notes the filter that begins, or undefined at its end. One that throws has no end. */
export function noteFilter(name: string | undefined): void {
  filterInCall = name
}

const EARLIER = 'assign its result once, before the loop'
const SHORTER = 'shorten its text first, by slice or truncate'
const FEWER = 'loop over fewer items, by limit or where'
const HINTS: Record<string, string> = {
  ...Object.fromEntries(
    ['where', 'reject', 'find', 'find_index', 'has', 'group_by', 'map', 'sum', 'sort', 'sort_natural', 'uniq'].map(
      (name) => [name, EARLIER],
    ),
  ),
  for: FEWER,
  if: FEWER,
  date: 'print fewer dates',
}

/** @returns where the template in progress ended, such as "the filter sort in line 3"; undefined when it is not known */
export function findPart(): { place: string; hint: string } | undefined {
  const token = failedNode?.token
  if (token === undefined) return undefined
  const tag = TypeGuards.isTagToken(token) ? token.name : undefined
  const name = filterInCall ?? tag
  const part = filterInCall !== undefined ? `the filter ${name}` : tag !== undefined ? `the tag ${name}` : 'an output'
  const [line] = token.getPosition()
  const hint = HINTS[name ?? ''] ?? (filterInCall !== undefined ? SHORTER : FEWER)
  const of = token.file === undefined ? '' : ` of the snippet ${token.file}`
  return { place: `${part} in line ${line}${of}`, hint }
}
