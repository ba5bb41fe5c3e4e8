// Lists the faults of a draft, each as a way to its place.

import { html, nothing, type TemplateResult } from 'lit'
import type { ErrorDetail } from '../../../contract/errors.ts'
import { type Draft, isWithin, type Path, walkSteps } from '../../editor/step-tree.ts'
import { placeOfPath } from './publish/place-words.ts'

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
        const { words, path } = placeOfPath(draft, fault.path)
        return html`<li>
          <button type="button" class="link" @click=${() => go(stepOf(draft, path), path)}>${words}</button>
          ${fault.message}
        </li>`
      })}
    </ul>
  </section>`
}

/** @returns the innermost step around a field */
export function stepOf(draft: Draft, field: Path): Path | undefined {
  return walkSteps(draft).findLast(({ path }) => isWithin(field, path))?.path
}
