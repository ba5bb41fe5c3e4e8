// Sends by the Messages API of Mailgun, verifies the signature in its webhooks (HMAC-SHA256), and reads their events.

import type {
  Credentials,
  MailProvider,
  OutgoingMail,
  ReportKind,
  WebhookVerdict,
} from '../../domain/mail/mail-provider.ts'
import { hmacHex, isEqualInConstantTime, sha256Hex } from '../../lib/hmac.ts'
import { baseUrlField, baseUrlOf, checkFields } from './credential-fields.ts'
import { type Fields, fieldsAt, parseFields, textAt } from './fields.ts'
import { listSecrets } from './foreign-text.ts'
import { type ApiAnswer, basicAuth, createHttpSender } from './http-sender.ts'
import type { ProviderDeps } from './provider-deps.ts'
import { collectReports, decodeBody, fromSeconds, type RawReport, refuseBody } from './reports.ts'
import { formatAddress } from './safe-mail.ts'

const TITLE = 'Mailgun'
const HOSTS: Record<string, string> = { us: 'https://api.mailgun.net', eu: 'https://api.eu.mailgun.net' }
const FIELDS = [
  { name: 'apiKey', label: 'Sending key of the domain, or API key', isSecret: true, isRequired: true },
  { name: 'domain', label: 'Domain that sends', isSecret: false, isRequired: true },
  {
    name: 'region',
    label: 'Region of the account',
    isSecret: false,
    isRequired: false,
    values: ['us', 'eu'],
    byDefault: 'us',
  },
  { name: 'webhookSigningKey', label: 'HTTP webhook signing key', isSecret: true, isRequired: false },
  baseUrlField(`${HOSTS.us} (in place of the region)`),
] as const

/** The signature covers no body: only a fresh token that was not used before proves that Mailgun sent it. */
const TOLERANCE_MS = 5 * 60 * 1000

/** Creates the provider. A verdict's `onceOnly` is the token. */
export function createMailgun(deps: ProviderDeps): MailProvider {
  return {
    name: 'mailgun',
    title: TITLE,
    takesIdempotencyKeys: false,
    tracksEngagement: true,
    usesWebhookPassword: false,
    fields: FIELDS,
    check(credentials) {
      const faults = checkFields(FIELDS, credentials)
      const { domain } = credentials
      if (domain === undefined || /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(domain)) return faults
      return [...faults, { path: 'domain', message: 'Is no domain name.' }]
    },
    createSender: (credentials) => createHttpSender(deps, toApi(credentials)),
    createWebhookReader: ({ webhookSigningKey }) => ({
      async read(call) {
        if (webhookSigningKey === undefined) return { ok: false, reason: 'The integration has no signing key.' }
        const body = parseFields(decodeBody(call.body) ?? '')
        const token = verifySignature(fieldsAt(body, 'signature'), webhookSigningKey, call.now)
        if (typeof token !== 'string') return token
        const event = fieldsAt(body, 'event-data')
        if (event === undefined) return refuseBody('The body has no object `event-data`.')
        const verdict = collectReports(call, [event], (fields) => readEvent(fields, token))
        return { ...verdict, onceOnly: sha256Hex(token) }
      },
    }),
  }
}

function verifySignature(signature: Fields | undefined, key: string, now: number): string | WebhookVerdict {
  const token = textAt(signature, 'token')
  const timestamp = textAt(signature, 'timestamp')
  const given = textAt(signature, 'signature')
  if (token === null || timestamp === null || given === null) {
    return { ok: false, reason: 'The signature is missing.' }
  }
  // Together they are the signed text: with their border free, one signature would fit other timestamps.
  if (!/^\d{10}$/.test(timestamp) || !isEqualInConstantTime(given, hmacHex(key, timestamp + token))) {
    return { ok: false, reason: 'The signature is wrong.' }
  }
  if (Math.abs(Number(timestamp) * 1000 - now) > TOLERANCE_MS) return { ok: false, reason: 'The timestamp is too old.' }
  return token
}

