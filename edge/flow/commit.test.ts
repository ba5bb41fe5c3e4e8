// Tests that plans of every kind are published after their commit, and never without one.

import { expect, test } from 'vitest'
import type { InboxPush } from '../domain/plan.ts'
import { createRecordingBus } from '../test/support/recording-bus.ts'
import { planOf } from '../test/support/track-plan.ts'
import { type CommitPlanDeps, createCommitPlan } from './commit.ts'

const push: InboxPush = {
  userNo: 7,
  epoch: 'e',
  from: 3,
  seq: 4,
  unread: 0,
  unopened: 0,
  changes: [{ seq: 4, op: 'remove', messageId: 1 }],
  reset: false,
}
let id = 0
const source = { next: () => ++id }
const given = { environmentId: 1, userNo: 7, now: 1 }
const PLANS = {
  track: planOf({ event: source, run: source, message: source }, 1, 1, 'ada', 1, {}),
  deliver: { kind: 'deliver', ...given, items: [] },
  change: { kind: 'change', ...given, items: [], readAllUpTo: 4 },
  purge: { kind: 'purge', environmentId: 1, before: 1 },
} as const

const MAIL_PLAN = {
  kind: 'mail',
  environmentId: 1,
  messageId: 1,
  fence: 1,
  now: 1,
  change: { does: 'release', at: 2 },
} as const

function givenCommit(settle: <T>(outcome: T) => Promise<T>) {
  const bus = createRecordingBus()
  const pushes = [push]
  const deps: CommitPlanDeps = {
    commit: {
      track: () => settle({ result: 'written', pushes }),
      deliver: () => settle({ results: [], pushes }),
      change: () => settle({ found: [], changed: 1, pushes }),
      mail: () => settle({ mail: 'changed' }),
    },
    retention: { purgeStep: () => settle({ rows: 1, pushes }) },
    bus,
    pollJobs() {},
    scheduleTimers() {},
  }
  // The overloads of one function take one kind each; here any of them is meant.
  return { commitPlan: createCommitPlan(deps) as (plan: unknown) => Promise<unknown>, bus }
}

test.each(Object.entries(PLANS))(
  'a %s plan publishes the inboxes that it changed, after its commit',
  async (_, plan) => {
    let commit = () => {}
    const committed = new Promise<void>((resolve) => {
      commit = resolve
    })
    const { commitPlan, bus } = givenCommit((outcome) => committed.then(() => outcome))
    const done = commitPlan(plan)
    await new Promise(setImmediate)
    expect(bus.published['inbox-pushed']).toEqual([])
    commit()
    await done
    expect(bus.published['inbox-pushed']).toMatchObject([{ userNo: 7, from: 3, seq: 4, reset: false }])
  },
)

test.each(Object.entries({ ...PLANS, mail: MAIL_PLAN }))(
  'a %s plan that is not committed rejects and publishes nothing',
  async (_, plan) => {
    const { commitPlan, bus } = givenCommit(() => Promise.reject(new Error('full')))
    await expect(commitPlan(plan)).rejects.toThrow('full')
    expect(bus.published['inbox-pushed']).toEqual([])
  },
)

test('a mail plan is committed, and publishes nothing', async () => {
  const { commitPlan, bus } = givenCommit((outcome) => Promise.resolve(outcome))
  expect(await commitPlan(MAIL_PLAN)).toEqual({ mail: 'changed' })
  expect(bus.published['inbox-pushed']).toEqual([])
})
