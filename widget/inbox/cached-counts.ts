// Caches the counts shown last in `localStorage`, where a page reads them at once: the badge waits for no request (docs/decisions/0035-widget-parts.md).

import type { Counts } from './change-log.ts'

/** Whose inbox: one user of one environment, at one server. */
export type Owner = [apiKey: string, baseUrl: string, ownerId: string]

/** @returns the key of one user's inbox in the storage of this browser */
export const inboxKey = (...owner: Owner): string => `inbox${JSON.stringify(owner)}`

/** Sets our names apart from those of the page. */
const PREFIX = 'nc-'

/** @returns undefined where nothing is cached, or this page has no `localStorage` */
export function readCounts(key: string): Counts | undefined {
  try {
    const counts: Counts = JSON.parse(localStorage[PREFIX + key])
    // The page may have stored something else under this name.
    return counts.unread >= 0 ? counts : undefined
  } catch {
    return undefined
  }
}

/** Without `counts` the cached ones are removed. */
export function cacheCounts(key: string, counts?: Counts): void {
  try {
    if (counts) localStorage[PREFIX + key] = JSON.stringify(counts)
    else delete localStorage[PREFIX + key]
  } catch {
    // The badge of the next page then waits for the server.
  }
}

/** @returns the keys with cached counts */
export function cachedKeys(): string[] {
  try {
    return Object.keys(localStorage).flatMap((name) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []))
  } catch {
    return []
  }
}
