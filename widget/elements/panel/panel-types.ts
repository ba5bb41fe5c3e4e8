// The seam between the element in the first script and the panel that comes later.

import type { InboxController } from '../../inbox/inbox-controller.ts'
import type { I18n } from '../i18n.ts'
import type { NotificationCenter } from '../notification-center.ts'
import type { Parts } from '../parts.ts'

export interface PanelHost {
  element: NotificationCenter
  shadow: ShadowRoot
  /** The element within the shadow root that everything is put into. */
  root: HTMLElement
  /** What the popover stands beside. */
  anchor: HTMLElement
  i18n: I18n
  parts(): Parts | undefined
  /** Undefined while signed out. */
  controller(): InboxController | undefined
  /** The message that the panel opens with its next rendering: it was pressed outside of the list. */
  openingId?: string | undefined
  focusBell(): void
  announce(sentence: string): void
  /** @returns false when the page prevented the default of the event */
  emit(event: Event): boolean
}

export interface Panel {
  /** Something may be different: attributes, status, messages. */
  update(): void
  /** Another user: nothing of the former one stays in view. */
  reset(): void
  destroy(): void
}
