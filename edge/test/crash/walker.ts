// A walker: one user with four runs through every step, up to the point where its process ends, and on from there.

import type { Environment } from '../../domain/environment.ts'
import { toIso } from '../../lib/clock.ts'
import { type CrashPoints, createCrashPoints } from './crash-points.ts'
import { type Deed, PAUSED_MS, WALK } from './walk-campaign.ts'
import type { Life, Place } from './walk-place.ts'

/** What the world remembers of a walker; nothing of it is in the server. */
export interface Walker {
  number: number
  /** When its history begins. */
  startAt: number
  /** Deeds that had their answer. */
  answered: number
  /** What its clock says. */
  at: number
  /** The point at which its process ended; null when it came to its end. */
  endedAt: string | null
}

const LEASE_MS = 60_000

export const userOf = (walker: Pick<Walker, 'number'>) => `walker-${walker.number}`

export function freshWalker(number: number, startAt: number): Walker {
  return { number, startAt, at: startAt, answered: 0, endedAt: null }
}

export interface WalkWish {
  /** Where its process ends; by default nowhere. */
  points?: CrashPoints
  /** How many deeds, from the first; by default all. */
  until?: number
}

/** Walks on from where the world remembers it. */
export async function walk(
  place: Place,
  environment: Environment,
  from: Walker,
  { points = createCrashPoints(Number.POSITIVE_INFINITY), until = WALK.length }: WalkWish = {},
): Promise<Walker> {
  const walker: Walker = { ...from, endedAt: null }
  place.clock.at = walker.at
  const life = place.live(points)
  const walkOn = async () => {
    // A server that starts does what is due.
    await work(place, life)
    for (const deed of WALK.slice(walker.answered, until)) {
      await perform(place, environment, life, walker, deed)
      walker.answered++
    }
    await life.stop()
  }
  walker.endedAt = await Promise.race([walkOn().then(() => null), points.halted])
  if (walker.endedAt !== null) await points.still()
  walker.at = place.clock.at
  return walker
}

/** After a crash: when all leases of the process that ended are over. */
export function afterCrash(walker: Walker): Walker {
  return { ...walker, at: walker.at + LEASE_MS + 1 }
}

async function work(place: Place, { flows, stores }: Life): Promise<void> {
  for (;;) {
    const claimed = await stores.waits.claim(place.clock.now(), LEASE_MS, 500)
    if (claimed.length === 0) return
    await flows.resumeRuns.resume(claimed)
    await flows.resumeRuns.settled()
  }
}

async function perform(
  place: Place,
  environment: Environment,
  life: Life,
  walker: Walker,
  deed: Deed,
): Promise<unknown> {
  const { acceptEvents } = life.flows
  const userId = userOf(walker)
  switch (deed.do) {
    case 'begin': {
      const user = { email: 'walker@example.com', locale: 'fr' }
      const events = deed.numbers.map((n) => ({
        name: 'walk.begun',
        userId,
        user,
        properties: { n, at: toIso(walker.startAt + PAUSED_MS) },
        occurredAt: walker.startAt + n,
        idempotencyKey: `${userId}-${n}`,
      }))
      const [only, ...others] = events
      return only !== undefined && others.length === 0
        ? acceptEvents.accept(environment, null, only, `c-${walker.number}`)
        : acceptEvents.acceptBatch(environment, null, events, `c-${walker.number}`)
    }
    case 'pay': {
      const { number: n } = deed
      const event = { name: 'walk.paid', userId, properties: { n }, idempotencyKey: `${userId}-paid-${n}` }
      return acceptEvents.accept(environment, null, event, `c-${walker.number}`)
    }
    case 'read':
      return read(place, environment, life, userId)
    case 'pass':
      place.clock.at = Math.max(place.clock.at, walker.startAt + deed.toMs)
      return work(place, life)
  }
}

async function read(place: Place, { id: environmentId }: Environment, life: Life, userId: string): Promise<void> {
  const { records } = await place.stores.deliveries.step(environmentId, { userId, channel: 'inbox' }, null, 100)
  const first = records.findLast((record) => record.stepId === 'tell')
  const user = await place.stores.users.find(environmentId, userId)
  if (first === undefined || user === undefined) throw new Error('There is nothing to read.')
  const now = place.clock.now()
  const what = { messageId: first.id, eventType: 'read', occurredAt: now, automated: false, source: 'test' } as const
  const items = [{ ...what, link: null }]
  await life.stores.commit.deliver({ kind: 'deliver', environmentId, userNo: user.userNo, now, items })
}
