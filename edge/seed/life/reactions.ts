// Decides what became of the messages of the demo's month: reads, opens and clicks, and the ways of its mails.

import type { MessageContent } from '../../../contract/api.ts'
import type { RegisteredEventType } from '../../../contract/delivery.ts'
import type { MailParts } from '../../../contract/resources/mail.ts'
import { type MailChange, type MailPlan, OWN_SENDER } from '../../domain/mail/mail.ts'
import type { MailAnswer } from '../../domain/mail/mail-attempt.ts'
import { outcomeOf } from '../../domain/message-outcome.ts'
import type { DeliveryPlan, NewMessage } from '../../domain/plan.ts'
import { createRandom, type Random } from '../../lib/random.ts'
import type { LifePerson } from './people.ts'

/** A plan to commit in the order of the times (`plan.now`, epoch ms). */
export type Reaction = DeliveryPlan | MailPlan

/** A message as its reactions need it. */
export type LifeMessage = Pick<
  NewMessage,
  | 'id'
  | 'version'
  | 'stepId'
  | 'userId'
  | 'channel'
  | 'status'
  | 'correlationId'
  | 'category'
  | 'snapshot'
  | 'createdAt'
> & {
  /** Of the claim of a mail; 0 before any. */
  fence?: number
}

export interface ReactionContext {
  environmentId: number
  /** The end of the month (epoch ms): what would be later has not happened. */
  endsAt: number
  /** Of the mails (`keepLayout`). */
  layoutHash: string
}

const SECOND_MS = 1000
const HOUR_MS = 3_600_000
/** The three people of the shop have read nothing of so long. */
const UNREAD_MS = 40 * HOUR_MS
/** The mean time until somebody looks. */
const LOOKS_AFTER_MS = 4 * HOUR_MS

/** Shares that are read, opened then, and clicked then. */
type Shares = readonly [read: number, opened: number, clicked: number]
const SHARES: Readonly<Record<string, Shares>> = {
  orders: [0.92, 0.68, 0.55],
  community: [0.85, 0.62, 0.5],
  billing: [0.88, 0.6, 0.42],
  account: [0.94, 0.55, 0.4],
  waitlist: [0.8, 0.6, 0.6],
  care: [0.72, 0.4, 0.3],
}
const USUAL: Shares = [0.8, 0.5, 0.4]
const MAIL_SHARES: Shares = [0.58, 1, 0.34]

/** @returns What happens to the message, in the order of the times; nothing for one that was not sent. */
export function reactTo(message: LifeMessage, person: LifePerson, context: ReactionContext): Reaction[] {
  if (outcomeOf(message.status) !== 'made') return []
  const random = createRandom(hash(`${message.correlationId} ${message.stepId} ${message.userId}`))
  const all =
    message.channel === 'email' ? followMail(random, message, person, context) : look(random, message, person, context)
  return all.filter(({ now }) => now < context.endsAt)
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}

function look(random: Random, message: LifeMessage, person: LifePerson, context: ReactionContext): Reaction[] {
  const { environmentId, endsAt } = context
  if (person.isShown && message.createdAt > endsAt - UNREAD_MS) return []
  // The second version of a campaign is the better one.
  const interest = person.interest * (message.version > 1 ? 1.08 : 0.94)
  const times = takeSteps(random, message.createdAt, SHARES[message.category ?? ''] ?? USUAL, interest)
  return times.map(({ step, at }) =>
    report(environmentId, message, at, { eventType: step, source: 'widget', automated: false }),
  )
}

function takeSteps(random: Random, from: number, shares: Shares, interest: number) {
  const taken: { step: RegisteredEventType; at: number }[] = []
  let at = from + Math.round(2 * SECOND_MS - Math.log(1 - random.next()) * LOOKS_AFTER_MS)
  for (const [place, step] of (['read', 'opened', 'clicked'] as const).entries()) {
    if (!random.chance((shares[place] ?? 0) * interest)) break
    taken.push({ step, at })
    at += random.between(3, 90) * SECOND_MS
  }
  return taken
}

function report(
  environmentId: number,
  message: LifeMessage,
  at: number,
  event: { eventType: RegisteredEventType; source: string; automated: boolean },
): DeliveryPlan {
  const link = event.eventType === 'clicked' ? linkOf(message) : null
  const item = { messageId: message.id, occurredAt: at, link, ...event }
  return { kind: 'deliver', environmentId, userNo: null, now: at, items: [item] }
}

/** @returns The link of the message, or the first one of its mail. */
function linkOf({ snapshot }: LifeMessage): string | null {
  const { link, email } = JSON.parse(snapshot) as MessageContent & { email?: MailParts }
  return link ?? /\]\((\/[^)\s]*)\)/.exec(email?.markdown ?? '')?.[1] ?? null
}

const ACCEPTED: MailAnswer = { outcome: 'accepted', answer: '250 2.0.0 Ok: queued' }
const REFUSED: MailAnswer = { outcome: 'refused', answer: '550 5.1.1 Recipient address rejected: User unknown' }
const PUT_OFF: MailAnswer = { outcome: 'unavailable', answer: '451 4.7.1 Greylisted, please try again in a minute' }
const RETRY_MS = 70 * SECOND_MS

/** Follows the mail from its hand-over to the last click in it. */
function followMail(random: Random, message: LifeMessage, person: LifePerson, context: ReactionContext): Reaction[] {
  const { environmentId, layoutHash } = context
  const way: Reaction[] = []
  let at = message.createdAt
  let { fence = 0 } = message
  const change = (afterMs: number, changed: MailChange, answered?: MailAnswer) => {
    at += afterMs
    way.push({
      kind: 'mail',
      environmentId,
      messageId: message.id,
      fence,
      now: at,
      change: changed,
      ...(answered && { answered }),
    })
  }
  const handOver = () => change(300, { does: 'hand-over', integrationId: OWN_SENDER, provider: 'smtp', layoutHash })
  handOver()
  if (person.bounces) {
    change(900, { does: 'end', status: 'failed', reason: 'provider-error', error: REFUSED.answer }, REFUSED)
    return way
  }
  if (random.chance(0.04)) {
    change(700, { does: 'retry', at: at + RETRY_MS, error: PUT_OFF.answer ?? '' }, PUT_OFF)
    fence += 1
    at += RETRY_MS
    handOver()
  }
  change(800, { does: 'accept', providerMessageId: `${message.id}@mail.example.com` }, ACCEPTED)
  // Some companies let a program open each mail.
  const scans = random.chance(0.06)
  if (scans)
    way.push(
      report(environmentId, message, at + 4 * SECOND_MS, { eventType: 'opened', source: 'pixel', automated: true }),
    )
  for (const { step, at: then } of takeSteps(random, at + 6 * SECOND_MS, MAIL_SHARES, person.interest)) {
    const source = step === 'clicked' ? 'link' : 'pixel'
    if (step !== 'read') way.push(report(environmentId, message, then, { eventType: step, source, automated: false }))
  }
  return way
}
