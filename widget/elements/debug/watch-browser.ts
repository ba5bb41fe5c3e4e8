// Stands between an inbox and the browser: the socket, the lead among tabs, what other tabs say, what is wiped.

import type { InboxFrame } from '../../../contract/frames.ts'
import type { Surroundings } from '../../inbox/surroundings.ts'
import type { CreateRealtime } from '../../transport/realtime.ts'
import type { Standing, Watching } from './standing.ts'

type InboxStorage = Surroundings['storage']
type Locks = Surroundings['locks']

export function watchSurroundings(plain: Surroundings, watching: Watching): Surroundings {
  const { note } = watching
  return {
    ...plain,
    locks: watchLocks(plain.locks, watching),
    storage: watchStorage(plain.storage, watching),
    loadRealtime: async () => {
      try {
        return watchRealtime(await plain.loadRealtime(), watching)
      } catch (error) {
        note('socket: its part did not come')
        throw error
      }
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

function watchRealtime(open: CreateRealtime, { now, note, standing }: Watching): CreateRealtime {
  const turn = (socket: Standing['socket'], code?: string): void => {
    Object.assign(standing, { socket, socketSince: now() })
    if (socket !== 'opening') standing.socketCode = code
  }
  return (options) => {
    standing.socketUrl = options.url + options.path
    turn('opening')
    note('socket: opening')
    const realtime = open({
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
      ...realtime,
      close: () => {
        turn('not wanted here')
        realtime.close()
      },
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

function watchStorage(storage: InboxStorage, { note, standing }: Watching): InboxStorage {
  return {
    ...storage,
    get: (key) => {
      if (key.startsWith('inbox')) standing.owner = key.slice('inbox'.length)
      return storage.get(key)
    },
    del: async (key) => {
      note(`storage: ${key.replace(/\[.*/, '')} is wiped`)
      await storage.del(key)
    },
  }
}
