// Sends by the transactional API of Brevo, and reads the events of its webhooks, which it does not sign.

import type {
  Credentials,
  MailAddress,
  MailProvider,
  OutgoingMail,
  ReportKind,
} from '../../domain/mail/mail-provider.ts'
import { baseUrlField, baseUrlOf, checkFields } from './credential-fields.ts'
import { type Fields, parseJson, textAt, toFields } from './fields.ts'
import { listSecrets } from './foreign-text.ts'
import { type ApiAnswer, createHttpSender, isRefusalStatus } from './http-sender.ts'
import type { ProviderDeps } from './provider-deps.ts'
import { collectReports, decodeBody, fromSeconds, type RawReport, refuseBody } from './reports.ts'

const TITLE = 'Brevo'
const BASE_URL = 'https://api.brevo.com'
const FIELDS = [
  { name: 'apiKey', label: 'API key (v3)', isSecret: true, isRequired: true },
  baseUrlField(BASE_URL),
] as const

/** Codes of status 400 that are about the account. */
const ACCOUNT_CODES = new Set(['not_enough_credits', 'account_under_validation', 'permission_denied', 'unauthorized'])

/**
 * Creates the provider. Brevo's idempotency keys are not used: it keeps them for minutes, and its answer to a repeated
 * key does not show whether the first call succeeded.
 */
export function createBrevo(deps: ProviderDeps): MailProvider {
  return {
    name: 'brevo',
    title: TITLE,
    takesIdempotencyKeys: false,
    tracksEngagement: true,
    usesWebhookPassword: true,
    fields: FIELDS,
    check: (credentials) => checkFields(FIELDS, credentials),
    createSender: (credentials) => createHttpSender(deps, toApi(credentials)),
    createWebhookReader: () => ({
      async read(call) {
        const body = parseJson(decodeBody(call.body) ?? '')
        // Batched webhooks are arrays.
        const events = Array.isArray(body) ? body : toFields(body) === undefined ? undefined : [body]
        if (events === undefined) return refuseBody('The body is neither a JSON object nor an array.')
        return collectReports(call, events, readEvent)
      },
    }),
  }
}

function toApi(credentials: Credentials) {
  const { apiKey = '' } = credentials
  return {
    title: TITLE,
    secrets: listSecrets(FIELDS, credentials),
    toRequest: (mail: OutgoingMail) => ({
      url: `${baseUrlOf(credentials, BASE_URL)}/v3/smtp/email`,
      headers: { 'api-key': apiKey, accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({
        sender: toParty(mail.from),
        to: [toParty(mail.to)],
        ...(mail.replyTo !== null && { replyTo: { email: mail.replyTo } }),
        subject: mail.subject,
        htmlContent: mail.html,
        textContent: mail.text,
        headers: { ...mail.headers, 'X-Mailin-custom': mail.messageId },
      }),
    }),
    findAccepted: ({ json }: ApiAnswer) => {
      const id = textAt(json, 'messageId')
      return id === null ? undefined : { id: withoutBrackets(id) }
    },
    findWords: ({ json }: ApiAnswer) => textAt(json, 'message') ?? undefined,
    isRefusal: (answer: ApiAnswer) => isRefusalStatus(answer) && !ACCOUNT_CODES.has(textAt(answer.json, 'code') ?? ''),
  }
}

function toParty({ name, address }: MailAddress): Record<string, string> {
  return { email: address, ...(name !== null && { name }) }
}

function withoutBrackets(id: string): string {
  return id.replace(/^<|>$/g, '')
}

const KINDS = new Map<string, ReportKind>([
  ['proxy_open', 'read'],
  ['unique_proxy_open', 'read'],
  ['opened', 'opened'],
  ['unique_opened', 'opened'],
  ['click', 'clicked'],
  ['delivered', 'delivered'],
  ['hard_bounce', 'bounced'],
  ['invalid_email', 'bounced'],
  ['blocked', 'dropped'],
  ['error', 'dropped'],
  ['soft_bounce', 'deferred'],
  ['deferred', 'deferred'],
  ['spam', 'complaint'],
  ['complaint', 'complaint'],
  ['unsubscribe', 'unsubscribe'],
])

const FAILURES: ReportKind[] = ['bounced', 'dropped', 'deferred']

/** Reads one event. `blocked` and `error` are Brevo's own decisions: `dropped`. */
function readEvent(event: Fields): RawReport | null {
  const name = textAt(event, 'event') ?? ''
  const kind = KINDS.get(name)
  if (kind === undefined) return null
  const id = textAt(event, 'message-id')
  // Milliseconds; the other times depend on the time zone of the account.
  const epochMs = textAt(event, 'ts_epoch')
  return {
    kind,
    messageId: textAt(event, 'X-Mailin-custom'),
    providerMessageId: id === null ? null : withoutBrackets(id),
    eventKey: [name, id, epochMs],
    at: epochMs === null ? fromSeconds(textAt(event, 'ts_event')) : Number(epochMs),
    address: textAt(event, 'email'),
    link: kind === 'clicked' ? textAt(event, 'link') : null,
    reason: FAILURES.includes(kind) ? textAt(event, 'reason') : null,
  }
}
