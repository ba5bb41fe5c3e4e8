// Base class of the elements inside <notification-center>: they render into the shadow root that they stand in.

import { type CSSResult, LitElement } from 'lit'

/** Renders without a shadow root of its own, and adds its `styles` once to the root around it. */
export abstract class Piece extends LitElement {
  /** Registers the class under its tag; a tag that is taken is left as it is. */
  static register(this: CustomElementConstructor, tag: string): void {
    // biome-ignore lint/complexity/noThisInStatic: each piece registers itself.
    if (!customElements.get(tag)) customElements.define(tag, this)
  }

  protected override createRenderRoot(): HTMLElement {
    const root = this.getRootNode()
    const styles = (this.constructor as typeof LitElement).elementStyles
    if (root instanceof ShadowRoot || root instanceof Document) {
      for (const style of styles) {
        const sheet = style instanceof CSSStyleSheet ? style : (style as CSSResult).styleSheet
        if (sheet && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet)
      }
    }
    return this
  }
}
