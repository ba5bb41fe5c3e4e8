// Knows the path below which the service is (`PUBLIC_URL`), from the address of this script.

const [, base = ''] = /^https?:\/\/[^/]+(.*)\/demo\/assets\//.exec(import.meta.url) ?? []

/** The path without a slash at its end; empty at the root of a host. */
export const BASE = base

/** @returns the address of a page of this site, also for a new tab, which no script leads */
export const pageAddress = (path: string): string => BASE + path

/** @returns the path of the site; paths outside of `BASE` are those that links of messages have */
export const sitePath = (pathname: string): string =>
  pathname === BASE ? '/' : pathname.startsWith(`${BASE}/`) ? pathname.slice(BASE.length) : pathname
