// Renders the difference of two documents as a table, with a row for each value.

import { html, type TemplateResult } from 'lit'

export interface Change {
  kind: 'added' | 'removed' | 'changed'
  /** Such as `steps[0].title`. */
  path: string
  before: string | undefined
  after: string | undefined
}

const KINDS: Record<Change['kind'], string> = { added: 'Added', removed: 'Removed', changed: 'Changed' }

/** A table with a row for each value that differs. */
export function differenceView(changes: readonly Change[]): TemplateResult {
  if (changes.length === 0) return html`<p class="none-found">They are equal.</p>`
  return html`<div class="table-box">
    <table class="table difference">
      <thead>
        <tr><th scope="col">Change</th><th scope="col">Field</th><th scope="col">Before</th><th scope="col">After</th></tr>
      </thead>
      <tbody>
        ${changes.map(
          ({ kind, path, before, after }) =>
            html`<tr data-kind=${kind}>
              <td>${KINDS[kind]}</td>
              <th scope="row"><code>${path}</code></th>
              <td class="pre">${before ?? '–'}</td>
              <td class="pre">${after ?? '–'}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}
