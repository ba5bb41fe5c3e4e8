// Tests of both engines: a continued run checks its campaign in the transaction. A plan from before a pause or an
// archive has no effect.

import { describe, expect, test } from 'vitest'
import { parseDefinition } from '../../campaign/definition.ts'
import type { CampaignStatus } from '../../domain/campaign.ts'
import type { TrackPlan } from '../../domain/plan.ts'
import { type Given, givenStore, type OpenStores, trackPlan, write } from './given.ts'

export function haltedSuite(open: OpenStores): void {
  describe('halted campaigns', () => {
    const given = givenStore(open)

    test.each([
      ['paused', false, 'halted'],
      ['archived', false, 'halted'],
      ['archived', true, 'written'],
      ['active', false, 'written'],
    ] as const)('a continuation of a campaign that is now %s (drains: %s) is %s', async (status, drains, result) => {
      for (const isLast of [true, false]) {
        const { plan, halt, messages } = await givenContinuation(given, isLast)
        await halt(status, drains)
        expect(await given.stores.commit.track(plan)).toMatchObject({ result })
        expect(await messages()).toHaveLength(result === 'written' ? 1 : 0)
        if (result === 'written') continue
        // The claim is still valid: it is released and made again.
        const { runId, fence } = plan.continues?.claim ?? { runId: 0, fence: 0 }
        await given.stores.waits.release([{ environmentId: plan.environmentId, runId, fence }], given.now(), null)
        expect(await given.stores.waits.claim(given.now(), 1000, 10)).toMatchObject([{ runId, attempts: 1 }])
        const ends = { ...plan, messages: [], continues: { ...plan.continues, claim: { runId, fence: fence + 2 } } }
        const { checksCampaign: _, ...cancels } = ends.continues
        const ended = { ...ends, continues: { ...cancels, state: 'cancelled', next: null } } as TrackPlan
        expect((await given.stores.commit.track(ended)).result).toBe('written')
      }
    })

    test('a halted continuation with an old fence is not waiting any more', async () => {
      const { plan, halt } = await givenContinuation(given, true)
      await halt('archived', false)
      const claim = { runId: plan.continues?.claim.runId ?? 0, fence: 99 }
      const late = { ...plan, continues: plan.continues && { ...plan.continues, claim } }
      expect(await given.stores.commit.track(late)).toEqual({ result: 'not-waiting' })
    })
  })
}

/** Returns the plan that continues a claimed run with a message; `halt` changes the campaign before it. */
export async function givenContinuation(given: Given, isLast: boolean) {
  const environmentId = given.environmentId()
  const campaignId = given.id()
  const definition = parseDefinition({ key: 'k', trigger: { event: 'e' }, steps: [{ id: 'a', type: 'exit' }] })
  const state = { status: 'active', currentVersion: 1, drains: false, resumedAt: null, draft: definition } as const
  const times = { createdAt: given.now(), updatedAt: given.now() }
  const names = { id: campaignId, environmentId, key: 'k', name: 'K', category: null }
  await given.stores.campaigns.insertOnce({ ...names, ...state, ...times })
  const begun = trackPlan(given, { environmentId, userIds: ['u1'], campaignId })
  const [run] = begun.runs
  const runId = run?.id ?? 0
  const wait = { runId, campaignId, userId: 'u1', number: 1, stepId: 's', dueAt: given.now(), awaits: null }
  await write(given, { ...begun, messages: [], waits: [{ ...wait, runState: '{"branches":[]}' }] })
  const [claimed] = await given.stores.waits.claim(given.now(), 60_000, 10)
  const next = isLast ? null : { ...wait, number: 2, dueAt: given.now() + 1, runState: '{"branches":[]}' }
  const plan: TrackPlan = {
    ...begun,
    event: null,
    secretId: null,
    runs: [],
    continues: {
      claim: { runId, fence: claimed?.fence ?? 0 },
      branch: null,
      state: isLast ? 'completed' : 'waiting',
      stateReason: null,
      endedAt: isLast ? given.now() : null,
      trace: '[]',
      next,
      checksCampaign: campaignId,
    },
  }
  return {
    plan,
    campaignId,
    halt: (status: CampaignStatus, drains: boolean) =>
      given.stores.campaigns.save({ ...names, ...state, ...times, status, drains, revision: 0 }, null),
    async messages() {
      return (await given.stores.deliveries.step(environmentId, { campaignId }, null, 10)).records
    },
  }
}
