// Tests the signatures of the edge against the published vectors, which every SDK verifies.

import { expect, test } from 'vitest'
import vectors from '../../contract/vectors/enricher-calls.json' with { type: 'json' }
import { createEnvelope, signRequest } from './envelope.ts'

const any = { name: 'any', params: {}, correlationId: 'c' }

test.each(vectors.signatures)('$id is signed as published', ({ secret, id, timestamp, payload, signature }) => {
  const { headers } = signRequest({ ...any, callId: id, payload }, [secret], timestamp * 1000 + 999)
  expect(headers).toMatchObject({
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  })
})

test('in an overlap of secrets there is a signature of each', () => {
  const [first, second] = vectors.signatures
  if (first === undefined || second === undefined) return expect.unreachable('two secrets sign the same payload')
  expect(first.payload).toBe(second.payload)
  const { id, payload, timestamp } = first
  const envelope = { ...any, callId: id, payload }
  const { headers } = signRequest(envelope, [first.secret, second.secret], timestamp * 1000)
  expect(headers['webhook-signature']).toBe(`${first.signature} ${second.signature}`)
})

test('a call of the edge is an envelope that the dispatch of the SDK accepts', () => {
  const [one] = vectors.cases
  const [signed] = vectors.signatures
  const { id, name, params, user, event } = JSON.parse(signed?.payload ?? '')
  const ids = { environmentId: 1, correlationId: 'c' }
  const envelope = createEnvelope({ ...ids, callId: id, name, params, user, event })
  const { body } = signRequest(envelope, [vectors.secret], vectors.nowSeconds * 1000)
  expect(JSON.parse(body)).toEqual(one?.body)
})
