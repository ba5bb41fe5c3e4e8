// Shows the workbench beside the shop (sign-in, send, watch, mail, funnel): a drawer on wide windows, a bottom sheet on narrow ones.

import type { BellElement } from '../bell.ts'
import { byId, h, icon } from '../dom.ts'
import { network } from '../network.ts'
import type { Page } from '../state.ts'
import type { Theme } from '../theme.ts'
import { createFunnelPanel } from './funnel.ts'
import { createMailPanel } from './mail.ts'
import { createSendTab } from './send-tab.ts'
import { createTabs } from './tabs.ts'
import { createWatchPanel } from './watch.ts'
import { createWhoPanel } from './who.ts'

const STATE_WORDS: Record<string, string> = {
  'signed-out': 'Signed out',
  loading: 'Signing in …',
  ready: 'Live',
  offline: 'Out of reach',
  error: 'Refused',
}

const NARROW = matchMedia('(max-width: 999px)')
const KEPT_AS = 'loam-workbench'

export interface Workbench {
  bellChanged(bell: BellElement): void
  /** Shows the edge's refusal until the bell works again, as on narrow windows the page's banner is covered. */
  refused(message: string): void
}

export function createWorkbench(page: Page, theme: Theme): Workbench {
  const root = byId('workbench')
  const toggle = byId('workbench-toggle')
  const state = h('span', { class: 'state', id: 'widget-state' }, 'Signing in …')
  const counts = h('span', { class: 'counts', id: 'widget-counts' })
  const problem = h('p', { class: 'problem', hidden: true })
  const line = networkButton()
  const who = createWhoPanel(page, theme)
  const watch = createWatchPanel()
  const mail = createMailPanel(page)
  const funnel = createFunnelPanel(page)
  const tabs = createTabs(
    [
      { key: 'send', label: 'Send', panel: createSendTab(page) },
      { key: 'watch', label: 'Watch', panel: watch.element, shown: watch.shown },
      { key: 'mail', label: 'Mail', panel: mail.element, shown: mail.shown },
      { key: 'funnel', label: 'Funnel', panel: funnel.element, shown: funnel.shown },
      { key: 'who', label: 'Sign-in', panel: who },
    ],
    'Workbench',
  )
  const handle = h(
    'button',
    { class: 'handle', type: 'button', 'aria-controls': 'workbench-body', onclick: () => open(!isOpen()) },
    h('span', { class: 'grip' }),
    h('span', {}, 'Workbench'),
  )
  root.replaceChildren(
    handle,
    h('div', { class: 'workbench-head' }, h('div', { class: 'status' }, state, counts), line),
    problem,
    h('div', { class: 'workbench-body', id: 'workbench-body' }, tabs.list, ...tabs.panels),
  )

  const isOpen = () => document.body.classList.contains('workbench-open')
  function open(isToBeOpen: boolean): void {
    document.body.classList.toggle('workbench-open', isToBeOpen)
    for (const button of [toggle, handle]) button.setAttribute('aria-expanded', String(isToBeOpen))
    if (!NARROW.matches) localStorage.setItem(KEPT_AS, String(isToBeOpen))
  }
  toggle.addEventListener('click', () => open(!isOpen()))
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && NARROW.matches) open(false)
  })
  const settle = () => open(!NARROW.matches && localStorage.getItem(KEPT_AS) !== 'false')
  NARROW.addEventListener('change', settle)
  settle()

  return {
    refused(message) {
      problem.textContent = message
      problem.hidden = false
    },
    bellChanged(bell) {
      if (bell.state === 'ready') problem.hidden = true
      state.textContent = STATE_WORDS[bell.state] ?? bell.state
      state.dataset.state = bell.state
      counts.textContent = `${bell.unread} new · ${bell.unopened} unread`
    },
  }
}

function networkButton(): HTMLElement {
  const label = h('span', {})
  const button = h('button', {
    class: 'button small',
    id: 'cut',
    type: 'button',
    onclick: () => turn(!network.isCut()),
  })
  function turn(isCut: boolean): void {
    if (isCut) network.cut()
    else if (network.isCut()) network.restore()
    label.textContent = isCut ? 'Come back' : 'Go offline'
    button.setAttribute('aria-pressed', String(isCut))
    button.replaceChildren(icon(isCut ? 'cut' : 'cloud'), label)
  }
  turn(false)
  return button
}
