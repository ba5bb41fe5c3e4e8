// Limits attempts to sign in: five a minute for an address and an account, and more for each alone. Sign-ins that name no
// account are limited by address when they begin.

import { type CallCounter, LIMIT_WINDOW_MS } from '../../domain/limits/call-limits.ts'
import { normaliseEmail } from '../../domain/people/parse-person.ts'
import { ApiError } from '../../lib/api-error.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import type { RequestContext } from '../context.ts'
import { clientAddress, networkOf } from '../limits/rate-limits.ts'

/** Attempts in a window. The last two stop guesses over many accounts, and over many addresses. */
const LIMITS = { pair: 5, address: 60, account: 60 }

export interface AttemptLimits {
  /**
   * Counts an attempt before the password is verified, and takes it back when `attempt` succeeds.
   * @param account E-mail address or token; only its hash is a key of the counter.
   * @throws ApiError `request/rate-limited`, and the errors of `attempt`.
   */
  limit<T>(c: RequestContext, account: string, attempt: () => Promise<T>): Promise<T>
  /** Counts an attempt that has no success. @throws ApiError `request/rate-limited`. */
  count(c: RequestContext, account: string): Promise<void>
  /** Counts a sign-in that begins without an account, and that has a challenge. @throws ApiError `request/rate-limited`. */
  begin(c: RequestContext): Promise<void>
}

export function createAttemptLimits({
  counter,
  trustedProxies,
}: {
  counter: CallCounter
  trustedProxies: number
}): AttemptLimits {
  /** @returns The keys that were counted. */
  async function take(c: RequestContext, account: string): Promise<string[]> {
    const address = networkOf(clientAddress(c, trustedProxies))
    const hash = sha256Hex(normaliseEmail(account))
    const keys = { pair: `${address} ${hash}`, address, account: hash }
    const counted = Object.entries(LIMITS).map(([name, most]) => ({
      key: `dashboard ${name} ${keys[name as keyof typeof keys]}`,
      most,
    }))
    await addTo(counted)
    return counted.map(({ key }) => key)
  }

  async function addTo(counted: { key: string; most: number }[]): Promise<void> {
    const usages = await Promise.all(counted.map(({ key }) => counter.add(key, 1)))
    const over = usages.filter(({ used }, at) => used > (counted[at]?.most ?? 0))
    if (over.length === 0) return
    const resetMs = Math.max(...over.map((usage) => usage.resetMs))
    throw new ApiError('request/rate-limited', { retryAfterSeconds: Math.min(resetMs, LIMIT_WINDOW_MS) / 1000 })
  }

  return {
    async limit(c, account, attempt) {
      const keys = await take(c, account)
      const result = await attempt()
      await Promise.all(keys.map((key) => counter.add(key, -1)))
      return result
    },
    async count(c, account) {
      await take(c, account)
    },
    begin(c) {
      const address = networkOf(clientAddress(c, trustedProxies))
      return addTo([{ key: `dashboard begin ${address}`, most: LIMITS.address }])
    },
  }
}
