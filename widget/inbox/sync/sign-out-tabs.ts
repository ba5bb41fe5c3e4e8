// A sign-out holds in all tabs of this browser.

import { type Channel, NEIGHBOURS } from './neighbours.ts'

/** A posted identity is signed out in the other tabs, and in other elements here. */
export function openSignOuts(onSignOut: (identity: string) => void): Channel | undefined {
  return NEIGHBOURS.openChannel('notification-center-sign-out', (word) => onSignOut(`${word}`))
}
