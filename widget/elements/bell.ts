// The bell and its badge (contract section 13): plain DOM, so that both stand before anything else is loaded.

import { element } from '../lib/dom.ts'
import { outlineIcon } from '../lib/outline-icon.ts'
import { COUNT_MAX } from '../lib/words.ts'
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
  const button = element('button', looks, outlineIcon(BELL_PATH), badge)
  const slot = element('slot', { name: 'bell' }, button)
  const anchor = element('div', { class: 'anchor' }, slot)
  anchor.addEventListener('click', onPress)
  // The badge's own jump is over before the bell has rung.
  button.addEventListener('animationend', ({ target }) => target !== badge && button.classList.remove('rings'))

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
      // Who hears it is told what others see: "99+", in the plural form of ninety-nine.
      const count = Math.min(unread, COUNT_MAX)
      const name = unread === 0 ? say('notifications') : say('bell', { count }).replace(short(count), text)
      button.setAttribute('aria-label', name)
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
