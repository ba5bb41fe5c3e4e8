// Decides whether a message may go to a user, by preferences, quiet hours and suppression; messages of critical categories pass.

import { type Channel, needsAddress } from '../../contract/delivery.ts'
import type { Categories } from '../domain/sending/category.ts'
import { findQuietEnd } from '../domain/sending/quiet-hours.ts'
import { type ChannelChoice, type SendRulesOfUser, UNCATEGORISED } from '../domain/sending/send-rules.ts'

export type PolicyReason = 'preference' | 'suppressed' | 'quiet-hours'

export type SendVerdict =
  | { verdict: 'send' }
  /** Sent when the quiet hours of the user end (epoch ms). */
  | { verdict: 'delay'; until: number }
  /** `statusReason` is for the record, `because` for the trace. */
  | { verdict: 'skip'; statusReason: PolicyReason; because: string }

export interface SendQuestion {
  channel: Channel
  category: string | null
  /** Instant of sending (epoch ms). */
  at: number
}

/** What the rules of a user are made from: plain data, which can cross to another process. */
export interface PolicyData {
  categories: Categories
  /** The stored rules; undefined: none. */
  rules: SendRulesOfUser | undefined
  timeZone: string | null
}

/** Rules of one user, loaded before the run continues, so that no step waits for them. */
export interface SendPolicy {
  data: PolicyData
  judge(question: SendQuestion): SendVerdict
  /** Returns the end of the quiet hours that contain `at` (epoch ms); null outside of them. */
  findQuietEnd(at: number): number | null
}

export const SEND: SendVerdict = { verdict: 'send' }

/** Rules for an environment without preferences and without categories that are off. */
export const SEND_ALL: SendPolicy = createSendPolicy(new Map(), undefined, null)

/** Creates the rules of a user. `rules` are the stored ones; undefined: none. */
export function createSendPolicy(
  categories: Categories,
  rules: SendRulesOfUser | undefined,
  timeZone: string | null,
): SendPolicy {
  const quietHours = rules?.quietHours ?? null
  const endOfQuiet = (at: number) => (quietHours === null ? null : findQuietEnd(quietHours, timeZone, at))
  return {
    data: { categories, rules, timeZone },
    findQuietEnd: endOfQuiet,
    judge({ channel, category: key, at }) {
      const category = key === null ? undefined : categories.get(key)
      const critical = category?.critical === true
      const suppression = rules?.suppressions.find((one) => one.channel === channel && !(critical && one.mayPass))
      if (suppression !== undefined) return skip('suppressed', `suppressed: ${suppression.reason}`)
      if (critical) return SEND
      const choice: ChannelChoice | undefined = rules?.choices[key ?? UNCATEGORISED]
      if (choice?.[channel] === false) {
        return skip('preference', `the user does not want ${key ?? 'messages without a category'} by ${channel}`)
      }
      if (choice?.[channel] === undefined && category?.channels[channel] === false) {
        return skip('preference', `${key} does not go by ${channel} unless a user wants it`)
      }
      // Channels without an address wait in the page and make no noise, so quiet hours do not apply.
      const until = needsAddress(channel) ? endOfQuiet(at) : null
      if (until === null) return SEND
      if (category?.quietHours !== 'drop') return { verdict: 'delay', until }
      return skip('quiet-hours', 'these are quiet hours of the user')
    },
  }
}

function skip(statusReason: PolicyReason, because: string): SendVerdict {
  return { verdict: 'skip', statusReason, because }
}

/** Returns why a message to `address` is not sent; undefined when it may go. A missing address comes before preferences. */
export function findReasonToKeep(
  policy: SendPolicy,
  { address, addressNoun, ...question }: SendQuestion & { address: string | null; addressNoun: string },
): { statusReason: string; because: string } | undefined {
  if (address === null || address.trim() === '') {
    return { statusReason: 'no-address', because: `the user has no ${addressNoun}` }
  }
  const verdict = policy.judge(question)
  return verdict.verdict === 'skip' ? verdict : undefined
}

/** Returns when a message that may go is sent at the earliest (epoch ms); undefined: at once. */
export function findDelay(policy: SendPolicy, question: SendQuestion): number | undefined {
  const verdict = policy.judge(question)
  return verdict.verdict === 'delay' ? verdict.until : undefined
}
