// Base class of the dashboard's elements: they render into the page itself, so that one set of styles and ids serves all.

import { LitElement } from 'lit'

export abstract class LightElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this
  }

  /** Focuses the first element of a selector once the pending change is rendered. */
  protected async focusOn(selector: string): Promise<void> {
    await this.updateComplete
    this.querySelector<HTMLElement>(selector)?.focus()
  }
}
