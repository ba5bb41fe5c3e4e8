// Describes what forms of steps get from the page, and finds the fault of a field.

import type { Draft } from '../../../editor/step-tree.ts'
import { formatPath, isObject, type Path, readAt } from '../../../editor/step-tree.ts'

/** A fault of the API; `position` is an offset in the text. */
export interface Fault {
  message: string
  position?: number
}

/** A value that templates and conditions may read. */
export interface KnownPath {
  /** Such as `event.properties.total`. */
  path: string
  /** Types of JSON: `string`, `number`, `boolean`, `array`, `object`, `null`. */
  types: readonly string[]
  examples: readonly unknown[]
}

export interface NamedChoice {
  value: string
  label: string
}

/** Lists that the page has loaded; an absent one leaves a plain field. */
export interface Choices {
  enrichers?: readonly string[]
  categories?: readonly NamedChoice[]
  configs?: readonly NamedChoice[]
  eventNames?: readonly string[]
  /** Locales that other texts of the environment have. */
  locales?: readonly string[]
  /** Addresses that `from` of a mail may name. */
  senders?: readonly string[]
}

export interface FormContext {
  draft: Draft
  mayChange: boolean
  faultAt(path: Path): Fault | undefined
  known: readonly KnownPath[]
  choices: Choices
  /** @param value undefined removes the key. @param words What changes, such as "Title of “tell”". */
  change(path: Path, value: unknown, words: string): void
}

/** The id of a field. Keys of customers may have spaces, which end an id in lists of ids. */
export const fieldId = (path: Path): string => `field-${formatPath(path).replace(/\s/g, '_')}`

/** Shows a fault as long as its field has the value for which the API reported it. */
export class ShownFaults {
  readonly #values = new WeakMap<Fault, unknown>()

  find({ draft, faultAt }: Pick<FormContext, 'draft' | 'faultAt'>, path: Path): Fault | undefined {
    const fault = faultAt(path)
    if (fault === undefined) return undefined
    const value = readAt(draft, path)
    if (!this.#values.has(fault)) this.#values.set(fault, value)
    return this.#values.get(fault) === value ? fault : undefined
  }
}

/** Values of JSON in a field are at most so many; the API allows 500. */
const MOST_VALUES = 600

/** @returns the paths of a value and of all values in it */
export function pathsWithin(value: unknown, path: Path): Path[] {
  const paths: Path[] = [path]
  const waiting: [Path, unknown][] = [[path, value]]
  for (let next = waiting.pop(); next !== undefined && paths.length < MOST_VALUES; next = waiting.pop()) {
    const [at, inner] = next
    const entries = Array.isArray(inner) ? [...inner.entries()] : isObject(inner) ? Object.entries(inner) : []
    for (const [key, one] of entries) {
      paths.push([...at, key])
      waiting.push([[...at, key], one])
    }
  }
  return paths
}

/** @returns A value as the text of its field: one that is no text is shown as JSON, and stays until the text is changed. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
