// Tests the step `delay`: a run waits in the store, and continues after the step when its time has come.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type GivenFlow, givenFlow } from '../../test/support/given-flow.ts'

let flow: GivenFlow
beforeEach(async () => {
  flow = await givenFlow()
})
afterEach(() => flow.close())

const HOUR_MS = 3_600_000
const tell = (id: string, title: string) => ({ id, type: 'inbox', title })
const campaign = (steps: unknown[], rest: Record<string, unknown> = {}) => ({
  key: 'later',
  trigger: { event: 'began' },
  steps,
  ...rest,
})

async function begin(userId = 'ada', properties: Record<string, unknown> = {}) {
  const { eventId } = await flow.track({ name: 'began', userId, properties })
  const event = await flow.event(eventId)
  const runId = event.runs[0]?.runId ?? ''
  return { eventId, runId, run: () => flow.readEvents.getRun(flow.environment.id, runId) }
}

describe('a delay', () => {
  test('delays the steps after it until its time, and no longer', async () => {
    await flow.publish(campaign([tell('a', 'First'), { id: 'pause', type: 'delay', for: 'PT1H' }, tell('b', 'Second')]))
    const begun = await begin()
    expect(await flow.titles('ada')).toEqual(['First'])
    expect(await begun.run()).toMatchObject({
      state: 'waiting',
      endedAt: null,
      steps: [
        { stepId: 'a', outcome: 'done' },
        { stepId: 'pause', type: 'delay', outcome: 'waiting', reason: 'until 2026-05-01T13:00:00.000Z' },
      ],
    })
    expect(await flow.pass(HOUR_MS - 1)).toBe(0)
    expect(await flow.pass(1)).toBe(1)
    expect(await flow.titles('ada')).toEqual(['Second', 'First'])
    expect(await begun.run()).toMatchObject({
      state: 'completed',
      endedAt: '2026-05-01T13:00:00.000Z',
      steps: [
        { stepId: 'a' },
        { stepId: 'pause', outcome: 'done', durationMs: HOUR_MS },
        { stepId: 'b', outcome: 'done' },
      ],
    })
    expect(await flow.pass(30 * 24 * HOUR_MS)).toBe(0)
  })

  test('of many runs does not block other work while their messages are rendered', async () => {
    const title =
      '{% for a in (1..40) %}{% for b in (1..60) %}{% assign c = a | times: b %}{% endfor %}{% endfor %}Late'
    await flow.publish(campaign([{ id: 'pause', type: 'delay', for: 'PT1H' }, tell('b', title)]))
    for (let n = 0; n < 50; n++) await flow.track({ name: 'began', userId: `u${n}` })
    flow.clock.at += HOUR_MS
    const claimed = await flow.stores.waits.claim(flow.clock.at, 60_000, 50)
    // Measured in processor time, which a busy machine does not change: the longest turn, and their sum.
    let [last, longest, isOn] = [process.cpuUsage(), 0, true]
    const begunAt = last
    const turn = () => {
      const { user } = process.cpuUsage(last)
      longest = Math.max(longest, user)
      last = process.cpuUsage()
      if (isOn) setImmediate(turn)
    }
    setImmediate(turn)
    await flow.resume(claimed)
    isOn = false
    expect(longest).toBeLessThan(process.cpuUsage(begunAt).user / 4)
    expect(await flow.titles('u49')).toEqual(['Late'])
  })

  test('in a branch continues in the branch, then after it, with the branch of its messages', async () => {
    const big = [{ id: 'pause', type: 'delay', for: 'PT1M' }, tell('in', 'Inside {{ event.properties.n }}')]
    const steps = [
      { id: 'size', type: 'branch', branches: [{ key: 'big', when: 'event.properties.n > 1', steps: big }] },
      { id: 'again', type: 'delay', for: 'PT2M' },
      tell('out', 'Behind'),
    ]
    await flow.publish(campaign(steps))
    const begun = await begin('ada', { n: 5 })
    await flow.pass(60_000)
    expect(await flow.titles('ada')).toEqual(['Inside 5'])
    expect((await begun.run()).state).toBe('waiting')
    await flow.pass(120_000)
    expect(await flow.titles('ada')).toEqual(['Behind', 'Inside 5'])
    expect(await begun.run()).toMatchObject({ state: 'completed', branch: 'big' })
  })

  test('of a year ends after a year, and not a moment before', async () => {
    await flow.publish(campaign([{ id: 'pause', type: 'delay', for: 'P366D' }, tell('b', 'A year later')]))
    const begun = await begin()
    expect(await flow.pass(366 * 24 * HOUR_MS - 1)).toBe(0)
    expect((await begun.run()).state).toBe('waiting')
    expect(await flow.pass(1)).toBe(1)
    expect(await flow.titles('ada')).toEqual(['A year later'])
  })

  test('until a time of the event ends then; a past one does not wait', async () => {
    const until = { id: 'pause', type: 'delay', until: '{{ event.properties.at }}' }
    await flow.publish(campaign([until, tell('b', 'Now')]))
    await begin('ada', { at: '2026-05-01T15:30:00+02:00' })
    await begin('bob', { at: '2026-05-01T11:00:00Z' })
    await begin('cyd', { at: Date.parse('2026-05-01T13:30:00Z') })
    await begin('dee', { at: Date.parse('2026-05-01T13:30:00Z') / 1000 })
    expect(await flow.titles('bob')).toEqual(['Now'])
    for (const user of ['ada', 'cyd', 'dee']) expect(await flow.titles(user)).toEqual([])
    await flow.pass(1.5 * HOUR_MS)
    for (const user of ['ada', 'cyd', 'dee']) expect(await flow.titles(user)).toEqual(['Now'])
  })

  test.each([
    Date.parse('2026-05-01T13:30:00Z') / 1000,
    Date.parse('2026-05-01T13:30:00Z'),
    `${Date.parse('2026-05-01T13:30:00Z') / 1000}`,
    ' 2026-05-01T15:30+0200 ',
  ])('until the time %j of the campaign ends then', async (until) => {
    await flow.publish(campaign([{ id: 'pause', type: 'delay', until }, tell('b', 'Now')]))
    await begin()
    await flow.pass(1.5 * HOUR_MS - 1)
    expect(await flow.titles('ada')).toEqual([])
    await flow.pass(1)
    expect(await flow.titles('ada')).toEqual(['Now'])
  })

  test.each([
    ['tomorrow', 'render-error: "tomorrow" is no ISO 8601 time with its offset, and no Unix time.'],
    ['', 'render-error: "" is no ISO 8601 time with its offset, and no Unix time.'],
    [
      '2026-05-01T12:00:00',
      'render-error: "2026-05-01T12:00:00" is no ISO 8601 time with its offset, and no Unix time.',
    ],
    ['2026-06-31', 'render-error: "2026-06-31" is no ISO 8601 time with its offset, and no Unix time.'],
    [
      '2027-02-29T12:00:00Z',
      'render-error: "2027-02-29T12:00:00Z" is no ISO 8601 time with its offset, and no Unix time.',
    ],
    ['2027-06-01T00:00:00Z', 'render-error: 2027-06-01T00:00:00Z is too far away. A run waits at most a year (P366D).'],
  ])('until %j fails the run, and says why', async (at, reason) => {
    await flow.publish(campaign([{ id: 'pause', type: 'delay', until: '{{ event.properties.at }}' }, tell('b', 'Now')]))
    const begun = await begin('ada', { at })
    expect(await begun.run()).toMatchObject({
      state: 'failed',
      stateReason: 'render-error',
      steps: [
        { stepId: 'pause', outcome: 'failed', reason },
        { stepId: 'b', outcome: 'skipped', reason: 'render-error' },
      ],
    })
    expect(await flow.statuses('ada')).toEqual([['failed', 'render-error']])
  })

  test('a run finishes on the version that it began on', async () => {
    const steps = (title: string) => [{ id: 'pause', type: 'delay', for: 'PT1H' }, tell('b', title)]
    const id = await flow.publish(campaign(steps('Old')))
    await begin('ada')
    await flow.change.putDraft(flow.environment.id, id, campaign(steps('New')))
    await flow.change.publish(flow.environment.id, id)
    await begin('bob')
    await flow.pass(HOUR_MS)
    expect(await flow.titles('ada')).toEqual(['Old'])
    expect(await flow.titles('bob')).toEqual(['New'])
  })

  test('a test of a draft runs every step without waiting', async () => {
    const steps = [{ id: 'pause', type: 'delay', for: 'P10D' }, tell('b', 'Behind')]
    const { id } = await flow.change.create(flow.environment.id, campaign(steps))
    const sent = await flow.tryOut.test(flow.environment, 1, id, { userId: 'ada' }, 'c-2')
    expect(sent.messageIds).toHaveLength(1)
    expect(await flow.titles('ada')).toEqual(['Behind'])
    const dry = await flow.tryOut.dryRun(flow.environment, id, {})
    expect(dry.steps.map(({ stepId, outcome }) => [stepId, outcome])).toEqual([
      ['pause', 'done'],
      ['b', 'done'],
    ])
    expect(await flow.pass(20 * 24 * HOUR_MS)).toBe(0)
  })

  test('an erased user has no waits', async () => {
    await flow.publish(campaign([{ id: 'pause', type: 'delay', for: 'PT1H' }, tell('b', 'Late')]))
    await begin('ada')
    await flow.stores.users.erase(flow.environment.id, 'ada', flow.clock.at)
    expect(await flow.pass(HOUR_MS)).toBe(0)
    expect(await flow.stores.users.find(flow.environment.id, 'ada')).toBeUndefined()
  })
})

