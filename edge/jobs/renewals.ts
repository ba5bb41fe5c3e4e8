// Renews the claims of work in progress, so that they end soon after their process ends (docs/decisions/0020-fair-claims.md).

import type { Log } from '../lib/log.ts'

/** Renewals per lease; all but one of them may fail. */
const RENEWALS_PER_LEASE = 5

export interface RenewalsDeps<Claim> {
  /** The claims in progress; each must be the same object while it lasts. */
  underWay(): Iterable<Claim>
  renew(claims: Claim[]): Promise<void>
  leaseMs: number
  log: Pick<Log, 'warn'>
}

export interface Renewals {
  start(): void
  stop(): void
}

/** Work that ends within one interval, as nearly all does, is never renewed and costs nothing. */
export function createRenewals<Claim>({ underWay, renew, leaseMs, log }: RenewalsDeps<Claim>): Renewals {
  let timer: NodeJS.Timeout | undefined
  let seen: ReadonlySet<Claim> = new Set()
  let isRenewing = false

  async function renewOld(): Promise<void> {
    const now = new Set(underWay())
    const old = [...now].filter((claim) => seen.has(claim))
    seen = now
    if (old.length === 0 || isRenewing) return
    isRenewing = true
    await renew(old)
      // When all renewals fail the lease ends, and the fence keeps the late worker from writing.
      .catch((error) => log.warn('claims not renewed', { error, count: old.length }))
    isRenewing = false
  }

  return {
    start() {
      timer ??= setInterval(() => void renewOld(), leaseMs / RENEWALS_PER_LEASE).unref()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
    },
  }
}
