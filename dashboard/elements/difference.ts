// Shows the difference of two values as a table, and reads the lines in which the server answers one.

import { html, type TemplateResult } from 'lit'

export interface Change {
  kind: 'added' | 'removed' | 'changed'
  /** Such as `steps[0].title`. */
  path: string
  before: string | undefined
  after: string | undefined
}

const LINE_KINDS: Readonly<Record<string, Change['kind']>> = { '+': 'added', '-': 'removed', '~': 'changed' }
/** A line of a list has no value. */
const LINE = /^([+\-~]) (.*?)(?:: (.*))?$/
/** Two values as JSON, each in full. */
const PAIR = /^("(?:[^"\\]|\\.)*"|[^"\s]+) → (.*)$/

/** @param line Such as `~ steps.greet.title: "Hi" → "Hello"`; another text becomes the field of a change. */
export function parseLine(line: string): Change {
  const [, sign = '~', path = line, values = ''] = LINE.exec(line) ?? []
  const kind = LINE_KINDS[sign] ?? 'changed'
  if (kind === 'added') return { kind, path, before: undefined, after: values }
  if (kind === 'removed') return { kind, path, before: values, after: undefined }
  const [, before, after] = PAIR.exec(values) ?? []
  return { kind, path, before, after }
}

const KINDS: Record<Change['kind'], string> = { added: 'Added', removed: 'Removed', changed: 'Changed' }

/** @returns A table with a row for each change. */
export function differenceView(changes: readonly Change[]): TemplateResult {
  if (changes.length === 0) return html`<p class="none-found">They are equal.</p>`
  return html`<div class="table-box" tabindex="0" role="region" aria-label="Difference">
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
