// Limits invitations, each of which sends a mail to anybody: by person, organisation, invited address and deployment.

import { type CallCounter, LIMIT_WINDOW_MS } from '../../domain/limits/call-limits.ts'
import { ApiError } from '../../lib/api-error.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import { spellingsOf } from '../../lib/mail-address.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export interface InvitedBy {
  personId: number
  organisationId: number
}

/** Counts an invitation before it is made. Throws ApiError `request/rate-limited`. */
export type LimitInvitations = (by: InvitedBy, email: string) => Promise<void>

export function createInvitationLimits(counter: CallCounter): LimitInvitations {
  return async ({ personId, organisationId }, email) => {
    // From narrow to wide, because a refused call must not use up the limit that all share.
    const limits = [
      { key: `by ${personId}`, most: 60, windowMs: LIMIT_WINDOW_MS },
      { key: `of ${organisationId}`, most: 60, windowMs: LIMIT_WINDOW_MS },
      // Many organisations of one person, or of several, must not be many mails to one address, or to the world.
      { key: `to ${sha256Hex(spellingsOf(email)[0])}`, most: 10, windowMs: DAY_MS },
      { key: `a day by ${personId}`, most: 300, windowMs: DAY_MS },
      { key: 'a day', most: 5000, windowMs: DAY_MS },
    ]
    for (const { key, most, windowMs } of limits) {
      const { used, resetMs } = await counter.add(`dashboard invite ${key}`, 1, windowMs)
      if (used > most) throw new ApiError('request/rate-limited', { retryAfterSeconds: Math.ceil(resetMs / 1000) })
    }
  }
}
