// Says the difference of two definitions in words, such as “Wait 10 minutes → 1 hour” or “Step “mail” is new”.

import { type Draft, type DraftStep, isObject, listsOf } from '../../../editor/step-tree.ts'
import { CAMPAIGN_FIELDS, fieldName, isDuration, pairWords, valueWords } from './field-words.ts'
import { findMoved, findRenamed, placesOf, type StepPlace } from './step-places.ts'

export interface Difference {
  words: string
  /** Where it is; undefined for the campaign itself, and for a step that is gone. */
  stepId?: string
  kind: 'added' | 'removed' | 'changed' | 'moved'
}

/** @returns each difference once, in the order of the steps as they are now; none where nothing differs */
export function differenceWords(before: Draft, after: Draft): Difference[] {
  const [was, is] = [placesOf(before), placesOf(after)]
  const renamed = findRenamed(was, is)
  const known = underNewIds(was, renamed)
  const moved = findMoved(known, is)
  const names = new Map([...renamed].map(([old, id]) => [id, old]))
  const ofSteps = [...is.values()].flatMap((place): Difference[] => {
    const former = known.get(place.id)
    if (former === undefined) return addedWords(place, is, known)
    const old = names.get(place.id)
    return [
      ...(old === undefined ? [] : [at(place.id, `“${old}” is called “${place.id}” now`)]),
      ...(moved.has(place.id) ? [movedWords(place, former)] : []),
      ...stepChanges(place.id, former.step, place.step),
    ]
  })
  const gone = [...known.values()].filter(({ id }) => !is.has(id))
  return [...campaignChanges(before, after), ...ofSteps, ...gone.flatMap((place) => removedWords(place, known, is))]
}

const at = (stepId: string, words: string, kind: Difference['kind'] = 'changed'): Difference => ({
  words,
  stepId,
  kind,
})

/** @returns the former places under the ids that the steps have now */
function underNewIds(was: Map<string, StepPlace>, renamed: Map<string, string>): Map<string, StepPlace> {
  if (renamed.size === 0) return was
  const now = <T extends string | undefined>(id: T) => (id === undefined ? id : (renamed.get(id) ?? id))
  const places = [...was.values()].map(({ id, owner, previous, way, step }) => {
    const ownerNow = now(owner)
    return { id: now(id), step, owner: ownerNow, way, previous: now(previous), list: `${ownerNow ?? ''} ${way}` }
  })
  return new Map(places.map((place) => [place.id, place]))
}

function addedWords(
  { id, owner, step }: StepPlace,
  is: ReadonlyMap<string, StepPlace>,
  known: ReadonlyMap<string, StepPlace>,
): Difference[] {
  // It comes with its owner, which says how many there are.
  if (owner !== undefined && !known.has(owner)) return []
  const inner = countInside(id, is, known)
  return [at(id, `Step “${id}” is new${inner}: ${valueWords('type', step.type)}`, 'added')]
}

function removedWords(
  { id, owner }: StepPlace,
  known: ReadonlyMap<string, StepPlace>,
  is: ReadonlyMap<string, StepPlace>,
): Difference[] {
  if (owner !== undefined && !is.has(owner)) return []
  return [{ words: `Step “${id}” is removed${countInside(id, known, is)}`, kind: 'removed' }]
}

/** @returns such as ", with 3 steps in it": those that the other definition does not have */
function countInside(
  id: string,
  places: ReadonlyMap<string, StepPlace>,
  others: ReadonlyMap<string, StepPlace>,
): string {
  const isInside = (owner: string | undefined): boolean =>
    owner !== undefined && (owner === id || isInside(places.get(owner)?.owner))
  const count = [...places.values()].filter((place) => isInside(place.owner) && !others.has(place.id)).length
  return count === 0 ? '' : `, with ${count} ${count === 1 ? 'step' : 'steps'} in it`
}

const WAYS: Readonly<Record<string, string>> = {
  then: 'when the event comes',
  onTimeout: 'when the event does not come',
}

function movedWords({ id, list, owner, way, previous }: StepPlace, former: StepPlace): Difference {
  const order = previous === undefined ? 'to the beginning' : `after “${previous}”`
  if (former.list === list) return at(id, `“${id}” moved ${order}`, 'moved')
  if (owner === undefined) return at(id, `“${id}” moved out of “${former.owner}”, ${order}`, 'moved')
  const inside = WAYS[way] ?? `branch “${way}”`
  return at(id, `“${id}” moved into “${owner}” (${inside})${previous === undefined ? '' : `, ${order}`}`, 'moved')
}

function campaignChanges(before: Draft, after: Draft): Difference[] {
  const [was, is] = [flattenCampaign(before), flattenCampaign(after)]
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((path) => {
    const name = CAMPAIGN_FIELDS[path] ?? `“${path}”`
    return changeWords(path, name, was.get(path), is.get(path))
  })
}

function flattenCampaign({ steps: _steps, ...fields }: Draft): Map<string, unknown> {
  const { trigger, ...others } = fields
  const ofTrigger = isObject(trigger) ? Object.entries(trigger).map(([key, value]) => [`trigger.${key}`, value]) : []
  return new Map([...Object.entries(others), ...ofTrigger] as [string, unknown][])
}

