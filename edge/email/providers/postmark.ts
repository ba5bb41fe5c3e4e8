// Sends by the Email API of Postmark, and reads the events of its webhooks, which it does not sign.

import type { Credentials, MailProvider, OutgoingMail, ReportKind } from '../../domain/mail/mail-provider.ts'
import { baseUrlField, baseUrlOf, checkFields } from './credential-fields.ts'
import { type Fields, fieldsAt, parseFields, textAt, valueAt } from './fields.ts'
import { listSecrets } from './foreign-text.ts'
import { type ApiAnswer, createHttpSender } from './http-sender.ts'
import type { ProviderDeps } from './provider-deps.ts'
import { collectReports, decodeBody, fromIso, type RawReport, refuseBody } from './reports.ts'
import { formatAddress } from './safe-mail.ts'

const TITLE = 'Postmark'
const BASE_URL = 'https://api.postmarkapp.com'
const FIELDS = [
  { name: 'serverToken', label: 'API token of the server', isSecret: true, isRequired: true },
  {
    name: 'messageStream',
    label: 'Message stream that sends',
    isSecret: false,
    isRequired: false,
    byDefault: 'outbound',
  },
  baseUrlField(BASE_URL),
] as const

/**
 * Codes of status 422 that are about the account: a bad token, a sender that is not confirmed, no credit, an account in
 * review, a stream that does not exist.
 */
const ACCOUNT_CODES = new Set([10, 100, 400, 401, 405, 412, 413, 1226, 1235])

/** Creates the provider; `usesWebhookPassword`: the route checks the password of the webhook's address. */
export function createPostmark(deps: ProviderDeps): MailProvider {
  return {
    name: 'postmark',
    title: TITLE,
    takesIdempotencyKeys: false,
    tracksEngagement: true,
    usesWebhookPassword: true,
    fields: FIELDS,
    check: (credentials) => checkFields(FIELDS, credentials),
    createSender: (credentials) => createHttpSender(deps, toApi(credentials)),
    createWebhookReader: () => ({
      async read(call) {
        const event = parseFields(decodeBody(call.body) ?? '')
        if (event === undefined) return refuseBody('The body is not a JSON object.')
        return collectReports(call, [event], readEvent)
      },
    }),
  }
}

function toApi(credentials: Credentials) {
  const { serverToken = '', messageStream = 'outbound' } = credentials
  return {
    title: TITLE,
    secrets: listSecrets(FIELDS, credentials),
    toRequest: (mail: OutgoingMail) => ({
      url: `${baseUrlOf(credentials, BASE_URL)}/email`,
      headers: {
        'x-postmark-server-token': serverToken,
        accept: 'application/json',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        From: formatAddress(mail.from),
        To: formatAddress(mail.to),
        ...(mail.replyTo !== null && { ReplyTo: mail.replyTo }),
        Subject: mail.subject,
        HtmlBody: mail.html,
        TextBody: mail.text,
        Headers: Object.entries(mail.headers).map(([Name, Value]) => ({ Name, Value })),
        Metadata: { messageId: mail.messageId },
        TrackOpens: mail.tracking.opens,
        TrackLinks: mail.tracking.clicks ? 'HtmlOnly' : 'None',
        MessageStream: messageStream,
      }),
    }),
    findAccepted: ({ json }: ApiAnswer) => {
      const id = textAt(json, 'MessageID')
      return id !== null && valueAt(json, 'ErrorCode') === 0 ? { id } : undefined
    },
    findWords: ({ json }: ApiAnswer) => textAt(json, 'Message') ?? undefined,
    isRefusal: ({ status, json }: ApiAnswer) =>
      status === 413 || (status === 422 && !ACCOUNT_CODES.has(Number(textAt(json, 'ErrorCode')))),
  }
}

/** Types of bounces that end the mail for good; `Transient` is tried again, and all others keep the address. */
const BOUNCES = new Map<string, ReportKind | null>([
  ['HardBounce', 'bounced'],
  ['BadEmailAddress', 'bounced'],
  ['Transient', 'deferred'],
  ['SpamComplaint', 'complaint'],
  ['Unsubscribe', 'unsubscribe'],
  // Answers to a mail that arrived.
  ['AutoResponder', null],
  ['ChallengeVerification', null],
  ['AddressChange', null],
  ['Subscribe', null],
  ['OpenRelayTest', null],
])

const TIMES = ['DeliveredAt', 'BouncedAt', 'ReceivedAt', 'ChangedAt']

/**
 * Reads one event. A bounce of another type, such as `SoftBounce`, `SpamNotification` or `Blocked`, ends the mail and
 * says nothing about the address: it is `dropped`. A change of a subscription is read when the recipient made it.
 */
function readEvent(event: Fields): RawReport | null {
  const record = textAt(event, 'RecordType') ?? ''
  const kind = findKind(event, record)
  if (kind === null) return null
  const time = TIMES.map((name) => textAt(event, name)).find((text) => text !== null) ?? null
  const id = textAt(event, 'MessageID')
  return {
    kind,
    messageId: textAt(fieldsAt(event, 'Metadata'), 'messageId'),
    providerMessageId: id,
    eventKey: [record, id, time],
    at: fromIso(time),
    address: textAt(event, 'Recipient') ?? textAt(event, 'Email'),
    link: record === 'Click' ? textAt(event, 'OriginalLink') : null,
    reason: record === 'Bounce' ? (textAt(event, 'Details') ?? textAt(event, 'Description')) : null,
  }
}

function findKind(event: Fields, record: string): ReportKind | null {
  switch (record) {
    case 'Open':
      return 'opened'
    case 'Click':
      return 'clicked'
    case 'Delivery':
      return 'delivered'
    case 'SpamComplaint':
      return 'complaint'
    case 'Bounce': {
      const found = BOUNCES.get(textAt(event, 'Type') ?? '')
      return found === undefined ? 'dropped' : found
    }
    case 'SubscriptionChange':
      // Postmark also suppresses by itself after a bounce or a complaint, which have their own events.
      return valueAt(event, 'SuppressSending') === true && textAt(event, 'SuppressionReason') === 'ManualSuppression'
        ? 'unsubscribe'
        : null
    default:
      return null
  }
}
