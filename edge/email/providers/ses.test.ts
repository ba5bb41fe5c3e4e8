// Tests Amazon SES: its API against a server on this machine, and events that are signed as SNS signs them. The validator
// of AWS judges the signatures too; it downloads the certificate from the same server.

import { execFileSync } from 'node:child_process'
import { createSign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { MailReport } from '../../domain/mail/mail-provider.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { GuardedFetch } from '../../lib/outbound/guarded-fetch.ts'
import { callOf, type GivenProviderApi, givenProviderApi, MAIL, NOW } from '../test/given-provider-api.ts'
import { signAwsRequest } from './aws-signature.ts'
import { createSesProvider } from './ses.ts'
import { canonicalOf, isOfSns } from './sns-message.ts'

const HOST = 'https://sns.us-east-1.amazonaws.com'
const CERTIFICATE_URL = `${HOST}/SimpleNotificationService-1.pem`
const TOPIC = 'arn:aws:sns:us-east-1:123456789012:mails'
const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', region: 'us-east-1' }

let folder: string
let privateKey: string
let certificate: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ses-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=sns.amazonaws.com', '-days', '2']
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, ...subject]
  execFileSync('openssl', args, { stdio: 'ignore' })
  privateKey = readFileSync(key, 'utf8')
  certificate = readFileSync(cert, 'utf8')
})
afterAll(() => rmSync(folder, { recursive: true }))

let api: GivenProviderApi
beforeEach(async () => {
  api = await givenProviderApi()
})
afterEach(() => api.stop())

/** Calls of SNS arrive at the server on this machine. */
const fetchHere: GuardedFetch['fetch'] = (url, options) => api.fetch(url.replace(HOST, api.url), options)
const provider = () => createSesProvider({ fetch: fetchHere, clock: { now: () => NOW } })

describe('send', () => {
  const sender = (more = {}) => provider().createSender({ ...KEYS, baseUrl: api.url, ...more })

  test('is not asked for an address beyond ASCII, which it never takes', async () => {
    const to = { name: null, address: 'jürgen@shop.example' }
    expect(await sender().send({ ...MAIL, to })).toMatchObject({
      outcome: 'refused',
      error: expect.stringContaining('ASCII'),
    })
    expect(api.calls).toEqual([])
  })

  test('posts the signed mail with our id as a tag', async () => {
    api.answer = { status: 200, text: '{"MessageId":"0100-1"}' }
    const outcome = await sender({ configurationSetName: 'events' }).send(MAIL)
    expect(outcome).toEqual({ outcome: 'accepted', providerMessageId: '0100-1' })
    expect(api.calls).toHaveLength(1)
    const [{ method, path, headers, body } = { method: '', path: '', headers: {}, body: '' }] = api.calls
    expect([method, path]).toEqual(['POST', '/v2/email/outbound-emails'])
    const signed = {
      method: 'POST',
      url: api.url + path,
      headers: { 'content-type': 'application/json' },
      body,
    } as const
    expect(headers).toMatchObject(signAwsRequest(signed, { ...KEYS, service: 'ses', now: NOW }))
    expect(headers.authorization).toContain('Credential=AKIDEXAMPLE/20260102/us-east-1/ses/aws4_request')
    const { Content, ...rest } = JSON.parse(body)
    expect(rest).toEqual({
      EmailTags: [{ Name: 'messageId', Value: 'msg_1' }],
      ConfigurationSetName: 'events',
    })
    const mail = await PostalMime.parse(Buffer.from(Content.Raw.Data, 'base64'))
    expect(mail).toMatchObject({
      from: { name: 'Shop "Ä", Ltd', address: 'shop@example.com' },
      to: [{ address: 'ada@example.org' }],
      replyTo: [{ address: 'help@example.com' }],
      subject: 'Grüße',
      messageId: '<msg_1@example.com>',
    })
    expect(mail.headers).toContainEqual(
      expect.objectContaining({ key: 'list-unsubscribe', value: '<https://example.com/u>' }),
    )
  })

  test('names no configuration set without one, and accepts without an id', async () => {
    expect(await sender().send(MAIL)).toEqual({ outcome: 'accepted', providerMessageId: null })
    expect(JSON.parse(api.calls[0]?.body ?? '')).not.toHaveProperty('ConfigurationSetName')
  })

  test('calls the public address of the region', async () => {
    const urls: string[] = []
    const fetch: GuardedFetch['fetch'] = async (url) => {
      urls.push(url)
      return { status: 200, headers: {}, body: '{}', isUtf8: true }
    }
    await createSesProvider({ fetch }).createSender(KEYS).send(MAIL)
    expect(urls).toEqual(['https://email.us-east-1.amazonaws.com/v2/email/outbound-emails'])
  })

  test.each([
    [400, 'MessageRejected:http://internal/#x', { outcome: 'refused', error: '400: MessageRejected: No' }],
    [400, 'SendingPausedException', { outcome: 'unavailable', error: '400: SendingPausedException: No' }],
    [400, 'a.b#AccountSuspendedException', { outcome: 'unavailable', error: '400: AccountSuspendedException: No' }],
    [401, '', { outcome: 'unavailable', error: '401: No' }],
    [403, 'SignatureDoesNotMatch', { outcome: 'unavailable', error: '403: SignatureDoesNotMatch: No' }],
    [429, 'TooManyRequestsException', { outcome: 'unavailable', retryAfterMs: 7000 }],
    [500, '', { outcome: 'unavailable', error: '500: No' }],
  ])('answers %i %s', async (status, type, outcome) => {
    const headers = { ...(type !== '' && { 'x-amzn-ErrorType': type }), ...(status === 429 && { 'retry-after': '7' }) }
    api.answer = { status, text: '{"message":"No"}', headers }
    expect(await sender().send(MAIL)).toMatchObject(outcome)
  })

  test('does not know the outcome when the connection is cut', async () => {
    api.answer = 'cut'
    expect(await sender().send(MAIL)).toMatchObject({ outcome: 'unknown' })
  })
})