describe('a pause of the campaign', () => {
  const steps = [{ id: 'pause', type: 'delay', for: 'PT1H' }, tell('b', 'Second')]

  test('keeps timers and sends nothing; waits that were due continue once when it is over', async () => {
    const id = await flow.publish(campaign(steps))
    const begun = await begin()
    await flow.change.pause(flow.environment.id, id)
    expect(await flow.pass(2 * HOUR_MS)).toBe(1)
    expect(await flow.titles('ada')).toEqual([])
    expect((await begun.run()).state).toBe('waiting')
    // Parked: not claimed again during the pause.
    expect(await flow.pass(HOUR_MS)).toBe(0)
    await flow.change.resume(flow.environment.id, id)
    await flow.settle()
    expect(await flow.titles('ada')).toEqual(['Second'])
    expect((await begun.run()).state).toBe('completed')
  })

  test('longer than maxLateness cancels the run, with a record of what was not sent', async () => {
    const id = await flow.publish(campaign(steps, { maxLateness: 'PT2H' }))
    const begun = await begin()
    await flow.change.pause(flow.environment.id, id)
    await flow.pass(3 * HOUR_MS + 1)
    await flow.change.resume(flow.environment.id, id)
    await flow.settle()
    expect(await flow.titles('ada')).toEqual([])
    const run = await begun.run()
    expect(run).toMatchObject({ state: 'cancelled', stateReason: 'paused' })
    expect(run.steps.slice(-2)).toMatchObject([
      { stepId: 'pause', outcome: 'skipped', reason: 'paused: due at 2026-05-01T13:00:00.000Z, later than PT2H' },
      { stepId: 'b', outcome: 'skipped', reason: 'paused' },
    ])
    expect(await flow.statuses('ada')).toEqual([['cancelled', 'paused']])
  })

  test('longer than maxLateness also records the messages after the next wait', async () => {
    const more = [tell('a', 'First'), { id: 'again', type: 'delay', for: 'PT1H' }, tell('b', 'Second')]
    const id = await flow.publish(
      campaign([{ id: 'pause', type: 'delay', for: 'PT1H' }, ...more], { maxLateness: 'PT2H' }),
    )
    const begun = await begin()
    await flow.change.pause(flow.environment.id, id)
    await flow.pass(3 * HOUR_MS + 1)
    await flow.change.resume(flow.environment.id, id)
    await flow.settle()
    expect((await begun.run()).steps.map(({ stepId, outcome }) => [stepId, outcome])).toEqual([
      ['pause', 'skipped'],
      ['a', 'skipped'],
      ['again', 'skipped'],
      ['b', 'skipped'],
    ])
    expect(await flow.statuses('ada')).toEqual([
      ['cancelled', 'paused'],
      ['cancelled', 'paused'],
    ])
  })

  test('longer than maxLateness counts also when no server found the wait during it; a shorter one continues the run', async () => {
    const id = await flow.publish(campaign(steps, { maxLateness: 'PT90M' }))
    const late = await begin('ada')
    flow.clock.at += HOUR_MS
    const fresh = await begin('bob')
    await flow.change.pause(flow.environment.id, id)
    flow.clock.at += HOUR_MS + 1
    await flow.change.resume(flow.environment.id, id)
    const behind = await begin('cid')
    await flow.pass(HOUR_MS / 2)
    expect(await late.run()).toMatchObject({ state: 'cancelled', stateReason: 'paused' })
    expect(await flow.statuses('ada')).toEqual([['cancelled', 'paused']])
    expect((await fresh.run()).state).toBe('completed')
    expect(await flow.titles('bob')).toEqual(['Second'])
    // A wait that is due after the pause does not belong to it, however late it is found.
    await flow.pass(48 * HOUR_MS)
    expect((await behind.run()).state).toBe('completed')
  })

  test('that a draining archive ends counts as well', async () => {
    const id = await flow.publish(campaign(steps, { maxLateness: 'PT2H' }))
    const begun = await begin()
    await flow.change.pause(flow.environment.id, id)
    flow.clock.at += 3 * HOUR_MS + 1
    await flow.change.archive(flow.environment.id, id, undefined, true)
    await flow.settle()
    expect(await begun.run()).toMatchObject({ state: 'cancelled', stateReason: 'paused' })
  })

  test('that was over when a late wait was due does not cancel it', async () => {
    await flow.publish(campaign(steps, { maxLateness: 'PT1M' }))
    await begin()
    await flow.pass(48 * HOUR_MS)
    expect(await flow.titles('ada')).toEqual(['Second'])
  })
})

describe('an archived campaign', () => {
  const steps = [{ id: 'pause', type: 'delay', for: 'PT1H' }, tell('b', 'Second')]

  test('cancels the runs that wait, at once', async () => {
    const id = await flow.publish(campaign(steps))
    const begun = await begin()
    await flow.change.archive(flow.environment.id, id)
    await flow.settle()
    expect(await begun.run()).toMatchObject({ state: 'cancelled', stateReason: 'archived' })
    expect(await flow.pass(HOUR_MS)).toBe(0)
    expect(await flow.titles('ada')).toEqual([])
    expect(await flow.statuses('ada')).toEqual([['cancelled', 'archived']])
  })

  test('lets them finish when it drains, also those that a pause had parked', async () => {
    const id = await flow.publish(campaign(steps))
    await begin('ada')
    await flow.change.pause(flow.environment.id, id)
    await flow.pass(HOUR_MS)
    await flow.change.archive(flow.environment.id, id, undefined, true)
    await flow.settle()
    expect(await flow.titles('ada')).toEqual(['Second'])
  })
})
