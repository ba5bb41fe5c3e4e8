// Reaches the other pages of this browser: the names of their locks, and a channel by name.

/** To all others of the same name, in this page and in other tabs; never to itself. */
export type Channel = Pick<BroadcastChannel, 'postMessage' | 'close'>

export interface Broadcast {
  /** The names of locks that live pages hold or wait for; undefined where that cannot be told. */
  lockNames(): Promise<string[] | undefined>
  /** Undefined where the browser has none for this page. */
  openChannel(name: string, onMessage: (message: unknown) => void): Channel | undefined
  /** Runs `act` when no other page is running one of this name; at once where that cannot be told. */
  queue(name: string, act: () => Promise<void>): Promise<void>
}

export const BROADCAST: Broadcast = {
  lockNames: async () => {
    try {
      const locks: LockInfo[][] = Object.values(await navigator.locks.query())
      return locks.flat().map(({ name }) => `${name}`)
    } catch {
      // An older browser, or a page to which they are refused (a sandboxed frame).
      return undefined
    }
  },
  queue: async (name, act) => {
    try {
      await navigator.locks.request(name, act)
    } catch {
      await act()
    }
  },
  openChannel: (name, onMessage) => {
    try {
      const channel = new BroadcastChannel(name)
      channel.onmessage = ({ data }) => onMessage(data)
      return channel
    } catch {
      // Firefox refuses it where it keeps nothing of the site, and then locks too.
      return undefined
    }
  },
}

/** A posted identity is signed out in the other tabs, and in other elements here. */
export function openSignOuts(onSignOut: (identity: string) => void): Channel | undefined {
  return BROADCAST.openChannel('notification-center-sign-out', (message) => onSignOut(`${message}`))
}
