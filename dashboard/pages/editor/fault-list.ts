// Lists the faults of a draft, each as a way to its place.

import { html, nothing, type TemplateResult } from 'lit'
import type { ErrorDetail } from '../../../contract/errors.ts'
import { type Draft, isObject, type Path, parsePath, readAt, walkSteps } from '../../editor/step-tree.ts'

/** @param go Selects the step of a fault, with the path of the field; undefined for the campaign itself. */
export function faultList(
  faults: readonly ErrorDetail[],
  draft: Draft,
  go: (step: Path | undefined, field: Path) => void,
): TemplateResult | typeof nothing {
  if (faults.length === 0) return nothing
  return html`<section class="card editor-faults" aria-labelledby="editor-faults-title">
    <h2 id="editor-faults-title">${faults.length === 1 ? '1 fault' : `${faults.length} faults`}</h2>
    <ul>
      ${faults.map((fault) => {
        const field = parsePath(fault.path, draft)
        const step = stepOf(draft, field)
        return html`<li>
          <button type="button" class="link" @click=${() => go(step, field)}>${placeWords(draft, step, field)}</button>
          ${fault.message}
        </li>`
      })}
    </ul>
  </section>`
}

/** @returns the innermost step around a field */
export function stepOf(draft: Draft, field: Path): Path | undefined {
  return walkSteps(draft).findLast(({ path }) => path.every((key, index) => key === field[index]))?.path
}

function placeWords(draft: Draft, step: Path | undefined, field: Path): string {
  if (step === undefined) return field.length === 0 ? 'Campaign' : `Campaign, ${field.join(' ')}`
  const value = readAt(draft, step)
  const name = isObject(value) && typeof value.id === 'string' && value.id !== '' ? `“${value.id}”` : 'A step'
  const rest = field.slice(step.length)
  return rest.length === 0 ? name : `${name}, ${rest.join(' ')}`
}
