// The counts that this browser showed last, where a page has them at once: the badge waits for no disk and for no other thread (docs/decisions/0035-widget-parts.md).

import type { Counts } from './change-log.ts'

type Owner = [apiKey: string, baseUrl: string, ownerId: string]

/** Key of one user's inbox in this browser: whose it is, so that no two mix. */
export const inboxKey = (...owner: Owner): string => `inbox${JSON.stringify(owner)}`

/** Of the names that the page sees in its own storage. */
const PREFIX = 'nc-'

/** Undefined where there are none, or the browser keeps nothing for this page. */
export function glance(key: string): Counts | undefined {
  try {
    const kept: Counts = JSON.parse(localStorage[PREFIX + key])
    // What else stands there is not ours.
    return kept.unread >= 0 ? kept : undefined
  } catch {
    return undefined
  }
}

/** Without counts: forgets them. */
export function note(key: string, counts?: Counts): void {
  try {
    if (counts) localStorage[PREFIX + key] = JSON.stringify(counts)
    else delete localStorage[PREFIX + key]
  } catch {
    // The badge waits for the service then.
  }
}

/** Whose counts are kept. */
export function notedKeys(): string[] {
  try {
    return Object.keys(localStorage).flatMap((name) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []))
  } catch {
    return []
  }
}
