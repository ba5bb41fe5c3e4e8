// Sends by the Emails API of Resend, verifies its webhooks (Svix), and reads their events.

import { createHmac } from 'node:crypto'
import type {
  Credentials,
  MailProvider,
  OutgoingMail,
  ReportKind,
  WebhookCall,
} from '../../domain/mail/mail-provider.ts'
import { isEqualInConstantTime } from '../../lib/hmac.ts'
import { baseUrlField, baseUrlOf, checkFields } from './credential-fields.ts'
import { type Fields, fieldsAt, listAt, parseFields, textAt, toFields, toText, valueAt } from './fields.ts'
import { listSecrets } from './foreign-text.ts'
import { type ApiAnswer, createHttpSender, isRefusalStatus } from './http-sender.ts'
import type { ProviderDeps } from './provider-deps.ts'
import { collectReports, decodeBody, fromIso, type RawReport, refuseBody } from './reports.ts'
import { formatAddress } from './safe-mail.ts'

const TITLE = 'Resend'
const BASE_URL = 'https://api.resend.com'
const FIELDS = [
  { name: 'apiKey', label: 'API key with the permission to send', isSecret: true, isRequired: true },
  { name: 'webhookSecret', label: 'Signing secret of the webhook (whsec_…)', isSecret: true, isRequired: false },
  baseUrlField(BASE_URL),
] as const

const TOLERANCE_S = 300

/** Creates the provider. Resend keeps an idempotency key for 24 hours. */
export function createResend(deps: ProviderDeps): MailProvider {
  return {
    name: 'resend',
    title: TITLE,
    takesIdempotencyKeys: true,
    tracksEngagement: true,
    usesWebhookPassword: false,
    fields: FIELDS,
    check(credentials) {
      const faults = checkFields(FIELDS, credentials)
      const { webhookSecret } = credentials
      if (webhookSecret === undefined || toKey(webhookSecret) !== undefined) return faults
      return [...faults, { path: 'webhookSecret', message: 'Must be whsec_ and base64.' }]
    },
    createSender: (credentials) => createHttpSender(deps, toApi(credentials)),
    createWebhookReader({ webhookSecret = '' }) {
      const key = toKey(webhookSecret)
      return {
        async read(call) {
          if (key === undefined) return { ok: false, reason: 'The integration has no signing secret.' }
          const id = verifySignature(call, key)
          if (typeof id !== 'string') return id
          const event = parseFields(decodeBody(call.body) ?? '')
          if (event === undefined) return refuseBody('The body is not a JSON object.')
          return collectReports(call, [event], (fields) => readEvent(fields, id))
        },
      }
    },
  }
}

function toKey(secret: string): Buffer | undefined {
  const text = /^whsec_([A-Za-z0-9+/]{8,}={0,2})$/.exec(secret)?.[1]
  return text === undefined ? undefined : Buffer.from(text, 'base64')
}

function verifySignature({ headers, body, now }: WebhookCall, key: Buffer): string | { ok: false; reason: string } {
  const id = headers['svix-id'] ?? headers['webhook-id']
  const timestamp = headers['svix-timestamp'] ?? headers['webhook-timestamp']
  const signatures = headers['svix-signature'] ?? headers['webhook-signature']
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') {
    return { ok: false, reason: 'A header of the signature is missing.' }
  }
  // Digits alone, so that an id cannot continue as a timestamp.
  if (!/^\d{1,12}$/.test(timestamp)) return { ok: false, reason: 'The timestamp is wrong.' }
  const expected = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
  const isSigned = signatures.split(' ').some((signature) => isEqualInConstantTime(signature, expected))
  if (!isSigned) return { ok: false, reason: 'The signature is wrong.' }
  if (Math.abs(Number(timestamp) - now / 1000) > TOLERANCE_S) return { ok: false, reason: 'The timestamp is too old.' }
  return id
}

function toApi(credentials: Credentials) {
  const { apiKey = '' } = credentials
  return {
    title: TITLE,
    secrets: listSecrets(FIELDS, credentials),
    toRequest: (mail: OutgoingMail) => ({
      url: `${baseUrlOf(credentials, BASE_URL)}/emails`,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': mail.idempotencyKey,
      },
      body: JSON.stringify({
        from: formatAddress(mail.from),
        to: [formatAddress(mail.to)],
        ...(mail.replyTo !== null && { reply_to: mail.replyTo }),
        subject: mail.subject,
        html: mail.html,
        text: mail.text,
        headers: mail.headers,
        tags: [{ name: 'messageId', value: mail.messageId }],
      }),
    }),
    findAccepted: ({ json }: ApiAnswer) => {
      const id = textAt(json, 'id')
      return id === null ? undefined : { id }
    },
    findWords: ({ json }: ApiAnswer) => textAt(json, 'message') ?? undefined,
    isRefusal: (answer: ApiAnswer) => isRefusalStatus(answer),
    // The key is in use, or was used for a mail that was composed differently.
    isRepeat: ({ status }: ApiAnswer) => status === 409,
  }
}

const KINDS = new Map<string, ReportKind>([
  ['email.opened', 'opened'],
  ['email.clicked', 'clicked'],
  ['email.delivered', 'delivered'],
  ['email.bounced', 'bounced'],
  ['email.failed', 'dropped'],
  ['email.suppressed', 'dropped'],
  ['email.delivery_delayed', 'deferred'],
  ['email.complained', 'complaint'],
])

/** A bounce that may pass, or of an address that Resend itself suppresses, is `dropped`. */
function readEvent(event: Fields, id: string): RawReport | null {
  const type = textAt(event, 'type') ?? ''
  const kind = KINDS.get(type)
  if (kind === undefined) return null
  const data = fieldsAt(event, 'data')
  const bounce = fieldsAt(data, 'bounce')
  return {
    kind: kind === 'bounced' && !isHard(bounce) ? 'dropped' : kind,
    messageId: findTag(valueAt(data, 'tags')),
    providerMessageId: textAt(data, 'email_id'),
    eventKey: [id],
    at: fromIso(textAt(event, 'created_at')),
    address: findAddress(toText(listAt(data, 'to')[0])),
    link: kind === 'clicked' ? textAt(fieldsAt(data, 'click'), 'link') : null,
    reason: textAt(bounce, 'message') ?? textAt(fieldsAt(data, 'failed'), 'reason'),
  }
}

function isHard(bounce: Fields | undefined): boolean {
  const type = textAt(bounce, 'type')
  return (type === null || type === 'Permanent') && !/suppress/i.test(textAt(bounce, 'subType') ?? '')
}

/** Tags are documented as a list of `{ name, value }` and arrive as an object. */
function findTag(tags: unknown): string | null {
  if (!Array.isArray(tags)) return textAt(toFields(tags), 'messageId')
  const tag = tags.map(toFields).find((fields) => textAt(fields, 'name') === 'messageId')
  return textAt(tag, 'value')
}

function findAddress(party: string | null): string | null {
  return party === null ? null : (/<([^<>]*)>$/.exec(party)?.[1] ?? party)
}
