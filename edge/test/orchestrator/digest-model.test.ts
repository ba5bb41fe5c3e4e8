// Tests digests under random interleavings: repeated calls, several workers, expired leases, crashes at store calls.
// No event is lost or reported twice, windows stay separate, and no message exceeds the maximum.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInterleaving, type Interleaving } from '../support/interleaving.ts'
import { type GivenDigests, givenDigests, LEASE_MS, MAX, type SentEvent, WINDOW_MS } from './given-digests.ts'

const USERS = ['u0', 'u1']
const KEYS = ['a', 'b']
/** A longer run takes other histories each time: `NC_DIGEST_RUNS=10000`. */
const RUNS = Number(process.env.NC_DIGEST_RUNS ?? 10)
const SEED = process.env.NC_DIGEST_RUNS === undefined ? { seed: 11 } : {}

let given: GivenDigests
beforeAll(async () => {
  given = await givenDigests()
})
afterAll(() => given.close())

type Action =
  | { do: 'send'; user: number; key: number }
  | { do: 'resend'; which: number }
  | { do: 'work'; limit: number }
  | { do: 'resume'; which: number[] }
  | { do: 'all'; rounds: number }
  | { do: 'crash'; which: number }
  | { do: 'pass'; ms: number }

const which = fc.nat(30)
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary })
/** Mostly one user and key, so that windows fill; mostly all actors continue, so that histories progress. */
const anyAction: fc.Arbitrary<Action> = fc.oneof(
  weighted(
    10,
    fc.record({
      do: fc.constant('send' as const),
      user: fc.constantFrom(0, 0, 0, 1),
      key: fc.constantFrom(0, 0, 0, 1),
    }),
  ),
  weighted(1, fc.record({ do: fc.constant('resend' as const), which })),
  weighted(5, fc.record({ do: fc.constant('work' as const), limit: fc.integer({ min: 1, max: 3 }) })),
  weighted(
    8,
    fc.record({ do: fc.constant('resume' as const), which: fc.array(which, { minLength: 1, maxLength: 4 }) }),
  ),
  weighted(5, fc.record({ do: fc.constant('all' as const), rounds: fc.integer({ min: 1, max: 8 }) })),
  weighted(1, fc.record({ do: fc.constant('crash' as const), which })),
  weighted(
    4,
    fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(1, LEASE_MS + 1, WINDOW_MS / 2, WINDOW_MS - 1, WINDOW_MS),
    }),
  ),
)

interface History {
  environment: Awaited<ReturnType<GivenDigests['createEnvironment']>>['environment']
  interleaving: Interleaving
  sent: SentEvent[]
}

async function perform({ environment, interleaving, sent }: History, action: Action): Promise<void> {
  switch (action.do) {
    case 'send': {
      const event = { number: sent.length, userId: USERS[action.user] ?? '', key: KEYS[action.key] ?? '' }
      sent.push(event)
      return interleaving.start((actor) => given.send(actor, environment, event))
    }
    case 'resend': {
      const event = sent[action.which % Math.max(1, sent.length)]
      return event && interleaving.start((actor) => given.send(actor, environment, event))
    }
    case 'work':
      return interleaving.start(async (actor) => void (await given.work(actor, action.limit)))
    case 'resume':
      return interleaving.stops() === 0 ? undefined : interleaving.resume(action.which)
    case 'all':
      for (let round = 0; round < action.rounds && interleaving.stops() > 0; round++) {
        await interleaving.resume(Array.from({ length: interleaving.stops() }, (_, index) => index))
      }
      return
    case 'crash':
      return interleaving.stops() === 0 ? undefined : interleaving.crash(action.which)
    case 'pass':
      given.clock.at += action.ms
  }
}

/** Runs every remaining actor to its end, repeats calls without an answer, and does all that is due. */
async function finish({ environment, interleaving, sent }: History): Promise<void> {
  while (interleaving.stops() > 0) await interleaving.resume([0])
  for (const event of sent) await given.send(undefined, environment, event)
  for (let idle = 0; idle < 2; ) {
    given.clock.at += WINDOW_MS + LEASE_MS + 1
    idle = (await given.work(undefined, 500)) === 0 ? idle + 1 : 0
  }
}

async function check({ environment, sent }: History): Promise<void> {
  const digests = await given.listDigests(environment, USERS)
  // Each event once, whatever happened to its callers and workers.
  expect(digests.flatMap((digest) => digest.numbers).sort((a, b) => a - b)).toEqual(sent.map((event) => event.number))
  const groupOf = (number: number) => `${sent[number]?.userId} ${sent[number]?.key}`
  const times = await given.listTimes(environment)
  const at = (number: number) => times.get(number) ?? Number.NaN
  for (const { numbers, by, userId } of digests) {
    expect(numbers.length).toBeLessThanOrEqual(MAX)
    expect(numbers[0]).toBe(by)
    expect(new Set(numbers.map(groupOf)).size).toBe(1)
    // No event joins a window after its end.
    for (const number of numbers) expect(at(number)).toBeLessThan(at(by) + WINDOW_MS)
    expect(sent[by]?.userId).toBe(userId)
  }
  const starters = new Set(digests.map((digest) => digest.by))
  const runs = await given.listRuns(environment)
  for (const { number } of sent) {
    expect([number, runs.get(number)]).toEqual([
      number,
      [starters.has(number) ? 'completed null' : 'completed digested'],
    ])
  }
}

test('random histories lose no event, report none twice, and keep the maximum', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAction, { minLength: 20, maxLength: 80, size: 'max' }), async (actions) => {
      const { environment } = await given.createEnvironment()
      const history: History = { environment, interleaving: createInterleaving(), sent: [] }
      for (const next of actions) await perform(history, next)
      await finish(history)
      await check(history)
    }),
    { numRuns: RUNS, ...SEED },
  )
}, 3_600_000)
