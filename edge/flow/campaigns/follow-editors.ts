// Keeps in memory who has the editor of which campaign open, from what all nodes report. It is shown, and decides nothing.

import { performance } from 'node:perf_hooks'
import { type CampaignEdited, EDITING_EVERY_MS } from '../../domain/bus.ts'
import type { Core } from '../../domain/core.ts'
import { getCampaign } from './read-campaigns.ts'

/** A page that is silent for this long is closed. */
const FRESH_MS = 3 * EDITING_EVERY_MS
/** Of all campaigns: what is not fresh is dropped before there are more. */
const MOST_CAMPAIGNS = 1000

export interface FollowedEditors {
  revision: number
  /** Without the person who asks. */
  editors: { name: string; email: string }[]
}

interface Person {
  id: number
  name: string
  email: string
}

/**
 * Reports that a person has the editor of a campaign open, and returns who else has.
 *
 * @throws ApiError `campaign/not-found`
 */
export type FollowEditors = (
  environmentId: number,
  campaign: string,
  person: Person | undefined,
) => Promise<FollowedEditors>

/** Subscribes until the bus is closed. */
export function createFollowEditors(
  { bus, campaigns }: Pick<Core, 'bus' | 'campaigns'>,
  now = () => performance.now(),
): FollowEditors {
  const open = new Map<number, Map<number, Person & { at: number }>>()

  function dropStale(): void {
    for (const [campaignId, people] of open) {
      for (const [id, { at }] of people) if (now() - at > FRESH_MS) people.delete(id)
      if (people.size === 0) open.delete(campaignId)
    }
  }

  bus.subscribe('campaign-edited', ({ campaignId, person }: CampaignEdited) => {
    if (open.size >= MOST_CAMPAIGNS) dropStale()
    const people = open.get(campaignId) ?? new Map()
    // Ids of campaigns are unique in the deployment.
    open.set(campaignId, people.set(person.id, { ...person, at: now() }))
  })
  return async (environmentId, campaign, person) => {
    const { id, revision } = await getCampaign(campaigns, environmentId, campaign)
    if (person !== undefined) {
      const { id: personId, name, email } = person
      bus.publish('campaign-edited', { campaignId: id, person: { id: personId, name, email } })
    }
    dropStale()
    const others = [...(open.get(id)?.values() ?? [])].filter((other) => other.id !== person?.id)
    const editors = others.map(({ name, email }) => ({ name, email }))
    return { revision, editors: editors.sort((one, other) => (one.name < other.name ? -1 : 1)) }
  }
}
