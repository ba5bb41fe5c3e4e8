// Sends by Resend's API, verifies its webhooks (signed by Svix), and reads the events.

import { createHmac } from 'node:crypto'
import type {
  Credentials,
  MailProvider,
  MailReport,
  MailSender,
  OutgoingMail,
  ReportKind,
  WebhookCall,
  WebhookVerdict,
} from '../../domain/mail/mail-provider.ts'
import { isEqualInConstantTime } from '../../lib/hmac.ts'
import type { GuardedFetch } from '../../lib/outbound/guarded-fetch.ts'
import { type Fields, fieldsOf, parseBody, textOf, timeOf } from '../../lib/webhook-body.ts'
import { apiUrl, baseUrlField, checkKeysAndUrl } from './credential-check.ts'
import { postMail, readJson, toWords } from './http-answer.ts'
import { idAt, readEvents } from './read-events.ts'
import { formatAddress, listField } from './safe-mail.ts'
import { readAccountOf } from './try-account.ts'

export interface ResendDeps {
  fetch: GuardedFetch['fetch']
}

const API = 'https://api.resend.com'
const TOLERANCE_S = 300

export function createResendProvider({ fetch }: ResendDeps): MailProvider {
  return {
    name: 'resend',
    title: 'Resend',
    // Resend keeps a key for 24 hours.
    takesIdempotencyKeys: true,
    // Its tracking is a setting of the domain, which nobody may have turned on.
    tracksEngagement: false,
    fields: [
      { name: 'apiKey', label: 'API key', isSecret: true, isRequired: true },
      { name: 'webhookKey', label: 'Signing secret of the webhook', isSecret: true, isRequired: false },
      baseUrlField(API),
    ],
    check(credentials) {
      const faults = checkKeysAndUrl(credentials, ['apiKey'])
      const { webhookKey } = credentials
      if (webhookKey !== undefined && toKey(webhookKey) === undefined) {
        faults.push({ path: 'webhookKey', message: 'This must be whsec_ and base64.' })
      }
      return faults
    },
    createSender: (credentials) => createSender(credentials, fetch),
    tryAccount: ({ apiKey = '', baseUrl = API }) =>
      readAccountOf({
        fetch,
        url: apiUrl(baseUrl, '/domains'),
        headers: { authorization: `Bearer ${apiKey}` },
        secrets: [apiKey],
        readError: ({ body }) => textOf(fieldsOf(readJson(body)).message) ?? undefined,
        judge(answer) {
          const { name, message } = fieldsOf(readJson(answer.body))
          // A key for sending alone is known, and may not read domains.
          if (name === 'restricted_api_key') return 'valid'
          return answer.status === 400 && /api key is invalid/i.test(textOf(message) ?? '') ? 'refused' : undefined
        },
      }),
    createWebhookReader({ webhookKey = '' }) {
      const key = toKey(webhookKey)
      return { read: async (call) => readCall(call, key) }
    },
    usesWebhookPassword: false,
  }
}

function toKey(secret: string): Buffer | undefined {
  const text = /^whsec_([A-Za-z0-9+/]{16,}={0,2})$/.exec(secret)?.[1]
  return text === undefined ? undefined : Buffer.from(text, 'base64')
}

function createSender({ apiKey = '', baseUrl = API }: Credentials, fetch: GuardedFetch['fetch']): MailSender {
  return {
    send: (mail) =>
      postMail({
        fetch,
        url: apiUrl(baseUrl, '/emails'),
        request: {
          headers: {
            authorization: `Bearer ${apiKey}`,
            'content-type': 'application/json',
            'idempotency-key': mail.idempotencyKey,
          },
          body: JSON.stringify(toMessage(mail)),
        },
        secrets: [apiKey],
        readId: ({ body }) => textOf(fieldsOf(readJson(body)).id),
        readError: ({ body }) => textOf(fieldsOf(readJson(body)).message) ?? undefined,
        // The key is in use, or came before with a mail that was composed differently.
        isRepeat: ({ status }) => status === 409,
      }),
    // The connections belong to the outbound client.
    async close() {},
  }
}

