// Runs walkers to their crash points until this process is killed (`stop <endpoint url>`),
// or resumes them (`resume <file with the output of stop>`).

import { readFileSync } from 'node:fs'
import type { FunnelCounts } from '../../domain/delivery/funnel.ts'
import { createCrashPoints } from './crash-points.ts'
import { NAMED_POINTS } from './named-points.ts'
import { type Outcome, readOutcome } from './walk-outcome.ts'
import { openWalkStore } from './walk-server.ts'
import { afterCrash, freshWalker, type Walker, walk } from './walker.ts'

/** Longer than one history. Later walkers have earlier times, so that waits of stopped ones are not due yet. */
const APART_MS = 3 * 24 * 60 * 60_000

export interface Broken {
  environmentId: number
  walkers: Walker[]
}

/** Output of `resume`: one line for each walker, then one for all. */
export type Mended = { number: number; outcome: Outcome } | { funnel: FunnelCounts | undefined; differed: number }

const say = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`)
const [what = '', given = ''] = process.argv.slice(2)
const place = await openWalkStore(process.env)
/** A crash after a read equals the one before the next call, so reads are points on SQLite alone. */
const atReads = process.env.DATABASE_URL === undefined
if (what === 'break') await breakAll(given)
else await mendAll(JSON.parse(readFileSync(given, 'utf8')) as Broken)

/**
 * Stops one walker at each named point, then one at each point by number, until one reaches its end.
 * Parallel calls have another order in each walker, so numbers alone can miss a point.
 */
async function breakAll(endpointUrl: string): Promise<void> {
  const environment = await place.createFixtures(endpointUrl)
  const latest = place.clock.at
  const walkers: Walker[] = []
  const stopAt = async (point: number | string) => {
    const number = walkers.length + 1
    const fresh = freshWalker(number, latest - number * APART_MS)
    walkers.push(await walk(place, environment, fresh, { points: createCrashPoints(point, { atReads }) }))
  }
  for (const name of NAMED_POINTS) await stopAt(name)
  for (let point = 1; walkers.at(-1)?.endedAt !== null; point++) await stopAt(point)
  say({ environmentId: environment.id, walkers } satisfies Broken)
  // Waits until the process is killed.
  setInterval(() => {}, 60_000)
}

/** Resumes the last walker first, because its time is the earliest. */
async function mendAll({ environmentId, walkers }: Broken): Promise<void> {
  const environment = await place.stores.environments.find(environmentId)
  if (environment === undefined) throw new Error('There is no environment.')
  for (const walker of walkers.toReversed()) {
    const whole = walker.endedAt === null ? walker : await walk(place, environment, afterCrash(walker))
    say({ number: walker.number, outcome: await readOutcome(place.stores, environment, whole) } satisfies Mended)
  }
  const [campaign] = await place.stores.campaigns.listLive(environmentId)
  const [funnel] = await place.stores.funnels.slices(campaign?.campaign.id ?? 0, 'inbox', null)
  const { differed } = await place.stores.funnels.rebuild()
  say({ funnel, differed } satisfies Mended)
  await place.close()
}
