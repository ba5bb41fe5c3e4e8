// Makes elements without markup: no HTML string is ever parsed.

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

const SVG = 'http://www.w3.org/2000/svg'

/** A 24 × 24 outline icon of one path. */
export function outlineIcon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  setAttributes(svg, { viewBox: '0 0 24 24', 'aria-hidden': 'true', fill: 'none', stroke: 'currentColor' })
  const line = document.createElementNS(SVG, 'path')
  setAttributes(line, { d: path, 'stroke-width': '1.75', 'stroke-linecap': 'round', 'stroke-linejoin': 'round' })
  svg.append(line)
  return svg
}
