// The send policy: whether a message may go to a user, asked by each step that sends before it makes one (contract sections 5 to 7:
// preferences, quiet hours, suppression; critical categories pass). Decisions 0130 and 0131.

import type { Channel } from '../../contract/delivery.ts'
import type { Categories } from './sending/category.ts'
import { findQuietEnd } from './sending/quiet-hours.ts'
import type { ChannelChoice, SendRulesOfUser } from './sending/send-rules.ts'

/** The reasons of contract section 7 that a policy gives. */
export type PolicyReason = 'preference' | 'suppressed' | 'quiet-hours'

export type SendVerdict =
  | { verdict: 'send' }
  /** `statusReason` is the record's, `because` what the trace says. */
  | { verdict: 'skip'; statusReason: PolicyReason; because: string }

export interface SendQuestion {
  channel: Channel
  category: string | null
  /** When it would be sent (epoch ms). */
  at: number
}

/** What holds for one user, read before the run goes on; a step asks it without waiting. */
export interface SendPolicy {
  judge(question: SendQuestion): SendVerdict
  /** When the user's quiet hours end that `at` lies in; null outside of them. For `untilQuietHoursEnd`. */
  findQuietEnd(at: number): number | null
}

export const SEND: SendVerdict = { verdict: 'send' }

/** For an environment in which nobody has a preference and no category is off. */
export const SEND_ALL: SendPolicy = { judge: () => SEND, findQuietEnd: () => null }

/** `rules` is what the store has of the user; undefined: nothing. */
export function createSendPolicy(
  categories: Categories,
  rules: SendRulesOfUser | undefined,
  timeZone: string | null,
): SendPolicy {
  const quietHours = rules?.quietHours ?? null
  const endOfQuiet = (at: number) => (quietHours === null ? null : findQuietEnd(quietHours, timeZone, at))
  return {
    findQuietEnd: endOfQuiet,
    judge({ channel, category: key, at }) {
      const category = key === null ? undefined : categories.get(key)
      const critical = category?.critical === true
      const suppression = rules?.suppressions.find((one) => one.channel === channel && !(critical && one.mayPass))
      if (suppression !== undefined) return skip('suppressed', `suppressed: ${suppression.reason}`)
      if (critical) return SEND
      const choice: ChannelChoice | undefined = key === null ? undefined : rules?.choices[key]
      if (choice?.[channel] === false) return skip('preference', `the user does not want ${key} by ${channel}`)
      if (choice?.[channel] === undefined && category?.channels[channel] === false) {
        return skip('preference', `${key} does not go by ${channel} unless a user wants it`)
      }
      // An inbox makes no noise: its messages come at any hour and wait (decision 0131).
      if (channel === 'inbox' || endOfQuiet(at) === null) return SEND
      return skip('quiet-hours', 'these are quiet hours of the user')
    },
  }
}

function skip(statusReason: PolicyReason, because: string): SendVerdict {
  return { verdict: 'skip', statusReason, because }
}
