// The icons of the panel: outlines of 24 × 24, drawn here; and the button that is an icon alone.

import { html, nothing, type TemplateResult } from 'lit'

export const PATHS = {
  archive: 'M4 8.5v9a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-9M3 4.5h18v4H3zM10 12.5h4',
  unarchive: 'M4 8.5v9a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-9M3 4.5h18v4H3zM12 17v-5m-2.5 2.2L12 11.7l2.5 2.5',
  back: 'M14.5 5.5 8 12l6.5 6.5',
  check: 'm3 12.5 4 4 8.5-9M11.5 15.5l1 1 8.5-9',
  choose: 'm4 6.5 1.5 1.5 3-3M4 12.5 5.5 14l3-3M4 18.5 5.5 20l3-3M12 6.5h8M12 12.5h8M12 18.5h8',
  close: 'm6 6 12 12M18 6 6 18',
  down: 'm6 9.5 6 6 6-6',
  dotted: 'M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M12 10.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3',
  error: 'M12 7.5v5.5m0 3.2v.1M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17',
  info: 'M12 16.5V11m0-3.2v-.1M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17',
  locked: 'M6.5 11h11v8.5h-11zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  settings:
    'M4 7.5h8M18 7.5h2M4 16.5h2M12 16.5h8M15 5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M9 14a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5',
  message: 'M18 8.5a6 6 0 0 0-12 0c0 6.2-2.5 7.6-2.5 7.6h17S18 14.7 18 8.5M13.7 19.5a2 2 0 0 1-3.4 0',
  offline:
    'm3.5 4.5 17 15M8.5 14.7a5 5 0 0 1 5-1.3M5.5 11.2a9.5 9.5 0 0 1 3.8-2.1M12.5 8.6a9.5 9.5 0 0 1 6 2.6M12 18.5v.1',
  open: 'M13 5.5h5.5V11M18 6l-7.5 7.5M16.5 14v3a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 17V9A1.5 1.5 0 0 1 7 7.5h3',
  snooze: 'M12 7.5V12l3 2M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17',
  success: 'm8 12.2 2.8 2.8L16.2 9.5M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17',
  trash:
    'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.8 11a1.5 1.5 0 0 0 1.5 1.5h6.4a1.5 1.5 0 0 0 1.5-1.5l.8-11M10 10.5v5.5m4-5.5v5.5',
  up: 'm6 14.5 6-6 6 6',
  warning: 'M12 9.5v4m0 3v.1M10.3 4.5 2.9 17.3a2 2 0 0 0 1.7 3h14.8a2 2 0 0 0 1.7-3L13.7 4.5a2 2 0 0 0-3.4 0',
} as const

export type IconName = keyof typeof PATHS

/** Hidden from assistive technology: the words stand beside it or name its button. */
export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[name]} /></svg>`
}

export interface IconButtonLook {
  look?: string
  /** One that is off keeps the focus that its press gave it. */
  isOff?: boolean
  isPressed?: boolean
  /** Not in the way of the Tab key: its row has keys for it. */
  isSkipped?: boolean
}

/** Its word is its name. */
export function iconButton(
  word: string,
  name: IconName,
  does: () => void,
  { look, isOff, isPressed, isSkipped }: IconButtonLook = {},
): TemplateResult {
  return html`<button
    type="button"
    class=${look === undefined ? 'icon-button' : `icon-button ${look}`}
    tabindex=${isSkipped ? -1 : nothing}
    aria-label=${word}
    title=${word}
    aria-pressed=${isPressed ?? nothing}
    aria-disabled=${isOff || nothing}
    @click=${isOff ? nothing : does}
  >
    ${icon(name)}
  </button>`
}
