// Shows a second user with a separate bell, like a second browser window.

import { avatar, type Bell, mountBell } from '../bell.ts'
import { byId, h, icon } from '../dom.ts'
import type { Page } from '../state.ts'
import type { Theme } from '../theme.ts'

export function startSecondBar(page: Page, theme: Theme, follow: (link: string) => boolean): void {
  const bar = byId('second-bar')
  let bell: Bell | undefined
  let turn = 0

  async function show(userId: string | null): Promise<void> {
    turn += 1
    const mine = turn
    bell?.element.remove()
    bell = undefined
    bar.hidden = userId === null
    if (userId === null) {
      bar.replaceChildren()
      return
    }
    const place = h('div', { class: 'bell-place', id: 'second-bell' })
    const close = h(
      'button',
      {
        class: 'icon-button',
        type: 'button',
        'aria-label': 'Close the second user',
        onclick: () => page.second.set(null),
      },
      icon('close'),
    )
    const { name } = page.personOf(userId)
    bar.replaceChildren(h('p', {}, 'Beside it, signed in as ', h('strong', {}, name)), avatar(name), place, close)
    const mounted = await mountBell(place, page.config, 'second bell', {
      changed: () => undefined,
      refused: ({ code, message }) => bar.querySelector('p')?.replaceChildren(`${message} (${code})`),
    })
    if (mine !== turn) return
    bell = mounted
    theme.add(mounted.element)
    mounted.element.addEventListener('nc-follow-link', (event) => {
      const { link } = event as Event & { link?: string }
      if (typeof link === 'string' && follow(link)) event.preventDefault()
    })
    mounted.use({ ...page.choice.get(), userId })
  }

  page.second.watch((userId) => void show(userId))
  page.choice.watch((choice) => {
    const userId = page.second.get()
    if (userId !== null) bell?.use({ ...choice, userId })
  })
}
