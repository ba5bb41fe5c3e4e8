// Provides the widget's own elements of a message, with their styles and words, to elements that show messages.

import { I18n } from '../../widget/elements/i18n.ts'
import { hostStyles } from '../../widget/elements/notification-center.styles.ts'
import { createPanelI18n } from '../../widget/elements/panel/i18n.ts'
import { NcDetail } from '../../widget/elements/panel/message/detail.ts'
import { messageStyles } from '../../widget/elements/panel/message/message.styles.ts'
import { NcRow } from '../../widget/elements/panel/message/row.ts'
import { panelStyles } from '../../widget/elements/panel/panel.styles.ts'

// The package of the widget has no side effects, so a bundler drops imports of which nothing is used.
NcDetail.register('nc-detail')
NcRow.register('nc-row')

/** For the shadow root of an element, in the order of the panel: <nc-row> and <nc-detail> find their styles there. */
export const messageLook = [hostStyles, panelStyles, messageStyles, NcRow.styles, NcDetail.styles]

/** @returns A function that returns the words of the panel in English. */
export function createLookI18n(element: HTMLElement) {
  return createPanelI18n(
    new I18n({ element, locale: () => 'en', overrides: () => [], parts: () => undefined, onChange: () => {} }),
  )
}
