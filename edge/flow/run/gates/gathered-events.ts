// What digests that are due have gathered: their windows are closed, then read (contract section 6). Twice comes to the same.

import type { Json } from '../../../domain/json.ts'
import type { Digests } from '../../../domain/run/digests.ts'
import { findStep } from '../../../domain/steps/walk.ts'
import { toIso } from '../../../lib/clock.ts'
import type { Suspended } from '../continue-run.ts'

/** By run, as templates see them; runs that wait at another step are absent. One commit and one query for many. */
export async function gatherEvents(digests: Digests, suspended: Suspended[]): Promise<Map<number, Json[]>> {
  const gathering = suspended.filter(
    ({ wait, start }) => findStep(start.campaign.steps, wait.stepId)?.type === 'digest',
  )
  const runIds = gathering.map(({ wait }) => wait.runId)
  if (runIds.length === 0) return new Map()
  await digests.close(runIds)
  const gathered = await digests.listEvents(runIds)
  return new Map(
    gathering.map(({ wait: { runId }, start }) => {
      const events = gathered.get(runId) ?? []
      const userId = start.user.id
      return [
        runId,
        events.map(({ name, properties, occurredAt }) => ({
          name,
          userId,
          properties: properties as Json,
          occurredAt: toIso(occurredAt),
        })),
      ]
    }),
  )
}
