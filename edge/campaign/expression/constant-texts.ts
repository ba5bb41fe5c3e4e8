// Finds the outputs of a template that print a text of its author, and no value.

import { findHeld } from './assigned-names.ts'
import type { TemplatePart } from './template-parts.ts'

/** Each one is a possible beginning of an address. */
const MAX_TEXTS = 8

const TEXT = /(?:"([^"\\]*)"|'([^'\\]*)')/.source
const ASSIGNED_TEXT = new RegExp(`^\\{%-?\\s*assign\\s+([\\w-]+)\\s*=\\s*${TEXT}\\s*-?%\\}$`)
/** Anything else that gives a name a value, also within `{% liquid %}`. */
const ASSIGNED = /\b(?:assign|capture|for|increment|decrement)\s+["']?([\w-]+)/g
const PRINTED = new RegExp(`^\\{[{%]-?\\s*(?:echo\\s+)?(?:([\\w-]+)|${TEXT})\\s*-?[%}]\\}$`)

/** @returns a function that returns which texts an output may print; undefined where a value may be printed */
export function findConstants(source: string, parts: readonly TemplatePart[]) {
  if (!/\bassign\b/.test(source)) return (part: TemplatePart) => constantOf(source, part)
  const heldAt = findHeld(source, parts)
  const others = listOthers(source, parts)
  return (part: TemplatePart): string[] | undefined => {
    const [, name] = PRINTED.exec(source.slice(part.start, part.end)) ?? []
    if (name === undefined) return constantOf(source, part)
    if (others.has(name)) return undefined
    const { definitions, mayBeOther, elementOf } = heldAt(name, part.start)
    if (mayBeOther || elementOf !== undefined || definitions.length > MAX_TEXTS) return undefined
    return definitions.flatMap(({ template }) => constantOf(template, { start: 0, end: template.length }) ?? [])
  }
}

function constantOf(source: string, { start, end }: Pick<TemplatePart, 'start' | 'end'>): string[] | undefined {
  const [whole, name, double, single] = PRINTED.exec(source.slice(start, end)) ?? []
  return whole === undefined || name !== undefined ? undefined : [double ?? single ?? '']
}

/** @returns the names that something else than an assigned text may set, wherever it stands */
function listOthers(source: string, parts: readonly TemplatePart[]): Set<string> {
  const others = new Set<string>()
  for (const { start, end, tag } of parts) {
    if (tag === undefined || tag === 'comment') continue
    const written = source.slice(start, end)
    if (tag === 'assign' && ASSIGNED_TEXT.test(written)) continue
    for (const [, other = ''] of written.matchAll(ASSIGNED)) others.add(other)
  }
  return others
}
