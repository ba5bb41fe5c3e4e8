// Tests waiting runs whose campaign is paused, resumed, archived or drained, or that are cancelled.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../lib/clock.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'
import { within } from '../support/within.ts'

/** Late enough for the actions before it, also when the machine is blocked for a moment. */
const DUE_SOON = 'PT4S'

let given: GivenEdge
let cli: ReturnType<typeof givenNc>
beforeAll(async () => {
  given = await givenEdge()
  cli = givenNc(given.settings)
})
afterAll(() => given.stop())

const key = () => given.demo.environments.dev.sdkSecretKey
const ask = <T = Record<string, unknown>>(method: string, path: string, body?: object) =>
  given.call<T>(method, path, { key: key(), ...(body && { body }) })

interface RunAnswer {
  runId: string
  state: string
  stateReason: string | null
  endedAt: string | null
  steps: { stepId: string; outcome: string; reason: string | null }[]
}

/** Starts a waiting run of a new campaign, with methods that change the campaign. */
async function givenWaiting(name: string, duration: string, extra: object = {}) {
  const steps = [
    { id: 'pause', type: 'delay', for: duration },
    { id: 'tell', type: 'inbox', title: `Message of ${name}` },
  ]
  const id = await given.publish({ key: name, trigger: { event: `${name}.began` }, steps, ...extra })
  const begin = async (properties: object = {}) => {
    const { body } = await given.track({ name: `${name}.began`, userId: name, properties })
    const event = await ask<{ runs: { runId: string }[] }>('GET', `/v1/events/${body.eventId}`)
    const runId = event.body.runs[0]?.runId ?? ''
    return async () => (await ask<RunAnswer>('GET', `/v1/runs/${runId}`)).body
  }
  return {
    id,
    begin,
    act: async (verb: string) => expect((await ask('POST', `/v1/campaigns/${id}/${verb}`)).status).toBe(200),
    titles: async () => (await given.page(await given.signIn(name))).data.map(({ title }) => title),
  }
}

/** Returns the number of waits that this server parked. */
async function countParked(): Promise<number> {
  const text = await (await fetch(`${given.url}/metrics`)).text()
  const line = text.split('\n').find((one) => one.includes('"resume-run"') && one.includes('"parked"'))
  return Number(line?.split(' ').at(-1) ?? 0)
}

/** Pauses the campaign before the wait is due, and waits until it is parked. */
async function parkOne({ act, begin }: Awaited<ReturnType<typeof givenWaiting>>) {
  const before = await countParked()
  const run = await begin()
  await act('pause')
  await expect.poll(countParked).toBe(before + 1)
  return run
}

test('a wait that becomes due while its campaign is paused is parked, and continues once after the resumption', async () => {
  const waiting = await givenWaiting('resumed', DUE_SOON)
  const run = await parkOne(waiting)
  expect(await run()).toMatchObject({ state: 'waiting', endedAt: null })
  expect(await waiting.titles()).toEqual([])
  await waiting.act('resume')
  await expect.poll(async () => (await run()).state).toBe('completed')
  expect(await waiting.titles()).toEqual(['Message of resumed'])
})

test('a run that is resumed later than maxLateness is cancelled, and its message has a record', async () => {
  const waiting = await givenWaiting('late', DUE_SOON, { maxLateness: 'PT1S' })
  const run = await parkOne(waiting)
  const lateAt = systemClock.now() + 1100
  await expect.poll(() => systemClock.now() > lateAt).toBe(true)
  await waiting.act('resume')
  await expect.poll(async () => (await run()).state).toBe('cancelled')
  expect(await run()).toMatchObject({ stateReason: 'paused' })
  expect((await run()).steps.at(-1)).toMatchObject({ stepId: 'tell', outcome: 'skipped' })
  const records = await ask<{ data: { status: string; statusReason: string }[] }>('GET', '/v1/deliveries?userId=late')
  expect(records.body.data).toMatchObject([{ status: 'cancelled', statusReason: 'paused' }])
  expect(await waiting.titles()).toEqual([])
})

