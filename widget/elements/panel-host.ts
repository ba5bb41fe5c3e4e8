// The element as its later parts see it: where to draw, whom to ask, and the page's say in each deed by an event.

import type { InboxController } from '../inbox/inbox-controller.ts'
import type { Bell } from './bell.ts'
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
    tell: (event) => element.dispatchEvent(event),
  }
}
