// Whose pushes this node wants, and for whom Redis has confirmed it. Redis itself is the map from users to nodes: it
// forgets a node with its connection, and a flush does not touch it.

/** Subscribed under one command; more would hold up Redis for others. */
const CHUNK = 1000
/** A page that reloads leaves and returns: its channel stays for so many beats. */
const LINGER_BEATS = 20

/** The connection that hears. Each call resolves when Redis has confirmed it. */
export interface Ear {
  subscribe(...channels: string[]): Promise<unknown>
  unsubscribe(...channels: string[]): Promise<unknown>
}

export interface Followed {
  follow(userNo: number): Promise<void>
  unfollow(userNo: number): void
  /** Subscribes all who are wanted; resolves when none is left. From then on `follow` uses this ear. */
  attach(ear: Ear): Promise<void>
  /** The ear is lost: nobody waits for it any longer. */
  detach(): void
  /** Lets go those who left some beats ago. */
  sweep(): void
}

interface Batch {
  userNos: number[]
  done: Promise<void>
}

export function createFollowed(channelOf: (userNo: number) => string, onFault: (error: unknown) => void): Followed {
  /** Whether Redis has confirmed it on the ear that there is now. */
  const wanted = new Map<number, boolean>()
  /** Beats since they left. */
  const leaving = new Map<number, number>()
  const waiting = new Map<number, Promise<void>>()
  let ear: Ear | undefined
  let release = () => {}
  let detached = new Promise<void>(() => {})
  let batch: Batch | undefined

  async function subscribe(to: Ear, userNos: number[]): Promise<void> {
    for (const chunk of chunksOf(userNos)) {
      await to.subscribe(...chunk.map(channelOf))
      if (ear !== to) return
      for (const userNo of chunk) {
        if (wanted.has(userNo)) wanted.set(userNo, true)
        waiting.delete(userNo)
      }
    }
  }

  /** All who come in one turn of the loop go into one command. */
  function enlist(to: Ear, userNo: number): Promise<void> {
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

  function forget(): void {
    for (const userNo of wanted.keys()) wanted.set(userNo, false)
  }

  return {
    async follow(userNo) {
      leaving.delete(userNo)
      if (wanted.get(userNo) === true) return
      wanted.set(userNo, false)
      if (ear !== undefined) await (waiting.get(userNo) ?? enlist(ear, userNo))
    },
    unfollow(userNo) {
      if (wanted.has(userNo) && !leaving.has(userNo)) leaving.set(userNo, 0)
    },
    async attach(to) {
      detached = new Promise((resolve) => {
        release = resolve
      })
      ear = to
      for (const userNo of leaving.keys()) wanted.delete(userNo)
      leaving.clear()
      forget()
      await subscribe(to, [...wanted.keys()])
    },
    detach() {
      ear = undefined
      batch = undefined
      waiting.clear()
      forget()
      release()
    },
    sweep() {
      const gone: number[] = []
      for (const [userNo, beats] of leaving) {
        if (beats < LINGER_BEATS) leaving.set(userNo, beats + 1)
        else gone.push(userNo)
      }
      for (const userNo of gone) {
        leaving.delete(userNo)
        wanted.delete(userNo)
      }
      for (const chunk of chunksOf(gone)) ear?.unsubscribe(...chunk.map(channelOf)).catch(onFault)
    },
  }
}

function* chunksOf(userNos: number[]): Generator<number[]> {
  for (let at = 0; at < userNos.length; at += CHUNK) yield userNos.slice(at, at + CHUNK)
}
