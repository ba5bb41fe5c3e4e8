// Shows the page of the current path without reloading the document; links of notifications are handled as well.

import { pageAddress, sitePath } from '../prefix.ts'
import type { Page } from '../state.ts'
import { homePage, plantPage } from './home.ts'
import { carePage, invoicePage, lostPage, orderPage } from './papers.ts'
import { findPlant } from './plants.ts'

/** Pages with documents of their own: the reference, the dashboard, the gallery and its themes. */
const OTHER_PAGES = /^\/(?:docs|v1|demo|openapi\.json|sign-in|dashboard|org|themes|gallery)(?:\/|$)/

export interface Router {
  /** Opens a path of this site. @returns false for any other link */
  follow(link: string): boolean
}

export function startRouter(page: Page, main: HTMLElement): Router {
  function show(): void {
    main.replaceChildren(...contentFor(page, sitePath(location.pathname)))
    document.title = `${main.querySelector('h1')?.textContent ?? 'Loam'} · Loam`
    const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null
    if (target === null) window.scrollTo({ top: 0 })
    else target.scrollIntoView()
  }

  function follow(link: string): boolean {
    const url = new URL(link, location.href)
    const path = sitePath(url.pathname)
    if (url.origin !== location.origin || OTHER_PAGES.test(path)) return false
    url.pathname = pageAddress(path)
    history.pushState(null, '', url)
    show()
    main.focus({ preventScroll: true })
    return true
  }

  document.addEventListener('click', (event) => {
    const anchor = event.target instanceof Element ? event.target.closest('a[href]') : null
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.defaultPrevented
    const href = anchor?.getAttribute('href')
    if (isPlain && href?.startsWith('/') && follow(href)) event.preventDefault()
  })
  window.addEventListener('popstate', show)
  show()
  return { follow }
}

function contentFor(page: Page, path: string): HTMLElement[] {
  const [, place = '', encoded = ''] = path.split('/')
  const name = decode(encoded)
  const plant = place === 'plants' ? findPlant(name) : undefined
  if (path === '/') return homePage(page)
  if (plant !== undefined) return plantPage(page, plant)
  if (place === 'orders') return orderPage(name)
  if (place === 'invoices') return invoicePage(name)
  if (place === 'care') return carePage()
  return lostPage(path)
}

/** Decodes a path segment; one with a broken escape stays as it is. */
function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
