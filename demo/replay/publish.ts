// Creates, updates, publishes and resumes the GitHub campaigns by the management API.

import { type EdgeAnswer, type EdgeApi, EdgeRefusal, listAll } from '../backend/edge-api.ts'
import type { DemoCampaign } from '../campaigns/definition.ts'

interface CampaignRow {
  id: string
  key: string
  status: string
  currentVersion: number | null
  draft: Partial<DemoCampaign>
}

/** @returns how many campaigns were new and how many had changed @throws EdgeRefusal when the edge refuses one */
export async function publishCampaigns(
  edge: EdgeApi,
  wanted: readonly DemoCampaign[],
): Promise<{ created: number; changed: number }> {
  const rows = await listAll<CampaignRow>(edge.get, '/v1/campaigns')
  const byKey = new Map(rows.map((row) => [row.key, row]))
  let created = 0
  let changed = 0
  for (const campaign of wanted) {
    const row = byKey.get(campaign.key)
    if (row === undefined) {
      const draft = must(await edge.post('/v1/campaigns', campaign)) as CampaignRow
      must(await edge.post(`/v1/campaigns/${draft.id}/publish`))
      created += 1
    } else if (row.status === 'archived') {
      throw new Error(`The campaign ${row.key} is archived, and archived ones stay so. Start with a fresh data folder.`)
    } else if (row.currentVersion === null || !isSame(row.draft, campaign)) {
      must(await edge.put(`/v1/campaigns/${row.id}`, campaign))
      must(await edge.post(`/v1/campaigns/${row.id}/publish`))
      changed += 1
    } else if (row.status === 'paused') must(await edge.post(`/v1/campaigns/${row.id}/resume`))
  }
  return { created, changed }
}

function must(answer: EdgeAnswer): unknown {
  if (answer.status >= 300) throw new EdgeRefusal(answer)
  return answer.body
}

/** Compares what we wrote with the stored value, to which the edge may add defaults. */
function isSame(there: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(there) &&
      there.length === wanted.length &&
      wanted.every((item, index) => isSame(there[index], item))
    )
  }
  if (typeof wanted !== 'object' || wanted === null) return there === wanted
  if (typeof there !== 'object' || there === null) return false
  return Object.entries(wanted).every(([key, value]) => isSame(Reflect.get(there, key), value))
}
