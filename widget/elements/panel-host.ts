// The element as its later parts see it: where to draw, whom to ask, and the page's say in each deed by an event.

import type { InboxController } from '../inbox/inbox-controller.ts'
import type { Bell } from './bell.ts'
import { NcActionEvent } from './events/action.ts'
import { NcFollowLinkEvent } from './events/follow-link.ts'
import { NcHideEvent } from './events/hide.ts'
import { NcOpenMessageEvent } from './events/open-message.ts'
import { NcShowEvent } from './events/show.ts'
import type { NotificationCenter } from './notification-center.ts'
import type { PanelHost } from './panel/panel-types.ts'
import type { Parts } from './parts.ts'
import type { Voice } from './voice.ts'

export interface PanelHostParts {
  element: NotificationCenter
  shadow: ShadowRoot
  root: HTMLElement
  bell: Bell
  live: HTMLElement
  voice: Voice
  parts: () => Parts | undefined
  controller: () => InboxController | undefined
}

export function createPanelHost({
  element,
  shadow,
  root,
  bell,
  live,
  voice,
  parts,
  controller,
}: PanelHostParts): PanelHost {
  const tell = (event: Event): boolean => element.dispatchEvent(event)
  return {
    element,
    shadow,
    root,
    voice,
    parts,
    controller,
    anchor: bell.anchor,
    focusBell: () => bell.focus(),
    announce: (sentence) => {
      live.textContent = sentence
    },
    didShow: () => void tell(new NcShowEvent()),
    didHide: () => void tell(new NcHideEvent()),
    mayOpen: (message) => tell(new NcOpenMessageEvent(message)),
    mayFollow: (message, link) => tell(new NcFollowLinkEvent(message, link)),
    mayAct: (message, action) => tell(new NcActionEvent(message, action)),
  }
}
