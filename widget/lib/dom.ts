// Elements without markup: what the first script needs before Lit is there. No HTML string is ever parsed.

/** An element with its attributes and children; `null` leaves an attribute out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | null>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  setAttributes(made, attributes)
  made.append(...children)
  return made
}

export function setAttributes(target: Element, attributes: Readonly<Record<string, string | null>>): void {
  for (const [name, value] of Object.entries(attributes)) if (value !== null) target.setAttribute(name, value)
}
