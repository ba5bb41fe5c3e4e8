// Cuts a running answer when its caller loses the right to it: a revoked key, an ended session, a lost membership.

import type { ServerResponse } from 'node:http'

/** With the 800 ms for which a key is confirmed (`auth/confirmed-reader.ts`) an answer is cut within a second. */
const CONFIRM_MS = 150

/** What is asked of an answer on its way; `ServerResponse` has it. */
export type Outgoing = Pick<ServerResponse, 'once' | 'destroy'>

/**
 * Asks for the caller until the answer is sent, and closes the connection at the first refusal, so that the client notices an
 * incomplete answer. A store that cannot confirm the caller refuses too.
 * @param confirm Rejects when the caller may read no more.
 * @param onCut Gets the refusal, once.
 */
export function confirmCaller(
  outgoing: Outgoing,
  confirm: () => Promise<unknown>,
  onCut: (refusal: unknown) => void,
): void {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  outgoing.once('close', () => {
    isOver = true
    clearTimeout(timer)
  })
  async function confirmNow(): Promise<void> {
    try {
      await confirm()
    } catch (refusal) {
      if (isOver) return
      isOver = true
      onCut(refusal)
      outgoing.destroy()
    }
    if (!isOver) confirmLater()
  }
  function confirmLater(): void {
    timer = setTimeout(() => void confirmNow(), CONFIRM_MS).unref()
  }
  confirmLater()
}
