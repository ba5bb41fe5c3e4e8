// Sends by Postmark's API, and reads the events of its webhooks, which it does not sign.

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
import type { GuardedFetch } from '../../lib/outbound/guarded-fetch.ts'
import { type Fields, fieldsOf, parseBody, textOf, timeOf } from '../../lib/webhook-body.ts'
import { apiUrl, baseUrlField, checkKeysAndUrl } from './credential-check.ts'
import { postMail, readJson, toWords } from './http-answer.ts'
import { readEvents } from './read-events.ts'
import { formatAddress, listField } from './safe-mail.ts'
import { readAccountOf } from './try-account.ts'

export interface PostmarkDeps {
  fetch: GuardedFetch['fetch']
}

const API = 'https://api.postmarkapp.com'
const STREAM = 'outbound'
/** Of nobody's account: its mails are checked. */
const TEST_TOKEN = 'POSTMARK_API_TEST'
const SENDS_NONE = 'Postmark accepts its mails and delivers none.'

export function createPostmarkProvider({ fetch }: PostmarkDeps): MailProvider {
  return {
    name: 'postmark',
    title: 'Postmark',
    takesIdempotencyKeys: false,
    tracksEngagement: true,
    fields: [
      { name: 'serverToken', label: 'Server API token', isSecret: true, isRequired: true },
      { name: 'messageStream', label: 'Message stream', isSecret: false, isRequired: false, byDefault: STREAM },
      baseUrlField(API),
    ],
    check(credentials) {
      const faults = checkKeysAndUrl(credentials, ['serverToken'])
      if (!/^[\w-]{1,64}$/.test(credentials.messageStream ?? STREAM)) {
        faults.push({ path: 'messageStream', message: 'This is no name of a message stream.' })
      }
      return faults
    },
    createSender: (credentials) => createSender(credentials, fetch),
    tryAccount: async ({ serverToken = '', baseUrl = API }) => {
      if (serverToken === TEST_TOKEN)
        return { kind: 'tests', words: `${TEST_TOKEN} is a token for tests. ${SENDS_NONE}` }
      return readAccountOf({
        fetch,
        url: apiUrl(baseUrl, '/server'),
        headers: { 'x-postmark-server-token': serverToken },
        secrets: [serverToken],
        readError: ({ body }) => textOf(fieldsOf(readJson(body)).Message) ?? undefined,
        findLimit: ({ DeliveryType }) =>
          DeliveryType === 'Sandbox' ? `The server is one for tests. ${SENDS_NONE}` : undefined,
      })
    },
    createWebhookReader: () => ({ read: async (call) => readCall(call) }),
    usesWebhookPassword: true,
  }
}

/**
 * Codes of status 422 about the account: the token, a sender that is not confirmed, credit, a review, the stream.
 * All others are about the mail.
 */
const ACCOUNT_CODES: ReadonlySet<unknown> = new Set([10, 100, 400, 401, 405, 412, 413, 1226, 1235])

function createSender(credentials: Credentials, fetch: GuardedFetch['fetch']): MailSender {
  const { serverToken = '', messageStream = STREAM, baseUrl = API } = credentials
  return {
    send: (mail) =>
      postMail({
        recipient: mail.to.address,
        fetch,
        url: apiUrl(baseUrl, '/email'),
        request: {
          headers: {
            'x-postmark-server-token': serverToken,
            accept: 'application/json',
            'content-type': 'application/json',
          },
          body: JSON.stringify(toMessage(mail, messageStream)),
        },
        secrets: [serverToken],
        readId: ({ body }) => textOf(fieldsOf(readJson(body)).MessageID),
        readError: ({ body }) => textOf(fieldsOf(readJson(body)).Message) ?? undefined,
        // Inactive after a hard bounce, a complaint, or by hand. It names the addresses.
        isOfRecipient: ({ body }) => {
          const { ErrorCode, Message } = fieldsOf(readJson(body))
          const words = (textOf(Message) ?? '').toLowerCase()
          return ErrorCode === 406 && (!words.includes('@') || words.includes(mail.to.address.toLowerCase()))
        },
        isOfAccount: ({ body }) => ACCOUNT_CODES.has(fieldsOf(readJson(body)).ErrorCode),
      }),
    // The connections belong to the outbound client.
    async close() {},
  }
}