function toMessage(mail: OutgoingMail) {
  const { messageId, from, to, replyTo, subject, html, text, headers } = mail
  return {
    from: formatAddress(from),
    to: [formatAddress(to)],
    ...listField('cc', mail.cc, formatAddress),
    ...listField('bcc', mail.bcc, formatAddress),
    ...(replyTo !== null && { reply_to: replyTo }),
    subject,
    html,
    text,
    headers,
    ...listField('attachments', mail.attachments, ({ filename, contentType, content }) => {
      return { filename, content_type: contentType, content: content.toString('base64') }
    }),
    tags: [{ name: 'messageId', value: messageId }],
  }
}

function readCall(call: WebhookCall, key: Buffer | undefined): WebhookVerdict {
  if (key === undefined) return { ok: false, reason: 'The integration has no signing secret.' }
  const id = textOf(call.headers['svix-id'])
  const timestamp = textOf(call.headers['svix-timestamp'])
  const signatures = textOf(call.headers['svix-signature'])
  if (id === null || timestamp === null || signatures === null)
    return { ok: false, reason: 'The signature is missing.' }
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(call.body).digest('base64')
  // Several while the secret changes.
  const isSigned = signatures.split(' ').some((signature) => isEqualInConstantTime(signature, `v1,${expected}`))
  if (!isSigned || !/^\d+$/.test(timestamp)) return { ok: false, reason: 'The signature is wrong.' }
  if (Math.abs(Number(timestamp) - call.now / 1000) > TOLERANCE_S) {
    return { ok: false, reason: 'The timestamp is too old.' }
  }
  return readEvents(
    parseBody(call.body.toString('utf8')),
    ({ type }) => type,
    (event, place) => {
      const kind = kindOf(event)
      return kind && toReport(kind, event, { id: idAt(id, place), now: call.now })
    },
  )
}

const KINDS: ReadonlyMap<unknown, ReportKind> = new Map([
  ['email.opened', 'opened'],
  ['email.clicked', 'clicked'],
  ['email.delivered', 'delivered'],
  ['email.bounced', 'bounced'],
  ['email.failed', 'dropped'],
  ['email.suppressed', 'dropped'],
  ['email.delivery_delayed', 'deferred'],
  ['email.complained', 'complaint'],
])

function kindOf({ type, data }: Fields): ReportKind | undefined {
  const kind = KINDS.get(type)
  if (kind !== 'bounced') return kind
  const bounce = fieldsOf(fieldsOf(data).bounce)
  // A bounce that may pass, and Resend's own list, leave the address. Older events have no type.
  const mayPass = bounce.type === 'Transient' || bounce.type === 'Undetermined'
  return mayPass || /suppress/i.test(textOf(bounce.subType) ?? '') ? 'dropped' : 'bounced'
}

function toReport(kind: ReportKind, event: Fields, { id, now }: { id: string; now: number }): MailReport {
  const data = fieldsOf(event.data)
  const bounce = fieldsOf(data.bounce)
  const words = [bounce.type, bounce.subType, bounce.message ?? fieldsOf(data.failed).reason].map(textOf)
  const reason = words.filter((word) => word !== null).join(': ')
  return {
    kind,
    messageId: tagOf(data.tags),
    providerMessageId: textOf(data.email_id),
    eventId: id,
    at: timeOf(event.created_at) ?? now,
    automated: false,
    address: addressOf(Array.isArray(data.to) ? textOf(data.to[0]) : null),
    link: kind === 'clicked' ? textOf(fieldsOf(data.click).link) : null,
    reason: (kind === 'bounced' || kind === 'dropped') && reason !== '' ? toWords(reason) : null,
  }
}

/** Tags arrive as an object; the documentation also has a list of `{ name, value }`. */
function tagOf(tags: unknown): string | null {
  if (!Array.isArray(tags)) return textOf(fieldsOf(tags).messageId)
  return textOf(tags.map(fieldsOf).find(({ name }) => name === 'messageId')?.value)
}

function addressOf(party: string | null): string | null {
  return party === null ? null : (/<([^<>]+)>$/.exec(party)?.[1] ?? party)
}
