// Lists what a job sends or runs again, newest first and in parts.

import type { AgainJob } from '../../domain/again-job.ts'
import type { Core } from '../../domain/core.ts'

export type ReadsItems = Pick<Core, 'deliveries' | 'events'>

export interface AgainItems {
  /** Ids of messages, runs or events. */
  items: number[]
  /** Where the next part begins; null at the end. */
  next: number | null
}

/**
 * Reads one bounded part: at most `limit` items before this id of a message or an event. Tests are left out. A run is there
 * for each of its messages; its key makes it run once.
 */
export async function listItems(
  { deliveries, events }: ReadsItems,
  environmentId: number,
  { kind, filter }: Pick<AgainJob, 'kind' | 'filter'>,
  before: number | null,
  limit: number,
): Promise<AgainItems> {
  if ('events' in filter) {
    const page = await events.list(environmentId, filter.events, before, limit)
    return { items: page.events.filter(({ source }) => source !== 'test').map(({ id }) => id), next: page.next }
  }
  const { records, next } = await deliveries.step(environmentId, filter.deliveries, before, limit)
  const items = records.filter(({ isTest }) => !isTest).map(({ id, runId }) => (kind === 'runs' ? runId : id))
  return { items, next }
}
