// Tests traces with a collector: which spans arrive, below which parents, and what is not in them.

import { afterEach, expect, test } from 'vitest'
import { type CollectedSpan, type Collector, startCollector } from '../support/collector.ts'
import { type Endpoint, startPlainEndpoint } from '../support/endpoint.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenSources, trackCall } from '../support/given-sources.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'

let collector: Collector
let given: GivenEdge
let endpoint: Endpoint | undefined
afterEach(async () => {
  await endpoint?.close()
  endpoint = undefined
  await collector.close()
})

async function start(): Promise<void> {
  collector = await startCollector()
  given = await givenEdge({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` })
}

/** The end of the edge sends what waits. */
async function spans(): Promise<CollectedSpan[]> {
  await given.stop()
  return collector.spans()
}

const named = (all: CollectedSpan[], name: string, parent?: CollectedSpan) => {
  const found = all.find((span) => span.name === name && (parent === undefined || span.parentSpanId === parent.spanId))
  if (found === undefined) throw new Error(`no span ${name} in ${all.map((span) => span.name)}`)
  return found
}
const CORRELATION = { 'nc.correlation_id': 'traced-1' }

test('a request continues the trace of its caller, and its later work has the correlation id', async () => {
  await start()
  endpoint = await startPlainEndpoint()
  const { sdkSecretKey: key } = given.demo.environments.dev
  await given.call('PUT', '/v1/enrichers/data', { key, body: { url: endpoint.url } })
  await given.call('PUT', '/v1/users/ada', { key, body: { email: 'ada@shop.example', name: 'Ada' } })
  await given.publish({
    ...{ key: 'traced', name: 'traced', trigger: { event: 'traced' } },
    steps: [
      { id: 'ask', type: 'enrich', enricher: 'data', params: { word: 'private' } },
      { id: 'letter', type: 'email', subject: 'private', markdown: 'private' },
    ],
  })
  const tracked = await given.call('POST', '/v1/events/track', {
    key,
    body: { sdkSecretKey: key, name: 'traced', userId: 'ada', properties: { text: 'private' } },
    headers: { traceparent: `00-${TRACE}-${CALLER}-01`, 'x-correlation-id': 'traced-1' },
  })
  expect(tracked.status).toBe(202)
  const mails = async () => (await given.call<{ data: unknown[] }>('GET', '/v1/email/mailbox', { key })).body.data
  await expect.poll(mails).toHaveLength(1)
  const all = await spans()

  const request = named(all, 'POST /v1/events/track')
  expect(request).toMatchObject({ traceId: TRACE, parentSpanId: CALLER, kind: 2, hasFailed: false })
  expect(request.attributes).toEqual({
    ...CORRELATION,
    'http.request.method': 'POST',
    'http.route': '/v1/events/track',
    'http.response.status_code': 202,
  })
  for (const name of ['begin run', 'commit track'])
    expect(named(all, name, request)).toMatchObject({ traceId: TRACE, attributes: CORRELATION })

  const resumed = named(all, 'resume run')
  expect(resumed).toMatchObject({ parentSpanId: undefined, attributes: CORRELATION })
  const asked = named(all, 'call enricher', resumed)
  const sent = named(all, 'POST', asked)
  expect(sent).toMatchObject({
    kind: 3,
    attributes: { 'server.address': '127.0.0.1', 'http.response.status_code': 200 },
  })
  expect(endpoint.requests.map(({ headers }) => headers.traceparent)).toEqual([`00-${sent.traceId}-${sent.spanId}-01`])
  expect(named(all, 'continue run', resumed).attributes).toMatchObject({ ...CORRELATION, 'nc.reason': 'enricher' })
  named(all, 'commit track', resumed)

  const handled = named(all, 'handle mail')
  expect(named(all, 'send mail', handled).attributes).toMatchObject({
    ...CORRELATION,
    'nc.mail.provider': 'mailbox',
    'nc.mail.outcome': 'accepted',
  })
  named(all, 'commit mail', handled)
  const text = collector.texts.join()
  expect(text).toContain('"notification-center"')
  for (const value of ['private', '"ada', '/ada', 'Ada', 'shop.example', key, 'nc_', '?'])
    expect(text).not.toContain(value)
})

test('a delivery of a platform is below its request; a refusal and a broken traceparent are traced as well', async () => {
  await start()
  const sources = givenSources(given)
  const source = await sources.create('segment')
  const delivered = await sources.deliver(source, trackCall('m-1'), {
    headers: { traceparent: `00-${TRACE}-${CALLER}-00` },
  })
  expect(delivered.status).toBe(200)
  const broken = { traceparent: `00-${'0'.repeat(32)}-${CALLER}-01` }
  expect((await sources.deliver(source, trackCall('m-2'), { headers: broken })).status).toBe(200)
  expect((await given.call('GET', '/v1/runs/run_1', { key: 'none', headers: broken })).status).toBe(403)
  const all = await spans()
  // The first caller does not sample its trace, so nothing of it is sent.
  expect(all.filter(({ traceId }) => traceId === TRACE)).toEqual([])
  const request = named(all, 'POST /v1/connectors/:provider/:sourceId')
  expect(request.parentSpanId).toBeUndefined()
  expect(named(all, 'receive delivery', request).attributes).toMatchObject({ 'nc.platform': 'segment' })
  expect(named(all, 'GET /v1/runs/:runId')).toMatchObject({
    parentSpanId: undefined,
    hasFailed: false,
    attributes: { 'http.response.status_code': 403 },
  })
})

test('a batch of many events has no more spans below it than are useful', async () => {
  await start()
  const { sdkSecretKey: key } = given.demo.environments.dev
  const events = Array.from({ length: 200 }, (_, index) => ({ name: 'many', userId: `u_${index}` }))
  await given.call('POST', '/v1/events/track/batch', { key, body: { sdkSecretKey: key, events } })
  const all = await spans()
  const request = named(all, 'POST /v1/events/track/batch')
  expect(all.filter(({ parentSpanId }) => parentSpanId === request.spanId)).toHaveLength(32)
})
