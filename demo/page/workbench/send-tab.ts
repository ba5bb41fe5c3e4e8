// Shows in the Send tab either the form for events of the shop's backend, or the platforms that deliver events.

import { h } from '../dom.ts'
import type { Page } from '../state.ts'
import { createPlatformsPanel } from './platforms.ts'
import { createSendPanel } from './send.ts'
import { segmented } from './who.ts'

export function createSendTab(page: Page): HTMLElement {
  const panels: Record<string, HTMLElement> = { shop: createSendPanel(page), platforms: createPlatformsPanel(page) }
  function show(chosen: string): void {
    for (const [name, panel] of Object.entries(panels)) panel.hidden = name !== chosen
  }
  show('shop')
  const choice = segmented(
    'Events from',
    'sender',
    [
      ['shop', 'The shop’s backend'],
      ['platforms', 'Other platforms'],
    ],
    'shop',
    show,
  )
  return h('div', { class: 'stack' }, choice, ...Object.values(panels))
}
