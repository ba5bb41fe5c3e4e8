// Lists the elements of a page in their order, to compare what parsers understand.

import type { DefaultTreeAdapterTypes } from 'parse5'

export interface PageElement {
  /** With those around it: `html/body/p`. */
  path: string
  attributes: Record<string, string>
  /** Texts directly in it, without white space around them. */
  text: string
}

/** @returns the elements in the order of the page; `attributes` is sorted by name */
export function listElements(page: DefaultTreeAdapterTypes.Document): PageElement[] {
  const listed: PageElement[] = []
  const visit = (node: DefaultTreeAdapterTypes.ParentNode, around: string): void => {
    for (const child of node.childNodes) {
      if (!('tagName' in child)) continue
      const path = `${around}/${child.tagName}`
      const attributes = Object.fromEntries(child.attrs.map(({ name, value }) => [name, value]).sort())
      const texts = child.childNodes.map((inner) => ('value' in inner ? inner.value : '\n'))
      listed.push({ path, attributes, text: texts.join('').trim().replace(/\s+/g, ' ') })
      visit(child, path)
      if (child.tagName === 'template') visit((child as DefaultTreeAdapterTypes.Template).content, path)
    }
  }
  visit(page, '')
  return listed
}
