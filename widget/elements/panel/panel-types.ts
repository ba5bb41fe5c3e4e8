// The seam between the element in the first script and the panel that comes later.

import type { InboxMessage, MessageAction } from '../../../contract/api.ts'
import type { InboxController } from '../../inbox/inbox-controller.ts'
import type { NotificationCenter } from '../notification-center.ts'
import type { Parts } from '../parts.ts'
import type { Voice } from '../voice.ts'

export interface PanelHost {
  element: NotificationCenter
  shadow: ShadowRoot
  /** The element within the shadow root that everything is put into. */
  root: HTMLElement
  /** What the popover stands beside. */
  anchor: HTMLElement
  voice: Voice
  parts(): Parts | undefined
  /** Undefined while signed out. */
  controller(): InboxController | undefined
  focusBell(): void
  announce(sentence: string): void
  didShow(): void
  didHide(): void
  /** Each asks the page by its event; false when the page prevented the default. */
  mayOpen(message: InboxMessage): boolean
  mayFollow(message: InboxMessage, link: string): boolean
  mayAct(message: InboxMessage, action: MessageAction): boolean
}

export interface Panel {
  /** Something may be different: attributes, status, messages. */
  update(): void
  /** Another user: nothing of the former one stays in view. */
  reset(): void
  destroy(): void
}
