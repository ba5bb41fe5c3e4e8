// Tests that people see what was given up and run it again: on the dashboard, the command line, in metrics and the doctor.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgainAnswer } from '../../../contract/resources/again.ts'
import type { GivenUpAnswer } from '../../../contract/resources/given-up.ts'
import type { RunAnswer } from '../../../contract/resources/run.ts'
import { countTwoCrashes } from '../support/count-crashes.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { type DashboardPerson, givenDashboard, outcomeOf } from '../support/given-dashboard.ts'

const REASON = 'the process ended twice while this was handled'
const POLL = { timeout: 60_000, interval: 100 }

let given: GivenEdge
let dashboard: ReturnType<typeof givenDashboard>
let editor: DashboardPerson
let viewer: DashboardPerson
let envId: string
let campaignId: string
beforeAll(async () => {
  given = await givenEdge()
  dashboard = givenDashboard(given)
  editor = await dashboard.join(given.demo.organisation.id, 'editor@example.com', 'editor')
  viewer = await dashboard.join(given.demo.organisation.id, 'viewer@example.com', 'viewer')
  envId = given.demo.environments.dev.id
  const steps = [
    { id: 'pause', type: 'delay', for: 'PT1S' },
    { id: 'tell', type: 'inbox', title: 'Late' },
  ]
  campaignId = await given.publish(inboxCampaign('late', 'began', { steps }))
})
afterAll(() => given.stop())

const pathOf = (environment: string, rest = '') => `/v1/dashboard/environments/${environment}/given-up${rest}`
const list = async (person = viewer, environment = envId) =>
  (await person.call<{ data: GivenUpAnswer[] }>('GET', pathOf(environment))).body.data
const key = () => given.demo.environments.dev.sdkSecretKey

/** Begins a run with which two processes end while it waits, and waits until it is given up. @returns its id */
async function giveUp(userId: string): Promise<string> {
  const body = { sdkSecretKey: key(), name: 'began', userId }
  const { eventId } = (await given.call<{ eventId: string }>('POST', '/v1/events/track', { key: key(), body })).body
  const event = await given.call<{ runs: { runId: string }[] }>('GET', `/v1/events/${eventId}`, { key: key() })
  const runId = event.body.runs[0]?.runId ?? ''
  await countTwoCrashes(given.settings, envId, runId)
  await expect.poll(async () => (await list()).map(({ id }) => id), POLL).toContain(runId)
  return runId
}

/** Of the audit log, newest first. */
async function actionsOn(runId: string): Promise<string[]> {
  const entries = await dashboard.cli.json<AuditRow[]>(`audit list --env ${envId}`)
  return entries.filter(({ subject }) => subject === runId).map(({ action, actor, who }) => `${action} ${actor} ${who}`)
}
type AuditRow = Record<'action' | 'actor' | 'who' | 'subject', string>

const stateOf = async (runId: string) =>
  (await given.call<{ state: string }>('GET', `/v1/runs/${runId}`, { key: key() })).body.state

