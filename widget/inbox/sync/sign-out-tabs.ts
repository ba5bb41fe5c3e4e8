// A sign-out holds in all tabs of this browser.

import { BROADCAST, type Channel } from './broadcast.ts'

/** A posted identity is signed out in the other tabs, and in other elements here. */
export function openSignOuts(onSignOut: (identity: string) => void): Channel | undefined {
  return BROADCAST.openChannel('notification-center-sign-out', (message) => onSignOut(`${message}`))
}
