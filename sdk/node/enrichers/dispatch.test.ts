// Tests dispatch with the published vectors, the reference signer, and hostile input.

import { createHmac } from 'node:crypto'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import vectors from '../../../contract/vectors/enricher-calls.json' with { type: 'json' }
import {
  type DispatchOptions,
  type DispatchResponse,
  EnricherError,
  EnricherHandlerError,
  EnricherHmacVerificationError,
  EnricherInputValidationError,
  EnricherNotFoundError,
  statusOf,
} from '../index.ts'
import { givenClient, SECRETS, signedCall } from '../test/given.ts'

const CLASSES = {
  'input-invalid': EnricherInputValidationError,
  'hmac-invalid': EnricherHmacVerificationError,
  'enricher-not-found': EnricherNotFoundError,
  'handler-error': EnricherHandlerError,
  internal: EnricherError,
}

function failure(response: DispatchResponse) {
  if (response.ok) throw new Error('the dispatch must fail')
  return response.error
}

describe('the vectors', () => {
  test.each(vectors.signatures)('the reference implementation signs $id alike', (vector) => {
    const { secret, id, timestamp, payload, signature } = vector
    expect(new Webhook(secret).sign(id, new Date(timestamp * 1000), payload)).toBe(signature)
  })

  const client = givenClient({ webhookSigningSecret: vectors.secret, now: () => vectors.nowSeconds * 1000 + 999 })
    .enricher('order-details', vectors.schema, (params, { user }) => ({ params, userId: user.id }))
    .enricher('broken', true, () => {
      throw new Error(vectors.handlerSecret)
    })

  test.each(vectors.cases)('$title', async ({ body, expect: wanted, ...options }) => {
    const forms = [body, JSON.stringify(body), new TextEncoder().encode(JSON.stringify(body))]
    for (const form of forms) {
      const response = await client.dispatch(form, options as DispatchOptions)
      expect(JSON.stringify(response)).not.toContain(vectors.handlerSecret)
      if (wanted.ok) {
        expect(response).toEqual({ ...wanted, durationMs: expect.any(Number) })
        expect(statusOf(response)).toBe(200)
        continue
      }
      const error = failure(response)
      expect(error).toMatchObject({ code: wanted.code, message: expect.stringMatching(/./) })
      expect(error.reason).toBe(wanted.reason)
      expect(Array.isArray(error.details)).toBe(wanted.hasDetails === true)
      expect(statusOf(response)).toBe(wanted.status)
      expect(error.cause).toBeInstanceOf(CLASSES[error.code])
    }
  })
})

