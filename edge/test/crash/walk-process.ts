// Runs walkers to their crash points until this process is killed (`stop <endpoint url>`),
// or resumes them (`resume <file with the output of stop>`).

import { readFileSync } from 'node:fs'
import type { FlowStatsAnswer } from '../../../contract/resources/flow-stats.ts'
import type { FunnelCounts } from '../../domain/delivery/funnel.ts'
import { createReadFlow } from '../../flow/campaigns/read-flow.ts'
import { formatId } from '../../lib/id.ts'
import { countFlow, readLives } from '../support/count-flow.ts'
import { createCrashPoints } from './crash-points.ts'
import { NAMED_POINTS } from './named-points.ts'
import { type Outcome, readOutcome } from './walk-outcome.ts'
import { openWalkStore } from './walk-server.ts'
import { afterCrash, freshWalker, type Walker, walk } from './walker.ts'

/** Longer than one history. Later walkers have earlier times, so that waits of stopped ones are not due yet. */
const DISTANCE_MS = 3 * 24 * 60 * 60_000

export interface StoppedWalkers {
  environmentId: number
  walkers: Walker[]
}

/** Output of `resume`: one line for each walker, then one for all. */
export type ResumedWalker =
  | { number: number; outcome: Outcome }
  | { funnel: FunnelCounts | undefined; differed: number; flow: FlowStatsAnswer; counted: FlowStatsAnswer }

const print = (value: object) => process.stdout.write(`${JSON.stringify(value)}\n`)
const [command = '', argument = ''] = process.argv.slice(2)
const walkStore = await openWalkStore(process.env)
if (command === 'stop') await stopWalkers(argument)
else await resumeWalkers(JSON.parse(readFileSync(argument, 'utf8')) as StoppedWalkers)

/**
 * Stops one walker at each named point, then one at each point by number, until one reaches its end.
 * Parallel calls have another order in each walker, so numbers alone can miss a point.
 */
async function stopWalkers(endpointUrl: string): Promise<void> {
  const environment = await walkStore.createFixtures(endpointUrl)
  const latest = walkStore.clock.at
  const walkers: Walker[] = []
  const stopAt = async (point: number | string) => {
    const number = walkers.length + 1
    const walker = freshWalker(number, latest - number * DISTANCE_MS)
    walkers.push(await walk(walkStore, environment, walker, { points: createCrashPoints(point) }))
  }
  for (const name of NAMED_POINTS) await stopAt(name)
  for (let point = 1; walkers.at(-1)?.endedAt !== null; point++) await stopAt(point)
  print({ environmentId: environment.id, walkers } satisfies StoppedWalkers)
  // Waits until the process is killed.
  setInterval(() => {}, 60_000)
}

/** Resumes the last walker first, because its time is the earliest. */
async function resumeWalkers({ environmentId, walkers }: StoppedWalkers): Promise<void> {
  const environment = await walkStore.stores.environments.find(environmentId)
  if (environment === undefined) throw new Error('There is no environment.')
  for (const walker of walkers.toReversed()) {
    const ended = walker.endedAt === null ? walker : await walk(walkStore, environment, afterCrash(walker))
    print({
      number: walker.number,
      outcome: await readOutcome(walkStore.stores, environment, ended),
    } satisfies ResumedWalker)
  }
  const [campaign] = await walkStore.stores.campaigns.listLive(environmentId)
  const [funnel] = await walkStore.stores.funnels.slices(environmentId, campaign?.campaign.id ?? 0, 'inbox', null)
  const { differed } = await walkStore.stores.funnels.rebuild()
  const campaignId = campaign?.campaign.id ?? 0
  const readFlow = createReadFlow({ ...walkStore.stores, clock: walkStore.clock })
  const flow = await readFlow(environmentId, formatId('campaign', campaignId), { window: '30d' })
  const counted = countFlow(await readLives(walkStore.stores, environmentId), campaignId, flow)
  print({ funnel, differed, flow, counted } satisfies ResumedWalker)
  await walkStore.close()
}
