// Adds and removes constructed style sheets: the one way of styling that a strict CSP lets through without configuration.

/** Adds the sheet to the root once. */
export function adopt(root: DocumentOrShadowRoot, sheet: CSSStyleSheet): void {
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet)
}

/** Removes the sheet from the root. */
export function release(root: ShadowRoot, sheet: CSSStyleSheet): void {
  root.adoptedStyleSheets = root.adoptedStyleSheets.filter((other) => other !== sheet)
}
