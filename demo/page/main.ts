// Assembles the page: configuration from the backend, the bell for the chosen user, the shop and the workbench.

import { backend, explain } from './backend.ts'
import { avatar, type Bell, mountBell } from './bell.ts'
import { byId, h, icon } from './dom.ts'
import { startJournal } from './journal.ts'
import { startRouter } from './shop/router.ts'
import { createValue, keepChoice, type Page, recallChoice } from './state.ts'
import { startTheme } from './theme.ts'
import { startSecondBar } from './workbench/second.ts'
import { createWorkbench } from './workbench/workbench.ts'

async function start(): Promise<void> {
  startJournal()
  const theme = startTheme()
  const config = await backend.config()
  if (!config.ok) {
    showBanner(explain(config as never))
    return
  }
  const { people } = config.body
  const choice = createValue(recallChoice(config.body))
  const page: Page = {
    config: config.body,
    choice,
    second: createValue<string | null>(null),
    personOf: (userId) => people.find((person) => person.userId === userId) ?? { userId, name: userId },
  }
  const router = startRouter(page, byId('main'))
  const workbench = createWorkbench(page, theme)
  choice.watch((now) => {
    keepChoice(now)
    const person = page.personOf(now.userId)
    byId('who').replaceChildren(h('span', { class: 'who-name' }, person.name), avatar(person.name))
  })

  const bell = await mountBell(byId('bell'), config.body, 'first bell', {
    changed: (element) => workbench.bellChanged(element),
    refused: ({ code, message, correlationId }) => {
      const words = `${message} (${code}${correlationId === null ? '' : `, correlation ${correlationId}`})`
      showBanner(words)
      workbench.refused(words)
    },
  })
  leadLinks(bell, router.follow)
  choice.watch((now) => {
    hideBanner()
    bell.use(now)
    theme.add(bell.element)
    workbench.bellChanged(bell.element)
  })
  // The element emits events for most changes, but not for every change to and from `offline`.
  setInterval(() => workbench.bellChanged(bell.element), 500)
  startSecondBar(page, theme, router.follow)
}

/** Shows paths of this shop without leaving the page, like a single-page application. */
function leadLinks(bell: Bell, follow: (link: string) => boolean): void {
  bell.element.addEventListener('nc-follow-link', (event) => {
    const { link } = event as Event & { link?: string }
    if (typeof link !== 'string' || !follow(link)) return
    event.preventDefault()
    bell.element.hide()
  })
}

function showBanner(message: string): void {
  const close = h(
    'button',
    { class: 'icon-button', type: 'button', 'aria-label': 'Close', onclick: hideBanner },
    icon('close'),
  )
  const banner = byId('banner')
  banner.replaceChildren(h('p', {}, message), close)
  banner.hidden = false
}

function hideBanner(): void {
  byId('banner').hidden = true
}

start().catch((error: unknown) => showBanner(error instanceof Error ? error.message : String(error)))