/** @returns the change of one value in words; a value that is null counts as absent */
function changeWords(field: string, name: string, was: unknown, is: unknown, stepId?: string): Difference[] {
  const before = was ?? undefined
  const after = is ?? undefined
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  const place = stepId === undefined ? {} : { stepId }
  if (before === undefined) return [{ words: `${name} is new: ${valueWords(field, after)}`, kind: 'added', ...place }]
  if (after === undefined)
    return [{ words: `${name} is removed: ${valueWords(field, before)}`, kind: 'removed', ...place }]
  // “Wait 10 minutes → 1 hour”: the name is a verb there.
  const colon = isDuration(field) && field === 'for' ? '' : ':'
  return [{ words: `${name}${colon} ${pairWords(field, before, after)}`, kind: 'changed', ...place }]
}

function stepChanges(id: string, before: DraftStep, after: DraftStep): Difference[] {
  const [was, is] = [ownFields(before), ownFields(after)]
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return keys.flatMap((key) => {
    if (key === 'locales') return localeChanges(id, was[key], is[key])
    if (key === 'actions') return actionChanges(id, was[key], is[key])
    if (key === 'branches') return branchChanges(id, was[key], is[key])
    if (key === 'for') return changeWords(key, fieldName(key), was[key], is[key], id)
    const [one, other] = [was[key], is[key]]
    if (isObject(one) && isObject(other)) return memberChanges(id, key, one, other)
    return changeWords(key, `${fieldName(key)} of “${id}”`, one, other, id)
  })
}

/** @returns the fields without the id and without the lists of inner steps, which have entries of their own */
function ownFields(step: DraftStep): DraftStep {
  const { id: _id, ...fields } = step
  const lists = new Set(listsOf(step).flatMap((path) => (path.length === 1 ? [path[0]] : [])))
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !lists.has(key)))
}

/** Of an object such as `data`, `params` or `unless`: each of its members. */
function memberChanges(id: string, key: string, was: DraftStep, is: DraftStep): Difference[] {
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((member) => {
    const known = fieldName(`${key}.${member}`)
    const name = known.startsWith('“') ? `“${member}” in ${fieldName(key)}` : known
    return changeWords(member, `${name} of “${id}”`, was[member], is[member], id)
  })
}

function localeChanges(id: string, was: unknown, is: unknown): Difference[] {
  const [before, after] = [objectOf(was), objectOf(is)]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((locale): Difference[] => {
    const [one, other] = [before[locale], after[locale]]
    if (one == null && other == null) return []
    if (one == null) return [at(id, `“${id}” has texts in ${locale} now`, 'added')]
    if (other == null) return [at(id, `“${id}” has no texts in ${locale} any more`, 'removed')]
    const [left, right] = [objectOf(one), objectOf(other)]
    return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((key) =>
      changeWords(key, `${fieldName(key)} of “${id}” in ${locale}`, left[key], right[key], id),
    )
  })
}

const objectOf = (value: unknown): DraftStep => (isObject(value) ? value : {})
const listOf = (value: unknown): DraftStep[] => (Array.isArray(value) ? value.map(objectOf) : [])

/** Buttons have no keys: they are compared by their places. */
function actionChanges(id: string, was: unknown, is: unknown): Difference[] {
  const [before, after] = [listOf(was), listOf(is)]
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => index).flatMap((index) => {
    const [one, other] = [before[index], after[index]]
    if (one === undefined) return [at(id, `Button ${valueWords('label', other?.label)} of “${id}” is new`, 'added')]
    if (other === undefined)
      return [at(id, `Button ${valueWords('label', one.label)} of “${id}” is removed`, 'removed')]
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
      changeWords(key, `${fieldName(key)} of button ${index + 1} of “${id}”`, one[key], other[key], id),
    )
  })
}

function branchChanges(id: string, was: unknown, is: unknown): Difference[] {
  const [before, after] = [byKey(was), byKey(is)]
  const common = [...after.keys()].filter((key) => before.has(key))
  const isReordered = common.join(' ') !== [...before.keys()].filter((key) => after.has(key)).join(' ')
  const changes = [...new Set([...before.keys(), ...after.keys()])].flatMap((key): Difference[] => {
    const [one, other] = [before.get(key), after.get(key)]
    if (one === undefined) return [at(id, `Branch “${key}” of “${id}” is new`, 'added')]
    if (other === undefined) return [at(id, `Branch “${key}” of “${id}” is removed`, 'removed')]
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((field) =>
      field === 'steps'
        ? []
        : changeWords(field, `${fieldName(field)} of branch “${key}” of “${id}”`, one[field], other[field], id),
    )
  })
  return isReordered ? [at(id, `The branches of “${id}” are in another order`, 'moved'), ...changes] : changes
}

const byKey = (branches: unknown): Map<string, DraftStep> =>
  new Map(listOf(branches).map((branch, index) => [String(branch.key ?? index + 1), branch]))
