// Follows links inside the application without a new document, and reports each change of the address.

import { below } from './prefix.ts'

/** Addresses of this application; other links load a document. */
const OURS = /^\/(sign-in$|org\/|dashboard(\/(?!assets\/)|$))/

/** Sent to the window before another page is shown; a listener that prevents its default keeps the page. */
export const LEAVE = 'nc-leave'

export interface Router {
  /** Changes the address. `replace` adds no entry to the history. */
  go(address: string, options?: { replace?: boolean }): void
  /** Changes parameters of the query; undefined removes one. Focus and scroll position stay. */
  setQuery(changes: Readonly<Record<string, string | undefined>>, options?: { replace?: boolean }): void
}

/** `isNewPage`: the path has changed, so that the focus belongs to the new page. */
export type OnNavigate = (navigation: { isNewPage: boolean }) => void

export function startRouter(onNavigate: OnNavigate): Router {
  let path = location.pathname
  const report = (): void => {
    const isNewPage = location.pathname !== path
    path = location.pathname
    onNavigate({ isNewPage })
  }
  const router: Router = {
    go(address, { replace = false } = {}) {
      const target = new URL(address, location.href)
      if (target.pathname !== location.pathname && !dispatchEvent(new Event(LEAVE, { cancelable: true }))) return
      if (address === location.pathname + location.search + location.hash) return report()
      history[replace ? 'replaceState' : 'pushState'](null, '', address)
      report()
    },
    setQuery(changes, options) {
      const query = new URLSearchParams(location.search)
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined) query.delete(name)
        else query.set(name, value)
      }
      const text = query.toString()
      router.go(location.pathname + (text === '' ? '' : `?${text}`), options)
    },
  }
  addEventListener('popstate', report)
  document.addEventListener('click', (event) => {
    const link = linkOf(event)
    if (link === undefined) return
    event.preventDefault()
    router.go(link.pathname + link.search + link.hash)
  })
  return router
}

/** @returns The link of this application that a plain click follows. */
function linkOf(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined
  // The first element is inside of shadow roots: a button of the library may be a link.
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement && node.hasAttribute('href'))
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return undefined
  if (link.target !== '' || link.hasAttribute('download')) return undefined
  // A link inside the page, such as the skip link, is the browser's.
  if (link.hash !== '' && link.pathname === location.pathname && link.search === location.search) return undefined
  return OURS.test(below(link.pathname) ?? '') ? link : undefined
}
