// Limits attempts to sign in: five a minute for an address and an account. Nobody fills the allowance of somebody else's
// browser: one that signed in before, and one with a session, have their own.

import { normaliseEmail } from '../../../contract/resources/person.ts'
import { type CallCounter, LIMIT_WINDOW_MS } from '../../domain/limits/call-limits.ts'
import type { SignedIn } from '../../domain/people/dashboard-session.ts'
import { ApiError } from '../../lib/api-error.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import type { RequestContext } from '../kernel/context.ts'
import { clientAddress, networkOf } from './rate-limits.ts'

/** Attempts in a window. The last two stop guesses over many accounts, and over many addresses. */
const LIMITS = { own: 5, pair: 5, address: 60, account: 60 }

export interface AttemptLimits {
  /**
   * Counts an attempt before the password is verified, and takes it back when `attempt` succeeds. `account` is an e-mail
   * address or token; only its hash is a key of the counter.
   * @param device The name of the browser, if it signed in to this account before: then only its own attempts count.
   * @throws ApiError `request/rate-limited`, and the errors of `attempt`.
   */
  limit<T>(c: RequestContext, account: string, attempt: () => Promise<T>, device?: string): Promise<T>
  /** Does the same in a session, whose attempts are counted by themselves. Throws as `limit`. */
  limitOwn<T>({ session }: Pick<SignedIn, 'session'>, attempt: () => Promise<T>): Promise<T>
  /** Counts an attempt that has no success, for the address and for both. @throws ApiError `request/rate-limited`. */
  count(c: RequestContext, account: string): Promise<void>
  /** Counts a sign-in that begins without an account, and that has a challenge. @throws ApiError `request/rate-limited`. */
  begin(c: RequestContext): Promise<void>
}

interface Counted {
  key: string
  most: number
}

export function createAttemptLimits({
  counter,
  trustedProxies,
}: {
  counter: CallCounter
  trustedProxies: number
}): AttemptLimits {
  const countedBy = (name: keyof typeof LIMITS, key: string): Counted => ({
    key: `dashboard ${name} ${key}`,
    most: LIMITS[name],
  })

  /** In the order in which they are counted, so that one address adds to the account only what the pair allows. */
  function countersOf(c: RequestContext, account: string): [Counted, Counted, Counted] {
    const address = networkOf(clientAddress(c, trustedProxies))
    const hash = sha256Hex(normaliseEmail(account))
    return [countedBy('pair', `${address} ${hash}`), countedBy('address', address), countedBy('account', hash)]
  }

  /** Stops at the first counter that is full: the later ones do not count the attempt. */
  async function addTo(counters: readonly Counted[]): Promise<void> {
    for (const { key, most } of counters) {
      const { used, resetMs } = await counter.add(key, 1)
      if (used <= most) continue
      throw new ApiError('request/rate-limited', { retryAfterSeconds: Math.min(resetMs, LIMIT_WINDOW_MS) / 1000 })
    }
  }

  async function attemptWithin<T>(counters: readonly Counted[], attempt: () => Promise<T>): Promise<T> {
    await addTo(counters)
    const result = await attempt()
    await Promise.all(counters.map(({ key }) => counter.add(key, -1)))
    return result
  }

  return {
    limit: (c, account, attempt, device) =>
      attemptWithin(device === undefined ? countersOf(c, account) : [countedBy('own', `device ${device}`)], attempt),
    limitOwn: ({ session }, attempt) => attemptWithin([countedBy('own', `session ${session.id}`)], attempt),
    // The account alone is not counted: anybody may name it, and its mails are limited by themselves.
    count(c, account) {
      const [pair, address] = countersOf(c, account)
      return addTo([pair, address])
    },
    begin(c) {
      const address = networkOf(clientAddress(c, trustedProxies))
      return addTo([{ key: `dashboard begin ${address}`, most: LIMITS.address }])
    },
  }
}
