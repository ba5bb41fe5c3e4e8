// The lazy part of the panel: times to snooze to, the selection bar, the list of keys, the picture of an empty list.

import { EN_RARE } from '../../locales/en-rare.ts'
import { NcKeys } from './lazy/keys.ts'
import { lazyStyles } from './lazy/lazy.styles.ts'
import { restingBell } from './lazy/resting-bell.ts'
import { NcSelection } from './lazy/selection.ts'
import { NcSnooze } from './lazy/snooze.ts'
import type { PanelHost, Rare } from './panel-types.ts'

export function createRare({ shadow, i18n }: Pick<PanelHost, 'shadow' | 'i18n'>): Rare {
  NcSnooze.register('nc-snooze')
  NcSelection.register('nc-selection')
  NcKeys.register('nc-keys')
  // The picture is no element: it brings no styles.
  const sheet = lazyStyles.styleSheet as CSSStyleSheet
  if (!shadow.adoptedStyleSheets.includes(sheet)) shadow.adoptedStyleSheets.push(sheet)
  i18n.learn(EN_RARE)
  return { restingBell }
}