test('says which credential is wrong', () => {
  const paths = (more: Record<string, string>) =>
    provider()
      .check({ ...KEYS, ...more })
      .map(({ path }) => path)
  expect(paths({})).toEqual([])
  expect(paths({ topicArn: TOPIC, configurationSetName: 'my-set_1', baseUrl: 'https://ses.example.com' })).toEqual([])
  expect(paths({ topicArn: 'arn:aws:sqs:us-east-1:123456789012:mails' })).toEqual(['topicArn'])
  expect(paths({ region: 'us-east-1.evil.example/' })).toEqual(['region'])
  expect(paths({ configurationSetName: 'a b' })).toEqual(['configurationSetName'])
  expect(paths({ accessKeyId: '', secretAccessKey: 'a\nb' })).toEqual(['accessKeyId', 'secretAccessKey'])
  expect(paths({ baseUrl: 'x' })).toEqual(['baseUrl'])
})

/** As docs.aws.amazon.com has it, with a tag of ours. */
const BOUNCE = {
  eventType: 'Bounce',
  bounce: {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: [
      {
        emailAddress: 'recipient@example.com',
        action: 'failed',
        status: '5.1.1',
        diagnosticCode: 'smtp; 550 5.1.1 user unknown',
      },
    ],
    timestamp: '2017-08-05T00:41:02.669Z',
    feedbackId: '01000157c44f053b-61b59c11-9236-11e6-8f96-7be8aexample-000000',
    reportingMTA: 'dsn; mta.example.com',
  },
  mail: {
    timestamp: '2017-08-05T00:40:02.012Z',
    source: 'Sender Name <sender@example.com>',
    messageId: 'EXAMPLE7c191be45-e9aedb9a-02f9-4d12-a87d-dd0099a07f8a-000000',
    destination: ['recipient@example.com'],
    tags: { 'ses:configuration-set': ['ConfigSet'], messageId: ['msg_1'] },
  },
}
const REPORT: MailReport = {
  kind: 'bounced',
  messageId: 'msg_1',
  providerMessageId: 'EXAMPLE7c191be45-e9aedb9a-02f9-4d12-a87d-dd0099a07f8a-000000',
  eventId: 'sns-1',
  at: Date.parse('2017-08-05T00:41:02.669Z'),
  automated: false,
  address: 'recipient@example.com',
  link: null,
  reason: 'Permanent: General: smtp; 550 5.1.1 user unknown',
}

