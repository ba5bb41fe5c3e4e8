// Tests that the numbers of steps equal a count over history and traces, in random lives of runs and messages: waits,
// cancellations, pauses, failures, repeats, reports, tests, another version; and after erasure and retention.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { REGISTERED_EVENT_TYPES } from '../../../contract/delivery.ts'
import { FLOW_WINDOWS } from '../../../contract/resources/flow-stats.ts'
import type { MailChange } from '../../domain/mail/mail.ts'
import { createReadFlow } from '../../flow/campaigns/read-flow.ts'
import { countFlow, readLives } from '../support/count-flow.ts'
import { type GivenLives, givenLives, type Life, USERS } from './given-lives.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A longer run takes other lives each time: `NC_FLOW_RUNS=500`. */
const RUNS = Number(process.env.NC_FLOW_RUNS ?? 6)
const SEED = process.env.NC_FLOW_RUNS === undefined ? { seed: 5 } : {}

const dataDir = mkdtempSync(join(tmpdir(), 'nc-lives-'))
let given: GivenLives
beforeAll(async () => {
  given = await givenLives(dataDir)
})
afterAll(async () => {
  await given?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const MAIL_CHANGES = ['accept', 'reject', 'give-up', 'skip', 'unknown', 'retry'] as const
const user = fc.nat(USERS.length - 1)
const which = fc.nat(30)
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary })
const action = fc.oneof(
  weighted(
    12,
    fc.record({
      do: fc.constant('begin' as const),
      users: fc.array(user, { minLength: 1, maxLength: 5 }),
      size: fc.nat(30),
      enricher: fc.constantFrom('answers', 'answers', 'answers', 'fails'),
      pause: fc.constantFrom('PT1S', 'PT2H', 'P4D', 'never'),
    }),
  ),
  weighted(3, fc.record({ do: fc.constant('pay' as const), user })),
  weighted(
    8,
    fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1000, HOUR_MS, 9 * HOUR_MS, 2 * DAY_MS) }),
  ),
  weighted(2, fc.record({ do: fc.constant('cancel' as const), user })),
  weighted(1, fc.record({ do: fc.constant('pause' as const), ms: fc.constantFrom(1000, 3 * DAY_MS) })),
  weighted(2, fc.record({ do: fc.constant('suppress' as const), user, channel: fc.constantFrom('inbox', 'email') })),
  weighted(6, fc.record({ do: fc.constant('mail' as const), change: fc.constantFrom(...MAIL_CHANGES) })),
  weighted(
    3,
    fc.record({ do: fc.constant('report' as const), which, status: fc.constantFrom('delivered', 'bounced') }),
  ),
  weighted(8, fc.record({ do: fc.constant('engage' as const), which, type: fc.nat(2) })),
  weighted(2, fc.record({ do: fc.constant('crash' as const) })),
  weighted(3, fc.record({ do: fc.constant('again' as const), which })),
  weighted(1, fc.record({ do: fc.constant('drop' as const), which })),
  weighted(1, fc.record({ do: fc.constant('test' as const), user })),
  weighted(1, fc.record({ do: fc.constant('publish' as const) })),
)
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never

function changeOf(name: (typeof MAIL_CHANGES)[number], now: number): MailChange {
  const end = { does: 'end', status: 'failed', error: null } as const
  switch (name) {
    case 'accept':
      return { does: 'accept', providerMessageId: null }
    case 'reject':
      return { ...end, reason: 'rejected' }
    case 'give-up':
      return { ...end, reason: 'provider-error', isGivenUp: true }
    case 'skip':
      return { ...end, status: 'skipped', reason: 'condition' }
    case 'unknown':
      return { ...end, reason: 'outcome-unknown' }
    case 'retry':
      return { does: 'retry', at: now + 1000, error: '451' }
  }
}

async function perform(life: Life, one: Action): Promise<unknown> {
  const { clock } = given
  switch (one.do) {
    case 'begin':
      return life.begin(one)
    case 'pay':
      return life.pay(one.user)
    case 'pass':
      clock.at += one.ms
      return life.work()
    case 'cancel':
      return life.cancel(one.user)
    case 'pause':
      await life.pause()
      clock.at += one.ms
      await life.work()
      await life.resume()
      return life.work()
    case 'suppress':
      return life.suppress(one.user, one.channel as 'inbox' | 'email')
    case 'mail':
      return life.changeMails(changeOf(one.change, clock.at))
    case 'report':
      return life.report(one.which, one.status as 'delivered' | 'bounced')
    case 'engage':
      return life.engage(one.which, REGISTERED_EVENT_TYPES[one.type] ?? 'read')
    case 'crash':
      return life.crash()
    case 'again':
      await life.runAgain(one.which)
      return life.work()
    case 'drop':
      return life.drop(one.which)
    case 'test':
      return life.test(one.user)
    case 'publish':
      return life.publish()
  }
}

/** Requires that each window of each version is as counted. @returns all answers */
async function check(life: Life) {
  const lives = await readLives(given.stores, life.environmentId)
  const readFlow = createReadFlow({ ...given.stores, clock: given.clock })
  const answers = []
  for (let version = 1; version <= life.versions(); version++) {
    for (const window of FLOW_WINDOWS) {
      const answer = await readFlow(life.environmentId, life.publicId, { window, version })
      expect(answer).toEqual(countFlow(lives, life.campaignId, answer))
      answers.push(answer)
    }
  }
  expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })
  return answers
}

/** What erasure and retention change: who waits now. */
const withoutWaiting = (answers: Awaited<ReturnType<typeof check>>) =>
  answers.map((answer) => ({
    ...answer,
    runs: { ...answer.runs, waiting: 0 },
    steps: answer.steps.map((step) => ({ ...step, waiting: 0 })),
  }))

test(`${RUNS} random lives are counted as their history and traces have them`, async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 30, maxLength: 80 }), async (actions) => {
      const life = await given.createLife()
      for (const one of actions) await perform(life, one)
      const before = await check(life)
      for (const { steps } of before) {
        for (const step of steps) {
          for (const name of [...Object.keys(step.outcomes), ...Object.keys(step.reasons)]) seen.add(name)
          if (step.waiting > 0) seen.add('waiting')
        }
      }

      await given.stores.users.erase(life.environmentId, USERS[0] ?? '', given.clock.at)
      // Three days ago: of the days of the longer windows details are gone, and the counts stay.
      while ((await given.stores.retention.purgeStep(life.environmentId, given.clock.at - 3 * DAY_MS)).rows > 0);
      const readFlow = createReadFlow({ ...given.stores, clock: given.clock })
      const after = []
      for (const { window, version } of before) {
        after.push(await readFlow(life.environmentId, life.publicId, { window, version }))
      }
      expect(withoutWaiting(after)).toEqual(withoutWaiting(before))
      const { runs, waiting } = await readLives(given.stores, life.environmentId)
      for (const { version, runs: counted } of after) {
        expect(counted.waiting).toBe(runs.filter((run) => run.version === version && waiting.has(run.id)).length)
      }
      expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })
    }),
    { numRuns: RUNS, ...SEED },
  )
  // Without these the lives would prove little.
  const wanted = ['done', 'skipped', 'taken', 'not-taken', 'failed', 'waiting', 'throttled', 'digested', 'requested']
  for (const name of [...wanted, 'no-address', 'rejected', 'retries-exhausted', 'render-error', 'enricher-error'])
    expect(seen).toContain(name)
})
