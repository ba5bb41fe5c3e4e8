// What the lazily loaded views of the panel render from.

import type { InboxMessage } from '../../../contract/api.ts'
import type { PanelI18n } from './i18n.ts'
import type { PanelActions } from './panel-actions.ts'

export interface ViewContext extends PanelI18n {
  /** The service's time, epoch ms. */
  now: number
  /** Undefined until the first page of this tab. */
  messages: InboxMessage[] | undefined
  act: PanelActions
}
