// Renders the form of the step `branch`: each branch with its name, and when it is taken.

import { html, type TemplateResult } from 'lit'
import { type Path, readAt } from '../../../../editor/step-tree.ts'
import { conditionField } from '../condition-field.ts'
import { edit, type Form, faultOnly, numberField, segmentsField, textField } from '../form-field.ts'
import { listRows } from '../list-rows.ts'
import { freeKey, itemsOf, recordOf, replaceKeys } from '../step-edits.ts'

export const BRANCH_FIELDS = ['branches']

export function branchForm(form: Form, path: Path): TemplateResult {
  const list = [...path, 'branches']
  return html`${listRows(form, {
    path: list,
    label: 'Branches',
    item: 'Branch',
    add: 'Add a branch',
    hint: 'The first branch whose condition holds is taken; without one, a branch by weight; then the one for all others. Figures and history name them.',
    isOrdered: true,
    isRequired: true,
    newItem: () => {
      const taken = itemsOf(readAt(form.draft, list)).map((one) => recordOf(one).key)
      return { key: freeKey('b', taken), when: '', steps: [] }
    },
    row: (own) => branchFields(form, list, own),
  })}`
}

type Way = 'when' | 'weight' | 'else'
const WAYS: readonly Way[] = ['when', 'weight', 'else']
const FIRST: Readonly<Record<Way, unknown>> = { when: '', weight: 50, else: true }

const isWay = (branch: Readonly<Record<string, unknown>>, way: Way) =>
  branch[way] !== undefined && branch[way] !== null && branch[way] !== false

function branchFields(form: Form, list: Path, path: Path): TemplateResult {
  const branch = recordOf(readAt(form.draft, path))
  const given = WAYS.filter((way) => isWay(branch, way))
  const current = given[0] ?? 'when'
  const choose = (way: Way) =>
    edit(form, path, replaceKeys(branch, WAYS, way, FIRST[way]), `Way of the branch “${String(branch.key)}”`)
  return html`
    ${textField(form, { path: [...path, 'key'], label: 'Name', isRequired: true })}
    ${segmentsField(form, {
      path: [...path, 'way'],
      label: 'Taken',
      choices: [
        ['when', 'If'],
        ['weight', 'By weight'],
        ['else', 'For all others'],
      ],
      current,
      choose,
    })}
    ${(given.length === 0 ? [current] : given).map((way) => wayField(form, list, path, way))}
    ${current === 'when' ? '' : faultOnly(form, [...path, 'when'])}
  `
}

function wayField(form: Form, list: Path, path: Path, way: Way): unknown {
  if (way === 'else') return faultOnly(form, [...path, 'else'])
  if (way === 'weight')
    return numberField(form, { path: [...path, 'weight'], label: 'Weight', hint: shareOf(form, list, path) })
  return conditionField(form, {
    path: [...path, 'when'],
    label: 'If',
    isLabelHidden: true,
    isRequired: true,
    none: 'No condition yet: this branch is never taken.',
  })
}

/** @returns how many users a weight takes of those for whom no condition holds */
function shareOf(form: Form, list: Path, path: Path): string {
  const weights = itemsOf(readAt(form.draft, list)).map((one) => Number(recordOf(one).weight ?? 0) || 0)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const own = weights[Number(path.at(-1))] ?? 0
  const share = total > 0 ? `${Math.round((100 * own) / total)} %` : 'A share'
  return `${share} of those for whom no condition holds; a user always gets the same. From 0 to 1000.`
}
