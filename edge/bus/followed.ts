// Keeps the users whose pushes this node follows, and whether Redis has confirmed each. Redis' subscriptions are the map from users
// to nodes: they end with the node's connection, and a flush does not touch them.

/** Channels of one command; more would block Redis for others. */
const CHUNK = 1000
/** A page that reloads leaves and returns: its channel stays for this many heartbeats. */
const KEPT_HEARTBEATS = 20

/** The connection that subscribes. Each call resolves when Redis has confirmed it. */
export interface Subscriber {
  subscribe(...channels: string[]): Promise<unknown>
  unsubscribe(...channels: string[]): Promise<unknown>
}

export interface Followed {
  follow(userNo: number): Promise<void>
  unfollow(userNo: number): void
  /** Subscribes all followed users; resolves when all are confirmed. From then on `follow` uses this connection. */
  attach(subscriber: Subscriber): Promise<void>
  /** The connection is lost: no caller waits for it any longer. */
  detach(): void
  /** Unsubscribes users that left some heartbeats ago; called with each heartbeat. */
  sweep(): void
}

interface Batch {
  userNos: number[]
  done: Promise<void>
}

export function createFollowed(channelOf: (userNo: number) => string, onFault: (error: unknown) => void): Followed {
  /** By user: whether Redis has confirmed the channel on the present connection. */
  const wanted = new Map<number, boolean>()
  /** Heartbeats since each user left. */
  const leaving = new Map<number, number>()
  const waiting = new Map<number, Promise<void>>()
  let subscriber: Subscriber | undefined
  let release = () => {}
  let detached = new Promise<void>(() => {})
  let batch: Batch | undefined

  async function subscribe(to: Subscriber, userNos: number[]): Promise<void> {
    for (const chunk of chunksOf(userNos)) {
      await to.subscribe(...chunk.map(channelOf))
      if (subscriber !== to) return
      for (const userNo of chunk) {
        if (wanted.has(userNo)) wanted.set(userNo, true)
        waiting.delete(userNo)
      }
    }
  }

  /** Users of one turn of the loop share one command. */
  function addToBatch(to: Subscriber, userNo: number): Promise<void> {
    if (batch === undefined) {
      const userNos: number[] = []
      const sent = Promise.resolve().then(() => {
        batch = undefined
        return subscribe(to, userNos)
      })
      batch = { userNos, done: Promise.race([sent.catch(onFault), detached]) }
    }
    batch.userNos.push(userNo)
    waiting.set(userNo, batch.done)
    return batch.done
  }

  function markUnconfirmed(): void {
    for (const userNo of wanted.keys()) wanted.set(userNo, false)
  }

  return {
    async follow(userNo) {
      leaving.delete(userNo)
      if (wanted.get(userNo) === true) return
      wanted.set(userNo, false)
      if (subscriber !== undefined) await (waiting.get(userNo) ?? addToBatch(subscriber, userNo))
    },
    unfollow(userNo) {
      if (wanted.has(userNo) && !leaving.has(userNo)) leaving.set(userNo, 0)
    },
    async attach(to) {
      detached = new Promise((resolve) => {
        release = resolve
      })
      subscriber = to
      for (const userNo of leaving.keys()) wanted.delete(userNo)
      leaving.clear()
      markUnconfirmed()
      await subscribe(to, [...wanted.keys()])
    },
    detach() {
      subscriber = undefined
      batch = undefined
      waiting.clear()
      markUnconfirmed()
      release()
    },
    sweep() {
      const gone: number[] = []
      for (const [userNo, heartbeats] of leaving) {
        if (heartbeats < KEPT_HEARTBEATS) leaving.set(userNo, heartbeats + 1)
        else gone.push(userNo)
      }
      for (const userNo of gone) {
        leaving.delete(userNo)
        wanted.delete(userNo)
      }
      for (const chunk of chunksOf(gone)) subscriber?.unsubscribe(...chunk.map(channelOf)).catch(onFault)
    },
  }
}

function* chunksOf(userNos: number[]): Generator<number[]> {
  for (let at = 0; at < userNos.length; at += CHUNK) yield userNos.slice(at, at + CHUNK)
}
