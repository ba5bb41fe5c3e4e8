// Tests the signatures of webhooks against the published vectors and the providers' own libraries.

import { createSign, generateKeyPairSync } from 'node:crypto'
import { EventWebhook } from '@sendgrid/eventwebhook'
import { Webhook } from 'svix'
import { describe, expect, test } from 'vitest'
import type { WebhookCall, WebhookVerdict } from '../../domain/mail/mail-provider.ts'
import { hmacHex } from '../../lib/hmac.ts'
import { callOf, MAIL } from '../test/given-provider-api.ts'
import { createMailgunProvider } from './mailgun.ts'
import { createResendProvider } from './resend.ts'
import { createSendgridProvider } from './sendgrid.ts'

const deps = { fetch: () => Promise.reject(new Error('no call')) }
const TS = 1_767_225_600
const BODY = '{"type":"track","event":"Order Completed","userId":"user-123","properties":{"total":42.5}}'

const WRONG = { ok: false, reason: 'The signature is wrong.' }
const MISSING = { ok: false, reason: 'The signature is missing.' }
const OLD = { ok: false, reason: 'The timestamp is too old.' }
const IGNORED = { ok: true, reports: [], ignored: 1 }

describe('Resend', () => {
  const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
  const VECTOR = 'v1,T+rSwPDdL2bjkTbcx4Hn1/CsiQoRgn64da3nz84vlnM='
  const read = (headers: Record<string, string>, body = BODY, now = TS * 1000, secret = SECRET) => {
    const { createWebhookReader } = createResendProvider(deps)
    return createWebhookReader?.({ apiKey: 'k', webhookKey: secret }).read({ ...callOf(body), headers, now })
  }
  const signed = (changes: Record<string, string> = {}) => ({
    'svix-id': 'msg_01',
    'svix-timestamp': String(TS),
    'svix-signature': VECTOR,
    ...changes,
  })

  test('the vector is right, and any change of it is wrong', async () => {
    expect(await read(signed())).toEqual(IGNORED)
    expect(await read(signed({ 'svix-signature': `v1,AAAA v2,x ${VECTOR}` }))).toEqual(IGNORED)
    expect(await read(signed(), `${BODY} `)).toEqual(WRONG)
    expect(await read(signed({ 'svix-id': 'msg_02' }))).toEqual(WRONG)
    expect(await read(signed({ 'svix-timestamp': String(TS + 1) }))).toEqual(WRONG)
    expect(await read(signed({ 'svix-signature': VECTOR.replace('v1', 'v2') }))).toEqual(WRONG)
    expect(await read(signed(), BODY, TS * 1000, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')).toEqual(WRONG)
    for (const name of Object.keys(signed())) {
      const { [name as 'svix-id']: _left, ...rest } = signed()
      expect(await read(rest)).toEqual(MISSING)
    }
  })

  test('it is fresh for five minutes, both ways', async () => {
    for (const seconds of [-300, 300]) expect(await read(signed(), BODY, (TS + seconds) * 1000)).toEqual(IGNORED)
    for (const seconds of [-301, 301]) expect(await read(signed(), BODY, (TS + seconds) * 1000)).toEqual(OLD)
  })

  test('what the library of Svix signs is right', async () => {
    const body = '{"type":"email.sent","data":{"subject":"Größe ✓"}}'
    const signature = new Webhook(SECRET).sign('msg_9', new Date(TS * 1000), body)
    expect(await read(signed({ 'svix-id': 'msg_9', 'svix-signature': signature }), body)).toEqual(IGNORED)
  })

  test('without a secret nothing is right', async () => {
    expect(await read(signed(), BODY, TS * 1000, '')).toMatchObject({ ok: false })
  })
})

describe('SendGrid', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const webhookKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const body = '[{"event":"processed","subject":"Größe ✓"}]\r\n'
  const sign = (text: string, key = privateKey) => createSign('sha256').update(text).sign(key, 'base64')
  const read = (signature: string, timestamp = String(TS), text = body, key = webhookKey) => {
    const headers = {
      'x-twilio-email-event-webhook-signature': signature,
      'x-twilio-email-event-webhook-timestamp': timestamp,
    }
    const { createWebhookReader } = createSendgridProvider(deps)
    return createWebhookReader?.({ apiKey: 'k', webhookKey: key }).read({ ...callOf(text), headers, now: TS * 1000 })
  }

  test('what the official library verifies is right, and any change is wrong for both', async () => {
    const official = new EventWebhook()
    const key = official.convertPublicKeyToECDSA(webhookKey)
    const signature = sign(`${TS}${body}`)
    const other = sign(`${TS}${body}`, generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey)
    const cases: [boolean, string, string, string][] = [
      [true, signature, String(TS), body],
      [false, signature, String(TS + 1), body],
      [false, signature, String(TS), body.trim()],
      [false, other, String(TS), body],
    ]
    for (const [isRight, given, timestamp, text] of cases) {
      expect(official.verifySignature(key, text, given, timestamp)).toBe(isRight)
      expect(await read(given, timestamp, text)).toEqual(isRight ? IGNORED : WRONG)
    }
  })

  test('a call may be two days old, and five minutes ahead', async () => {
    for (const [ageS, isRight] of [
      [172_800, true],
      [172_801, false],
      [-300, true],
      [-301, false],
    ] as const) {
      const timestamp = String(TS - ageS)
      const verdict = await read(sign(timestamp + body), timestamp)
      expect(verdict, String(ageS)).toMatchObject({ ok: isRight })
    }
    expect(await read(sign(`x${body}`), 'x')).toMatchObject({ ok: false })
  })

  test('a key of another curve is none', () => {
    const { publicKey: other } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
    const webhookKey = other.export({ format: 'der', type: 'spki' }).toString('base64')
    expect(createSendgridProvider(deps).check({ apiKey: 'k', webhookKey })).toMatchObject([{ path: 'webhookKey' }])
  })

  test('what is no signature is wrong, and without a key nothing is right', async () => {
    for (const signature of ['x', 'AAAA', `${sign(`${TS}${body}`)}AAAA`.slice(4)]) {
      expect(await read(signature)).toEqual(WRONG)
    }
    expect(await read('')).toEqual(MISSING)
    expect(await read(sign(`${TS}${body}`), String(TS), body, '')).toMatchObject({ ok: false })
  })

  test('a body that is no list is refused once it is verified', async () => {
    for (const text of ['{}', 'null', '1', '', '[', '\ud800']) {
      await expect(read(sign(`${TS}${text}`), String(TS), text)).rejects.toMatchObject({ code: 'request/invalid-body' })
    }
  })
})

describe('Mailgun', () => {
  const VECTOR = '137f004d5097ca63f3c9d00c6ce7efb3950269e07a195955e3f3e036f0201d3a'
  const read = (
    signature: unknown,
    { now = TS * 1000, key = 'mgkey', event = { event: 'accepted' } as unknown } = {},
  ) => {
    const { createWebhookReader } = createMailgunProvider(deps)
    const call: WebhookCall = { ...callOf({ signature, 'event-data': event }), now }
    return createWebhookReader?.({ apiKey: 'k', domain: 'd.example', webhookKey: key }).read(call)
  }
  const signed = { timestamp: String(TS), token: 'tok_0123456789', signature: VECTOR }

  test('the vector is right, and its token may come once', async () => {
    expect(await read(signed)).toEqual({ ...IGNORED, onceOnly: ['tok_0123456789'] })
    const opened = await read(signed, { event: { event: 'opened', 'user-variables': { messageId: MAIL.messageId } } })
    expect(opened).toMatchObject({ ok: true, onceOnly: ['tok_0123456789'], reports: [{ eventId: 'tok_0123456789' }] })
  })

  test('any change of it is wrong, also a border that moves', async () => {
    expect(await read({ ...signed, token: 'tok_0123456788' })).toEqual(WRONG)
    expect(await read({ ...signed, timestamp: String(TS + 1) })).toEqual(WRONG)
    expect(await read(signed, { key: 'other' })).toEqual(WRONG)
    expect(await read(signed, { key: '' })).toMatchObject({ ok: false })
    const moved = { timestamp: `${TS}7`, token: 'ok', signature: hmacHex('mgkey', `${TS}7ok`) }
    expect(await read(moved)).toEqual(WRONG)
    for (const broken of [undefined, null, [], 'x', {}, { ...signed, token: 7 }]) {
      expect(await read(broken)).toEqual(MISSING)
    }
  })

  test('it is fresh for five minutes, both ways', async () => {
    for (const seconds of [-300, 300])
      expect(await read(signed, { now: (TS + seconds) * 1000 })).toMatchObject({ ok: true })
    for (const seconds of [-301, 301]) expect(await read(signed, { now: (TS + seconds) * 1000 })).toEqual(OLD)
  })

  test('a body that cannot be read is not signed', async () => {
    const reader = createMailgunProvider(deps).createWebhookReader?.({ webhookKey: 'mgkey' })
    const verdicts: (WebhookVerdict | undefined)[] = []
    for (const text of ['', '{', '[]', 'signature=1']) verdicts.push(await reader?.read(callOf(text)))
    expect(verdicts).toEqual(verdicts.map(() => MISSING))
  })
})
