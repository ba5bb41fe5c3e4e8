// Implements the ARIA tabs pattern: one tab stop, arrow keys, Home and End.

import { h } from '../dom.ts'

export interface Tab {
  key: string
  label: string
  panel: HTMLElement
  /** Called when the tab is selected and when it is left. */
  shown?(isShown: boolean): void
}

export function createTabs(
  tabs: readonly Tab[],
  label: string,
): { list: HTMLElement; panels: HTMLElement[]; select(key: string): void } {
  const buttons = tabs.map((tab) =>
    h(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `tab-${tab.key}`,
        'aria-controls': `panel-${tab.key}`,
        onclick: () => select(tab.key),
      },
      tab.label,
    ),
  )
  const panels = tabs.map((tab) =>
    h(
      'div',
      { class: 'panel', role: 'tabpanel', id: `panel-${tab.key}`, 'aria-labelledby': `tab-${tab.key}` },
      tab.panel,
    ),
  )
  let current = ''

  function select(key: string): void {
    if (key === current) return
    for (const [index, tab] of tabs.entries()) {
      const isIt = tab.key === key
      const button = buttons[index] as HTMLElement
      button.setAttribute('aria-selected', String(isIt))
      button.tabIndex = isIt ? 0 : -1
      ;(panels[index] as HTMLElement).hidden = !isIt
      if (isIt || tab.key === current) tab.shown?.(isIt)
    }
    current = key
  }

  const list = h(
    'div',
    { class: 'tabs', role: 'tablist', 'aria-label': label, onkeydown: (event) => walk(event as KeyboardEvent) },
    ...buttons,
  )
  function walk(event: KeyboardEvent): void {
    const index = tabs.findIndex((tab) => tab.key === current)
    const steps: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (step + tabs.length) % tabs.length
    select((tabs[next] as Tab).key)
    buttons[next]?.focus()
  }
  select(tabs[0]?.key ?? '')
  return { list, panels, select }
}
