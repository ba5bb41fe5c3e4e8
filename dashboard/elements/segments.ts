// Renders a choice of few values as buttons beside each other.

import { html, type TemplateResult } from 'lit'

export function segments<T extends string>(
  label: string,
  choices: readonly (readonly [value: T, words: string])[],
  current: T,
  choose: (value: T) => void,
): TemplateResult {
  return html`<div class="segments" role="group" aria-label=${label}>
    ${choices.map(
      ([value, words]) =>
        html`<button type="button" class="segment" aria-pressed=${value === current} @click=${() => choose(value)}>${words}</button>`,
    )}
  </div>`
}
