// Makes the events of the demo's month: what happened to whom, and when.

import type { TrackInput } from '../../flow/track/plan-event.ts'
import type { Random } from '../../lib/random.ts'
import type { LifePerson } from './people.ts'

export interface LifeEvent {
  /** Epoch ms; each event has its own. */
  at: number
  input: TrackInput & { userId?: string }
}

export interface Month {
  /** Epoch ms. */
  startsAt: number
  days: number
  /** Days after signing up without other events: what is written together knows no new people. */
  restDays: number
}

export const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** The times of events are multiples: what continues a run has an instant of its own between them. */
const STEP_MS = 4
/** Nothing happens in the last minutes, so that all of it has its reactions. */
const QUIET_END_MS = 20 * MINUTE_MS

/** Share of the busiest day (UTC), from Sunday. */
const WEEKDAYS = [0.38, 0.83, 0.96, 0.92, 0.88, 1, 0.5]
/** Share of an hour of the day (UTC). */
const HOURS = [1, 0, 0, 0, 0, 1, 3, 6, 9, 11, 12, 12, 10, 9, 10, 11, 10, 9, 9, 10, 9, 6, 4, 2]
const EVENTS_OF_BUSIEST_DAY = 70

/** Of the shop's catalogue. */
const PLANTS = [
  { plant: 'Monstera', slug: 'monstera', price: 48 },
  { plant: 'Snake plant', slug: 'snake-plant', price: 29 },
  { plant: 'String of pearls', slug: 'string-of-pearls', price: 22 },
  { plant: 'Sword fern', slug: 'sword-fern', price: 26 },
  { plant: 'Rubber fig', slug: 'rubber-fig', price: 54 },
]
const COMMENTS = [
  'Mine did the same in its first winter. Move it away from the heating and wait two weeks.',
  'Less water, more light. It forgave me everything.',
  'Look under the leaves: small white dots mean thrips.',
  'I repotted mine in March and it has doubled since.',
  'That is just an old leaf. Cut it off and be glad about the new one.',
]
const REFUSALS = ['Your card has expired.', 'Your card has insufficient funds.', 'Your card was declined.']

type Input = LifeEvent['input']

interface Of {
  person: LifePerson
  people: readonly LifePerson[]
  /** Of this event, for numbers of orders and invoices. */
  number: number
  at: number
}
type MakeInput = (random: Random, of: Of) => Input

const DAY_FORMAT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
const formatDay = (at: number) => DAY_FORMAT.format(at)
const orderId = (number: number) => `L-${2000 + number}`

const KINDS = {
  'order.shipped': {
    weight: 24,
    make(random, { person: { userId }, number }) {
      const { plant, price } = random.pick(PLANTS)
      const count = random.pick([1, 1, 1, 2, 3])
      const properties = {
        orderId: orderId(number),
        summary: count === 1 ? plant : `${count} × ${plant}`,
        total: count * price,
        carrier: random.pick(['Green Post', 'Parcel Union']),
      }
      return { name: 'order.shipped', userId, properties }
    },
  },
  'order.delivered': {
    weight: 13,
    make: (_, { person: { userId }, number }) => ({
      name: 'order.delivered',
      userId,
      properties: { orderId: orderId(number) },
    }),
  },
  'plant.thirsty': {
    weight: 20,
    make(random, { person: { userId } }) {
      const { plant, slug } = random.pick(PLANTS)
      const moisture = random.between(6, 19)
      return {
        name: 'plant.thirsty',
        userId,
        properties: { plant, slug, moisture, millilitres: random.pick([150, 200, 300, 450]) },
      }
    },
  },
  'comment.created': {
    weight: 16,
    make(random, { person: { userId }, people }) {
      const { plant, slug } = random.pick(PLANTS)
      // Who answers their own question is told nothing.
      const author = random.chance(0.08) ? userId : random.pick(people).profile.name
      return { name: 'comment.created', userId, properties: { plant, slug, author, text: random.pick(COMMENTS) } }
    },
  },
  'invoice.issued': {
    weight: 17,
    make(random, { person: { userId }, number, at }) {
      const { price } = random.pick(PLANTS)
      const total = random.chance(0.18) ? random.between(510, 1900) : price * random.between(1, 4)
      const daysOverdue = random.chance(0.16) ? random.between(3, 28) : 0
      return {
        name: 'invoice.issued',
        userId,
        properties: {
          invoiceId: `I-${5000 + number}`,
          total,
          currency: 'EUR',
          dueOn: formatDay(at + (14 - daysOverdue) * DAY_MS),
          daysOverdue,
        },
      }
    },
  },
  'stripe.payment_intent.payment_failed': {
    weight: 3,
    make: (random, { person: { userId }, number }) => ({
      name: 'stripe.payment_intent.payment_failed',
      userId,
      properties: {
        amount: random.pick(PLANTS).price * 100,
        currency: 'eur',
        metadata: { orderId: orderId(number) },
        last_payment_error: { message: random.pick(REFUSALS) },
      },
    }),
  },
  // No campaign waits for it.
  'basket.left': {
    weight: 5,
    make: (random, { person: { userId } }) => ({
      name: 'basket.left',
      userId,
      properties: { slug: random.pick(PLANTS).slug },
    }),
  },
} satisfies Record<string, { weight: number; make: MakeInput }>
const ALL_KINDS = Object.values(KINDS)
const WEIGHTS = ALL_KINDS.reduce((sum, { weight }) => sum + weight, 0)

