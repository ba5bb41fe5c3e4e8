// Says in a sentence whether a message would go out, when, and what holds it back.

import type { Channel } from '../../../../contract/delivery.ts'
import type { EmailSandbox } from '../../../../contract/resources/environment.ts'
import type { MailWay } from '../../../../contract/tenant.ts'
import { findWayOut } from '../../../domain/mail/email-sandbox.ts'
import type { Categories } from '../../../domain/sending/category.ts'
import { type SendRulesOfUser, UNCATEGORISED } from '../../../domain/sending/send-rules.ts'
import type { TraceStep } from '../../../domain/tracked-event.ts'
import { sayDay, saySpan, sayTime } from '../../../lib/say-time.ts'
import { fail, type Known, type Told } from './sentences.ts'

export interface KnownSends extends Known {
  userId: string
  email: string | null
  category: string | null
  categories: Categories
  rules: SendRulesOfUser | undefined
  /** Channels on which the user is suppressed, not only the address. */
  suppressed: ReadonlySet<Channel>
  mailWay: MailWay
  sandbox: EmailSandbox
  /** The title of a message that would go out; null for none. */
  titleOf(stepId: string): string | null
}

const ON: Record<Channel, string> = { inbox: 'on the inbox', email: 'by mail' }

export function tellSend(step: TraceStep, channel: Channel, known: KnownSends): Told {
  if (step.outcome === 'failed') return fail(step)
  if (step.outcome === 'skipped') return tellHeld(step, channel, known)
  const passedMs = step.at - known.startedAt
  // Less is the time that the explanation takes.
  const after = passedMs >= 1000 ? ` after ${saySpan(passedMs)}` : ''
  if (channel === 'inbox') {
    return { sentence: `Would be put into the inbox of ${known.who}${after}${titleIn(step, known)}.` }
  }
  return tellMail(step, after, known)
}

function tellMail(step: TraceStep, after: string, known: KnownSends): Told {
  const { email, mailWay, sandbox, timeZone } = known
  const address = email ?? ''
  const held = (reason: string, why: string, kind: 'mail-account' | 'sandbox'): Told => ({
    sentence: `Held back: ${why}.`,
    ...{ outcome: 'skipped', reason, remedy: { kind } },
  })
  // A mail in the mailbox reaches nobody.
  const wayOut = mailWay === 'mailbox' ? address : findWayOut(sandbox, address)
  if (wayOut === null)
    return held('sandbox', `the sandbox of this environment lets no mail to ${address} out`, 'sandbox')
  if (mailWay === 'none') return held('no-provider', 'this environment has no account for mail', 'mail-account')
  const redirected = wayOut === address ? '' : ` The sandbox sends it to ${wayOut} instead.`
  const kept = mailWay === 'mailbox' ? ' It is kept in the mailbox, because no account for mail is set.' : ''
  const { inputs = {} } = step
  const until = typeof inputs.until === 'string' ? Date.parse(inputs.until) : undefined
  const quiet = until === undefined ? '' : ` It waits for the end of the quiet hours, ${sayTime(until, timeZone)}.`
  const unlessRead = inputs.unlessRead
  const why =
    typeof unlessRead === 'string'
      ? `: ${unlessRead} is not read in the inbox${after}`
      : `${after}${titleIn(step, known)}`
  return { sentence: `Would be sent by mail to ${address}${why}.${quiet}${redirected}${kept}` }
}

function titleIn({ stepId }: TraceStep, { titleOf }: KnownSends): string {
  const title = titleOf(stepId)
  return title === null ? '' : `: “${title}”`
}

function tellHeld(step: TraceStep, channel: Channel, known: KnownSends): Told {
  const { who, userId, email, category, categories, rules, timeZone } = known
  const name = category === null ? 'messages without a category' : (categories.get(category)?.name ?? category)
  switch (step.inputs?.reason) {
    case 'suppressed': {
      const suppression = rules?.suppressions.find((one) => one.channel === channel)
      const since =
        suppression === undefined ? '' : ` since ${sayDay(suppression.createdAt, timeZone)} (${suppression.reason})`
      const whose = known.suppressed.has(channel) || email === null ? { userId } : { address: email }
      return {
        sentence: `Held back: ${'address' in whose ? email : who} is suppressed ${ON[channel]}${since}.`,
        remedy: { kind: 'suppression', channel, ...whose },
      }
    }
    case 'preference': {
      const key = category ?? UNCATEGORISED
      const remedy = { kind: 'preference', userId, channel, ...(category !== null && { category }) } as const
      if (rules?.choices[key]?.[channel] !== false) {
        return {
          sentence: `Held back: ${name} does not go out ${ON[channel]} unless a user wants it.`,
          remedy: { kind: 'category', category: key, channel },
        }
      }
      const at = rules.since?.[key]?.[channel]
      const when = at === undefined ? '' : ` on ${sayDay(at, timeZone)}`
      return { sentence: `Held back: ${who} switched off ${name} ${ON[channel]}${when}.`, remedy }
    }
    case 'quiet-hours':
      return {
        sentence: `Held back: these are quiet hours of ${who}, in which ${name} is dropped.`,
        remedy: { kind: 'preference', userId, channel },
      }
    case 'no-address':
      return {
        sentence: `Held back: ${email === null || email.trim() === '' ? `${who} has no e-mail address` : `${email} is no valid address`}.`,
        remedy: { kind: 'user', userId },
      }
    default:
      return { sentence: `Held back: ${step.reason ?? 'skipped'}.` }
  }
}
