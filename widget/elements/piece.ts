// Base class of the elements inside <notification-center>: they render into the shadow root that they stand in.

import { type CSSResult, LitElement } from 'lit'
import { adopt } from '../lib/sheet.ts'

/** Renders without a shadow root of its own, and adds its `styles` once to the root around it. */
export abstract class Piece extends LitElement {
  /** Another number for each change of what these elements pass to each other: two versions on one page share those that came first. */
  static readonly generation: number = 1

  /** Registers the class under its tag, once. Throws when an element of the page, or of another generation, has the tag. */
  static register(this: CustomElementConstructor & { generation: number }, tag: string): void {
    const taken = customElements.get(tag)
    // biome-ignore lint/complexity/noThisInStatic: each piece registers itself.
    if (taken === undefined) customElements.define(tag, this)
    // biome-ignore lint/complexity/noThisInStatic: as above.
    else if (Reflect.get(taken, 'generation') !== this.generation)
      throw new Error(`<${tag}> is an element of the page, or of another version of the widget.`)
  }

  protected override createRenderRoot(): HTMLElement {
    const root = this.getRootNode()
    const styles = (this.constructor as typeof LitElement).elementStyles as CSSResult[]
    if (root instanceof ShadowRoot || root instanceof Document)
      for (const { styleSheet } of styles) adopt(root, styleSheet as CSSStyleSheet)
    return this
  }
}
