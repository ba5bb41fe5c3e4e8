// Says in words which value of a definition a path of the API names, such as “Title of “tell” in fr”.

import {
  type Draft,
  type DraftStep,
  formatPath,
  isObject,
  isWithin,
  type Path,
  parsePath,
  readAt,
  walkSteps,
} from '../../../editor/step-tree.ts'
import { CAMPAIGN_FIELDS, fieldName } from './field-words.ts'

export interface Place {
  words: string
  path: Path
  /** The step that has the value; undefined for the campaign itself. */
  stepId?: string
}

/** @param text such as `steps[0].locales.fr.title` */
export function placeOfPath(draft: Draft, text: string): Place {
  const path = parsePath(text, draft)
  const found = walkSteps(draft).findLast((one) => isWithin(path, one.path))
  if (found === undefined) return { words: CAMPAIGN_FIELDS[text] ?? (text === '' ? 'The campaign' : `“${text}”`), path }
  const { id } = found.step
  const name = typeof id === 'string' && id !== '' ? id : formatPath(found.path)
  const inside = wordsInside(found.step, path.slice(found.path.length))
  const words = inside === undefined ? `Step “${name}”` : `${inside[0]} of “${name}”${inside[1]}`
  return { words, path, ...(typeof id === 'string' && id !== '' && { stepId: id }) }
}

/** @returns the name of the field, and what follows the name of the step; undefined for the step itself */
function wordsInside(step: DraftStep, inside: Path): [field: string, after: string] | undefined {
  const [first, second, ...rest] = inside
  if (first === undefined) return undefined
  if (first === 'locales' && second !== undefined)
    return rest.length === 0 ? [`Texts in ${second}`, ''] : [fieldName(formatPath(rest)), ` in ${second}`]
  if (first === 'actions' && typeof second === 'number') {
    const button = `button ${second + 1}`
    return [rest.length === 0 ? `B${button.slice(1)}` : `${fieldName(formatPath(rest))} of ${button}`, '']
  }
  if (first === 'branches' && typeof second === 'number') {
    const branch = readAt(step, ['branches', second])
    const key = isObject(branch) && typeof branch.key === 'string' ? branch.key : String(second + 1)
    return rest.length === 0 ? [`Branch “${key}”`, ''] : [`${fieldName(formatPath(rest))} of branch “${key}”`, '']
  }
  return [fieldName(formatPath(inside)), '']
}

/** @returns the place of a step by its id, as doubts name it; undefined for no step of the draft */
export function placeOfStep(draft: Draft, stepId: string): Place | undefined {
  const found = walkSteps(draft).find(({ step }) => step.id === stepId)
  return found && { words: `Step “${stepId}”`, path: found.path, stepId }
}
