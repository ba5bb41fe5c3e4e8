// Frames from clients: at most 20 a second, whatever they hold (contract section 5). Size is held by the WebSocket itself.

import { LIMITS } from '../../contract/limits.ts'

const WINDOW_MS = 1000

/** Answers whether one more frame at `nowMs` (a clock that never steps back) is still within the limit. */
export type FrameGuard = (nowMs: number) => boolean

/** Counts in a sliding second. The first frame of a connection, its handshake, is free. */
export function createFrameGuard(): FrameGuard {
  // The instants of the latest frames, a ring; made when it is needed, because idle sockets are many.
  let instants: number[] | undefined
  let next = 0
  return (nowMs) => {
    if (instants === undefined) {
      instants = []
      return true
    }
    const oldest = instants[next]
    instants[next] = nowMs
    next = (next + 1) % LIMITS.socketFramesPerSecond
    return oldest === undefined || nowMs - oldest >= WINDOW_MS
  }
}
