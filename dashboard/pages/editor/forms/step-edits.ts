// Changes objects and lists of a step without a change of the order of the rest.

import { type Draft, type DraftStep, isObject, type Path, samePath, walkSteps } from '../../../editor/step-tree.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Puts a key in the place of another one, or of several. Without one of them, the new key is the last.
 *
 * @param value undefined: no key stands in their place.
 */
export function replaceKeys(object: Json, keys: readonly string[], key: string, value: unknown): Json {
  const at = Object.keys(object).findIndex((one) => keys.includes(one))
  const entries = Object.entries(object).filter(([one]) => !keys.includes(one) && one !== key)
  const before = Object.keys(object)
    .slice(0, Math.max(at, 0))
    .filter((one) => !keys.includes(one) && one !== key)
  const place = at < 0 ? entries.length : before.length
  return Object.fromEntries(value === undefined ? entries : entries.toSpliced(place, 0, [key, value]))
}

/** @returns a list with an item one place up or down */
export function moveItem(list: readonly unknown[], at: number, by: -1 | 1): unknown[] {
  return list.toSpliced(at, 1).toSpliced(at + by, 0, list[at])
}

/** @returns a key for a new item, such as `b2` */
export function freeKey(begin: string, taken: readonly unknown[]): string {
  for (let number = 1; ; number++) if (!taken.includes(`${begin}${number}`)) return `${begin}${number}`
}

/** A step that writes a message into the inbox. */
export interface InboxStep {
  id: string
  title: string
}

/** @returns the inbox steps before a step, which its mail may name */
export function inboxStepsBefore(draft: Draft, path: Path): InboxStep[] {
  const walked = walkSteps(draft)
  const at = walked.findIndex(({ path: other }) => samePath(other, path))
  return walked.slice(0, Math.max(at, 0)).flatMap(({ step: { id, type, title } }) => {
    if (type !== 'inbox' || typeof id !== 'string' || id === '') return []
    return [{ id, title: typeof title === 'string' ? title : '' }]
  })
}

/** Whether conditions of a step may read `awaited`: a waitFor stands before it or around it. */
export function knowsAwaited(draft: Draft, path: Path): boolean {
  const walked = walkSteps(draft)
  const at = walked.findIndex(({ path: other }) => samePath(other, path))
  return walked.slice(0, at + 1).some(({ step }) => step.type === 'waitFor')
}

/** @returns the keys of a step that its form does not show */
export const unknownKeys = (step: DraftStep, fields: readonly string[]): string[] =>
  Object.keys(step).filter((key) => !fields.includes(key))

export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const recordOf = (value: unknown): Json => (isObject(value) ? value : {})
