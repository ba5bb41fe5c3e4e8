// Sends by Brevo's API, and reads the events of its webhook, which it does not sign.

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
import type { GuardedFetch } from '../../lib/outbound/guarded-fetch.ts'
import { type Fields, fieldsOf, parseBody, textOf, timeOf } from '../../lib/webhook-body.ts'
import { apiUrl, baseUrlField, checkKeysAndUrl } from './credential-check.ts'
import { postMail, readJson, toWords } from './http-answer.ts'
import { readEvents } from './read-events.ts'
import { listField } from './safe-mail.ts'
import { readAccountOf } from './try-account.ts'

export interface BrevoDeps {
  fetch: GuardedFetch['fetch']
}

const API = 'https://api.brevo.com'
/** Codes that status 400 may have too. */
const ACCOUNT_CODES: ReadonlySet<unknown> = new Set([
  'not_enough_credits',
  'account_under_validation',
  'permission_denied',
  'unauthorized',
])

export function createBrevoProvider({ fetch }: BrevoDeps): MailProvider {
  return {
    name: 'brevo',
    title: 'Brevo',
    takesIdempotencyKeys: false,
    tracksEngagement: true,
    fields: [{ name: 'apiKey', label: 'API key', isSecret: true, isRequired: true }, baseUrlField(API)],
    check: (credentials) => checkKeysAndUrl(credentials, ['apiKey']),
    createSender: (credentials) => createSender(credentials, fetch),
    tryAccount: ({ apiKey = '', baseUrl = API }) =>
      readAccountOf({
        fetch,
        url: apiUrl(baseUrl, '/v3/account'),
        headers: { 'api-key': apiKey },
        secrets: [apiKey],
        readError: ({ body }) => textOf(fieldsOf(readJson(body)).message) ?? undefined,
      }),
    createWebhookReader: () => ({ read: async (call) => readCall(call) }),
    usesWebhookPassword: true,
  }
}

function createSender({ apiKey = '', baseUrl = API }: Credentials, fetch: GuardedFetch['fetch']): MailSender {
  return {
    send: (mail) =>
      postMail({
        fetch,
        url: apiUrl(baseUrl, '/v3/smtp/email'),
        request: {
          headers: { 'api-key': apiKey, 'content-type': 'application/json', accept: 'application/json' },
          body: JSON.stringify(toMessage(mail)),
        },
        secrets: [apiKey],
        readId: ({ body }) => textOf(fieldsOf(readJson(body)).messageId),
        readError: ({ body }) => textOf(fieldsOf(readJson(body)).message) ?? undefined,
        isOfAccount: ({ body }) => ACCOUNT_CODES.has(fieldsOf(readJson(body)).code),
      }),
    // The connections belong to the outbound client.
    async close() {},
  }
}

function toMessage(mail: OutgoingMail) {
  const { messageId, from, to, replyTo, subject, html, text, headers } = mail
  return {
    sender: toAddress(from),
    to: [toAddress(to)],
    ...listField('cc', mail.cc, toAddress),
    ...listField('bcc', mail.bcc, toAddress),
    ...(replyTo !== null && { replyTo: { email: replyTo } }),
    subject,
    htmlContent: html,
    textContent: text,
    ...listField('attachment', mail.attachments, ({ filename, content }) => {
      return { name: filename, content: content.toString('base64') }
    }),
    headers: { ...headers, 'X-Mailin-custom': messageId },
  }
}

function toAddress({ name, address }: MailAddress) {
  return { email: address, ...(name !== null && name !== '' && { name }) }
}

const KINDS: ReadonlyMap<unknown, ReportKind> = new Map([
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
  // Its documentation has both names.
  ['unsubscribe', 'unsubscribe'],
  ['unsubscribed', 'unsubscribe'],
])

function readCall({ body, now }: WebhookCall): WebhookVerdict {
  // Brevo sends lists where batches are on.
  return readEvents(
    parseBody(body.toString('utf8')),
    ({ event }) => event,
    (event) => {
      const kind = KINDS.get(event.event)
      return kind && toReport(kind, event, now)
    },
  )
}

function toReport(kind: ReportKind, event: Fields, now: number): MailReport {
  const providerMessageId = textOf(event['message-id'])
  const messageId = textOf(event['X-Mailin-custom'])
  const address = textOf(event.email)
  const reason = textOf(event.reason)
  return {
    kind,
    messageId,
    providerMessageId,
    eventId: [event.event, providerMessageId ?? '', messageId ?? '', address ?? '', timeTextOf(event)].join(' '),
    at: timeOf(event.ts_event) ?? timeOf(event.ts_epoch) ?? now,
    automated: false,
    address,
    link: kind === 'clicked' ? textOf(event.link) : null,
    reason: kind === 'bounced' && reason !== null ? toWords(reason) : null,
  }
}

/** Tells events of one kind and mail apart: two clicks may have the same `ts_epoch`, which is documented as the time of sending. */
function timeTextOf({ ts_epoch, ts_event, link }: Fields): string {
  return [ts_epoch, ts_event].map((time) => (typeof time === 'number' ? time : '')).join(' ') + (textOf(link) ?? '')
}
