// Runs the job `again` part by part at its pace. Each item has a key of its own, so a part that runs twice makes nothing twice.

import type { AgainJob } from '../../domain/again-job.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Job } from '../../domain/job.ts'
import { ApiError, isUnavailable } from '../../lib/api-error.ts'
import { formatId } from '../../lib/id.ts'
import type { AgainCaller } from './commit-again.ts'
import { listItems, type ReadsItems } from './list-items.ts'
import type { RunAgain } from './run-again.ts'

type Taken = ReadsItems &
  Pick<Core, 'againJobs' | 'clock' | 'log'> & {
    findEnvironment(id: number): Promise<Environment | undefined>
    runAgain: Pick<RunAgain, 'message' | 'run' | 'event'>
  }

/** Parts are a second long, and have no more items than this: other jobs run in between. */
const PART_MS = 1000
const MOST_TOGETHER = 50
/** Items in memory at a time: event and profile of one may take 6 MB each once they are parsed. */
const HELD_TOGETHER = 8
const MINUTE_MS = 60_000

/** Creates the handler of one part. */
export function createWorkAgain(deps: Taken) {
  return async function workAgain({ id, environmentId, attempts }: Job): Promise<'complete' | { goOnAt: number }> {
    const environment = await deps.findEnvironment(environmentId)
    const again = await deps.againJobs.find(environmentId, id)
    // It was stopped, or removed with its environment or its user.
    if (environment === undefined || again === undefined || again.endedAt !== null || again.stoppedAt !== null) {
      return 'complete'
    }
    if (environment.disabledAt !== null) throw new Error('the environment is disabled')
    const begunAt = deps.clock.now()
    const count = Math.min(MOST_TOGETHER, Math.max(1, Math.round((again.pace * PART_MS) / MINUTE_MS)))
    const { items, next } = await listItems(deps, environmentId, again, again.before, count)
    const made: boolean[] = []
    for (let at = 0; at < items.length; at += HELD_TOGETHER) {
      const some = items.slice(at, at + HELD_TOGETHER)
      made.push(...(await Promise.all(some.map((item) => runItem(deps, environment, again, item, attempts > 1)))))
    }
    const isMade = made.filter(Boolean).length
    await deps.againJobs.advance(again, {
      done: again.done + items.length,
      made: again.made + isMade,
      refused: again.refused + items.length - isMade,
      before: next ?? again.before,
      endedAt: next === null ? deps.clock.now() : null,
    })
    return next === null ? 'complete' : { goOnAt: begunAt + (items.length * MINUTE_MS) / again.pace }
  }
}

/**
 * @returns False for what cannot run again
 * @throws what the part is repeated after: `service/unavailable`, and at first each error that nobody expects. One that
 * comes again is refused, so that the items behind it run.
 */
async function runItem(
  { runAgain, log }: Taken,
  environment: Environment,
  { id, kind, version, from, actor, who, correlationId }: AgainJob,
  item: number,
  isRepeated: boolean,
): Promise<boolean> {
  const by = { actor, who, correlationId }
  const caller: AgainCaller = { environment, secretId: null, correlationId, by, isAudited: false, jobId: id }
  const idempotencyKey = `${formatId('job', id)}:${item}`
  try {
    if (kind === 'events') await runAgain.event(caller, formatId('event', item), { idempotencyKey })
    else if (kind === 'runs') await runAgain.run(caller, formatId('run', item), { idempotencyKey, version, from })
    else await runAgain.message(caller, formatId('message', item), { idempotencyKey, version })
    return true
  } catch (error) {
    if (error instanceof ApiError && !isUnavailable(error)) return false
    if (!isRepeated || isUnavailable(error)) throw error
    log.error('item not run again', { error, environmentId: environment.id })
    return false
  }
}