test('a run that was given up is listed with its reason, and an editor of its environment runs it again', async () => {
  expect(await list()).toEqual([])
  const runId = await giveUp('ada')
  const expected = {
    id: runId,
    kind: 'run',
    environmentId: envId,
    reason: REASON,
    what: 'pause',
    campaignId,
    campaignKey: 'late',
    userId: 'ada',
  }
  expect(await list()).toMatchObject([expected])
  expect(await list(viewer, given.demo.environments.prod.id)).toEqual([])
  expect(await dashboard.cli.json(`given-up list --env ${envId}`)).toMatchObject([expected])
  expect(await dashboard.cli.json('given-up list')).toMatchObject([expected])
  const doctor = await dashboard.cli.nc('doctor')
  expect(doctor.out).toContain(`1 run. The last one, ${runId}: ${REASON}.`)
  const metrics = await (await fetch(`${given.url}/metrics`)).text()
  expect(metrics).toContain('nc_given_up{kind="run"} 1')
  expect(metrics).toContain('nc_given_up{kind="mail"} 0')

  expect(outcomeOf(await viewer.call('POST', pathOf(envId, `/${runId}/run`)))).toMatch(/^403/)
  const elsewhere = pathOf(given.demo.environments.prod.id, `/${runId}/run`)
  expect(outcomeOf(await editor.call('POST', elsewhere))).toBe('404 run/not-found')
  expect(outcomeOf(await editor.call('POST', pathOf(envId, '/nothing/run')))).toBe('404 request/not-found')
  expect(await stateOf(runId)).toBe('failed')
  expect((await editor.call('POST', pathOf(envId, `/${runId}/run`))).body).toEqual({ id: runId })
  await expect.poll(() => stateOf(runId), POLL).toBe('completed')
  expect(outcomeOf(await editor.call('POST', pathOf(envId, `/${runId}/run`)))).toBe('404 run/not-found')
  expect(await list()).toEqual([])
  expect(await actionsOn(runId)).toEqual([`run.again dashboard ${editor.email}`])
  const { steps } = (await given.call<RunAnswer>('GET', `/v1/runs/${runId}`, { key: key() })).body
  expect(steps.map(({ stepId, type, outcome, reason }) => [stepId || type, outcome, reason])).toEqual([
    ['pause', 'failed', expect.stringContaining(REASON)],
    ['tell', 'skipped', 'retries-exhausted'],
    ['again', 'done', expect.stringMatching(`^run again by ${editor.email}, at 20..-..-..T`)],
    ['pause', 'done', null],
    ['tell', 'done', null],
  ])
})

test('calls that run it again at once begin it once', async () => {
  const runId = await giveUp('zoe')
  const path = `/v1/runs/${runId}/run-again`
  const calls = Array.from({ length: 20 }, () =>
    given.call<AgainAnswer>('POST', path, { key: key(), body: { idempotencyKey: 'once' } }),
  )
  const answers = await Promise.all(calls)
  const runs = answers.flatMap(({ status, body }) => (status === 200 ? [body.runId] : []))
  expect([...new Set(runs)]).toEqual([runId])
  await expect.poll(() => stateOf(runId), POLL).toBe('completed')
  const sent = await given.call<{ data: unknown[] }>('GET', '/v1/deliveries?userId=zoe&status=delivered', {
    key: key(),
  })
  expect(sent.body.data).toHaveLength(1)
})

test('an editor drops a run for good on the dashboard, and a viewer does not', async () => {
  const runId = await giveUp('kim')
  expect(outcomeOf(await viewer.call('POST', pathOf(envId, `/${runId}/drop`)))).toMatch(/^403/)
  expect((await editor.call('POST', pathOf(envId, `/${runId}/drop`))).body).toEqual({ id: runId })
  expect(await list()).toEqual([])
  const { body } = await editor.call<{ message: string }>('POST', pathOf(envId, `/${runId}/drop`))
  expect(body).toMatchObject({ code: 'run/not-found', message: expect.stringContaining('was given up') })
  expect(await actionsOn(runId)).toEqual([`run.drop dashboard ${editor.email}`])
})

test('the command line runs it again beside the server, or drops it for good', async () => {
  const { nc, json } = dashboard.cli
  const [again, dropped] = [await giveUp('bob'), await giveUp('eve')]
  await json(`run again --env ${envId} --run ${again}`)
  await expect.poll(() => stateOf(again), POLL).toBe('completed')
  await json(`run drop --env ${envId} --run ${dropped}`)
  expect(await actionsOn(again)).toEqual([expect.stringMatching(/^run\.again cli /)])
  expect(await actionsOn(dropped)).toEqual([expect.stringMatching(/^run\.drop cli /)])
  expect(await list()).toEqual([])
  expect(await stateOf(dropped)).toBe('failed')
  const refused = await nc(`run again --env ${envId} --run ${dropped}`)
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.err).toContain('No run of this id was given up in this environment. `given-up list` shows what was.')
  expect(await nc(`job drop --env ${envId} --job ${dropped}`)).toMatchObject({ code: 2 })
  expect(await nc(`mail again --env ${envId} --mail msg_00000000000`)).toMatchObject({ code: 1 })
})
