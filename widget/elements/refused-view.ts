// The element where the page's policy refuses Lit's: a bell, and why there is no panel. By hand, as no template can be rendered.

import { element } from '../lib/dom.ts'
import type { NotificationCenter } from './notification-center.ts'

const REASON =
  "The page's Content-Security-Policy lists Trusted Types policies: add lit-html (trusted-types lit-html; with 'allow-duplicates' where the page has a Lit of its own)."

/** @returns what stands in the shadow root; made anew at each rendering */
export function refusedView(center: NotificationCenter, name: string, sentence: string): HTMLElement {
  const bell = element('button', { part: 'bell', class: 'bell', 'aria-label': name }, '🔔')
  const slot = element('slot', { name: 'bell' }, bell)
  slot.onclick = () => center.toggle()
  const root = element('div', { class: 'root' }, element('div', { class: 'anchor' }, slot))
  if (center.open || center.mode === 'inline') root.append(element('p', { class: 'missing' }, sentence))
  if (center.debug) root.append(element('p', { class: 'debug' }, REASON))
  return root
}