type Sns = Record<string, unknown>
const notificationOf = (event: unknown, more: Sns = {}): Sns => ({
  Type: 'Notification',
  MessageId: 'sns-1',
  TopicArn: TOPIC,
  Subject: 'Amazon SES Email Event Notification',
  Message: typeof event === 'string' ? event : JSON.stringify(event),
  Timestamp: '2017-08-05T00:41:03.000Z',
  SignatureVersion: '1',
  SigningCertURL: CERTIFICATE_URL,
  ...more,
})
const CONFIRMATION = {
  ...notificationOf('You have chosen to subscribe.'),
  Type: 'SubscriptionConfirmation',
  Token: '2336412f37',
  SubscribeURL: `${HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=2336412f37`,
  Subject: undefined,
}

/** Written out as AWS documents it, and apart from the code under test. */
function sign(message: Sns): Sns {
  const isNotification = message.Type === 'Notification'
  const names = isNotification
    ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
    : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
  const present = names.filter((name) => message[name] !== undefined)
  const signed = present.map((name) => `${name}\n${message[name]}\n`).join('')
  const signer = createSign(message.SignatureVersion === '2' ? 'RSA-SHA256' : 'RSA-SHA1')
  return { ...message, Signature: signer.update(signed, 'utf8').sign(privateKey, 'base64') }
}

