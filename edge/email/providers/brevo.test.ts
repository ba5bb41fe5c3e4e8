// Tests Brevo: its API against a server on this machine, and every event of its webhook.

import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { WebhookVerdict } from '../../domain/mail/mail-provider.ts'
import { ApiError } from '../../lib/api-error.ts'
import { callOf, type GivenProviderApi, givenProviderApi, MAIL, NOW } from '../test/given-provider-api.ts'
import { createBrevoProvider } from './brevo.ts'

let api: GivenProviderApi
beforeEach(async () => {
  api = await givenProviderApi()
})
afterEach(() => api.stop())

const provider = () => createBrevoProvider({ fetch: api.fetch })
const sender = () => provider().createSender({ apiKey: 'xkeysib-1', baseUrl: `${api.url}/` })

describe('send', () => {
  test('posts the mail with our id as its custom header', async () => {
    api.answer = { status: 201, text: '{"messageId":"<2026.1@smtp-relay.mailin.fr>"}' }
    expect(await sender().send(MAIL)).toEqual({
      outcome: 'accepted',
      providerMessageId: '<2026.1@smtp-relay.mailin.fr>',
    })
    const [call] = api.calls
    expect(api.calls).toHaveLength(1)
    expect(call).toMatchObject({
      method: 'POST',
      path: '/v3/smtp/email',
      headers: { 'api-key': 'xkeysib-1', 'content-type': 'application/json' },
    })
    expect(JSON.parse(call?.body ?? '')).toEqual({
      sender: { email: 'shop@example.com', name: 'Shop "Ä", Ltd' },
      to: [{ email: 'ada@example.org' }],
      replyTo: { email: 'help@example.com' },
      subject: 'Grüße',
      htmlContent: '<p>Hello</p>',
      textContent: 'Hello',
      headers: { 'List-Unsubscribe': '<https://example.com/u>', 'X-Mailin-custom': 'msg_1' },
    })
  })

  test('leaves out an address for replies that is not there', async () => {
    await sender().send({ ...MAIL, replyTo: null })
    expect(JSON.parse(api.calls[0]?.body ?? '')).not.toHaveProperty('replyTo')
  })

  test('accepts without an id when the answer has none', async () => {
    api.answer = { status: 201, text: 'thanks' }
    expect(await sender().send(MAIL)).toEqual({ outcome: 'accepted', providerMessageId: null })
  })

  test.each([
    [400, { outcome: 'refused', error: '400: email is not valid' }],
    [401, { outcome: 'unavailable', error: '401: email is not valid' }],
    [402, { outcome: 'unavailable', error: '402: email is not valid' }],
    [429, { outcome: 'unavailable', error: '429: email is not valid', isRateLimited: true, retryAfterMs: 7000 }],
    [500, { outcome: 'unavailable', error: '500: email is not valid' }],
  ])('answers %i', async (status, outcome) => {
    const text = '{"code":"invalid_parameter","message":"email is\\nnot valid"}'
    api.answer = { status, text, headers: status === 429 ? { 'retry-after': '7' } : {} }
    expect(await sender().send(MAIL)).toEqual(outcome)
  })

  test('does not know the outcome when the connection is cut', async () => {
    api.answer = 'cut'
    expect(await sender().send(MAIL)).toMatchObject({ outcome: 'unknown' })
  })
})

test('says which credential is wrong', () => {
  const { check } = provider()
  expect(check({ apiKey: 'xkeysib-1' })).toEqual([])
  expect(check({ apiKey: 'xkeysib-1', baseUrl: 'https://proxy.example.com/brevo' })).toEqual([])
  for (const apiKey of ['', 'a b', 'a\r\nx: y', 'ä']) {
    expect(check({ apiKey }).map(({ path }) => path)).toEqual(['apiKey'])
  }
  for (const baseUrl of ['', 'brevo', 'ftp://a.example', 'https://u:p@a.example', 'https://a.example?x=1']) {
    expect(check({ apiKey: 'k', baseUrl }).map(({ path }) => path)).toEqual(['baseUrl'])
  }
  expect(check({}).map(({ path }) => path)).toEqual(['apiKey'])
})

/** The fields of the example in developers.brevo.com/docs/transactional-webhooks. */
const EXAMPLE = {
  event: 'delivered',
  email: 'example@domain.com',
  id: 26224,
  date: '2020-10-09 00:00:00',
  ts: 1604933619,
  'message-id': '<201798300811.5787683@relay.domain.com>',
  ts_event: 1604933654,
  subject: 'My first Transactional',
  'X-Mailin-custom': 'msg_1',
  sending_ip: '198.51.100.1',
  ts_epoch: 1604933653000,
  template_id: 22,
  tags: ['transac_messages'],
}

