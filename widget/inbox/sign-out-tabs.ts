// A sign-out holds in all tabs of this browser (contract section 13).

export interface SignOutTabs {
  /** Tells the other tabs, and other elements here, that this identity is signed out. */
  tell(identity: string): void
  close(): void
}

export function createSignOutTabs(onSignOut: (identity: string) => void): SignOutTabs {
  if (globalThis.BroadcastChannel === undefined) return { tell: () => {}, close: () => {} }
  const channel = new BroadcastChannel('notification-center-sign-out')
  channel.onmessage = ({ data }) => onSignOut(String(data))
  return { tell: (identity) => channel.postMessage(identity), close: () => channel.close() }
}
