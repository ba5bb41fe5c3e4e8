// Maps paths of the demo site to its HTML files, for the built page and for Vite's dev server.

const PAGES: [RegExp, string][] = [
  // Paths of the shop for which the page has content.
  [/^\/(?:$|care$|basket$|(?:orders|invoices|plants)\/[^/]+$)/, '/index.html'],
  [/^\/themes$/, '/themes.html'],
  [/^\/gallery$/, '/gallery.html'],
  // States of the element; the page itself reports an unknown one.
  [/^\/gallery\/[a-z0-9-]+$/, '/gallery-state.html'],
]

/** @returns the path of the HTML file; undefined for a path that is not a page */
export function pageAt(path: string): string | undefined {
  return PAGES.find(([pattern]) => pattern.test(path))?.[1]
}