describe('webhook', () => {
  const read = (body: unknown): Promise<WebhookVerdict> => {
    const { createWebhookReader } = provider()
    if (createWebhookReader === null) throw new Error('There is no reader.')
    return createWebhookReader({ apiKey: 'k' }).read(callOf(body))
  }
  const reportOf = async (body: object) => {
    const verdict = await read(body)
    if (!verdict.ok || 'confirmUrl' in verdict) throw new Error('The call is refused.')
    expect(verdict.reports).toHaveLength(1)
    return verdict.reports[0]
  }

  test('reads the published example', async () => {
    expect(await read(EXAMPLE)).toEqual({
      ok: true,
      ignored: 0,
      reports: [
        {
          kind: 'delivered',
          messageId: 'msg_1',
          providerMessageId: '<201798300811.5787683@relay.domain.com>',
          eventId:
            'delivered <201798300811.5787683@relay.domain.com> msg_1 example@domain.com 1604933653000 1604933654',
          at: 1604933654000,
          automated: false,
          address: 'example@domain.com',
          link: null,
          reason: null,
        },
      ],
    })
  })

  test.each([
    ['proxy_open', 'read'],
    ['unique_proxy_open', 'read'],
    ['opened', 'opened'],
    ['unique_opened', 'opened'],
    ['click', 'clicked'],
    ['delivered', 'delivered'],
    ['hard_bounce', 'bounced'],
    ['blocked', 'bounced'],
    ['invalid_email', 'bounced'],
    ['soft_bounce', 'deferred'],
    ['deferred', 'deferred'],
    ['spam', 'complaint'],
    ['complaint', 'complaint'],
    ['unsubscribe', 'unsubscribe'],
    ['unsubscribed', 'unsubscribe'],
  ])('takes %s as %s', async (event, kind) => {
    const report = await reportOf({ ...EXAMPLE, event, link: 'https://a.example/', reason: '550\r\nno' })
    expect(report).toMatchObject({
      kind,
      link: kind === 'clicked' ? 'https://a.example/' : null,
      reason: kind === 'bounced' ? '550 no' : null,
    })
  })

  test('ignores other events', async () => {
    const text = JSON.stringify({ ...EXAMPLE, event: 'request' })
    expect(await read(text)).toEqual({ ok: true, reports: [], ignored: 1 })
  })

  test('tells two clicks apart that Brevo dates alike', async () => {
    const click = { ...EXAMPLE, event: 'click', link: 'https://a.example/1' }
    const first = await reportOf(click)
    expect((await reportOf(click))?.eventId).toBe(first?.eventId)
    expect((await reportOf({ ...click, link: 'https://a.example/2' }))?.eventId).not.toBe(first?.eventId)
    expect((await reportOf({ ...click, ts_event: 1604933655 }))?.eventId).not.toBe(first?.eventId)
    // A copy has the same ids and times.
    expect((await reportOf({ ...click, email: 'other@domain.com' }))?.eventId).not.toBe(first?.eventId)
  })

  test('dates an event by the next best field', async () => {
    expect((await reportOf({ ...EXAMPLE, ts_event: 'x' }))?.at).toBe(1604933653000)
    expect((await reportOf({ ...EXAMPLE, ts_event: null, ts_epoch: 1604933654 }))?.at).toBe(1604933654000)
    expect((await reportOf({ event: 'opened' }))?.at).toBe(NOW)
  })

  test('refuses a body that is no JSON', async () => {
    await expect(read('event=opened')).rejects.toThrow(expect.objectContaining({ code: 'request/invalid-body' }))
  })

  test('never throws anything but an ApiError', async () => {
    const value = fc.jsonValue()
    const event = fc.record(
      { event: fc.constantFrom('click', 'opened', 'hard_bounce'), email: value, ts_event: value, ts_epoch: value },
      { requiredKeys: ['event'] },
    )
    const more = fc.record({ 'message-id': value, 'X-Mailin-custom': value, link: value, reason: value })
    const body = fc.oneof(
      value,
      event,
      fc.tuple(event, more).map(([a, b]) => ({ ...a, ...b })),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          body.map((one) => JSON.stringify(one)),
        ),
        async (text) => {
          const verdict = await read(text).catch((error: unknown) => error)
          if (verdict instanceof ApiError) return verdict.code === 'request/invalid-body'
          const { reports } = verdict as { reports: { at: number }[] }
          return reports.every(({ at }) => Number.isSafeInteger(at))
        },
      ),
    )
  })
})
