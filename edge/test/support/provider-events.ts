// Writes the events of providers of mail as each provider sends them: its names, its fields, and its signature.

import { execFileSync } from 'node:child_process'
import { createHmac, createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'svix'
import type { MailProviderName } from '../../../contract/tenant.ts'
import type { Credentials, ReportKind } from '../../domain/mail/mail-provider.ts'

/** An event by its name at the provider, with what it means here. */
export interface NamedEvent {
  name: string
  means: ReportKind | 'automated'
  /** Fields beyond the name. */
  fields?: Record<string, unknown>
}

export interface EventOfMail extends NamedEvent {
  messageId: string
  address: string
}

export interface SignedCall {
  headers: Record<string, string>
  body: string
}

export interface ProviderEvents {
  provider: MailProviderName
  credentials: Credentials
  /** How its API answers a mail that it takes. */
  accepts: string
  /** What its signature covers: the bytes of the body, what the event says, or less. */
  signs: 'bytes' | 'event' | 'nothing'
  /** What another account of the provider has in place of these credentials. */
  foreign?: Credentials
  events: NamedEvent[]
  /** What the provider sends for an event: the body, or its part in the signed envelope of Mailgun and Amazon SNS. */
  contentOf(event: EventOfMail): unknown
  /** Signs such a text, also one that is no JSON. */
  sign(content: string): SignedCall
}

/** Writes the call of an event. */
export const writeCall = (written: ProviderEvents, event: EventOfMail): SignedCall =>
  written.sign(JSON.stringify(written.contentOf(event)))

const JSON_TYPE = { 'content-type': 'application/json' }
const unsigned = (body: string): SignedCall => ({ headers: JSON_TYPE, body })
const LINK = 'https://shop.example/orders/7'
const nowS = () => Math.floor(Date.now() / 1000)
const nowIso = () => new Date().toISOString()

const ecdsa = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const otherEcdsa = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

const SENDGRID: ProviderEvents = {
  provider: 'sendgrid',
  credentials: {
    apiKey: 'k',
    webhookKey: ecdsa.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  },
  accepts: '',
  signs: 'bytes',
  foreign: { webhookKey: otherEcdsa.publicKey.export({ format: 'der', type: 'spki' }).toString('base64') },
  events: [
    { name: 'open', means: 'read', fields: { sg_machine_open: true } },
    { name: 'open', means: 'opened' },
    { name: 'click', means: 'clicked', fields: { url: LINK } },
    { name: 'delivered', means: 'delivered' },
    { name: 'bounce', means: 'bounced', fields: { reason: '500 unknown recipient', status: '5.0.0' } },
    { name: 'bounce', means: 'dropped', fields: { type: 'blocked', reason: 'blocked' } },
    { name: 'dropped', means: 'dropped', fields: { reason: 'Bounced Address' } },
    { name: 'deferred', means: 'deferred', fields: { response: '400 try again later', attempt: '5' } },
    { name: 'spamreport', means: 'complaint' },
    { name: 'unsubscribe', means: 'unsubscribe' },
    { name: 'group_unsubscribe', means: 'unsubscribe', fields: { asm_group_id: 10 } },
  ],
  contentOf({ name, fields, messageId, address }) {
    const ids = { sg_event_id: randomUUID(), sg_message_id: `${randomUUID()}.filter0001.16648.5515E0B88.0` }
    return [{ email: address, timestamp: nowS(), event: name, ...ids, messageId, ...fields }]
  },
  sign(body) {
    const timestamp = String(nowS())
    const signature = createSign('sha256').update(timestamp + body)
    return {
      body,
      headers: {
        ...JSON_TYPE,
        'x-twilio-email-event-webhook-timestamp': timestamp,
        'x-twilio-email-event-webhook-signature': signature.sign(ecdsa.privateKey, 'base64'),
      },
    }
  },
}

const POSTMARK: ProviderEvents = {
  provider: 'postmark',
  credentials: { serverToken: 'k' },
  accepts: '{"ErrorCode":0,"Message":"OK","MessageID":"0a129aee-e1cd-480d-b08d-4f48548ff48d"}',
  signs: 'nothing',
  events: [
    { name: 'Open', means: 'opened', fields: { FirstOpen: true } },
    { name: 'Click', means: 'clicked', fields: { OriginalLink: LINK, ClickLocation: 'HTML' } },
    { name: 'Delivery', means: 'delivered', fields: { Details: 'OK' } },
    { name: 'Bounce', means: 'bounced', fields: { Type: 'HardBounce', TypeCode: 1, Details: 'unknown user' } },
    { name: 'Bounce', means: 'dropped', fields: { Type: 'SpamNotification' } },
    { name: 'Bounce', means: 'deferred', fields: { Type: 'Transient' } },
    { name: 'SpamComplaint', means: 'complaint' },
    {
      name: 'SubscriptionChange',
      means: 'unsubscribe',
      fields: { SuppressSending: true, SuppressionReason: 'ManualSuppression' },
    },
  ],
  contentOf({ name, fields, messageId, address }) {
    const at = nowIso()
    const times = { ReceivedAt: at, DeliveredAt: at, BouncedAt: at, ChangedAt: at }
    const mail = { MessageID: randomUUID(), Metadata: { messageId }, Recipient: address, Email: address }
    return { RecordType: name, ...mail, ...times, ...fields }
  },
  sign: unsigned,
}

const MAILGUN_KEY = 'key-of-mailgun'
const MAILGUN: ProviderEvents = {
  provider: 'mailgun',
  credentials: { apiKey: 'k', domain: 'mg.shop.example', webhookKey: MAILGUN_KEY },
  accepts: '{"id":"<20260203192638.000be97f99f8cea1@mg.shop.example>","message":"Queued. Thank you."}',
  signs: 'nothing',
  foreign: { webhookKey: 'another-key' },
  events: [
    { name: 'opened', means: 'read', fields: { 'client-info': { bot: 'apple' } } },
    { name: 'opened', means: 'opened', fields: { 'client-info': { 'client-type': 'browser', bot: '' } } },
    { name: 'opened', means: 'automated', fields: { 'client-info': { bot: 'generic' } } },
    { name: 'clicked', means: 'clicked', fields: { url: LINK } },
    { name: 'delivered', means: 'delivered' },
    { name: 'failed', means: 'bounced', fields: { severity: 'permanent', reason: 'bounce' } },
    { name: 'failed', means: 'dropped', fields: { severity: 'permanent', reason: 'espblock' } },
    { name: 'rejected', means: 'dropped', fields: { reject: { reason: 'Sandbox' } } },
    { name: 'failed', means: 'deferred', fields: { severity: 'temporary', reason: 'generic' } },
    { name: 'complained', means: 'complaint' },
    { name: 'unsubscribed', means: 'unsubscribe' },
  ],
  contentOf({ name, fields, messageId, address }) {
    const message = { headers: { 'message-id': `${randomUUID()}@mg.shop.example` } }
    const mail = { recipient: address, message, 'user-variables': { messageId } }
    return { event: name, id: randomUUID(), timestamp: Date.now() / 1000, ...mail, ...fields }
  },
  sign(content) {
    const [timestamp, token] = [String(nowS()), randomUUID()]
    const hmac = createHmac('sha256', MAILGUN_KEY).update(timestamp + token)
    const signature = JSON.stringify({ timestamp, token, signature: hmac.digest('hex') })
    return { headers: JSON_TYPE, body: `{"signature":${signature},"event-data":${content}}` }
  },
}

export const SNS_HOST = 'https://sns.us-east-1.amazonaws.com'
const TOPIC = 'arn:aws:sns:us-east-1:123456789012:mails'
const sns = createSnsSigner()
/** What SNS answers for the address of its certificate. */
export const SNS_CERTIFICATE = sns.certificate

/** Signs a message of SNS with the fields that all have. */
export function signSns(fields: { Type: string; Message: string; SubscribeURL?: string; Token?: string }): SignedCall {
  const ids = { MessageId: randomUUID(), TopicArn: TOPIC, Timestamp: nowIso(), SignatureVersion: '2' }
  const message = { ...fields, ...ids, SigningCertURL: `${SNS_HOST}/SimpleNotificationService-1.pem` }
  const body = JSON.stringify({ ...message, Signature: sns.sign(message) })
  return { headers: { 'content-type': 'text/plain; charset=UTF-8' }, body }
}

const SES: ProviderEvents = {
  provider: 'ses',
  credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', region: 'us-east-1', topicArn: TOPIC },
  accepts: '{"MessageId":"0100017c-1"}',
  signs: 'event',
  foreign: { topicArn: 'arn:aws:sns:us-east-1:123456789012:others' },
  events: [
    { name: 'Open', means: 'opened', fields: { open: { ipAddress: '192.0.2.1' } } },
    { name: 'Click', means: 'clicked', fields: { click: { link: LINK } } },
    { name: 'Delivery', means: 'delivered', fields: { delivery: { smtpResponse: '250 OK' } } },
    { name: 'Bounce', means: 'bounced', fields: { bounce: { bounceType: 'Permanent', bounceSubType: 'General' } } },
    { name: 'Bounce', means: 'dropped', fields: { bounce: { bounceType: 'Transient', bounceSubType: 'MailboxFull' } } },
    { name: 'DeliveryDelay', means: 'deferred', fields: { deliveryDelay: { delayType: 'MailboxFull' } } },
    { name: 'Complaint', means: 'complaint', fields: { complaint: { complaintFeedbackType: 'abuse' } } },
    { name: 'Subscription', means: 'unsubscribe', fields: { subscription: { source: 'UnsubscribeHeader' } } },
  ],
  contentOf({ name, fields, messageId, address }) {
    const tags = { 'ses:configuration-set': ['mails'], messageId: [messageId] }
    const mail = { timestamp: nowIso(), messageId: randomUUID(), destination: [address], tags }
    return { eventType: name, mail, ...fields }
  },
  sign: (Message) => signSns({ Type: 'Notification', Message }),
}

const RESEND_KEY = `whsec_${Buffer.alloc(24, 5).toString('base64')}`
const RESEND: ProviderEvents = {
  provider: 'resend',
  credentials: { apiKey: 'k', webhookKey: RESEND_KEY },
  accepts: '{"id":"56761188-7520-42d8-8898-ff6fc54ce618"}',
  signs: 'bytes',
  foreign: { webhookKey: `whsec_${Buffer.alloc(24, 6).toString('base64')}` },
  events: [
    { name: 'email.opened', means: 'opened' },
    { name: 'email.clicked', means: 'clicked', fields: { click: { link: LINK } } },
    { name: 'email.delivered', means: 'delivered' },
    { name: 'email.bounced', means: 'bounced', fields: { bounce: { type: 'Permanent', message: 'No such user.' } } },
    { name: 'email.bounced', means: 'dropped', fields: { bounce: { type: 'Transient', message: 'Full.' } } },
    { name: 'email.failed', means: 'dropped', fields: { failed: { reason: 'reached_daily_quota' } } },
    { name: 'email.delivery_delayed', means: 'deferred' },
    { name: 'email.complained', means: 'complaint' },
  ],
  contentOf({ name, fields, messageId, address }) {
    const data = { email_id: randomUUID(), to: [address], tags: { messageId }, ...fields }
    return { type: name, created_at: nowIso(), data }
  },
  sign(body) {
    const [id, at] = [`msg_${randomUUID()}`, new Date()]
    const signature = new Webhook(RESEND_KEY).sign(id, at, body)
    const timestamp = String(Math.floor(at.getTime() / 1000))
    return { body, headers: { ...JSON_TYPE, 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': signature } }
  },
}

const BREVO: ProviderEvents = {
  provider: 'brevo',
  credentials: { apiKey: 'k' },
  accepts: '{"messageId":"<201798300811.5787683@relay.domain.com>"}',
  signs: 'nothing',
  events: [
    { name: 'proxy_open', means: 'read' },
    { name: 'unique_proxy_open', means: 'read' },
    { name: 'opened', means: 'opened' },
    { name: 'unique_opened', means: 'opened' },
    { name: 'click', means: 'clicked', fields: { link: LINK } },
    { name: 'delivered', means: 'delivered' },
    { name: 'hard_bounce', means: 'bounced', fields: { reason: 'No such user.' } },
    { name: 'blocked', means: 'bounced' },
    { name: 'invalid_email', means: 'bounced' },
    { name: 'soft_bounce', means: 'deferred' },
    { name: 'deferred', means: 'deferred' },
    { name: 'spam', means: 'complaint' },
    { name: 'complaint', means: 'complaint' },
    { name: 'unsubscribe', means: 'unsubscribe' },
  ],
  contentOf({ name, fields, messageId, address }) {
    const mail = { email: address, 'message-id': `<${randomUUID()}@relay.domain.com>`, 'X-Mailin-custom': messageId }
    return { event: name, ts_event: nowS(), ...mail, ...fields }
  },
  sign: unsigned,
}

const MAILJET: ProviderEvents = {
  provider: 'mailjet',
  credentials: { apiKey: 'k', secretKey: 's' },
  accepts: '{"Messages":[{"Status":"success","To":[{"MessageID":20547681647433001}]}]}',
  signs: 'nothing',
  events: [
    { name: 'open', means: 'opened' },
    { name: 'click', means: 'clicked', fields: { url: LINK } },
    { name: 'sent', means: 'delivered' },
    { name: 'bounce', means: 'bounced', fields: { hard_bounce: true, error: 'user unknown' } },
    { name: 'bounce', means: 'dropped', fields: { hard_bounce: false, error: 'quota exceeded' } },
    { name: 'blocked', means: 'bounced', fields: { error_related_to: 'recipient' } },
    { name: 'blocked', means: 'dropped', fields: { error_related_to: 'spam', error: 'content blocked' } },
    { name: 'greylisted', means: 'deferred' },
    { name: 'spam', means: 'complaint', fields: { source: 'JMRPP' } },
    { name: 'unsub', means: 'unsubscribe' },
  ],
  contentOf({ name, fields, messageId, address }) {
    const mail = { MessageID: Math.ceil(Math.random() * 1e15), CustomID: messageId, email: address }
    return [{ event: name, time: nowS(), ...mail, ...fields }]
  },
  sign: unsigned,
}

/** Each provider with an API has its own here. */
export const EVENTS_OF = { SENDGRID, POSTMARK, MAILGUN, SES, RESEND, BREVO, MAILJET } satisfies Record<
  Uppercase<Exclude<MailProviderName, 'smtp'>>,
  ProviderEvents
>
export const PROVIDER_EVENTS: ProviderEvents[] = Object.values(EVENTS_OF)

/** Signs as Amazon documents it, apart from the code under test. */
function createSnsSigner() {
  const folder = mkdtempSync(join(tmpdir(), 'sns-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert]
  execFileSync('openssl', [...args, '-subj', '/CN=sns.amazonaws.com', '-days', '2'], { stdio: 'ignore' })
  const [privateKey, certificate] = [readFileSync(key, 'utf8'), readFileSync(cert, 'utf8')]
  rmSync(folder, { recursive: true })
  return {
    certificate,
    sign(message: Record<string, string>): string {
      const names = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
      const text = names.map((name) => (name in message ? `${name}\n${message[name]}\n` : '')).join('')
      return createSign('RSA-SHA256').update(text, 'utf8').sign(privateKey, 'base64')
    },
  }
}
