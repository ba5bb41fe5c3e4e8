// Runs the four runs of one user up to the crash point of the process, and resumes them later.

import type { Environment } from '../../domain/environment.ts'
import { toIso } from '../../lib/clock.ts'
import { type CrashPoints, createCrashPoints } from './crash-points.ts'
import { PAUSED_MS, WALK, type WalkAction } from './walk-campaign.ts'
import type { WalkServer, WalkStore } from './walk-server.ts'

/** State of a walker outside the server. */
export interface Walker {
  number: number
  /** Start of its history (epoch ms). */
  startAt: number
  /** Number of actions that were answered. */
  answered: number
  /** Time of its clock (epoch ms). */
  at: number
  /** Name of the crash point; null when the walker reached its end. */
  endedAt: string | null
}

const LEASE_MS = 60_000

export const userOf = (walker: Pick<Walker, 'number'>) => `walker-${walker.number}`

export function freshWalker(number: number, startAt: number): Walker {
  return { number, startAt, at: startAt, answered: 0, endedAt: null }
}

export interface WalkOptions {
  /** Crash points of the process; none by default. */
  points?: CrashPoints
  /** Number of actions to perform, from the first; by default all. */
  until?: number
}

/** Runs a walker on from its recorded state. @returns its state at the crash point or at the end */
export async function walk(
  walkStore: WalkStore,
  environment: Environment,
  from: Walker,
  { points = createCrashPoints(Number.POSITIVE_INFINITY), until = WALK.length }: WalkOptions = {},
): Promise<Walker> {
  const walker: Walker = { ...from, endedAt: null }
  walkStore.clock.at = walker.at
  const server = walkStore.startServer(points)
  const continueWalk = async () => {
    // A server does what is due when it starts.
    await resumeDueWaits(walkStore, server)
    for (const action of WALK.slice(walker.answered, until)) {
      await perform(walkStore, environment, server, walker, action)
      walker.answered++
    }
    await server.stop()
  }
  walker.endedAt = await Promise.race([continueWalk().then(() => null), points.halted])
  if (walker.endedAt !== null) await points.whenIdle()
  walker.at = walkStore.clock.at
  return walker
}

/** Returns the walker at a time when all leases of the ended process have expired. */
export function afterCrash(walker: Walker): Walker {
  return { ...walker, at: walker.at + LEASE_MS + 1 }
}

async function resumeDueWaits(walkStore: WalkStore, { flows, stores }: WalkServer): Promise<void> {
  for (;;) {
    const claimed = await stores.waits.claim(walkStore.clock.now(), LEASE_MS, 500)
    if (claimed.length === 0) return
    await flows.resumeRuns.resume(claimed)
    await flows.resumeRuns.settled()
  }
}

async function perform(
  walkStore: WalkStore,
  environment: Environment,
  server: WalkServer,
  walker: Walker,
  action: WalkAction,
): Promise<unknown> {
  const { acceptEvents } = server.flows
  const userId = userOf(walker)
  switch (action.do) {
    case 'begin': {
      const user = { email: 'walker@example.com', locale: 'fr' }
      const events = action.numbers.map((n) => ({
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
      const { number: n } = action
      const event = { name: 'walk.paid', userId, properties: { n }, idempotencyKey: `${userId}-paid-${n}` }
      return acceptEvents.accept(environment, null, event, `c-${walker.number}`)
    }
    case 'read':
      return read(walkStore, environment, server, userId)
    case 'pass':
      walkStore.clock.at = Math.max(walkStore.clock.at, walker.startAt + action.toMs)
      return resumeDueWaits(walkStore, server)
  }
}

async function read(
  walkStore: WalkStore,
  { id: environmentId }: Environment,
  server: WalkServer,
  userId: string,
): Promise<void> {
  const { records } = await walkStore.stores.deliveries.step(environmentId, { userId, channel: 'inbox' }, null, 100)
  // The message of the first event: runs that wait for the same enricher continue in the order of its answers.
  const orderMessages = records.filter((record) => record.stepId === 'tell')
  const first = orderMessages.sort((a, b) => a.eventId - b.eventId)[0]
  const user = await walkStore.stores.users.find(environmentId, userId)
  if (first === undefined || user === undefined) throw new Error('There is nothing to read.')
  const now = walkStore.clock.now()
  const receipt = { messageId: first.id, eventType: 'read', occurredAt: now, automated: false, source: 'test' } as const
  const items = [{ ...receipt, link: null }]
  await server.stores.commit.deliver({ kind: 'deliver', environmentId, userNo: user.userNo, now, items })
}
