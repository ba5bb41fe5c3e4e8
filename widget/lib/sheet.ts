// Constructed style sheets: the one way of styling that a strict CSP lets through without configuration.

/** A sheet made when it is first wanted, then shared by every root of the document. */
export function createSheet(css: string): () => CSSStyleSheet {
  let sheet: CSSStyleSheet | undefined
  return () => {
    if (sheet === undefined) {
      sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
    }
    return sheet
  }
}

/** Adds the sheet to the root once. */
export function adopt(root: ShadowRoot, sheet: CSSStyleSheet): void {
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet)
}

/** Removes the sheet from the root. */
export function release(root: ShadowRoot, sheet: CSSStyleSheet): void {
  root.adoptedStyleSheets = root.adoptedStyleSheets.filter((other) => other !== sheet)
}
