// Renews the claims of what is under way: they hold for as long as their process lives, and not much longer (decision 0210).

import type { Log } from '../lib/log.ts'

/** In the time of a lease; all but one of them may fail. */
const LOOKS = 5

export interface RenewalsDeps<Claim> {
  /** What is worked on now: each claim the same object for as long as it is. */
  underWay(): Iterable<Claim>
  renew(claims: Claim[]): Promise<void>
  leaseMs: number
  log: Pick<Log, 'warn'>
}

export interface Renewals {
  start(): void
  stop(): void
}

/** What ends between two looks, as nearly all does, is never renewed and costs nothing. */
export function createRenewals<Claim>({ underWay, renew, leaseMs, log }: RenewalsDeps<Claim>): Renewals {
  let timer: NodeJS.Timeout | undefined
  let seen: ReadonlySet<Claim> = new Set()
  let isRenewing = false

  async function look(): Promise<void> {
    const now = new Set(underWay())
    const old = [...now].filter((claim) => seen.has(claim))
    seen = now
    if (old.length === 0 || isRenewing) return
    isRenewing = true
    await renew(old)
      // When none comes through, the lease is over, and the fence keeps the late one from writing.
      .catch((error) => log.warn('Claims could not be renewed.', { error, count: old.length }))
    isRenewing = false
  }

  return {
    start() {
      timer ??= setInterval(() => void look(), leaseMs / LOOKS).unref()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
    },
  }
}
