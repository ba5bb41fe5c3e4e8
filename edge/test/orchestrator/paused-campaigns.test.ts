// Tests waiting runs whose campaign is paused, resumed or archived, on a running server, beside the command line, and while no server runs.
// What a pause, an archive or a cancellation does to a run has its tests in campaign/steps/delay.test.ts and flow/campaigns/cancel-runs.test.ts.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'
import { within } from '../support/within.ts'

/** Late enough for the actions before it, also when the machine is blocked for a moment. */
const DUE_SOON = 'PT4S'
const HOUR_MS = 3_600_000

/** The command line has the time of the machine. The server begins an hour earlier, and runs an hour later after its restart. */
let laterMs = -HOUR_MS
let given: GivenEdge
let cli: ReturnType<typeof givenNc>
beforeAll(async () => {
  given = await givenEdge({}, { clock: { now: () => Date.now() + laterMs } })
  cli = givenNc(given.settings)
})
afterAll(() => given.stop())

const key = () => given.demo.environments.dev.sdkSecretKey
const ask = <T = Record<string, unknown>>(method: string, path: string, body?: object) =>
  given.call<T>(method, path, { key: key(), ...(body && { body }) })
const command = (verb: string, campaign: string) =>
  `campaign ${verb} --env ${given.demo.environments.dev.id} --key ${campaign}`

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
  const { body } = await given.track({ name: `${name}.began`, userId: name, properties: {} })
  const event = await ask<{ runs: { runId: string }[] }>('GET', `/v1/events/${body.eventId}`)
  const path = `/v1/runs/${event.body.runs[0]?.runId ?? ''}`
  return {
    run: async () => (await ask<RunAnswer>('GET', path)).body,
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

test('a pause that ended while no server ran cancels a run that became due in it, and no later one', async () => {
  const late = await givenWaiting('missed', 'PT30M', { maxLateness: 'PT1S' })
  await late.act('pause')
  const later = await givenWaiting('missed-later', 'PT90M', { maxLateness: 'PT1S' })
  for (const verb of ['pause', 'resume']) await cli.json(command(verb, 'missed-later'))
  await given.edge.close()
  expect(await cli.json(command('resume', 'missed'))).toMatchObject({ status: 'active' })
  laterMs = HOUR_MS
  await given.restart()
  await expect.poll(async () => (await late.run()).state).toBe('cancelled')
  expect(await late.run()).toMatchObject({ stateReason: 'paused' })
  expect((await late.run()).steps.at(-1)).toMatchObject({ stepId: 'tell', outcome: 'skipped' })
  const records = await ask<{ data: { status: string; statusReason: string }[] }>('GET', '/v1/deliveries?userId=missed')
  expect(records.body.data).toMatchObject([{ status: 'cancelled', statusReason: 'paused' }])
  expect(await late.titles()).toEqual([])
  await expect.poll(async () => (await later.run()).state).toBe('completed')
  expect(await later.titles()).toEqual(['Message of missed-later'])
})

// Both runs wait for the same seconds.
describe('on a running server', () => {
  let paused: Awaited<ReturnType<typeof givenWaiting>>
  beforeAll(async () => {
    paused = await givenWaiting('resumed', DUE_SOON)
    await paused.act('pause')
  })

  test('the command line archives with and without draining, and the server applies it', async () => {
    const [drained, ended] = [await givenWaiting('cli-drained', DUE_SOON), await givenWaiting('cli-ended', 'P365D')]
    const archived = { status: 'archived' }
    expect(await cli.json(`${command('archive', 'cli-drained')} --yes --drain`)).toMatchObject(archived)
    expect(await cli.json(`${command('archive', 'cli-ended')} --yes`)).toMatchObject(archived)
    // By the published change at once, not by the periodic check after 5 s.
    await within(4000, async () => expect((await ended.run()).state).toBe('cancelled'))
    await expect.poll(async () => (await drained.run()).state).toBe('completed')
    expect(await drained.titles()).toEqual(['Message of cli-drained'])
    expect(await cli.nc(`${command('pause', 'cli-ended')} --drain`)).toMatchObject({ code: 2 })
  })

  test('a wait that becomes due while its campaign is paused is parked, and continues once after the resumption', async () => {
    await expect.poll(countParked).toBe(1)
    expect(await paused.run()).toMatchObject({ state: 'waiting', endedAt: null })
    expect(await paused.titles()).toEqual([])
    await paused.act('resume')
    await expect.poll(async () => (await paused.run()).state).toBe('completed')
    expect(await paused.titles()).toEqual(['Message of resumed'])
  })
})
