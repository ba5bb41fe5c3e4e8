// A part of the panel: times to snooze to, the selection bar, the list of keys, the picture of an empty list.

import { html, type TemplateResult } from 'lit'
import { EN_RARE } from '../../../locales/en-rare.ts'
import type { PanelHost, Rare } from '../panel-types.ts'
import { NcKeys } from './keys.ts'
import { rareStyles } from './rare.styles.ts'
import { NcSelection } from './selection.ts'
import { NcSnooze } from './snooze.ts'

export const restingBell: TemplateResult = html`<svg class="resting" viewBox="0 0 120 96" aria-hidden="true">
  <ellipse class="ground" cx="60" cy="86" rx="34" ry="4" />
  <circle class="halo" cx="60" cy="44" r="38" />
  <path class="body" d="M60 18a18 18 0 0 0-18 18c0 19-7 24-9 26-1 1.4 0 3 1.7 3h50.6c1.7 0 2.7-1.6 1.7-3-2-2-9-7-9-26a18 18 0 0 0-18-18z" />
  <path class="shine" d="M50 30a12 12 0 0 0-3 9c0 6-.7 10-2 14" />
  <path class="clapper" d="M53 69a7 7 0 0 0 14 0z" />
  <path class="zed" d="M88 24h9l-9 11h9M101 10h6l-6 7.5h6" />
</svg>`

export function createRare({ shadow, i18n }: Pick<PanelHost, 'shadow' | 'i18n'>): Rare {
  NcSnooze.register('nc-snooze')
  NcSelection.register('nc-selection')
  NcKeys.register('nc-keys')
  // The picture is no element: it brings no styles.
  const sheet = rareStyles.styleSheet as CSSStyleSheet
  if (!shadow.adoptedStyleSheets.includes(sheet)) shadow.adoptedStyleSheets.push(sheet)
  i18n.learn(EN_RARE)
  return { restingBell }
}
