// <nc-tabs>: parts of a page behind a bar of tabs; the shown one is in the address as `tab`, so that a link shows the same.

import '@awesome.me/webawesome/dist/components/tab/tab.js'
import '@awesome.me/webawesome/dist/components/tab-group/tab-group.js'
import '@awesome.me/webawesome/dist/components/tab-panel/tab-panel.js'
import { html, nothing, type TemplateResult } from 'lit'
import { LightElement } from '../lib/light-element.ts'
import type { Router } from '../routing/router.ts'

export interface Tab {
  /** In the address. */
  name: string
  label: unknown
  content: () => unknown
  /** Stays in the page once it was shown, so that its forms keep what was typed. Others end with their tab. */
  isKept?: boolean
}

/** Of the library: which panel it shows. */
type TabShow = CustomEvent<{ name: string }>

/** The first tab is shown without one in the address. Arrow keys, Home and End move in the bar. */
export class NcTabs extends LightElement {
  static override properties = {
    tabs: { attribute: false },
    current: { attribute: false },
    router: { attribute: false },
  }

  declare tabs: readonly Tab[]
  /** The tab of the address; null or an unknown name: the first. */
  declare current: string | null
  declare router: Pick<Router, 'setQuery'>

  readonly #shown = new Set<string>()

  get #current(): string {
    return (this.tabs.find(({ name }) => name === this.current) ?? this.tabs[0])?.name ?? ''
  }

  override render(): TemplateResult {
    const current = this.#current
    this.#shown.add(current)
    return html`<wa-tab-group class="page-tabs" without-scroll-controls active=${current} @wa-tab-show=${this.#show}>
      ${this.tabs.map(({ name, label }) => html`<wa-tab panel=${name}>${label}</wa-tab>`)}
      ${this.tabs.map(
        ({ name, content, isKept = false }) =>
          html`<wa-tab-panel name=${name}
            >${name === current || (isKept && this.#shown.has(name)) ? content() : nothing}</wa-tab-panel
          >`,
      )}
    </wa-tab-group>`
  }

  readonly #show = ({ target, currentTarget, detail }: TabShow): void => {
    // A panel may have tabs of its own.
    if (target !== currentTarget || detail.name === this.#current) return
    const isFirst = detail.name === this.tabs[0]?.name
    this.router.setQuery({ tab: isFirst ? undefined : detail.name }, { replace: true })
  }
}

customElements.define('nc-tabs', NcTabs)

/** @param context Of the page: what it shows again when the address changes. */
export function tabsView(
  { router, query }: { router: Pick<Router, 'setQuery'>; query: URLSearchParams },
  tabs: readonly Tab[],
): TemplateResult {
  return html`<nc-tabs .tabs=${tabs} .router=${router} .current=${query.get('tab')}></nc-tabs>`
}
