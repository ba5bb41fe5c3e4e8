// Finds how the addresses begin that a template builds and gives to a snippet, which does not see what their author wrote.

import type { Context, Token } from 'liquidjs'
import { findBeginnings } from './address-beginnings.ts'
import { readWritten } from './address-states.ts'
import { chargeChars } from './budget.ts'
import { encodeBeginnings, encodeOrigins, inLowerCase } from './built-beginning.ts'
import { Markup, type OutputKind } from './liquid-markup.ts'
import { listParts } from './template-parts.ts'

/** An address that was built, in lower case, and how it begins, as `keepBeginning` reads it. */
export interface BuiltAddress {
  text: string
  beginnings: string
}
const REGISTER = 'built addresses'

type FindArgument = (value: Token, at: number) => string | undefined
/** The tags of a template are parsed one after the other, so that its definitions are found once. */
let last: { source: string; kind: OutputKind; find: FindArgument } | undefined

/** @returns how an argument of the tag at a place may begin; undefined where a value decides, or nothing needs to be kept */
export function findArgument(source: string, kind: OutputKind, value: Token, at: number): string | undefined {
  if (last?.source !== source || last.kind !== kind) last = { source, kind, find: createFind(source, kind) }
  return last.find(value, at)
}

function createFind(source: string, kind: OutputKind): FindArgument {
  const parts = listParts(source)
  const beginningsOf = findBeginnings(source, parts, (text) => readWritten(text, kind))
  return (value, at) => {
    // What the lines of a tag `liquid` assign is known behind it.
    const lines = parts.find(({ start, end, tag }) => tag === 'liquid' && start <= at && at < end)
    const ways = beginningsOf.ofToken(value, lines?.end ?? at)
    return ways === undefined ? encodeOrigins(source) : encodeBeginnings(ways, false)
  }
}

/** Makes a snippet, and those within it, know what it was given. */
export function setBuilt(snippet: Context, built: readonly BuiltAddress[]): void {
  if (built.length > 0) snippet.setRegister(REGISTER, [...built, ...builtOf(snippet)])
}

/** @returns the addresses that the snippet was given */
export const builtOf = (context: Context): readonly BuiltAddress[] =>
  (context.getRegister(REGISTER) as BuiltAddress[] | undefined) ?? []

/** @returns the text of a value as an address, in lower case; undefined for what is no text. @throws OverBudget */
export function addressOf(value: unknown, kind: OutputKind): string | undefined {
  const written = value instanceof Markup ? value.markup : value
  if (typeof written !== 'string') return undefined
  chargeChars(written.length)
  const text = value instanceof Markup ? readWritten(written, kind) : written
  return text.trim() === '' ? undefined : inLowerCase(text.trim())
}
