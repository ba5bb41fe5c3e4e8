// Look of the element as its page sets it, else as the service does.

import type { Appearance } from '../../contract/api.ts'

/** A style sheet of one shadow root, by constructed rules: a strict policy lets no `style` attribute through. */
export class AppearanceSheet {
  #style: CSSStyleDeclaration | undefined

  /** The service's `auto` leaves `color-scheme` to the page; the page's follows the system. */
  apply(root: ShadowRoot, page: { mode: string | null; theme: string | null }, look: Appearance | null): void {
    const theme = page.theme === 'auto' ? 'light dark' : (page.theme ?? look?.theme ?? 'auto')
    this.#set(root, 'display', page.mode === 'inline' ? 'block' : '')
    this.#set(root, 'color-scheme', theme === 'auto' ? '' : theme)
    this.#set(root, '--_service-accent', look?.accentColor ?? '')
  }

  #set(root: ShadowRoot, name: string, value: string): void {
    this.#style ??= styleIn(root)
    if (this.#style.getPropertyValue(name) !== value) this.#style.setProperty(name, value)
  }
}

function styleIn(root: ShadowRoot): CSSStyleDeclaration {
  const sheet = new CSSStyleSheet()
  sheet.insertRule(':host {}')
  root.adoptedStyleSheets.push(sheet)
  return (sheet.cssRules[0] as CSSStyleRule).style
}