test('a pause that ended while no server ran cancels a run that became due in it, and no later one', async () => {
  const [late, later] = [
    await givenWaiting('missed', DUE_SOON, { maxLateness: 'PT1S' }),
    await givenWaiting('missed-later', DUE_SOON, { maxLateness: 'PT1S' }),
  ]
  const lateRun = await late.begin()
  await late.act('pause')
  const laterRun = await later.begin()
  const dueAt = systemClock.now() + 4000
  const command = (verb: string, campaign: string) =>
    `campaign ${verb} --env ${given.demo.environments.dev.id} --key ${campaign}`
  for (const verb of ['pause', 'resume']) await cli.json(command(verb, 'missed-later'))
  await given.edge.close()
  await expect.poll(() => systemClock.now() > dueAt + 1100, { timeout: 20_000 }).toBe(true)
  expect(await cli.json(command('resume', 'missed'))).toMatchObject({ status: 'active' })
  await given.restart()
  await expect.poll(async () => (await lateRun()).state).toBe('cancelled')
  expect(await lateRun()).toMatchObject({ stateReason: 'paused' })
  expect(await late.titles()).toEqual([])
  await expect.poll(async () => (await laterRun()).state).toBe('completed')
  expect(await later.titles()).toEqual(['Message of missed-later'])
})

test('archiving cancels waiting runs, and draining lets them end, also parked ones', async () => {
  const ended = await givenWaiting('archived', 'P365D')
  const endedRun = await ended.begin()
  await ended.act('archive')
  await expect.poll(async () => (await endedRun()).state).toBe('cancelled')
  expect(await endedRun()).toMatchObject({ stateReason: 'archived' })
  expect(await ended.titles()).toEqual([])

  const drained = await givenWaiting('drained', DUE_SOON)
  const parkedRun = await parkOne(drained)
  await drained.act('archive?drain=true')
  await expect.poll(async () => (await parkedRun()).state).toBe('completed')
  expect(await drained.titles()).toEqual(['Message of drained'])
})

test('the command line archives with and without draining, and the running server applies it', async () => {
  const [drained, ended] = [await givenWaiting('cli-drained', 'PT3S'), await givenWaiting('cli-ended', 'P365D')]
  const [drainedRun, endedRun] = [await drained.begin(), await ended.begin()]
  const command = (campaign: string) =>
    `campaign archive --env ${given.demo.environments.dev.id} --key ${campaign} --yes`
  expect(await cli.json(`${command('cli-drained')} --drain`)).toMatchObject({ status: 'archived' })
  expect(await cli.json(command('cli-ended'))).toMatchObject({ status: 'archived' })
  // By the published change at once, not by the periodic check after 5 s.
  await within(4000, async () => expect((await endedRun()).state).toBe('cancelled'))
  await expect.poll(async () => (await drainedRun()).state).toBe('completed')
  expect(await drained.titles()).toEqual(['Message of cli-drained'])
  const usage = `campaign pause --env ${given.demo.environments.dev.id} --key cli-ended --drain`
  expect(await cli.nc(usage)).toMatchObject({ code: 2 })
})

test('a cancelled run never continues, and other runs of its user and campaign do', async () => {
  const waiting = await givenWaiting('cancelled', DUE_SOON)
  const [cancelled, other] = [await waiting.begin({ order: 'A-1' }), await waiting.begin({ order: 'A-2' })]
  const where = "event.properties.order == 'A-1'"
  const answer = await ask('POST', '/v1/runs/cancel', { campaignKey: 'cancelled', userId: 'cancelled', where })
  expect(answer.body).toEqual({ cancelled: 1, runIds: [(await cancelled()).runId] })
  await expect.poll(async () => (await other()).state).toBe('completed')
  expect(await cancelled()).toMatchObject({ state: 'cancelled', stateReason: 'requested' })
  expect(await waiting.titles()).toEqual(['Message of cancelled'])
})
