// Completes variables of a template: finds the one that is being typed, and writes the chosen one.

import { readProperty } from '../../../editor/clicks.ts'
import type { KnownPath } from './form-context.ts'

const SHOWN = 50
/** What may stand between `{{` and the cursor while a path is typed. */
const BEGUN = /^-?\s*([\w.[\]"'-]*)$/

export interface TypedVariable {
  /** Where its `{{` begins. */
  from: number
  typed: string
}

/** @returns the variable before the cursor; undefined where none is being typed */
export function findTyped(text: string, cursor: number): TypedVariable | undefined {
  const from = text.slice(0, cursor).lastIndexOf('{{')
  if (from < 0) return undefined
  const typed = BEGUN.exec(text.slice(from + 2, cursor))?.[1]
  return typed === undefined ? undefined : { from, typed }
}

/** Paths that a template or a condition can read: not those of items of a list. */
export const readablePaths = (known: readonly KnownPath[]): KnownPath[] =>
  known.filter(({ path }) => readProperty(path) !== undefined)

/** @returns the paths that contain the text, those first in which a part begins with it */
export function matchPaths(known: readonly KnownPath[], typed: string): KnownPath[] {
  const text = typed.toLowerCase()
  const found = readablePaths(known).filter(({ path }) => path.toLowerCase().includes(text))
  const rank = ({ path }: KnownPath) => (`.${path.toLowerCase()}`.includes(`.${text}`) ? 0 : 1)
  return found.sort((one, other) => rank(one) - rank(other)).slice(0, SHOWN)
}

/** @returns the text with the variable in place of what was typed, and the cursor behind it */
export function writeVariable(text: string, { from }: TypedVariable, cursor: number, path: string) {
  const variable = `{{ ${path} }}`
  const rest = text.slice(cursor).replace(/^[\w.[\]"'-]*[ \t]*-?\}\}/, '')
  return { text: text.slice(0, from) + variable + rest, cursor: from + variable.length }
}

/** @returns an example of a known value in a few characters; undefined without one */
export function exampleOf({ examples }: KnownPath): string | undefined {
  const [first] = examples
  if (first === undefined) return undefined
  const text = typeof first === 'string' ? first : JSON.stringify(first)
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}
