// Builds DOM without markup strings: the page runs under Trusted Types and a policy without inline styles.

type Child = Node | string | number | null | undefined | false
type Props = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>

/**
 * Creates an element. Functions become listeners, `true` an empty attribute; null, undefined and false are left out.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props?: Props,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), props, children)
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  props?: Props,
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), props, children)
}

function fill<E extends Element>(element: E, props: Props | undefined, children: Child[]): E {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value)
    else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : String(value))
    }
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false)
      element.append(typeof child === 'object' ? child : String(child))
  }
  return element
}

/** Returns an element of index.html. @throws when it is missing */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`#${id} is missing from the page`)
  return element
}

const ICONS = {
  arrow: 'M5 12h13m-5-5 5 5-5 5',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  close: 'm6 6 12 12M18 6 6 18',
  cloud: 'M7 18a4 4 0 0 1-.6-7.95A6 6 0 0 1 18 9.5a4.3 4.3 0 0 1 0 8.5z',
  cut: 'M7 18a4 4 0 0 1-.6-7.95A6 6 0 0 1 18 9.5a4.3 4.3 0 0 1 0 8.5zM4 4l16 16',
  drawer: 'M4 5h16v14H4zM14 5v14',
  moon: 'M19 14.5A7.5 7.5 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5z',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM5 20a7 7 0 0 1 14 0',
  send: 'M4 12 20 4l-5 16-4-7z',
} as const

/** Draws a line icon that is hidden from assistive technology. */
export function icon(name: keyof typeof ICONS): SVGSVGElement {
  const path = svg('path', { d: ICONS[name] })
  return svg('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, path)
}
