// The bell and its badge: plain DOM, so that both stand before anything else is loaded.

import { element } from '../lib/dom.ts'
import { outlineIcon } from '../lib/outline-icon.ts'
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
  const looks = { part: 'bell', class: 'bell', type: 'button', 'aria-haspopup': 'dialog' }
  const button = element('button', looks, outlineIcon(BELL_PATH))
  // Beside the button: its name has the whole count, and a visible "99+" within it would be another one.
  const slot = element('slot', { name: 'bell' }, button, badge)
  const anchor = element('div', { class: 'anchor' }, slot)
  anchor.addEventListener('click', onPress)
  button.addEventListener('animationend', () => button.classList.remove('rings'))

  /** What had the focus last, and what that is in the page when it is within a shadow root. */
  let last: HTMLElement | undefined
  let seen: Node | null = null
  anchor.addEventListener('focusin', (event) => {
    seen = event.target as Node
    last = event.composedPath()[0] as HTMLElement
  })
  return {
    anchor,
    show: ({ unread, isOpen, hasPanel, voice: { say, short } }) => {
      const text = short(unread)
      if (badge.textContent !== text) badge.textContent = text
      badge.hidden = unread === 0
      // In full: a screen reader has room for the number that the badge cuts.
      button.setAttribute('aria-label', unread === 0 ? say('notifications') : say('bell', { count: unread }))
      button.setAttribute('aria-expanded', String(isOpen && hasPanel))
    },
    ring: () => {
      button.classList.remove('rings')
      // Reading the layout starts the animation anew when one runs.
      void button.offsetWidth
      button.classList.add('rings')
    },
    focus: () => {
      const own = slot.assignedElements() as HTMLElement[]
      // A wrapper of the page's own cannot have it.
      const target = own.some((each) => each.contains(seen)) ? last : own[0]
      ;(target ?? button).focus()
    },
  }
}
