// Writes the demo's month: events of two hundred customers, and what became of their messages. It goes through the flows and
// commits of the service, each at its own instant; nothing lies in the future. Called again, it completes what is missing.

import type { CommitPlan } from '../../domain/commit-plan.ts'
import type { Environment } from '../../domain/environment.ts'
import type { NewMessage } from '../../domain/plan.ts'
import type { ProfileChange } from '../../domain/user.ts'
import { createRandom, type Random } from '../../lib/random.ts'
import { DAY_MS, type LifeEvent, makeEvents } from './events.ts'
import { type LifePerson, makePeople } from './people.ts'
import { type LifeMessage, type Reaction, reactTo } from './reactions.ts'

/** Days from the first event to the start of the server. */
export const LIFE_DAYS = 30
/** A divisor of the length. Changes are on the first of such days. */
export const TOGETHER_DAYS = 3
/** The first choice of all others. */
const SEED = 20_260_131

export type IdentifiedEvent = LifeEvent & { correlationId: string }

/** The place of an event among those that are evaluated together: inboxes list their messages in the order of the commits. */
export interface Turn {
  /** Resolves when the event before has been handed to the store. */
  before: Promise<void>
  leave(): void
}

export interface WriteLifeDeps {
  /** Lists the events that an interrupted start has written (ids). */
  listKnown(environmentId: number): Promise<ReadonlySet<number>>
  /** Accepts an event as if it were sent at its time; writes no known one. @returns its messages, also those of a known one */
  accept(
    environment: Environment,
    event: IdentifiedEvent,
    known: ReadonlySet<number>,
    turn: Turn,
  ): Promise<NewMessage[]>
  /** Continues the runs that are due by then, each at its time. @returns their messages */
  continueRuns(until: number): Promise<NewMessage[]>
  /** Takes the mails of the environment that nobody has handed over, which an interrupted start has left. */
  claimMails(environmentId: number): Promise<LifeMessage[]>
  commitPlan: CommitPlan
  introduce(environmentId: number, userId: string, profile: ProfileChange, at: number): Promise<unknown>
  /** Sends no more mails to the address. */
  suppress(environmentId: number, address: string, at: number): Promise<void>
  /** @returns The hash of the layout of its mails, which is stored. */
  keepLayout(environmentId: number): Promise<string>
}

/** A change of the demo in the course of the month. */
export interface LifeChange {
  /** Days after the beginning. */
  day: number
  apply(environment: Environment, at: number): Promise<void>
}

/**
 * @param startsAt The beginning of the month (epoch ms), the same one at each call
 * @param changes In the order of their days
 */
export type WriteLife = (environment: Environment, startsAt: number, changes: readonly LifeChange[]) => Promise<void>

export function createWriteLife(deps: WriteLifeDeps): WriteLife {
  return async function writeLife(environment, startsAt, changes) {
    const { people, events } = makeMonth(startsAt)
    const byId = new Map(people.map((person) => [person.userId, person]))
    const introduce = ({ userId, profile }: LifePerson, at: number) =>
      deps.introduce(environment.id, userId, profile, at)
    await Promise.all(people.filter(({ joinsOn }) => joinsOn === null).map((person) => introduce(person, startsAt)))
    const endsAt = startsAt + LIFE_DAYS * DAY_MS
    const context = { environmentId: environment.id, endsAt, layoutHash: await deps.keepLayout(environment.id) }
    const known = await deps.listKnown(environment.id)
    let reactions: Reaction[] = []
    const addReactions = (messages: readonly LifeMessage[]) => {
      for (const message of messages) {
        const person = byId.get(message.userId)
        if (person !== undefined) reactions.push(...reactTo(message, person, context))
      }
      reactions.sort((one, other) => one.now - other.now)
    }

    // Several days are written together, because each commit is waited for.
    for (let day = 0, next = 0; day < LIFE_DAYS; day += TOGETHER_DAYS) {
      const until = startsAt + (day + TOGETHER_DAYS) * DAY_MS
      for (const change of changes) if (change.day === day) await change.apply(environment, startsAt + day * DAY_MS)
      const together: IdentifiedEvent[] = []
      for (let one = events[next]; one !== undefined && one.at < until; one = events[++next]) together.push(one)
      await Promise.all(
        together.map(({ at, input }) => {
          const person = input.user === undefined ? undefined : byId.get(input.userId ?? '')
          return person && introduce(person, at)
        }),
      )
      const messages = await acceptAll(deps, environment, together, known)
      messages.push(...(await continueAll(deps, until)))
      addReactions(messages)
      const due = reactions.filter(({ now }) => now < until)
      reactions = reactions.filter(({ now }) => now >= until)
      await Promise.all(due.map((plan) => commit(deps, plan)))
      await suppressBounced(deps, environment.id, messages, byId, until)
    }
    addReactions(await deps.claimMails(environment.id))
    await Promise.all(reactions.map((plan) => commit(deps, plan)))
  }
}

/** @returns The people and the events of the month that begins then, the same ones at each call. */
export function makeMonth(startsAt: number): { people: LifePerson[]; events: IdentifiedEvent[] } {
  const random = createRandom(SEED)
  const people = makePeople(random, LIFE_DAYS)
  const events = makeEvents(random, people, { startsAt, days: LIFE_DAYS, restDays: TOGETHER_DAYS })
  return { people, events: events.map((event) => ({ ...event, correlationId: makeCorrelationId(random) })) }
}

async function acceptAll(
  { accept }: WriteLifeDeps,
  environment: Environment,
  events: readonly IdentifiedEvent[],
  known: ReadonlySet<number>,
): Promise<NewMessage[]> {
  const takeTurn = createTurns()
  const accepted = await Promise.all(
    events.map((event) => {
      const turn = takeTurn()
      return accept(environment, event, known, turn).finally(turn.leave)
    }),
  )
  return accepted.flat()
}

/** @returns A function that gives out turns in the order of its calls. */
function createTurns(): () => Turn {
  let last = Promise.resolve()
  return () => {
    const before = last
    let leave = () => {}
    last = new Promise((resolve) => {
      leave = resolve
    })
    return { before, leave: () => leave() }
  }
}

/** Runs that continue may wait again. */
async function continueAll({ continueRuns }: WriteLifeDeps, until: number): Promise<NewMessage[]> {
  const all: NewMessage[] = []
  for (let round = 0; round < 2; round += 1) all.push(...(await continueRuns(until)))
  return all
}

function commit({ commitPlan }: WriteLifeDeps, plan: Reaction): Promise<unknown> {
  return plan.kind === 'mail' ? commitPlan(plan) : commitPlan(plan)
}

async function suppressBounced(
  { suppress }: WriteLifeDeps,
  environmentId: number,
  messages: readonly NewMessage[],
  byId: ReadonlyMap<string, LifePerson>,
  at: number,
): Promise<void> {
  for (const { channel, status, userId } of messages) {
    const person = byId.get(userId)
    if (channel !== 'email' || status !== 'queued' || person?.bounces !== true) continue
    if (person.profile.email) await suppress(environmentId, person.profile.email, at)
  }
}

/** @returns A UUID, as a caller without an id of its own gets. */
function makeCorrelationId(random: Random): string {
  const hex = Array.from({ length: 30 }, () => random.between(0, 15).toString(16)).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(12, 15)}`, `a${hex.slice(15, 18)}`, hex.slice(18)].join('-')
}
