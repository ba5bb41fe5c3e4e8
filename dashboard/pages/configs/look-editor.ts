// Renders the fields of a config's name and look: theme and accent colour.

import { html, type TemplateResult } from 'lit'
import type { ConfigFields } from '../../api/tenant.ts'
import { choiceField } from '../../elements/fields.ts'
import { contrastOf } from '../../lib/contrast.ts'

const THEMES = [
  ['auto', 'That of the page'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

/** The widget's own, where a config sets none. */
const OWN_ACCENT = '#4457e8'
const COLOUR = /^#[0-9a-f]{6}$/i

/** The surfaces of the widget. */
const SURFACES = { light: '#ffffff', dark: '#1b1c21' } as const
/** Marks and large text need it (WCAG 1.4.11). */
const LEAST_CONTRAST = 3

/** @returns Where the accent can hardly be seen. */
export function contrastWarnings(accent: string | null, theme: 'auto' | 'light' | 'dark'): string[] {
  if (accent === null || !COLOUR.test(accent)) return []
  return (['light', 'dark'] as const).flatMap((one) => {
    const contrast = contrastOf(accent, SURFACES[one])
    if ((theme !== 'auto' && theme !== one) || contrast >= LEAST_CONTRAST) return []
    return [`Hard to see in the ${one} theme: its contrast is ${contrast.toFixed(1)} : 1, and 3 : 1 is needed.`]
  })
}

export function lookEditor(
  { name, widget }: ConfigFields,
  onChange: (change: Partial<ConfigFields>) => void,
): TemplateResult {
  const setAccent = ({ target }: Event) => {
    const text = (target as HTMLInputElement).value.trim()
    onChange({ widget: { ...widget, accentColor: text === '' ? null : text } })
  }
  const { accentColor } = widget
  const picked = accentColor !== null && COLOUR.test(accentColor) ? accentColor : OWN_ACCENT
  return html`<section class="card" aria-labelledby="look-title">
    <header class="card-head"><h2 id="look-title">Look</h2></header>
    <div class="card-fields">
      <div class="field">
        <label for="config-name">Name</label>
        <input id="config-name" class="input" maxlength="200" required autocomplete="off" .value=${name} @input=${({ target }: Event) => onChange({ name: (target as HTMLInputElement).value })} />
      </div>
      ${choiceField('look', { name: 'theme', label: 'Theme', value: widget.theme, choices: THEMES, onChange: (theme) => onChange({ widget: { ...widget, theme: theme as typeof widget.theme } }) })}
      <div class="field">
        <label for="look-accent">Accent colour</label>
        <div class="colour">
          <input type="color" aria-label="Pick the accent colour" .value=${picked} @input=${setAccent} />
          <input id="look-accent" class="input mono" placeholder="The widget’s own" maxlength="7" autocomplete="off" spellcheck="false" .value=${accentColor ?? ''} @input=${setAccent} aria-describedby="look-accent-hint" />
        </div>
        <p class="hint" id="look-accent-hint">Such as #0a7f5a. Empty: the widget’s own, with one shade for each theme.</p>
        <div role="status">${contrastWarnings(accentColor, widget.theme).map((text) => html`<p class="field-fault">${text}</p>`)}</div>
      </div>
    </div>
  </section>`
}
