// The bell and its badge (contract section 13): plain DOM, so that both stand before anything else is loaded.

import { element, outlineIcon } from '../lib/dom.ts'
import { shortCount } from '../lib/words.ts'
import type { Voice } from './voice.ts'

const BELL_PATH = 'M18 8.5a6 6 0 0 0-12 0c0 6.2-2.5 7.6-2.5 7.6h17S18 14.7 18 8.5M13.7 19.5a2 2 0 0 1-3.4 0'

export interface Bell {
  /** Wraps the button, or what the page puts into the slot `bell`. */
  readonly anchor: HTMLElement
  show(state: { unread: number; isOpen: boolean; hasPanel: boolean; voice: Voice }): void
  /** Rings once: something has arrived. */
  ring(): void
  focus(): void
}

export function createBell(onPress: () => void): Bell {
  const badge = element('span', { part: 'badge', class: 'badge', 'aria-hidden': 'true', hidden: '' })
  const button = element('button', { part: 'bell', class: 'bell', type: 'button' }, outlineIcon(BELL_PATH), badge)
  const slot = element('slot', { name: 'bell' }, button)
  const anchor = element('div', { class: 'anchor' }, slot)
  anchor.addEventListener('click', onPress)
  button.addEventListener('animationend', () => button.classList.remove('rings'))

  return {
    anchor,
    show: ({ unread, isOpen, hasPanel, voice: { say, locale } }) => {
      const text = shortCount(locale, unread)
      if (badge.textContent !== text) badge.textContent = text
      badge.hidden = unread === 0
      button.setAttribute('aria-label', unread === 0 ? say('notifications') : say('bell', { count: unread }))
      button.setAttribute('aria-haspopup', 'dialog')
      button.setAttribute('aria-expanded', String(isOpen && hasPanel))
    },
    ring: () => {
      button.classList.remove('rings')
      // Reading the layout starts the animation anew when one runs.
      void button.offsetWidth
      button.classList.add('rings')
    },
    focus: () => {
      const own = slot.assignedElements()[0]
      const target = own instanceof HTMLElement ? own : button
      target.focus()
    },
  }
}
