// Knows the path below which the service is (`PUBLIC_URL`), from the address of this script.

const [, base = ''] = /^https?:\/\/[^/]+(.*)\/dashboard\/assets\//.exec(import.meta.url) ?? []

/** The path of `PUBLIC_URL` without a slash at its end; empty at the root of a host. */
export const BASE = base

/** @returns the path in the browser of a path of this service, which begins with `/` */
export const ownPath = (path: string): string => BASE + path

/** @returns the path of this service; undefined for a path that is not below `base` */
export function below(pathname: string, base = BASE): string | undefined {
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : undefined
}