function toApi(credentials: Credentials) {
  const { apiKey = '', domain = '', region = 'us' } = credentials
  const baseUrl = baseUrlOf(credentials, HOSTS[region] ?? '')
  return {
    title: TITLE,
    secrets: listSecrets(FIELDS, credentials),
    toRequest: (mail: OutgoingMail) => ({
      url: `${baseUrl}/v3/${encodeURIComponent(domain)}/messages`,
      headers: {
        authorization: basicAuth('api', apiKey),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: toForm(mail).toString(),
    }),
    findAccepted: ({ json }: ApiAnswer) => {
      const id = textAt(json, 'id')
      return id === null ? undefined : { id: withoutBrackets(id) }
    },
    findWords: ({ json, body }: ApiAnswer) =>
      textAt(json, 'message') ?? (body.length < 200 && body !== '' ? body : undefined),
  }
}

function toForm(mail: OutgoingMail): URLSearchParams {
  const form = new URLSearchParams({
    from: formatAddress(mail.from),
    to: formatAddress(mail.to),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    'o:tracking-opens': mail.tracking.opens ? 'yes' : 'no',
    'o:tracking-clicks': mail.tracking.clicks ? 'htmlonly' : 'no',
    'v:messageId': mail.messageId,
  })
  if (mail.replyTo !== null) form.set('h:Reply-To', mail.replyTo)
  for (const [name, value] of Object.entries(mail.headers)) form.set(`h:${name}`, value)
  return form
}

function withoutBrackets(id: string): string {
  return id.replace(/^<|>$/g, '')
}

const KINDS = new Map<string, ReportKind>([
  ['opened', 'opened'],
  ['clicked', 'clicked'],
  ['delivered', 'delivered'],
  ['rejected', 'dropped'],
  ['complained', 'complaint'],
  ['unsubscribed', 'unsubscribe'],
])

/** Mailgun's own reasons: its suppression lists, a block of the sender, and retries that took too long. */
const OWN_REASONS = /^(?:suppress-|espblock$|old$)/

/** Programs that fetch pictures in place of the person. */
const PROXIES = ['apple', 'gmail']

/**
 * Reads one event. `failed` is `deferred` while Mailgun tries again, and `dropped` for a reason of its own. Of the bots
 * in `client-info`, an open by `apple` or `gmail` is a `read`; whatever else a bot does is `automated`.
 */
function readEvent(event: Fields, token: string): RawReport | null {
  const name = textAt(event, 'event') ?? ''
  const kind = name === 'failed' ? findFailure(event) : KINDS.get(name)
  if (kind === undefined) return null
  const bot = textAt(fieldsAt(event, 'client-info'), 'bot')
  const isProxy = kind === 'opened' && bot !== null && PROXIES.includes(bot)
  const status = fieldsAt(event, 'delivery-status')
  const isFailure = kind === 'bounced' || kind === 'dropped' || kind === 'deferred'
  const id = textAt(fieldsAt(fieldsAt(event, 'message'), 'headers'), 'message-id')
  return {
    kind: isProxy ? 'read' : kind,
    messageId: textAt(fieldsAt(event, 'user-variables'), 'messageId'),
    providerMessageId: id === null ? null : withoutBrackets(id),
    eventKey: [token],
    at: fromSeconds(textAt(event, 'timestamp')),
    automated: bot !== null && !isProxy,
    address: textAt(event, 'recipient'),
    link: kind === 'clicked' ? textAt(event, 'url') : null,
    reason: isFailure
      ? (textAt(status, 'message') ?? textAt(status, 'description') ?? textAt(fieldsAt(event, 'reject'), 'reason'))
      : null,
  }
}

function findFailure(event: Fields): ReportKind {
  if (textAt(event, 'severity') !== 'permanent') return 'deferred'
  return OWN_REASONS.test(textAt(event, 'reason') ?? '') ? 'dropped' : 'bounced'
}
