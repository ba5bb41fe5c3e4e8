// Trials of drafts beside a server: the flows of the server, over the store, without what it knows in memory (contract section 6).

import type { Bus } from '../domain/bus.ts'
import type { Stores } from '../domain/stores.ts'
import { createContinueRun } from '../flow/run/continue-run.ts'
import { createRunThrough } from '../flow/run/run-through.ts'
import { createRunCampaign } from '../flow/run-campaign.ts'
import { createCommitPlan } from '../flow/tracking/commit-plan.ts'
import { createLiveCampaigns } from '../flow/tracking/live-campaigns.ts'
import { createSendPolicies } from '../flow/tracking/send-policies.ts'
import { createTryCampaign, type TryCampaign } from '../flow/try-campaign.ts'
import type { Clock } from '../lib/clock.ts'
import type { IdKind, IdSource } from '../lib/id.ts'

export interface TryDraftsDeps {
  stores: Pick<Stores, 'campaigns' | 'configs' | 'users' | 'sendRules' | 'arrivals' | 'commit'>
  ids: Record<IdKind, IdSource>
  bus: Bus
  clock: Clock
}

/** What writes nothing: a test is sent by the server, which tells open pages of it. */
export function createTryDrafts({ stores, ids, bus, clock }: TryDraftsDeps): Pick<TryCampaign, 'preview' | 'dryRun'> {
  const findCached = () => undefined
  const live = createLiveCampaigns({ ...stores, bus, clock })
  return createTryCampaign({
    campaigns: stores.campaigns,
    users: stores.users,
    sendPolicies: createSendPolicies({ sendRules: stores.sendRules, live }),
    runThrough: createRunThrough(
      createRunCampaign({ clock, ids, findCached }),
      createContinueRun({ clock, ids, findCached }),
    ),
    commitPlan: createCommitPlan({ commit: stores.commit, bus, wakeJobs() {}, wakeTimers() {} }),
    clock,
    ids,
  })
}
