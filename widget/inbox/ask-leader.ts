// An inbox that begins asks the tab that leads what it knows, before it asks the service.

import type { Known } from '../transport/session.ts'
import { isPageVisible, listen } from './page-lifecycle.ts'
import type { Broadcast } from './sync/broadcast.ts'

/** `to` is the proof of whoever asked; `known` is there when the leader has the very same words, and its socket is up. */
export interface Joined {
  kind: 'joined'
  to: string
  known?: Known
}

/** The same for the same words, and too short to be turned back into them. */
export const fingerprint = (words: string): string =>
  `${[...words].reduce((sum, char) => (sum * 33) ^ char.charCodeAt(0), 5381)}`

/** The leader is a thread away; one that hangs must not hold up the sign-in of a page that is seen. */
const SEEN_PATIENCE_MS = 250
/** A hidden page has time, and shares a busy processor with those that are restored beside it. */
const HIDDEN_PATIENCE_MS = 1_000

/** Undefined when nobody leads, or who leads does not know: then this page signs in. */
async function askLeader(
  { lockNames, openChannel }: Broadcast,
  name: string,
  proof: string,
): Promise<Known | undefined> {
  if (proof === '' || !(await lockNames())?.includes(name)) return undefined
  return new Promise((resolve) => {
    const end = (answer?: Joined): void => {
      clearTimeout(timer)
      channel?.close()
      resolve(answer?.known)
    }
    const channel = openChannel(name, (message) => {
      const told = message as Joined
      if (told.kind === 'joined' && told.to === proof) end(told)
    })
    const timer = setTimeout(end, isPageVisible() ? SEEN_PATIENCE_MS : HIDDEN_PATIENCE_MS)
    channel?.postMessage({ kind: 'join', proof })
  })
}

/** A page that signed in answers those that begin after it once its socket is up; they wait no longer than this. */
const TURN_MS = 4_000

interface Beginning {
  hasBegun(): unknown
  /** What the page that leads knows. */
  take(known: Known): void
  signIn(): Promise<void>
}

/**
 * Begins at once on a page that is seen, and on hidden ones one after the other: twenty restored tabs then need one sign-in.
 * Without a proof no page may answer it, and it waits for none.
 * @returns a function that ends the turn: the next page can be answered, or this one stopped
 */
export function beginInTurn(
  broadcast: Broadcast,
  name: string,
  proof: string,
  { hasBegun, take, signIn }: Beginning,
): () => void {
  let endTurn = (): void => {}
  const ended = new Promise<void>((resolve) => {
    endTurn = resolve
  })
  const start = async (): Promise<void> => {
    const known = hasBegun() ? undefined : await askLeader(broadcast, name, proof)
    if (hasBegun()) return
    if (known === undefined) return signIn()
    take(known)
    endTurn()
  }
  let started: Promise<void> | undefined
  const begin = (): void => {
    started ??= start()
  }
  const isWaiting = proof !== '' && !isPageVisible()
  const stopListening = isWaiting ? listen(document, 'visibilitychange', begin) : undefined
  if (!isWaiting) begin()
  if (proof === '') return endTurn
  void broadcast.queue(`begin ${name}`, async () => {
    stopListening?.()
    begin()
    await started
    const timer = setTimeout(endTurn, TURN_MS)
    await ended
    clearTimeout(timer)
  })
  return endTurn
}
