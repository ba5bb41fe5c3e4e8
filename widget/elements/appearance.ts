// Look of the element as the service sets it: what the page sets itself wins.

import type { Appearance } from '../../contract/api.ts'

/** A style sheet of one shadow root, by constructed rules: a strict policy lets no `style` attribute through. */
export class AppearanceSheet {
  #sheet: CSSStyleSheet | undefined
  #look: Appearance | null = null

  /** `auto` leaves `color-scheme` to the page. */
  apply(root: ShadowRoot, look: Appearance | null): void {
    if (look === this.#look) return
    this.#look = look
    const style = this.#styleIn(root)
    style.setProperty('color-scheme', look === null || look.theme === 'auto' ? '' : look.theme)
    style.setProperty('--_service-accent', look?.accentColor ?? '')
  }

  #styleIn(root: ShadowRoot): CSSStyleDeclaration {
    if (this.#sheet === undefined) {
      this.#sheet = new CSSStyleSheet()
      this.#sheet.insertRule(':host {}')
      root.adoptedStyleSheets.push(this.#sheet)
    }
    return (this.#sheet.cssRules[0] as CSSStyleRule).style
  }
}
