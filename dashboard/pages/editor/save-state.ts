// Says whether the draft is saved, and lets a person choose where others have changed the same.

import { html, nothing, type TemplateResult } from 'lit'
import type { Choices, SaveState } from '../../editor/draft-session.ts'
import type { MergeConflict } from '../../editor/merge.ts'
import { icon } from '../../elements/icon.ts'
import { messageOf } from '../../elements/states.ts'

/** One line beside the name. */
export function saveStateView(state: SaveState, faults: number): TemplateResult {
  const [name, tone, words] = wordsOf(state, faults)
  return html`<span class="save-state" data-tone=${tone} role="status">${icon(name)}${words}</span>`
}

function wordsOf(state: SaveState, faults: number): readonly [icon: string, tone: string, words: string] {
  switch (state.kind) {
    case 'saved':
      return ['check', 'good', 'Saved']
    case 'unsaved':
    case 'saving':
      return ['refresh', 'quiet', 'Saving…']
    case 'faulty':
      return [
        'warning',
        'warn',
        `${faults === 1 ? '1 fault' : `${faults} faults`}: kept in this browser until it is mended`,
      ]
    case 'failed':
      return ['warning', 'warn', `Not saved, kept in this browser: ${messageOf(state.error)}`]
    case 'conflict':
      return ['warning', 'warn', 'Somebody else has changed the same']
  }
}

/** @param choose Takes the choices for all conflicts. */
export function conflictChoices(
  conflicts: readonly MergeConflict[],
  choose: (choices: Choices) => void,
): TemplateResult {
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    choose(new Map(conflicts.map(({ name }) => [name, form.get(name) === 'theirs' ? 'theirs' : 'mine'])))
  }
  return html`<section class="conflict editor-conflict" role="alert"><form @submit=${submit}>
    <p><strong>Somebody else has saved other values of the same fields meanwhile.</strong> Everything else of both is kept. Choose for each:</p>
    ${conflicts.map(
      ({ name, mine, theirs }) =>
        html`<fieldset>
          <legend><code>${name}</code></legend>
          ${choice(name, 'mine', 'Yours', mine, true)} ${choice(name, 'theirs', 'Theirs', theirs, false)}
        </fieldset>`,
    )}
    <div class="card-foot"><button class="button" type="submit">Keep these</button></div>
  </form></section>`
}

function choice(name: string, value: string, label: string, shown: unknown, isFirst: boolean): TemplateResult {
  const text = shown === undefined ? 'Removed' : typeof shown === 'string' ? shown : JSON.stringify(shown, null, 2)
  return html`<label class="conflict-choice">
    <input type="radio" name=${name} value=${value} ?checked=${isFirst} />
    <span>${label}</span>
    <pre class="json">${text === '' ? nothing : text}</pre>
  </label>`
}
