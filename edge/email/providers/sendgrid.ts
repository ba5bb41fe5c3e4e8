// Sends by SendGrid's API, verifies its signed Event Webhook (ECDSA), and reads the events.

import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type {
  Credentials,
  MailAddress,
  MailProvider,
  MailReport,
  MailSender,
  OutgoingMail,
  ReportKind,
  WebhookCall,
  WebhookVerdict,
} from '../../domain/mail/mail-provider.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import type { GuardedFetch } from '../../lib/outbound/guarded-fetch.ts'
import { type Fields, fieldsOf, parseBody, textOf, timeOf } from '../../lib/webhook-body.ts'
import { apiUrl, baseUrlField, checkKeysAndUrl } from './credential-check.ts'
import { postMail, readJson, toWords } from './http-answer.ts'
import { readEvents } from './read-events.ts'
import { listField } from './safe-mail.ts'
import { readAccountOf } from './try-account.ts'

export interface SendgridDeps {
  fetch: GuardedFetch['fetch']
}

const API = 'https://api.sendgrid.com'
/** Calls are repeated for a day with the first timestamp; ids of events are remembered for longer than this. */
const MAX_AGE_MS = 2 * 24 * 60 * 60 * 1000
const MAX_AHEAD_MS = 5 * 60 * 1000

export function createSendgridProvider({ fetch }: SendgridDeps): MailProvider {
  return {
    name: 'sendgrid',
    title: 'SendGrid',
    takesIdempotencyKeys: false,
    tracksEngagement: true,
    fields: [
      { name: 'apiKey', label: 'API key', isSecret: true, isRequired: true },
      { name: 'webhookKey', label: 'Verification key of the webhook', isSecret: false, isRequired: false },
      baseUrlField(API),
    ],
    check(credentials) {
      const faults = checkKeysAndUrl(credentials, ['apiKey'])
      const { webhookKey } = credentials
      if (webhookKey !== undefined && toPublicKey(webhookKey) === undefined) {
        faults.push({ path: 'webhookKey', message: 'This is no verification key of SendGrid.' })
      }
      return faults
    },
    createSender: (credentials) => createSender(credentials, fetch),
    tryAccount: ({ apiKey = '', baseUrl = API }) =>
      readAccountOf({
        fetch,
        // Every key may read its own scopes.
        url: apiUrl(baseUrl, '/v3/scopes'),
        headers: { authorization: `Bearer ${apiKey}` },
        secrets: [apiKey],
        readError: ({ body }) => errorOf(body),
      }),
    createWebhookReader({ webhookKey = '' }) {
      const key = toPublicKey(webhookKey)
      return { read: async (call) => readCall(call, key) }
    },
    usesWebhookPassword: false,
  }
}

/** @returns the key of the settings page: base64 of the SPKI of a key on P-256 */
function toPublicKey(text: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined
  } catch {
    return undefined
  }
}

function createSender({ apiKey = '', baseUrl = API }: Credentials, fetch: GuardedFetch['fetch']): MailSender {
  return {
    send: (mail) =>
      postMail({
        fetch,
        url: apiUrl(baseUrl, '/v3/mail/send'),
        request: {
          headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
          body: JSON.stringify(toMessage(mail)),
        },
        secrets: [apiKey],
        readId: ({ headers }) => textOf(headers['x-message-id']),
        readError: ({ body }) => errorOf(body),
      }),
    // The connections belong to the outbound client.
    async close() {},
  }
}

function toMessage(mail: OutgoingMail) {
  const { messageId, from, to, replyTo, subject, html, text, headers, tracking } = mail
  const parts = [
    { type: 'text/plain', value: text },
    { type: 'text/html', value: html },
  ]
  return {
    personalizations: [
      {
        to: [toAddress(to)],
        ...listField('cc', mail.cc, toAddress),
        ...listField('bcc', mail.bcc, toAddress),
        custom_args: { messageId },
      },
    ],
    from: toAddress(from),
    ...(replyTo !== null && { reply_to: { email: replyTo } }),
    subject,
    // An empty part is refused.
    content: parts.filter(({ value }) => value !== ''),
    headers,
    ...listField('attachments', mail.attachments, ({ filename, contentType, content }) => {
      return { filename, type: contentType, content: content.toString('base64'), disposition: 'attachment' }
    }),
    tracking_settings: {
      open_tracking: { enable: tracking.opens },
      click_tracking: { enable: tracking.clicks, enable_text: false },
    },
  }
}

function toAddress({ name, address }: MailAddress) {
  return { email: address, ...(name !== null && name !== '' && { name }) }
}

function errorOf(body: string): string | undefined {
  const { errors } = fieldsOf(readJson(body))
  const words = (Array.isArray(errors) ? errors : []).map((error) => textOf(fieldsOf(error).message))
  return words.filter((word) => word !== null).join(' ') || undefined
}

function readCall({ headers, body, now }: WebhookCall, key: KeyObject | undefined): WebhookVerdict {
  if (key === undefined) return { ok: false, reason: 'The integration has no verification key.' }
  const signature = textOf(headers['x-twilio-email-event-webhook-signature'])
  const timestamp = textOf(headers['x-twilio-email-event-webhook-timestamp'])
  if (signature === null || timestamp === null) return { ok: false, reason: 'The signature is missing.' }
  const signed = Buffer.concat([Buffer.from(timestamp), body])
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64'))) {
    return { ok: false, reason: 'The signature is wrong.' }
  }
  const age = now - Number(timestamp) * 1000
  if (!(age <= MAX_AGE_MS && age >= -MAX_AHEAD_MS)) return { ok: false, reason: 'The timestamp is too old or ahead.' }
  return readEvents(
    parseBody(body.toString('utf8')),
    ({ event }) => event,
    (event, place) => {
      const kind = kindOf(event)
      const fallbackId = () => `${sha256Hex(signed.toString('latin1'))} ${place}`
      return kind && toReport(kind, event, { now, fallbackId })
    },
  )
}

const KINDS: ReadonlyMap<unknown, ReportKind> = new Map([
  ['open', 'opened'],
  ['click', 'clicked'],
  ['delivered', 'delivered'],
  ['bounce', 'bounced'],
  // SendGrid's own decision, such as "Bounced Address" or "Unsubscribed Address".
  ['dropped', 'dropped'],
  ['deferred', 'deferred'],
  ['spamreport', 'complaint'],
  ['unsubscribe', 'unsubscribe'],
  ['group_unsubscribe', 'unsubscribe'],
])

function kindOf({ event, type, sg_machine_open }: Fields): ReportKind | undefined {
  // Apple's proxy fetches the pictures of all mails.
  if (event === 'open' && sg_machine_open === true) return 'read'
  // The receiving server refuses this mail, and not the address.
  if (event === 'bounce' && type === 'blocked') return 'dropped'
  return KINDS.get(event)
}

function toReport(kind: ReportKind, event: Fields, call: { now: number; fallbackId(): string }): MailReport {
  const reason = textOf(event.reason) ?? textOf(event.response)
  return {
    kind,
    // Custom arguments stand beside the event's own fields.
    messageId: textOf(event.messageId),
    // Continues behind the id that the API answered.
    providerMessageId: textOf(event.sg_message_id)?.replace(/\.(?:filter|recvd).*$/s, '') || null,
    eventId: textOf(event.sg_event_id) ?? call.fallbackId(),
    at: timeOf(event.timestamp) ?? call.now,
    automated: false,
    address: textOf(event.email),
    link: kind === 'clicked' ? textOf(event.url) : null,
    reason: (kind === 'bounced' || kind === 'dropped') && reason !== null ? toWords(reason) : null,
  }
}
