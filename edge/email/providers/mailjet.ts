// Sends by Mailjet's API, and reads the events of its webhook, which it does not sign.

import type {
  Credentials,
  MailAddress,
  MailProvider,
  MailReport,
  MailSender,
  OutgoingMail,
  ReportKind,
  SendOutcome,
  WebhookCall,
  WebhookVerdict,
} from '../../domain/mail/mail-provider.ts'
import type { GuardedFetch } from '../../lib/outbound/guarded-fetch.ts'
import { type Fields, fieldsOf, parseBody, textOf, timeOf } from '../../lib/webhook-body.ts'
import { apiUrl, baseUrlField, checkKeysAndUrl } from './credential-check.ts'
import { basicAuth, postMail, readJson, toWords } from './http-answer.ts'
import { readEvents } from './read-events.ts'
import { listField } from './safe-mail.ts'
import { readAccountOf } from './try-account.ts'

export interface MailjetDeps {
  fetch: GuardedFetch['fetch']
}

const API = 'https://api.mailjet.com'
/** Of an error within an answer of 400, such as a sender that is not confirmed. */
const ACCOUNT_STATUSES: ReadonlySet<unknown> = new Set([401, 403])

export function createMailjetProvider({ fetch }: MailjetDeps): MailProvider {
  return {
    name: 'mailjet',
    title: 'Mailjet',
    takesIdempotencyKeys: false,
    tracksEngagement: true,
    fields: [
      { name: 'apiKey', label: 'API key', isSecret: true, isRequired: true },
      { name: 'secretKey', label: 'Secret key', isSecret: true, isRequired: true },
      baseUrlField(API),
    ],
    check: (credentials) => checkKeysAndUrl(credentials, ['apiKey', 'secretKey']),
    createSender: (credentials) => createSender(credentials, fetch),
    tryAccount({ apiKey = '', secretKey = '', baseUrl = API }) {
      const { authorization, secrets } = basicAuth(apiKey, secretKey)
      return readAccountOf({
        fetch,
        url: apiUrl(baseUrl, '/v3/REST/sender?Limit=1'),
        headers: { authorization },
        secrets,
        readError: ({ body }) => errorOf(body),
      })
    },
    createWebhookReader: () => ({ read: async (call) => readCall(call) }),
    usesWebhookPassword: true,
  }
}

function createSender(credentials: Credentials, fetch: GuardedFetch['fetch']): MailSender {
  const { apiKey = '', secretKey = '', baseUrl = API } = credentials
  const { authorization, secrets } = basicAuth(apiKey, secretKey)
  return {
    async send(mail): Promise<SendOutcome> {
      let refusal: string | undefined
      const outcome = await postMail({
        fetch,
        url: apiUrl(baseUrl, '/v3.1/send'),
        request: {
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ Messages: [toMessage(mail)] }),
        },
        secrets,
        readId({ body }) {
          const message = messageOf(body)
          if (message.Status === 'error') refusal = errorOf(body) ?? 'error'
          return idOf(fieldsOf(listOf(message.To)[0]).MessageID)
        },
        readError: ({ body }) => errorOf(body),
        isOfAccount: ({ body }) => ACCOUNT_STATUSES.has(firstErrorOf(body).StatusCode),
      })
      // Each message has a status of its own beside that of the answer.
      return refusal === undefined ? outcome : { outcome: 'refused', error: toWords(refusal, secrets) }
    },
    // The connections belong to the outbound client.
    async close() {},
  }
}

function toMessage(mail: OutgoingMail) {
  const { messageId, from, to, replyTo, subject, html, text, headers, tracking } = mail
  return {
    From: toAddress(from),
    To: [toAddress(to)],
    ...listField('Cc', mail.cc, toAddress),
    ...listField('Bcc', mail.bcc, toAddress),
    ...(replyTo !== null && { ReplyTo: { Email: replyTo } }),
    Subject: subject,
    HTMLPart: html,
    TextPart: text,
    ...listField('Attachments', mail.attachments, ({ filename, contentType, content }) => {
      return { Filename: filename, ContentType: contentType, Base64Content: content.toString('base64') }
    }),
    CustomID: messageId,
    Headers: headers,
    TrackOpens: tracking.opens ? 'enabled' : 'disabled',
    TrackClicks: tracking.clicks ? 'enabled' : 'disabled',
  }
}

function toAddress({ name, address }: MailAddress) {
  return { Email: address, ...(name !== null && name !== '' && { Name: name }) }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const messageOf = (body: string): Fields => fieldsOf(listOf(fieldsOf(readJson(quoteIds(body))).Messages)[0])

const firstErrorOf = (body: string): Fields => fieldsOf(listOf(messageOf(body).Errors)[0])

function errorOf(body: string): string | undefined {
  return textOf(firstErrorOf(body).ErrorMessage) ?? textOf(fieldsOf(readJson(body)).ErrorMessage) ?? undefined
}

/** Makes texts of the numbers of mails, which are greater than numbers of JavaScript hold. Within a text, backslashes precede the quotes. */
function quoteIds(body: string): string {
  return body.replace(/("MessageID"\s*:\s*)(\d+)(?=\s*[,}])/g, '$1"$2"')
}

const idOf = (value: unknown) => (typeof value === 'string' && /^\d+$/.test(value) ? value : null)

function readCall({ body, now }: WebhookCall): WebhookVerdict {
  // One event is an object of its own, unless events are grouped in the account.
  return readEvents(
    parseBody(quoteIds(body.toString('utf8'))),
    ({ event }) => event,
    (event) => {
      const kind = kindOf(event)
      return kind && toReport(kind, event, now)
    },
  )
}

const KINDS: ReadonlyMap<unknown, ReportKind> = new Map([
  ['open', 'opened'],
  ['click', 'clicked'],
  ['sent', 'delivered'],
  ['bounce', 'bounced'],
  ['blocked', 'bounced'],
  ['greylisted', 'deferred'],
  ['spam', 'complaint'],
  ['unsub', 'unsubscribe'],
])

/** What is wrong with the address itself; Mailjet also blocks for its content, or for reasons of its own. */
const ABOUT_ADDRESS: ReadonlySet<unknown> = new Set([undefined, '', 'recipient', 'domain'])

function kindOf({ event, error, error_related_to, hard_bounce, blocked }: Fields): ReportKind | undefined {
  const kind = KINDS.get(event)
  if (kind !== 'bounced') return kind
  if (event === 'bounce' && hard_bounce === false && blocked !== true) {
    return error === 'greylisted' ? 'deferred' : 'dropped'
  }
  return event === 'blocked' && !ABOUT_ADDRESS.has(error_related_to) ? 'dropped' : 'bounced'
}

function toReport(kind: ReportKind, event: Fields, now: number): MailReport {
  const providerMessageId = idOf(event.MessageID)
  const at = timeOf(event.time)
  const address = textOf(event.email)
  const link = kind === 'clicked' ? textOf(event.url) : null
  const words = [event.error_related_to, event.error, event.comment].map(textOf).filter((word) => word !== null)
  const hasReason = (kind === 'bounced' || kind === 'dropped') && words.length > 0
  return {
    kind,
    messageId: textOf(event.CustomID),
    providerMessageId,
    // The link tells clicks of one second apart, and the address a recipient from one who has a copy.
    eventId: [event.event, providerMessageId ?? '', address ?? '', at ?? '', link ?? ''].join(' ').trim(),
    at: at ?? now,
    automated: false,
    address,
    link,
    reason: hasReason ? toWords(words.join(': ')) : null,
  }
}