function toMessage(mail: OutgoingMail, messageStream: string) {
  const { cc = [], bcc = [], messageId, from, to, replyTo, subject, html, text, headers, tracking } = mail
  return {
    From: formatAddress(from),
    To: formatAddress(to),
    ...(cc.length > 0 && { Cc: cc.map(formatAddress).join(', ') }),
    ...(bcc.length > 0 && { Bcc: bcc.map(formatAddress).join(', ') }),
    ...(replyTo !== null && { ReplyTo: replyTo }),
    Subject: subject,
    HtmlBody: html,
    TextBody: text,
    Headers: Object.entries(headers).map(([Name, Value]) => ({ Name, Value })),
    ...listField('Attachments', mail.attachments, ({ filename, contentType, content }) => {
      return { Name: filename, ContentType: contentType, Content: content.toString('base64') }
    }),
    Metadata: { messageId },
    TrackOpens: tracking.opens,
    TrackLinks: tracking.clicks ? 'HtmlOnly' : 'None',
    MessageStream: messageStream,
  }
}

function readCall({ body, now }: WebhookCall): WebhookVerdict {
  return readEvents(
    parseBody(body.toString('utf8')),
    ({ RecordType }) => RecordType,
    (event) => {
      const kind = kindOf(event)
      return kind && toReport(kind, event, now)
    },
  )
}

const KINDS: ReadonlyMap<unknown, ReportKind> = new Map([
  ['Open', 'opened'],
  ['Click', 'clicked'],
  ['Delivery', 'delivered'],
  ['SpamComplaint', 'complaint'],
])

/** Types of bounces. `undefined` are answers to a mail that arrived. */
const BOUNCES: ReadonlyMap<unknown, ReportKind | undefined> = new Map([
  ['HardBounce', 'bounced'],
  ['BadEmailAddress', 'bounced'],
  ['Transient', 'deferred'],
  ['SpamComplaint', 'complaint'],
  ['Unsubscribe', 'unsubscribe'],
  ...['AutoResponder', 'ChallengeVerification', 'AddressChange', 'Subscribe', 'OpenRelayTest'].map(
    (type): [string, undefined] => [type, undefined],
  ),
])

function kindOf({ RecordType, Type, SuppressSending, SuppressionReason }: Fields): ReportKind | undefined {
  if (RecordType === 'Bounce') {
    // Other types, such as `SoftBounce` or `SpamNotification`, end the mail and have nothing against the address.
    return BOUNCES.has(Type) ? BOUNCES.get(Type) : 'dropped'
  }
  if (RecordType === 'SubscriptionChange') {
    // After a bounce or a complaint, which have their own events, Postmark ends the subscription by itself.
    return SuppressSending === true && SuppressionReason === 'ManualSuppression' ? 'unsubscribe' : undefined
  }
  return KINDS.get(RecordType)
}

function toReport(kind: ReportKind, event: Fields, now: number): MailReport {
  const { RecordType, DeliveredAt, BouncedAt, ReceivedAt, ChangedAt } = event
  const time = textOf(DeliveredAt) ?? textOf(BouncedAt) ?? textOf(ReceivedAt) ?? textOf(ChangedAt)
  const providerMessageId = textOf(event.MessageID)
  const address = textOf(event.Recipient) ?? textOf(event.Email)
  const reason = textOf(event.Details) ?? textOf(event.Description)
  return {
    kind,
    messageId: textOf(fieldsOf(event.Metadata).messageId),
    providerMessageId,
    eventId: [RecordType, providerMessageId ?? '', address ?? '', time ?? ''].join(' '),
    at: timeOf(time) ?? now,
    automated: false,
    address,
    link: kind === 'clicked' ? textOf(event.OriginalLink) : null,
    reason: (kind === 'bounced' || kind === 'dropped') && reason !== null ? toWords(reason) : null,
  }
}
