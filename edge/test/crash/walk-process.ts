// A process in which walkers come to their points, one after the other, until somebody kills it; or go on from there (`mend`).
// `walk-process.ts break <url of the endpoint>`, `walk-process.ts mend <file of what break said>`, on the store of the settings.

import { readFileSync } from 'node:fs'
import type { FunnelCounts } from '../../domain/delivery/funnel.ts'
import { createCrashPoints } from './crash-points.ts'
import { type Outcome, readOutcome } from './walk-outcome.ts'
import { openPlace } from './walk-place.ts'
import { afterCrash, freshWalker, type Walker, walk } from './walker.ts'

/** A history ends within it. Whoever comes later lives before those who stand: what is theirs is not due yet. */
const APART_MS = 3 * 24 * 60 * 60_000

export interface Broken {
  environmentId: number
  walkers: Walker[]
}

/** What `mend` says: of each walker, and at last of all. */
export type Mended = { number: number; outcome: Outcome } | { funnel: FunnelCounts | undefined; differed: number }

const say = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`)
const [what = '', given = ''] = process.argv.slice(2)
const place = await openPlace(process.env)
/** A read leaves nothing behind: to end before it is to end after what was before it. SQLite takes these points too. */
const atReads = process.env.DATABASE_URL === undefined
if (what === 'break') await breakAll(given)
else await mendAll(JSON.parse(readFileSync(given, 'utf8')) as Broken)

/** The first ends at its first point, the second at its second, … until one comes to its end. */
async function breakAll(endpointUrl: string): Promise<void> {
  const environment = await place.furnish(endpointUrl)
  const latest = place.clock.at
  const walkers: Walker[] = []
  for (let number = 1; walkers.at(-1)?.endedAt !== null; number++) {
    const fresh = freshWalker(number, latest - number * APART_MS)
    walkers.push(await walk(place, environment, fresh, { points: createCrashPoints(number, { atReads }) }))
  }
  say({ environmentId: environment.id, walkers } satisfies Broken)
  // Until it is killed.
  setInterval(() => {}, 60_000)
}

/** The last one lives first in time. */
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
