// An inbox that begins asks the tab that leads what it knows, before it asks the service (contract section 5, decision 0200).

import type { Known } from '../transport/session.ts'
import type { Neighbours } from './sync/neighbours.ts'

/** `to` is the proof of whoever asked; `known` is there when the leader has the very same words, and its socket is up. */
export interface Welcome {
  says: 'welcome'
  to: string
  known?: Known
}

/** The same for the same words, and too short to be turned back into them. */
export const fingerprint = (words: string): string =>
  `${[...words].reduce((sum, char) => (sum * 33) ^ char.charCodeAt(0), 5381)}`

/** The leader is a thread away; one that hangs must not hold up the sign-in. */
const PATIENCE_MS = 250

/** Undefined when nobody leads, or who leads does not know: then this page signs in. */
export async function askLeader(
  { lockNames, openChannel }: Neighbours,
  name: string,
  proof: string,
): Promise<Known | undefined> {
  if (proof === '' || !(await lockNames())?.includes(name)) return undefined
  return new Promise((resolve) => {
    const end = (welcome?: Welcome): void => {
      clearTimeout(timer)
      channel?.close()
      resolve(welcome?.known)
    }
    const channel = openChannel(name, (word) => {
      const told = word as Welcome
      if (told.says === 'welcome' && told.to === proof) end(told)
    })
    const timer = setTimeout(end, PATIENCE_MS)
    channel?.postMessage({ says: 'hello', proof })
  })
}
