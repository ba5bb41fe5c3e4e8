// What stands in the shadow root from the start: bell, live region, and the place of all that comes later.

import { element } from '../lib/dom.ts'
import { adopt } from '../lib/sheet.ts'
import { bellStyles } from './bell.styles.ts'
import { type Bell, createBell } from './bell.ts'

export interface Frame {
  shadow: ShadowRoot
  root: HTMLElement
  bell: Bell
  /** Polite: what is written into it is said. */
  live: HTMLElement
}

export function buildFrame(host: HTMLElement, onPress: () => void): Frame {
  const shadow = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  adopt(shadow, bellStyles())
  const bell = createBell(onPress)
  const live = element('div', { class: 'live', role: 'status', 'aria-live': 'polite' })
  const root = element('div', { class: 'root' }, bell.anchor, live)
  shadow.append(root)
  return { shadow, root, bell, live }
}
