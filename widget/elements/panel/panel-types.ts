// The seam between the element in the first script and the panel that comes later.

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
  /** Whose detail the panel shows with its next drawing: it was pressed outside of the list. */
  openingId?: string | undefined
  focusBell(): void
  announce(sentence: string): void
  /** Tells the page by an event, or asks it: false when the page prevented the default. */
  tell(event: Event): boolean
}

export interface Panel {
  /** Something may be different: attributes, status, messages. */
  update(): void
  /** Another user: nothing of the former one stays in view. */
  reset(): void
  destroy(): void
}