describe('webhook', () => {
  beforeEach(() => {
    api.answer = { status: 200, text: certificate }
  })
  const reader = (topicArn = TOPIC, fetch = fetchHere) => {
    const { createWebhookReader } = createSesProvider({ fetch })
    if (createWebhookReader === null) throw new Error('There is no reader.')
    return createWebhookReader({ ...KEYS, topicArn })
  }
  const read = (message: unknown, of = reader()) => of.read(callOf(message, 'text/plain; charset=UTF-8'))
  const refused = (reason: RegExp) => ({ ok: false, reason: expect.stringMatching(reason) })

  test.each(['1', '2'])(
    'reads the published example, signed by version %s, as the validator of AWS does',
    async (version) => {
      const message = sign(notificationOf(BOUNCE, { SignatureVersion: version }))
      expect(await read(message)).toEqual({ ok: true, reports: [REPORT], ignored: 0 })
      expect(await isValidForAws(message)).toBe(true)
      expect(await isValidForAws({ ...message, Message: '{}' })).toBe(false)
    },
  )

  test('fetches a certificate once', async () => {
    const one = reader()
    await read(sign(notificationOf(BOUNCE)), one)
    await read(sign(notificationOf(BOUNCE, { Subject: undefined })), one)
    expect(api.calls.map(({ method, path }) => [method, path])).toEqual([['GET', '/SimpleNotificationService-1.pem']])
  })

  test('confirms the subscription of its topic, as the validator of AWS does', async () => {
    const message = sign(CONFIRMATION)
    expect(await read(message)).toEqual({ ok: true, confirmUrl: CONFIRMATION.SubscribeURL })
    expect(await isValidForAws(message)).toBe(true)
    const unsubscribed = sign({ ...CONFIRMATION, Type: 'UnsubscribeConfirmation' })
    expect(await read(unsubscribed)).toEqual({ ok: true, reports: [], ignored: 1 })
  })

  test('confirms no other subscription', async () => {
    const other = { ...CONFIRMATION, TopicArn: TOPIC.replace('mails', 'other') }
    expect(await read(sign(other))).toEqual(refused(/topic/))
    for (const SubscribeURL of [
      'https://sns.us-east-1.amazonaws.com.evil.example/',
      'https://evil.example/?sns.us-east-1.amazonaws.com',
      'http://sns.us-east-1.amazonaws.com/',
      'nothing',
    ]) {
      expect(await read(sign({ ...CONFIRMATION, SubscribeURL }))).toEqual(refused(/address/))
    }
  })

  test('refuses every change of a signed field', async () => {
    const message = sign(notificationOf(BOUNCE))
    for (const name of ['Message', 'MessageId', 'Subject', 'Timestamp']) {
      expect(await read({ ...message, [name]: `${message[name]} ` })).toEqual(refused(/signature is wrong/))
    }
    expect(await read({ ...message, SignatureVersion: '2' })).toEqual(refused(/signature is wrong/))
    expect(await read({ ...message, Signature: 'AAAA' })).toEqual(refused(/signature is wrong/))
    for (const name of ['Message', 'MessageId', 'Timestamp', 'TopicArn', 'Type', 'Signature']) {
      expect(await read({ ...message, [name]: undefined })).toMatchObject({ ok: false })
    }
    expect(await read({ ...message, SignatureVersion: '3' })).toEqual(refused(/version/))
    expect(await read({ ...message, SignatureVersion: 1 })).toEqual(refused(/version/))
    expect(await read(JSON.stringify(BOUNCE))).toMatchObject({ ok: false })
  })

  test('refuses another topic, and every topic while none is set', async () => {
    const message = sign(notificationOf(BOUNCE))
    expect(await read(message, reader(`${TOPIC}2`))).toEqual(refused(/topic/))
    expect(await read(message, reader(''))).toEqual(refused(/topic/))
    expect(await read(sign(notificationOf(BOUNCE, { TopicArn: '' })), reader(''))).toEqual(refused(/topic/))
  })

  test('fetches no certificate from elsewhere', async () => {
    const asked: string[] = []
    const fetch: GuardedFetch['fetch'] = async (url) => {
      asked.push(url)
      return { status: 200, headers: {}, body: certificate, isUtf8: true }
    }
    for (const SigningCertURL of [
      'http://sns.us-east-1.amazonaws.com/a.pem',
      'https://sns.us-east-1.amazonaws.com/a.crt',
      'https://sns.us-east-1.amazonaws.com/a?b=.pem',
      'https://sns.us-east-1.amazonaws.com:8443/a.pem',
      'https://u:p@sns.us-east-1.amazonaws.com/a.pem',
      'https://sns.us-east-1.amazonaws.com.evil.example/a.pem',
      'https://sns.us-east-1.amazonaws.evil/a.pem',
      'https://evil.example/sns.us-east-1.amazonaws.com/a.pem',
      'https://xsns.us-east-1.amazonaws.com/a.pem',
      'https://sns.s3.amazonaws.com/a.pem',
      'https://sns.s3-us-west-2.amazonaws.com/a.pem',
      'a.pem',
      7,
      undefined,
    ]) {
      const message = sign(notificationOf(BOUNCE, { SigningCertURL }))
      expect(await read(message, reader(TOPIC, fetch))).toEqual(refused(/certificate/))
    }
    expect(asked).toEqual([])
    expect(isOfSns('https://sns.cn-north-1.amazonaws.com.cn/a.pem', { ending: '.pem' })).toBe(true)
  })

  test('asks for another try while the certificate cannot be fetched', async () => {
    const message = sign(notificationOf(BOUNCE))
    const one = reader()
    for (const answer of ['cut', { status: 503, text: '' }, { status: 302, text: '' }] as const) {
      api.answer = answer
      await expect(read(message, one)).rejects.toThrow(expect.objectContaining({ code: 'service/unavailable' }))
    }
    for (const answer of [
      { status: 404, text: '' },
      { status: 200, text: 'no certificate' },
    ]) {
      api.answer = answer
      expect(await read(message, one)).toEqual(refused(/signature is wrong/))
    }
    api.answer = { status: 200, text: certificate }
    expect(await read(message, one)).toMatchObject({ ok: true })
  })

  test.each([
    ['Open', 'open', { timestamp: '2017-08-09T22:00:19.652Z' }, 'opened'],
    ['Click', 'click', { timestamp: '2017-08-09T22:00:19.652Z', link: 'https://a.example/' }, 'clicked'],
    ['Delivery', 'delivery', { timestamp: '2017-08-09T22:00:19.652Z', recipients: ['a@b.example'] }, 'delivered'],
    ['Bounce', 'bounce', { bounceType: 'Permanent' }, 'bounced'],
    ['Bounce', 'bounce', {}, 'bounced'],
    ['Bounce', 'bounce', { bounceType: 'Transient', bounceSubType: 'MailboxFull' }, 'dropped'],
    ['Bounce', 'bounce', { bounceType: 'Undetermined' }, 'dropped'],
    ['DeliveryDelay', 'deliveryDelay', { delayedRecipients: [{ emailAddress: 'a@b.example' }] }, 'deferred'],
    ['Complaint', 'complaint', { complainedRecipients: [{ emailAddress: 'a@b.example' }] }, 'complaint'],
    ['Subscription', 'subscription', { newTopicPreferences: { unsubscribeAll: true } }, 'unsubscribe'],
    ['Reject', 'reject', { reason: 'Bad content' }, 'dropped'],
    ['Rendering Failure', 'failure', { templateName: 't', errorMessage: "Attribute 'x' is missing" }, 'dropped'],
  ])('takes %s as %4$s', async (eventType, name, details, kind) => {
    const { mail } = BOUNCE
    const expected = {
      kind,
      messageId: 'msg_1',
      at: 'timestamp' in details ? Date.parse(String(details.timestamp)) : NOW,
      address: /recipients/i.test(JSON.stringify(details)) ? 'a@b.example' : 'recipient@example.com',
      link: kind === 'clicked' ? 'https://a.example/' : null,
      ...('reason' in details && { reason: 'Bad content' }),
      ...('errorMessage' in details && { reason: "Attribute 'x' is missing" }),
    }
    expect(await read(sign(notificationOf({ eventType, mail, [name]: details })))).toMatchObject({
      reports: [expected],
    })
    const notification = { notificationType: eventType, mail, [name]: details }
    expect(await read(sign(notificationOf(notification)))).toMatchObject({ reports: [expected] })
  })

  test('ignores other events', async () => {
    const kept = { eventType: 'Subscription', subscription: { newTopicPreferences: { unsubscribeAll: false } } }
    for (const event of [{ eventType: 'Send' }, kept, 'Successfully validated']) {
      expect(await read(sign(notificationOf(event)))).toEqual({ ok: true, reports: [], ignored: 1 })
    }
  })

  test('refuses a body that is no JSON', async () => {
    expect(await read('Type=Notification')).toEqual({ ok: false, reason: 'This is no signed message of SNS.' })
  })

  test('refuses whatever is not signed, and reads whatever is', async () => {
    const value = fc.jsonValue()
    const details = fc.record({
      timestamp: value,
      link: value,
      bounceType: value,
      bouncedRecipients: fc.oneof(value, fc.array(fc.record({ emailAddress: value, diagnosticCode: value }))),
      recipients: value,
    })
    const event = fc.record({
      eventType: fc.constantFrom('Bounce', 'Open', 'Click', 'Delivery', 'Subscription'),
      bounce: fc.oneof(value, details),
      click: fc.oneof(value, details),
      delivery: fc.oneof(value, details),
      subscription: fc.oneof(value, fc.record({ newTopicPreferences: value })),
      mail: fc.oneof(value, fc.record({ tags: fc.oneof(value, fc.record({ messageId: value })), destination: value })),
    })
    const signed = fc.oneof(value, event).map((one) => JSON.stringify(sign(notificationOf(JSON.stringify(one)))))
    const unsigned = fc
      .record({ Type: fc.constantFrom('Notification', 'SubscriptionConfirmation'), Message: value, Signature: value })
      .map((one) => JSON.stringify({ ...notificationOf('x'), ...one }))
    const one = reader()
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          value.map((some) => JSON.stringify(some)),
          unsigned,
        ),
        async (text) => {
          return !(await read(text, one)).ok
        },
      ),
    )
    await fc.assert(
      fc.asyncProperty(signed, async (text) => {
        const verdict = await read(text, one).catch((error: ApiError) => error)
        if (verdict instanceof ApiError) return verdict.code === 'request/invalid-body'
        if (!verdict.ok || 'confirmUrl' in verdict) return false
        return verdict.reports.every(({ at }) => Number.isSafeInteger(at))
      }),
    )
  })
})

test('builds the signed text of a notification without a subject', () => {
  expect(canonicalOf(notificationOf('m', { Subject: undefined }))).toBe(
    `Message\nm\nMessageId\nsns-1\nTimestamp\n2017-08-05T00:41:03.000Z\nTopicArn\n${TOPIC}\nType\nNotification\n`,
  )
})

/** It has no types of its own. */
const MessageValidator = createRequire(import.meta.url)('sns-validator') as new () => Validator

interface Validator {
  validate(message: Sns, done: (error: Error | null) => void): void
}

/** The validator downloads by itself: its call arrives at the server on this machine. */
async function isValidForAws(message: Sns): Promise<boolean> {
  const get = vi
    .spyOn(https, 'get')
    .mockImplementation(((url: string, done: (answer: http.IncomingMessage) => void) =>
      http.get(url.replace(HOST, api.url), done)) as typeof https.get)
  try {
    return await new Promise((resolve) => {
      new MessageValidator().validate(JSON.parse(JSON.stringify(message)), (error) => resolve(error === null))
    })
  } finally {
    get.mockRestore()
  }
}
