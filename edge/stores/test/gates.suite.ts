// Tests of both engines: throttles and digests, decided in the commit.

import { describe, expect, test } from 'vitest'
import { parseDefinition } from '../../campaign/definition.ts'
import type { DigestGate, Gate, NewRun, ThrottleGate, TrackPlan } from '../../domain/plan.ts'
import { type Given, givenStore, HOUR, type OpenStores, trackPlan, write } from './given.ts'

export function gatesSuite(open: OpenStores): void {
  describe('gates', () => {
    const given = givenStore(open)

    test('a throttle passes its limit in a window, also within one batch', async () => {
      const environmentId = given.environmentId()
      const campaignId = await campaignOf(given, environmentId)
      const plans = Array.from({ length: 9 }, () => planWith(given, environmentId, [throttle(campaignId)]))
      await Promise.all(plans.map((plan) => write(given, plan)))
      expect(await statesOf(given, plans)).toEqual([null, null, null, ...Array(6).fill('throttled')])
      given.advance(HOUR)
      const later = planWith(given, environmentId, [throttle(campaignId)])
      await write(given, later)
      expect(await statesOf(given, [later])).toEqual([null])
    })

    test('a throttled run leaves only its record', async () => {
      const environmentId = given.environmentId()
      const campaignId = await campaignOf(given, environmentId)
      const gate = { ...throttle(campaignId), limit: 1 }
      const plans = [planWith(given, environmentId, [gate]), planWith(given, environmentId, [gate])]
      const [first, second] = await Promise.all(plans.map((plan) => write(given, plan)))
      expect(first?.pushes).toHaveLength(1)
      expect(second?.pushes).toEqual([])
      const { records } = await given.stores.deliveries.step(environmentId, { campaignId }, null, 10)
      expect(records.map((row) => [row.status, row.statusReason])).toEqual([
        ['skipped', 'throttled'],
        ['delivered', null],
      ])
    })

    test('a refused plan uses no place of the throttle', async () => {
      const environmentId = given.environmentId()
      const campaignId = await campaignOf(given, environmentId)
      const gate = { ...throttle(campaignId), limit: 1 }
      const lost = { ...planWith(given, environmentId, [gate]), completes: { environmentId, id: 1, fence: 1 } }
      expect(await given.stores.commit.track(lost)).toEqual({ result: 'lease-lost' })
      const plan = planWith(given, environmentId, [gate])
      await write(given, plan)
      expect(await statesOf(given, [plan])).toEqual([null])
    })

    test('an erased user leaves no window', async () => {
      const environmentId = given.environmentId()
      const gate = { ...throttle(await campaignOf(given, environmentId)), limit: 1 }
      await write(given, planWith(given, environmentId, [gate]))
      await given.stores.users.erase(environmentId, 'u1', given.now())
      const plan = planWith(given, environmentId, [gate])
      await write(given, plan)
      expect(await statesOf(given, [plan])).toEqual([null])
    })
  })
}

/** Creates a draft campaign; returns its id. */
export async function campaignOf(given: Given, environmentId: number): Promise<number> {
  const id = given.id()
  const steps = [{ id: 'notify', type: 'inbox', title: 'Hello' }]
  const draft = parseDefinition({ key: `c-${id}`, trigger: { event: 'order.shipped' }, steps })
  const times = { createdAt: given.now(), updatedAt: given.now() }
  const kept = {
    key: draft.key,
    name: draft.name,
    category: null,
    status: 'draft',
    currentVersion: null,
    drains: false,
    resumedAt: null,
  } as const
  await given.stores.campaigns.insertOnce({ id, environmentId, ...kept, draft, ...times })
  return id
}

type GateOptions = Omit<ThrottleGate, 'runId' | 'otherwise'> | Omit<DigestGate, 'runId' | 'otherwise' | 'eventId'>

/** Returns a throttle of three runs an hour for user `u1`. */
export function throttle(campaignId: number, stepId = 'limit'): Omit<ThrottleGate, 'runId' | 'otherwise'> {
  return { kind: 'throttle', campaignId, stepId, userId: 'u1', limit: 3, windowMs: HOUR }
}

/** Returns the plan of an event for one user, with gates: its message is delivered when they pass, else skipped. */
export function planWith(given: Given, environmentId: number, options: GateOptions[]): TrackPlan {
  const plan = trackPlan(given, { environmentId, userIds: ['u1'], campaignId: options[0]?.campaignId ?? 0 })
  const run = plan.runs[0] as NewRun
  const gates = options.map((option): Gate => {
    const statusReason = option.kind === 'throttle' ? 'throttled' : 'digested'
    const otherwise = {
      run: { ...run, stateReason: statusReason },
      messages: plan.messages.map((message) => ({
        ...message,
        id: given.id(),
        status: 'skipped' as const,
        statusReason,
      })),
    }
    const known = { runId: run.id, otherwise }
    return option.kind === 'throttle' ? { ...option, ...known } : { ...option, ...known, eventId: run.eventId }
  })
  return { ...plan, gates }
}

async function statesOf(given: Given, plans: TrackPlan[]): Promise<(string | null | undefined)[]> {
  const runs = await Promise.all(
    plans.map((plan) => given.stores.events.findRun(plan.environmentId, plan.runs[0]?.id ?? 0)),
  )
  return runs.map((run) => run?.stateReason)
}