/** What the three customers of the shop got lately, in days before now. */
const OF_SHOWN: readonly { daysAgo: number; kind: keyof typeof KINDS }[] = [
  { daysAgo: 19.3, kind: 'order.shipped' },
  { daysAgo: 12.6, kind: 'comment.created' },
  { daysAgo: 8.2, kind: 'invoice.issued' },
  { daysAgo: 6.4, kind: 'plant.thirsty' },
  { daysAgo: 4.9, kind: 'order.shipped' },
  { daysAgo: 3.1, kind: 'comment.created' },
  { daysAgo: 1.6, kind: 'invoice.issued' },
  { daysAgo: 0.9, kind: 'order.shipped' },
  { daysAgo: 0.2, kind: 'plant.thirsty' },
]

/** @returns The events in the order of their times, all of the month. */
export function makeEvents(random: Random, people: readonly LifePerson[], month: Month): LifeEvent[] {
  const made: LifeEvent[] = []
  let number = 0
  const add = (at: number, input: Input) => made.push({ at, input })
  const endsAt = month.startsAt + month.days * DAY_MS - QUIET_END_MS

  for (let day = 0; day < month.days; day += 1) {
    const startsAt = month.startsAt + day * DAY_MS
    // The shop grows a little over the month.
    const count = Math.round(EVENTS_OF_BUSIEST_DAY * (0.85 + (0.3 * day) / month.days) * (0.9 + random.next() * 0.2))
    const present = people.filter(
      ({ joinsOn, isShown }) => !isShown && (joinsOn === null || joinsOn + month.restDays <= day),
    )
    for (let one = 0; one < count; one += 1) {
      const at = timeOf(random, startsAt)
      if (!random.chance(WEEKDAYS[new Date(at).getUTCDay()] ?? 1)) continue
      add(at, pickKind(random).make(random, { person: random.pick(present), people, number: number++, at }))
    }
    for (const { userId, profile, joinsOn } of people) {
      if (joinsOn === day) add(timeOf(random, startsAt), { name: 'user.signed-up', userId, user: profile })
    }
    if (day % 6 === 4) add(timeOf(random, startsAt), makeRestock(random, present))
  }
  for (const person of people.filter(({ isShown }) => isShown)) {
    for (const { daysAgo, kind } of OF_SHOWN) {
      const at = endsAt - daysAgo * DAY_MS - random.between(0, 9 * HOUR_MS)
      add(
        at,
        KINDS[kind].make(random, { person, people: people.filter(({ isShown }) => !isShown), number: number++, at }),
      )
    }
  }
  return inOrder(made.filter(({ at }) => at < endsAt))
}

function pickKind(random: Random): { make: MakeInput } {
  let left = random.next() * WEIGHTS
  for (const kind of ALL_KINDS) {
    left -= kind.weight
    if (left < 0) return kind
  }
  return KINDS['order.shipped']
}

function makeRestock(random: Random, present: readonly LifePerson[]): Input {
  const waiting = [...new Set(Array.from({ length: 34 }, () => random.pick(present).userId))]
  const { plant, slug } = random.pick(PLANTS)
  const properties = { plant, slug, stock: random.between(5, 40), waiting: waiting.length - 1 }
  return { name: 'plant.restocked', userIds: waiting, properties }
}

/** @returns A time of the 24 hours from `startsAt`, at an hour when people are awake. */
function timeOf(random: Random, startsAt: number): number {
  for (;;) {
    const at = startsAt + Math.floor(random.next() * DAY_MS)
    if (random.next() * 12 < (HOURS[new Date(at).getUTCHours()] ?? 0)) return at
  }
}

/** Sorts the events, and gives each a time of its own. */
function inOrder(events: LifeEvent[]): LifeEvent[] {
  let before = 0
  return events
    .sort((one, other) => one.at - other.at)
    .map(({ at, input }) => {
      before = Math.max(before + STEP_MS, Math.floor(at / STEP_MS) * STEP_MS)
      return { at: before, input }
    })
}
