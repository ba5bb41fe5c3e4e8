// Wires the flows of the server to try drafts over the store, without the caches of the server.

import type { Bus } from '../domain/bus.ts'
import type { Stores } from '../domain/stores.ts'
import { createTryCampaign, type TryCampaign } from '../flow/campaigns/try-campaign.ts'
import { createChooseTexts } from '../flow/texts/choose-texts.ts'
import { createLiveCampaigns } from '../flow/track/live-campaigns.ts'
import { createSendPolicies } from '../flow/track/send-policies.ts'
import type { Clock } from '../lib/clock.ts'
import type { IdKind, IdSource } from '../lib/id.ts'
import { createLog } from '../lib/log.ts'
import { createEvaluator } from '../sandbox/evaluator.ts'
import { createSandbox } from '../sandbox/sandbox.ts'

export interface TryDraftsDeps {
  stores: Pick<
    Stores,
    'campaigns' | 'configs' | 'environments' | 'organisations' | 'users' | 'sendRules' | 'textFiles' | 'arrivals'
  >
  ids: Record<IdKind, IdSource>
  bus: Bus
  clock: Clock
}

/** Only flows that write nothing: the server sends tests, as it notifies open pages. */
export function createTryDrafts({ stores, ids, bus, clock }: TryDraftsDeps): Pick<TryCampaign, 'preview' | 'dryRun'> {
  const live = createLiveCampaigns({ ...stores, bus, clock })
  return createTryCampaign({
    chooseTexts: createChooseTexts(stores),
    campaigns: stores.campaigns,
    users: stores.users,
    sendPolicies: createSendPolicies({ sendRules: stores.sendRules, live }),
    live,
    evaluator: createEvaluator({ clock, ids }, createSandbox({ log: createLog('silent') })),
    commitPlan: (): Promise<never> => Promise.reject(new Error('test message refused: no server')),
    clock,
    ids,
  })
}
