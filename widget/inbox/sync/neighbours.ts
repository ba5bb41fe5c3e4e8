// What a page can tell of the others of this browser: which locks they hold, and a word to all that listen to a name.

/** To all others of the same name, in this page and in other tabs; never to itself. */
export type Channel = Pick<BroadcastChannel, 'postMessage' | 'close'>

export interface Neighbours {
  /** The names of locks that live pages hold or wait for; undefined where that cannot be told. */
  lockNames(): Promise<string[] | undefined>
  /** Undefined where the browser has none for this page. */
  openChannel(name: string, onWord: (word: unknown) => void): Channel | undefined
  /** Runs `act` when no other page is running one of this name; at once where that cannot be told. */
  queue(name: string, act: () => Promise<void>): Promise<void>
}

export const NEIGHBOURS: Neighbours = {
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
  openChannel: (name, onWord) => {
    try {
      const channel = new BroadcastChannel(name)
      channel.onmessage = ({ data }) => onWord(data)
      return channel
    } catch {
      // Firefox refuses it where it keeps nothing of the site, and then locks too.
      return undefined
    }
  },
}
