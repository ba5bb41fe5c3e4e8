// The element where the page's policy refuses Lit's: a bell, and why there is no panel. By hand, as no template can be rendered.

import { element } from '../lib/dom.ts'

const REASON = "The page's Content-Security-Policy lacks trusted-types lit-html 'allow-duplicates'."

interface RefusedElement {
  open: boolean
  mode: string | null
  debug: boolean
  toggle(): void
}

/** @returns what stands in the shadow root; made anew at each rendering */
export function refusedView(center: RefusedElement, name: string, sentence: string): HTMLElement {
  const bell = element('button', { part: 'bell', class: 'bell', 'aria-label': name }, '🔔')
  const slot = element('slot', { name: 'bell' }, bell)
  slot.onclick = () => center.toggle()
  const root = element('div', { class: 'root' }, element('div', { class: 'anchor' }, slot))
  if (center.open || center.mode === 'inline') root.append(element('p', { class: 'missing' }, sentence))
  if (center.debug) root.append(element('p', { class: 'debug' }, REASON))
  return root
}
