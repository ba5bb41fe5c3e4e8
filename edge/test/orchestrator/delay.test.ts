// Tests a delay on a running edge: the wait is stored, so that a restart resumes the run.

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'

let laterMs = 0
let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge({}, { clock: { now: () => Date.now() + laterMs } })
})
afterAll(() => given.stop())

const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 20 })
const key = () => given.demo.environments.dev.sdkSecretKey

const inboxStep = (id: string, title: string) => ({ id, type: 'inbox', title })
const campaign = (name: string, duration: string) => ({
  key: name,
  trigger: { event: `${name}.began` },
  steps: [
    inboxStep('first', 'First'),
    { id: 'pause', type: 'delay', for: duration },
    inboxStep('second', 'Second for {{ user.id }}'),
  ],
})

async function titlesOf(userId: string): Promise<string[]> {
  const page = await given.page(await given.signIn(userId))
  return page.data.map((message) => message.title)
}

async function runOf(eventId: unknown) {
  const event = await given.call<{ runs: { runId: string }[] }>('GET', `/v1/events/${eventId}`, { key: key() })
  const run = await given.call('GET', `/v1/runs/${event.body.runs[0]?.runId}`, { key: key() })
  return run.body
}

test('steps after a delay run by themselves, and the trace has the time that the run waited', async () => {
  await given.publish(campaign('soon', 'PT0.3S'))
  const tracked = await given.track({ name: 'soon.began', userId: 'ada' })
  expect(await titlesOf('ada')).toContain('First')
  await eventually(async () => expect(await titlesOf('ada')).toEqual(['Second for ada', 'First']))
  const run = await runOf(tracked.body.eventId)
  expect(run).toMatchObject({ state: 'completed', stateReason: null })
  const steps = run.steps as { stepId: string; outcome: string; durationMs: number }[]
  expect(steps.map(({ stepId, outcome }) => [stepId, outcome])).toEqual([
    ['first', 'done'],
    ['pause', 'done'],
    ['second', 'done'],
  ])
  expect(steps[1]?.durationMs).toBeGreaterThanOrEqual(300)
})

test('a waiting run continues after a restart', async () => {
  await given.publish(campaign('restart', 'PT1H'))
  const tracked = await given.track({ name: 'restart.began', userId: 'bob' })
  expect(await runOf(tracked.body.eventId)).toMatchObject({ state: 'waiting', endedAt: null })
  // It is due soon after the start.
  laterMs = 3_600_000 - 1000
  await given.restart()
  await eventually(async () => expect(await titlesOf('bob')).toEqual(['Second for bob', 'First']))
})

test('a thousand runs that are due together each continue once', async () => {
  await given.publish(campaign('many', 'PT1S'))
  const events = Array.from({ length: 1000 }, (_, n) => ({ name: 'many.began', userId: `many-${n}` }))
  const sent = await given.call('POST', '/v1/events/track/batch', {
    key: key(),
    body: { sdkSecretKey: key(), events },
  })
  expect(sent.status).toBe(202)
  await eventually(async () => {
    const answer = await given.call<{ data: unknown[] }>('GET', '/v1/deliveries?userId=many-999', { key: key() })
    expect(answer.body.data).toHaveLength(2)
  })
  await eventually(async () => {
    for (const n of [0, 1, 499, 500, 999])
      expect(await titlesOf(`many-${n}`)).toEqual([`Second for many-${n}`, 'First'])
  })
  const metrics = await (await fetch(`${given.url}/metrics`)).text()
  expect(metrics).not.toMatch(/nc_jobs_total\{kind="resume-run",result="(retried|dead)"\} [1-9]/)
})