describe('a call', () => {
  test('the handler is told who asks, of what, and how to know a repeat', async () => {
    const seen: unknown[] = []
    const client = givenClient().enricher('profile', {}, (params, context) => {
      seen.push(params, context)
      return new Date(0)
    })
    const signal = new AbortController().signal
    const sentAt = new Date(Math.floor(Date.now() / 1000) * 1000)
    const answer = await client.dispatch(signedCall('profile', { a: 1 }, { sentAt, id: 'enr_7' }), { signal })
    expect(answer).toEqual({
      ok: true,
      data: '1970-01-01T00:00:00.000Z',
      name: 'profile',
      durationMs: expect.any(Number),
    })
    const event = { name: 'order.shipped', properties: {} }
    expect(seen).toEqual([{ a: 1 }, { name: 'profile', id: 'enr_7', user: { id: 'u_42' }, event, sentAt, signal }])
  })

  test('headers come in any form that a framework has', async () => {
    const client = givenClient().enricher('profile', {}, () => 1)
    const { headers, ...body } = signedCall('profile', {})
    const list = { ...headers, 'webhook-signature': ['v1,AAAA', headers['webhook-signature']] }
    const joined = new Headers({ ...headers, 'webhook-signature': 'v1,AAAA' })
    joined.append('webhook-signature', headers['webhook-signature'])
    for (const form of [headers, list, joined, new Headers(headers), new Map(Object.entries(headers))]) {
      expect(await client.dispatch(body, { headers: form })).toMatchObject({ ok: true })
    }
  })

  test('a secret without whsec_ is its text, or what that stands for as base64', async () => {
    const bare = SECRETS.webhookSigningSecret.slice('whsec_'.length)
    for (const [webhookSigningSecret, key] of [
      ['a secret of nobody else: é', 'a secret of nobody else: é'],
      [bare, bare],
      [bare, Buffer.from(bare, 'base64')],
    ] as const) {
      const client = givenClient({ webhookSigningSecret }).enricher('profile', {}, () => 1)
      const { payload, headers } = signedCall('profile', {})
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${payload}`
      const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
      const answer = await client.dispatch({ payload, headers: { ...headers, 'webhook-signature': signature } })
      expect(answer).toMatchObject({ ok: true, data: 1 })
    }
  })

  test('nothing to say is null', async () => {
    const client = givenClient().enricher('silent', {}, () => {})
    expect(await client.dispatch(signedCall('silent', {}))).toMatchObject({ ok: true, data: null })
  })

  test('the cause of a failed handler is kept at home', async () => {
    const cause = new Error('password of the shop database')
    const reported: EnricherError[] = []
    const client = givenClient({ onEnricherError: (error) => void reported.push(error) })
    client.enricher('profile', {}, async () => Promise.reject(cause))
    const response = await client.dispatch(signedCall('profile', {}))
    const error = failure(response)
    expect(error.cause).toBeInstanceOf(EnricherHandlerError)
    expect(error.cause?.cause).toBe(cause)
    expect(reported).toEqual([error.cause])
    expect(JSON.stringify(response)).toBe(
      '{"ok":false,"error":{"code":"handler-error","message":"The enricher \\"profile\\" failed."}}',
    )
  })

  const circle: unknown[] = []
  circle.push(circle)
  test.each([
    ['a circle', circle],
    ['a bigint', 1n],
    ['more than 1 MiB', 'x'.repeat(1024 * 1024)],
    ['one that throws when written', { toJSON: () => expect.unreachable('toJSON') }],
  ])('%s is no answer', async (_, data) => {
    const client = givenClient().enricher('profile', {}, () => data)
    const error = failure(await client.dispatch(signedCall('profile', {})))
    expect(error.code).toBe('handler-error')
    expect(error.cause?.cause).toBeInstanceOf(Error)
  })

  test('who listens cannot change the answer', async () => {
    for (const onEnricherError of [() => Promise.reject(new Error('late')), () => expect.unreachable('now')]) {
      const error = failure(await givenClient({ onEnricherError }).dispatch({}))
      expect(error).toMatchObject({ code: 'hmac-invalid', reason: 'missing-header' })
    }
  })

  test('no secret is in what it answers, whatever fails', async () => {
    const client = givenClient().enricher('profile', {}, () => expect.unreachable('handler'))
    const { payload } = signedCall('profile', {})
    for (const body of [{}, { payload }, signedCall('profile', {}), signedCall('nobody', {})]) {
      const look = inspect(await client.dispatch(body), { showHidden: true, depth: 20 })
      for (const secret of Object.values(SECRETS)) expect(look).not.toContain(secret.slice(6))
    }
  })
})

describe('whatever comes', () => {
  const client = givenClient({ now: () => 0 }).enricher('profile', { type: 'object' }, () => 'never')
  const codes = Object.keys(CLASSES)

  async function survives(body: unknown, options?: unknown): Promise<DispatchResponse> {
    const response = await client.dispatch(body, options as DispatchOptions)
    expect(response.ok).toBe(false)
    expect(codes).toContain(failure(response).code)
    expect(JSON.parse(JSON.stringify(response))).toEqual(response)
    expect(statusOf(response)).toBeGreaterThanOrEqual(400)
    return response
  }

  test('any value is answered, and nothing without a signature reaches a handler', async () => {
    const headers = fc.record(
      { 'webhook-id': fc.anything(), 'webhook-timestamp': fc.anything(), 'webhook-signature': fc.anything() },
      { requiredKeys: [] },
    )
    const envelope = fc.record(
      { name: fc.anything(), payload: fc.oneof(fc.json(), fc.anything()), params: fc.anything(), headers },
      { requiredKeys: [] },
    )
    const body = fc.oneof(
      fc.anything({ withNullPrototype: true, withBigInt: true }),
      envelope,
      fc.json(),
      fc.uint8Array(),
    )
    const options = fc.oneof(
      fc.record({ headers: fc.oneof(headers, fc.anything()), name: fc.anything() }),
      fc.anything(),
    )
    await fc.assert(
      fc.asyncProperty(body, options, async (one, other) => void (await survives(one, other))),
      { numRuns: 1000, seed: 8 },
    )
  })

  test('a changed call is refused, or the handler still gets what was signed', async () => {
    const params = { orderId: 'A-1042', list: [1, 2] }
    const echo = givenClient({ now: () => 0 }).enricher('echo', { type: 'object' }, (given) => given)
    const good = JSON.stringify(signedCall('echo', params, { sentAt: new Date(0) }))
    let refused = 0
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.string({ minLength: 1, maxLength: 1 }), async (at, letter) => {
        const response = await echo.dispatch(good.slice(0, at) + letter + good.slice(at + 1))
        if (response.ok) expect(response).toMatchObject({ name: 'echo', data: params })
        else refused += 1
      }),
      { numRuns: 1000, seed: 8 },
    )
    expect(refused).toBeGreaterThan(900)
  })

  test('getters, proxies and what cannot be read are answered', async () => {
    const fails = () => {
      throw new Error('no')
    }
    const rude = new Proxy({}, { get: fails, getPrototypeOf: fails, ownKeys: fails, has: fails })
    const throwsItself = () => {
      throw rude
    }
    const bodies = [
      rude,
      { payload: rude },
      {
        get payload() {
          return fails()
        },
      },
      {
        get headers() {
          return throwsItself()
        },
      },
      new Proxy([], {}),
      () => {},
      Symbol('body'),
      '['.repeat(100_000),
      `{"payload":${'['.repeat(50_000)}`,
    ]
    for (const body of bodies) await survives(body)
    for (const options of [rude, { headers: rude }, { headers: { get: throwsItself } }, null, 7, { name: rude }]) {
      await survives({ payload: '' }, options)
    }
  })

  test('a rude handler and a rude schema are answered', async () => {
    const rude = new Proxy(
      {},
      { get: () => expect.unreachable('get'), getPrototypeOf: () => expect.unreachable('proto') },
    )
    const throws = () => {
      throw rude
    }
    const schemas = [throws, () => rude, () => ({ issues: 7 }), () => ({ issues: [rude] }), () => undefined]
    for (const [at, validate] of schemas.entries()) {
      const schema = { '~standard': { version: 1 as const, vendor: 'rude', validate: validate as never } }
      const own = givenClient().enricher(`rude-${at}`, schema, throws)
      const response = await own.dispatch(signedCall(`rude-${at}`, {}))
      expect(failure(response).code).toBe([2, 3].includes(at) ? 'input-invalid' : 'internal')
      expect(() => JSON.stringify(response)).not.toThrow()
    }
    const own = givenClient().enricher('rude', {}, throws)
    expect(failure(await own.dispatch(signedCall('rude', {}))).code).toBe('handler-error')
  })
})
