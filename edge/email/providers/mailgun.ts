// Sends by Mailgun's API, verifies the signature within its webhooks' bodies (HMAC-SHA256), and reads the events.

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
import { hmacHex, isEqualInConstantTime } from '../../lib/hmac.ts'
import type { GuardedFetch, OutboundRequest } from '../../lib/outbound/guarded-fetch.ts'
import { type Fields, fieldsOf, textOf, timeOf } from '../../lib/webhook-body.ts'
import { apiUrl, baseUrlField, checkKeysAndUrl } from './credential-check.ts'
import { basicAuth, postMail, readJson, toWords } from './http-answer.ts'
import { readEvents } from './read-events.ts'
import { formatAddress } from './safe-mail.ts'
import { readAccountOf } from './try-account.ts'

export interface MailgunDeps {
  fetch: GuardedFetch['fetch']
}

const REGIONS: Record<string, string> = { us: 'https://api.mailgun.net', eu: 'https://api.eu.mailgun.net' }
/** The signature does not cover the events: a call proves itself only while it is fresh, and once. */
const TOLERANCE_MS = 5 * 60 * 1000
const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i

export function createMailgunProvider({ fetch }: MailgunDeps): MailProvider {
  return {
    name: 'mailgun',
    title: 'Mailgun',
    takesIdempotencyKeys: false,
    tracksEngagement: true,
    fields: [
      { name: 'apiKey', label: 'Sending key', isSecret: true, isRequired: true },
      { name: 'domain', label: 'Domain that sends', isSecret: false, isRequired: true },
      { name: 'region', label: 'Region', isSecret: false, isRequired: false, values: ['us', 'eu'], byDefault: 'us' },
      { name: 'webhookKey', label: 'HTTP webhook signing key', isSecret: true, isRequired: false },
      baseUrlField(),
    ],
    check(credentials) {
      const { domain = '', region = 'us', webhookKey } = credentials
      const keys = ['apiKey', ...(webhookKey === undefined ? [] : ['webhookKey'])]
      const faults = checkKeysAndUrl(credentials, keys)
      if (!DOMAIN.test(domain)) faults.push({ path: 'domain', message: 'This is no domain.' })
      if (!Object.hasOwn(REGIONS, region)) faults.push({ path: 'region', message: 'This must be us or eu.' })
      return faults
    },
    createSender: (credentials) => createSender(credentials, fetch),
    tryAccount({ apiKey = '', domain = '', region = 'us', baseUrl = REGIONS[region] ?? '' }) {
      const { authorization, secrets } = basicAuth('api', apiKey)
      return readAccountOf({
        fetch,
        url: apiUrl(baseUrl, `/v4/domains/${domain}`),
        headers: { authorization },
        secrets,
        readError: ({ body }) => textOf(fieldsOf(readJson(body)).message) ?? undefined,
        // A key for sending alone may read nothing, and is answered like a wrong one.
        judge: ({ status }) => (status === 404 ? 'refused' : status === 401 || status === 403 ? 'untried' : undefined),
        findLimit: (account) =>
          fieldsOf(account.domain).type === 'sandbox'
            ? 'The domain is a sandbox. Mailgun delivers its mails to authorized recipients alone.'
            : undefined,
      })
    },
    createWebhookReader: ({ webhookKey = '' }) => ({ read: async (call) => readCall(call, webhookKey) }),
    usesWebhookPassword: false,
  }
}

function createSender(credentials: Credentials, fetch: GuardedFetch['fetch']): MailSender {
  const { apiKey = '', domain = '', region = 'us', baseUrl = REGIONS[region] ?? '' } = credentials
  const { authorization, secrets } = basicAuth('api', apiKey)
  return {
    send: async (mail) =>
      postMail({
        fetch,
        url: apiUrl(baseUrl, `/v3/${domain}/messages`),
        request: await toRequest(mail, authorization),
        secrets,
        readId: ({ body }) => withoutBrackets(textOf(fieldsOf(readJson(body)).id)),
        readError: ({ body }) => textOf(fieldsOf(readJson(body)).message) ?? undefined,
      }),
    // The connections belong to the outbound client.
    async close() {},
  }
}

/** A form with files has several parts. */
async function toRequest(mail: OutgoingMail, authorization: string): Promise<OutboundRequest> {
  const { attachments = [] } = mail
  const form = toForm(mail)
  if (attachments.length === 0) {
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
    return { headers, body: form.toString() }
  }
  const parts = new FormData()
  for (const [name, value] of form) parts.append(name, value)
  for (const { filename, contentType, content } of attachments) {
    parts.append('attachment', new Blob([new Uint8Array(content)], { type: contentType }), filename)
  }
  const encoded = new Response(parts)
  const contentType = encoded.headers.get('content-type') ?? ''
  return { headers: { authorization, 'content-type': contentType }, body: Buffer.from(await encoded.arrayBuffer()) }
}

