// Stands between an inbox and the browser: the socket, the lead among tabs, what other tabs say, what is wiped.

import type { InboxFrame } from '../../../contract/frames.ts'
import type { Surroundings } from '../../inbox/surroundings.ts'
import type { OpenRealtime } from '../../transport/realtime.ts'
import type { Standing, Watching } from './standing.ts'

type Drawer = Surroundings['drawer']
type Locks = Surroundings['locks']

export function watchSurroundings(plain: Surroundings, watching: Watching, onChange: () => void): Surroundings {
  const { note, now, standing } = watching
  return {
    ...plain,
    locks: watchLocks(plain.locks, watching),
    drawer: watchDrawer(plain.drawer, watching),
    openRealtime: watchRealtime(plain.openRealtime, watching),
    onRetry: (delayMs) => {
      standing.socketAgainAt = now() + delayMs
      onChange()
    },
    openChannel: (name, onWord) =>
      plain.openChannel(name, (word) => {
        note(`another tab: ${tellWord(word)}`)
        onWord(word)
      }),
    watchPage: (tell) =>
      plain.watchPage((word) => {
        note(`page: ${word}`)
        tell(word)
      }),
  }
}

function watchRealtime(open: OpenRealtime, { now, note, standing }: Watching): OpenRealtime {
  const turn = (socket: Standing['socket'], code?: string): void => {
    Object.assign(standing, { socket, socketSince: now(), socketAgainAt: undefined })
    if (socket !== 'opening') standing.socketCode = code
  }
  return (options) => {
    standing.socketUrl = options.url + options.path
    if (standing.socket !== 'opening') turn('opening')
    note('socket: opening')
    try {
      const line = open({
        ...options,
        onUp: () => {
          turn('up')
          standing.socketRetries = 0
          note('socket: up')
          options.onUp()
        },
        onDown: (code) => {
          turn('lost', code)
          standing.socketRetries += 1
          note(`socket: lost${code === undefined ? '' : `, ${code}`}`)
          options.onDown(code)
        },
        onFrame: (frame) => {
          standing.lastSeen = { epoch: frame.epoch, seq: frame.seq }
          note(tellFrame(frame))
          options.onFrame(frame)
        },
        onExpiring: () => {
          note('socket: the session ends soon')
          options.onExpiring()
        },
      })
      return {
        ...line,
        close: () => {
          if (standing.socket !== 'lost') turn('not wanted here')
          line.close()
        },
      }
    } catch (error) {
      turn('lost')
      note('socket: the browser refused to open it')
      throw error
    }
  }
}

const tellFrame = ({ from, seq, changes, reset }: InboxFrame): string =>
  reset === true
    ? `reset at ${seq}: the list is read anew`
    : `changes ${from} → ${seq}: ${changes.map(({ op }) => op).join(', ') || 'none'}`

function tellWord(word: unknown): string {
  const { says, frame, items } = word as { says: string; frame?: InboxFrame; items?: unknown[] }
  if (frame !== undefined) return tellFrame(frame)
  return items === undefined ? says : `${says} ${items.length} delivery events`
}

/** The lock of an inbox is the lead; others are of the queue. */
function watchLocks(locks: Locks, { now, note, standing }: Watching): Locks {
  const lead = (isLeading: boolean): void => {
    Object.assign(standing, { isLeading, leadSince: now() })
    note(isLeading ? 'this tab leads' : 'this tab leads no longer')
  }
  return {
    names: locks.names,
    request: async (name, how, act) => {
      if (!name.startsWith('inbox')) return locks.request(name, how, act)
      let isOurs = false
      try {
        await locks.request(name, how, () => {
          isOurs = true
          lead(true)
          return act()
        })
      } finally {
        if (isOurs) lead(false)
      }
    },
  }
}

function watchDrawer(drawer: Drawer, { note, standing }: Watching): Drawer {
  return {
    ...drawer,
    get: (key) => {
      if (key.startsWith('inbox')) standing.owner = key.slice('inbox'.length)
      return drawer.get(key)
    },
    del: async (key) => {
      note(`storage: ${key.replace(/\[.*/, '')} is wiped`)
      await drawer.del(key)
    },
  }
}
