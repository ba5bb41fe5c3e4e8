// Tests enricher calls of runs: data, failures, cached answers, rotations, restarts, and an endpoint that hangs.

import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callIdOf } from '../../domain/enricher.ts'
import { parseId } from '../../lib/id.ts'
import { answer, type Endpoint, startPlainEndpoint } from '../support/endpoint.ts'
import { type EnvironmentName, type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'

let given: GivenEdge
let cli: ReturnType<typeof givenNc>
let endpoint: Endpoint
let answerOrder: Endpoint['handle']
beforeAll(async () => {
  given = await givenEdge()
  cli = givenNc(given.settings)
  endpoint = await startPlainEndpoint()
  answerOrder = (_, response, { body }) =>
    answer(response, 200, { ok: true, data: { title: `Order ${body.params.orderId}` } })
})
afterAll(async () => {
  await given?.stop()
  await endpoint?.close()
})
beforeEach(() => {
  endpoint.requests.length = 0
  endpoint.handle = answerOrder
})
afterEach(() => {
  endpoint.handle = answerOrder
})

interface RunAnswer {
  runId: string
  state: string
  stateReason: string | null
  steps: { stepId: string; outcome: string; reason: string | null }[]
}

const keyOf = (name: EnvironmentName) => given.demo.environments[name].sdkSecretKey
const put = (name: string, settings: Record<string, unknown> = {}) =>
  given.call('PUT', `/v1/enrichers/${name}`, { key: keyOf('dev'), body: { url: endpoint.url, ...settings } })

/** Publishes a campaign with its own event; the enricher has the same name. */
async function publish(name: string, { settings = {}, step = {} }: { settings?: object; step?: object } = {}) {
  expect((await put(name, { ...settings })).status).toBe(200)
  await given.publish({
    key: name,
    trigger: { event: name },
    steps: [
      { id: 'details', type: 'enrich', enricher: name, params: { orderId: '{{ event.properties.id }}' }, ...step },
      { id: 'tell', type: 'inbox', title: "{{ enriched.details.title | default: 'An order' }}" },
    ],
  })
}

async function startRun(name: string, id: string, userId = `user-${name}`, environment: EnvironmentName = 'dev') {
  const { status, body } = await given.track({ name, userId, properties: { id } }, environment)
  expect(status).toBe(202)
  const event = await given.call<{ runs: { runId: string }[] }>('GET', `/v1/events/${body.eventId}`, {
    key: keyOf(environment),
  })
  const runId = event.body.runs[0]?.runId ?? ''
  const read = async () => (await given.call<RunAnswer>('GET', `/v1/runs/${runId}`, { key: keyOf(environment) })).body
  const ended = async () => {
    await expect.poll(async () => (await read()).state, { interval: 20 }).not.toBe('waiting')
    return read()
  }
  return { runId, correlationId: body.correlationId, read, ended, titles: () => titles(userId, environment) }
}

async function titles(userId: string, environment: EnvironmentName = 'dev'): Promise<string[]> {
  return (await given.page(await given.signIn(userId, environment))).data.map(({ title }) => title)
}

describe('data of an endpoint', () => {
  test('is in the message, and the event is answered before the call', async () => {
    let release = () => {}
    endpoint.handle = (...all) => {
      release = () => answerOrder(...all)
    }
    await publish('fetched')
    const run = await startRun('fetched', 'ü7')
    expect((await run.read()).state).toBe('waiting')
    await expect.poll(() => endpoint.requests.length).toBe(1)
    expect(await run.titles()).toEqual([])
    release()
    const { state, steps } = await run.ended()
    expect([state, steps.map(({ stepId, outcome }) => [stepId, outcome])]).toEqual([
      'completed',
      [
        ['details', 'done'],
        ['tell', 'done'],
      ],
    ])
    expect(await run.titles()).toEqual(['Order ü7'])
    const [received] = endpoint.requests
    const payload = JSON.parse(received?.body.payload ?? '{}') as {
      user: { id: string }
      event: { name: string; properties: object }
    }
    expect(payload.user.id).toBe('user-fetched')
    expect(payload.event).toMatchObject({ name: 'fetched', userId: 'user-fetched', properties: { id: 'ü7' } })
    expect(received?.headers['webhook-id']).toBe(callIdOf(parseId('run', run.runId) ?? 0, 'details'))
    expect(received?.headers['x-correlation-id']).toBe(run.correlationId)
  })

  test('is cached: it is not requested again, and the run does not wait', async () => {
    await publish('kept', { settings: { cacheSeconds: 600 } })
    await (await startRun('kept', '1')).ended()
    // The change notice may arrive late and make the edge reload the enricher; the answer stays cached.
    let next = await startRun('kept', '1')
    const isCompleted = async () => {
      const { state } = await next.read()
      if (state !== 'completed') next = await startRun('kept', '1')
      return state
    }
    await expect.poll(isCompleted).toBe('completed')
    expect(await next.read()).toMatchObject({ state: 'completed', steps: [{ stepId: 'details', outcome: 'done' }, {}] })
    expect(new Set(await next.titles())).toEqual(new Set(['Order 1']))
    expect(endpoint.requests).toHaveLength(1)
    await (await startRun('kept', '2')).ended()
    expect(endpoint.requests).toHaveLength(2)
  })
})

describe('an endpoint that fails', () => {
  test('twice, then answers, is called three times with one id', async () => {
    let calls = 0
    endpoint.handle = (...all) =>
      calls++ < 2 ? answer(all[1], 503, 'no', { 'content-type': 'text/plain' }) : answerOrder(...all)
    await publish('recovers')
    const run = await startRun('recovers', '3')
    expect((await run.ended()).state).toBe('completed')
    expect(await run.titles()).toEqual(['Order 3'])
    expect(new Set(endpoint.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(endpoint.requests).toHaveLength(3)
  })

  test('lets the run continue without data with onError "continue", and the trace has the error code', async () => {
    endpoint.handle = (_, response) =>
      answer(response, 400, { ok: false, error: { code: 'input-invalid', message: 'orderId is unknown' } })
    await publish('goes-on', { step: { onError: 'continue' } })
    const run = await startRun('goes-on', '4')
    const { state, steps } = await run.ended()
    expect(state).toBe('completed')
    expect(steps[0]).toMatchObject({
      stepId: 'details',
      outcome: 'failed',
      reason: 'input-invalid: orderId is unknown',
    })
    expect(await run.titles()).toEqual(['An order'])
  })

  test('ends the run otherwise, and the messages that were not sent have a record', async () => {
    endpoint.handle = (_, response) => response.writeHead(302, { location: '/elsewhere' }).end()
    await publish('stops', { step: { onError: 'stop' } })
    const run = await startRun('stops', '5')
    expect(await run.ended()).toMatchObject({ state: 'failed', stateReason: 'enricher-error' })
    expect(await run.titles()).toEqual([])
    const records = await given.call<{ data: object[] }>('GET', '/v1/deliveries?userId=user-stops', {
      key: keyOf('dev'),
    })
    expect(records.body.data).toMatchObject([
      {
        status: 'failed',
        statusReason: 'enricher-error',
        stepId: 'tell',
        lastError: 'redirect: The other side redirects, which is not followed.',
      },
    ])
  })

  test('because it was removed has the code unknown-enricher in the trace', async () => {
    await publish('removed', { step: { onError: 'continue' } })
    await given.call('DELETE', '/v1/enrichers/removed', { key: keyOf('dev') })
    const { steps } = await (await startRun('removed', '6')).ended()
    expect(steps[0]?.reason).toMatch(/^unknown-enricher: /)
    expect(endpoint.requests).toEqual([])
  })
})

test('after a rotation, the next attempt of a waiting run is signed with the new secret', async () => {
  const env = given.demo.environments.dev.id
  const old = given.demo.environments.dev.webhookSigningSecret
  let rotated = Promise.resolve({ value: '' })
  endpoint.handle = (_, response) => {
    rotated = cli.json<{ value: string }>(`secret emergency --env ${env} --kind webhookSigningSecret --yes`)
    endpoint.handle = answerOrder
    void rotated.then(() => answer(response, 500, {}))
  }
  await publish('rotated', { settings: { timeoutMs: 10_000 } })
  const run = await startRun('rotated', '7')
  expect((await run.ended()).state).toBe('completed')
  const [first, second] = endpoint.requests
  if (first === undefined || second === undefined) throw new Error('there were not two attempts')
  expect(() => new Webhook(old).verify(first.body.payload, first.body.headers)).not.toThrow()
  const { value } = await rotated
  expect(() => new Webhook(value).verify(second.body.payload, second.body.headers)).not.toThrow()
  expect(() => new Webhook(old).verify(second.body.payload, second.body.headers)).toThrow()
  expect(second.body.payload).toBe(first.body.payload)
})

test('a call that a restart interrupts is repeated with its id, and takes effect once', async () => {
  endpoint.handle = () => {}
  await publish('cut')
  const run = await startRun('cut', '8')
  await expect.poll(() => endpoint.requests.length).toBe(1)
  endpoint.handle = answerOrder
  await given.restart()
  expect((await run.ended()).state).toBe('completed')
  expect(await run.titles()).toEqual(['Order 8'])
  expect(endpoint.requests.length).toBeGreaterThan(1)
  expect(new Set(endpoint.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(new Set(endpoint.requests.map(({ body }) => body.payload)).size).toBe(1)
})

test('an endpoint that does not answer delays no other environment, enricher or event', async () => {
  await publish('quick')
  await publish('hangs', { settings: { timeoutMs: 10_000 }, step: { onError: 'continue' } })
  const env = given.demo.environments.prod.id
  await cli.json(`enricher put --env ${env} --name quick --url ${endpoint.url}`)
  await cli.json(`campaign copy --from ${given.demo.environments.dev.id} --to ${env} --key quick --apply --publish`)
  endpoint.handle = (request, response, received) => {
    if (received.body.name !== 'hangs') answerOrder(request, response, received)
  }
  // More runs than the timers resume at a time.
  const events = Array.from({ length: 600 }, (_, n) => ({
    name: 'hangs',
    userId: `hung-${n}`,
    properties: { id: '1' },
  }))
  const body = { sdkSecretKey: keyOf('dev'), events }
  expect((await given.call('POST', '/v1/events/track/batch', { key: keyOf('dev'), body })).status).toBe(202)
  const countPending = () => endpoint.requests.filter((received) => received.body.name === 'hangs').length
  await expect.poll(countPending).toBe(8)
  for (const environment of ['prod', 'dev', 'prod', 'dev'] as const) {
    const run = await startRun('quick', '9', `other-${performance.now()}`, environment)
    expect((await run.ended()).state).toBe('completed')
    expect(await run.titles()).toEqual(['Order 9'])
  }
})