function toForm(mail: OutgoingMail) {
  const { cc = [], bcc = [], messageId, from, to, replyTo, subject, html, text, headers, tracking } = mail
  const form = new URLSearchParams({
    from: formatAddress(from),
    to: formatAddress(to),
    subject,
    text,
    html,
    'o:tracking-opens': tracking.opens ? 'yes' : 'no',
    'o:tracking-clicks': tracking.clicks ? 'htmlonly' : 'no',
    'v:messageId': messageId,
  })
  for (const copy of cc) form.append('cc', formatAddress(copy))
  for (const copy of bcc) form.append('bcc', formatAddress(copy))
  if (replyTo !== null) form.set('h:Reply-To', replyTo)
  for (const [name, value] of Object.entries(headers)) form.set(`h:${name}`, value)
  return form
}

/** The API answers the id in angle brackets, events have it without them. */
function withoutBrackets(id: string | null): string | null {
  return id === null ? null : id.replace(/^<|>$/g, '')
}

function readCall({ body, now }: WebhookCall, key: string): WebhookVerdict {
  if (key === '') return { ok: false, reason: 'The integration has no signing key.' }
  const parsed = readJson(body.toString('utf8'))
  const calls = (Array.isArray(parsed) ? parsed : [parsed]).map(fieldsOf)
  const tokens: string[] = []
  // Each event of a list has a signature of its own.
  for (const call of calls) {
    const verified = verify(fieldsOf(call.signature), key, now)
    if ('reason' in verified) return { ok: false, reason: verified.reason }
    tokens.push(verified.token)
  }
  if (tokens.length === 0) return { ok: false, reason: 'The signature is missing.' }
  const events = calls.map((call) => fieldsOf(call['event-data']))
  const read = readEvents(
    Array.isArray(parsed) ? events : events[0],
    ({ event }) => event,
    (event, place) => {
      const kind = kindOf(event)
      return kind && toReport(kind, event, { token: tokens[place] ?? '', now })
    },
  )
  return { ...read, onceOnly: tokens }
}

/** The signature covers the token and the time alone, so a token holds for one event. */
function verify(
  { token, timestamp, signature }: Fields,
  key: string,
  now: number,
): { token: string } | { reason: string } {
  if (typeof token !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') {
    return { reason: 'The signature is missing.' }
  }
  // Ten digits: otherwise a signature would fit another timestamp too, with the border to the token moved.
  if (!/^\d{10}$/.test(timestamp) || !isEqualInConstantTime(signature, hmacHex(key, timestamp + token))) {
    return { reason: 'The signature is wrong.' }
  }
  if (Math.abs(Number(timestamp) * 1000 - now) > TOLERANCE_MS) return { reason: 'The timestamp is too old.' }
  return { token }
}

const KINDS: ReadonlyMap<unknown, ReportKind> = new Map([
  ['opened', 'opened'],
  ['clicked', 'clicked'],
  ['delivered', 'delivered'],
  ['rejected', 'dropped'],
  ['complained', 'complaint'],
  ['unsubscribed', 'unsubscribe'],
])

/** Mailgun's own reasons for a failure: its lists, a blocked sender, and attempts that took too long. */
const OWN_REASON = /^(?:suppress-.*|espblock|old)$/s
/** Proxies of mail programs, which fetch the pictures of mails that nobody looks at. */
const PROXIES: ReadonlySet<unknown> = new Set(['apple', 'gmail'])

const botOf = (event: Fields) => textOf(fieldsOf(event['client-info']).bot)

function kindOf(event: Fields): ReportKind | undefined {
  if (event.event === 'opened' && PROXIES.has(botOf(event))) return 'read'
  if (event.event !== 'failed') return KINDS.get(event.event)
  if (event.severity !== 'permanent') return 'deferred'
  return OWN_REASON.test(textOf(event.reason) ?? '') ? 'dropped' : 'bounced'
}

function toReport(kind: ReportKind, event: Fields, { token, now }: { token: string; now: number }): MailReport {
  const status = fieldsOf(event['delivery-status'])
  const words = textOf(status.message) ?? textOf(status.description) ?? textOf(fieldsOf(event.reject).reason)
  const reason = words ?? textOf(event.reason)
  return {
    kind,
    messageId: textOf(fieldsOf(event['user-variables']).messageId),
    providerMessageId: withoutBrackets(textOf(fieldsOf(fieldsOf(event.message).headers)['message-id'])),
    eventId: token,
    at: timeOf(event.timestamp) ?? now,
    automated: kind !== 'read' && botOf(event) !== null,
    address: textOf(event.recipient),
    link: kind === 'clicked' ? textOf(event.url) : null,
    reason: (kind === 'bounced' || kind === 'dropped') && reason !== null ? toWords(reason) : null,
  }
}
