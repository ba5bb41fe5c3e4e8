// Renders why a draft cannot be shown as it is, and what is doubtful in it, each with the way to its place.

import { html, nothing, type TemplateResult } from 'lit'
import { DOUBT_WORDS } from '../../../../contract/doubt.ts'
import type { TriedDoubts } from '../../../../contract/resources/tried-doubt.ts'
import { ApiFailure } from '../../../api/client.ts'
import type { Draft } from '../../../editor/step-tree.ts'
import { messageOf } from '../../../elements/states.ts'
import { type Place, placeOfPath } from '../publish/place-words.ts'
import { GoTo } from './sample.ts'

/** @param go Called with the place of a fault that is pressed. */
export function faultsView(draft: Draft, error: unknown, go: (place: Place) => void): TemplateResult | typeof nothing {
  if (error === undefined) return nothing
  const details = error instanceof ApiFailure ? (error.body.details ?? []) : []
  return html`<div class="faults" role="alert">
    <p>${details.length === 0 ? messageOf(error) : headOf(error)}</p>
    ${
      details.length === 0
        ? nothing
        : html`<ul>
            ${details.map(({ path, message }) => {
              const place = placeOfPath(draft, path)
              return html`<li><button type="button" class="place" @click=${() => go(place)}>${place.words}</button> ${message}</li>`
            })}
          </ul>`
    }
  </div>`
}

function headOf(error: unknown): string {
  const isFaulty = error instanceof ApiFailure && error.body.code === 'campaign/invalid-definition'
  return isFaulty ? 'The draft has faults. Below is how it was before.' : messageOf(error)
}

export function doubtsView(doubts: TriedDoubts): TemplateResult | typeof nothing {
  if (doubts === undefined || doubts.length === 0) return nothing
  return html`<div class="doubts" role="status">
    <p>${doubts.length === 1 ? 'One thing is doubtful.' : `${doubts.length} things are doubtful.`}</p>
    <ul>
      ${doubts.map(
        ({ kind, message, example }) =>
          html`<li><strong>${DOUBT_WORDS[kind]}:</strong> ${message}${example === null ? nothing : html` <code>${example}</code>`}</li>`,
      )}
    </ul>
  </div>`
}

/** @returns asks the page, from this element, to show a place */
export const goFrom =
  (element: HTMLElement) =>
  ({ path, stepId }: Place): void => {
    element.dispatchEvent(new GoTo(path, stepId))
  }
