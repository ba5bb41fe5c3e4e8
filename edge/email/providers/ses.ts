// Sends by Amazon SES, and reads its events, which Amazon SNS delivers and signs.

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
import { type Clock, systemClock } from '../../lib/clock.ts'
import type { GuardedFetch, OutboundAnswer } from '../../lib/outbound/guarded-fetch.ts'
import { type Fields, fieldsOf, textOf, timeOf } from '../../lib/webhook-body.ts'
import { buildMime, renderErrorOf } from '../build-mime.ts'
import { signAwsRequest } from './aws-signature.ts'
import { apiUrl, baseUrlField, type CredentialFault, checkKeysAndUrl } from './credential-check.ts'
import { postMail, readJson, toWords } from './http-answer.ts'
import { idAt, readEvents } from './read-events.ts'
import { listField } from './safe-mail.ts'
import { isUtf8Mail } from './smtp-utf8.ts'
import { createSnsVerifier, isOfSns, type SnsVerifier } from './sns-message.ts'
import { readAccountOf } from './try-account.ts'

export interface SesDeps {
  fetch: GuardedFetch['fetch']
  /** Default: the system's. */
  clock?: Clock
}

export function createSesProvider({ fetch, clock = systemClock }: SesDeps): MailProvider {
  const verifier = createSnsVerifier(fetch)
  return {
    name: 'ses',
    title: 'Amazon SES',
    takesIdempotencyKeys: false,
    tracksEngagement: true,
    fields: [
      { name: 'accessKeyId', label: 'Access key ID', isSecret: false, isRequired: true },
      { name: 'secretAccessKey', label: 'Secret access key', isSecret: true, isRequired: true },
      { name: 'region', label: 'Region', isSecret: false, isRequired: true },
      { name: 'configurationSetName', label: 'Configuration set', isSecret: false, isRequired: false },
      { name: 'topicArn', label: 'ARN of the SNS topic', isSecret: false, isRequired: false },
      baseUrlField(),
    ],
    check: checkCredentials,
    createSender: (credentials) => createSender(credentials, fetch, clock),
    tryAccount({ accessKeyId = '', secretAccessKey = '', region = '', baseUrl = apiOf(region) }) {
      const url = apiUrl(baseUrl, '/v2/email/account')
      const scope = { accessKeyId, secretAccessKey, region, service: 'ses', now: clock.now() }
      return readAccountOf({
        fetch,
        url,
        headers: signAwsRequest({ method: 'GET', url, headers: {}, body: '' }, scope),
        secrets: [secretAccessKey],
        readError: (answer) => [errorTypeOf(answer), messageOf(answer)].filter(Boolean).join(': ') || undefined,
        // A user who may only send is known, and may not read the account.
        judge: (answer) =>
          /^AccessDenied/.test(errorTypeOf(answer))
            ? 'valid'
            : ACCOUNT_ERRORS.test(errorTypeOf(answer))
              ? 'refused'
              : undefined,
        findLimit: ({ ProductionAccessEnabled, SendingEnabled }) =>
          SendingEnabled === false
            ? 'Amazon SES has switched off its sending.'
            : ProductionAccessEnabled === false
              ? 'The account is in the sandbox of Amazon SES. Its mails go to verified addresses alone.'
              : undefined,
      })
    },
    createWebhookReader: ({ topicArn = '' }) => ({ read: (call) => readCall(call, topicArn, verifier) }),
    usesWebhookPassword: false,
  }
}

const apiOf = (region: string) => `https://email.${region}.amazonaws.com`

const REGION = /^[a-z]{2,}(?:-[a-z]+)+-\d{1,2}$/
const CONFIGURATION_SET = /^[\w-]{1,64}$/
const TOPIC_ARN = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}(?:\.fifo)?$/

function checkCredentials(credentials: Credentials): CredentialFault[] {
  const { region = '', configurationSetName, topicArn } = credentials
  const faults = checkKeysAndUrl(credentials, ['accessKeyId', 'secretAccessKey'])
  if (!REGION.test(region)) faults.push({ path: 'region', message: 'This is no region, such as eu-central-1.' })
  if (configurationSetName !== undefined && !CONFIGURATION_SET.test(configurationSetName)) {
    faults.push({ path: 'configurationSetName', message: 'This is no name of a configuration set.' })
  }
  if (topicArn !== undefined && !TOPIC_ARN.test(topicArn)) {
    faults.push({ path: 'topicArn', message: 'This is no ARN of an SNS topic.' })
  }
  return faults
}

/** Errors with status 400 that are about the account and not about the mail. */
const ACCOUNT_ERRORS =
  /AccountSuspended|SendingPaused|LimitExceeded|TooManyRequests|Throttling|MailFromDomainNotVerified|ExpiredToken|UnrecognizedClient|InvalidSignature|IncompleteSignature/

const UTF8_REFUSED = 'Amazon SES takes no address with letters beyond ASCII before its @.'

/** A sender, or in the sandbox a recipient, that the account has not verified. */
const NOT_VERIFIED = /not verified/i

function createSender(credentials: Credentials, fetch: GuardedFetch['fetch'], clock: Clock): MailSender {
  const { accessKeyId = '', secretAccessKey = '', region = '', configurationSetName } = credentials
  const baseUrl = credentials.baseUrl ?? apiOf(region)
  const url = apiUrl(baseUrl, '/v2/email/outbound-emails')
  return {
    async send(mail) {
      // Amazon SES knows no SMTPUTF8.
      if (isUtf8Mail(mail)) return { outcome: 'refused', error: UTF8_REFUSED }
      let body: string
      try {
        body = JSON.stringify(await toMessage(mail, configurationSetName))
      } catch (error) {
        return renderErrorOf(error) ?? { outcome: 'refused', error: 'The mail cannot be built.' }
      }
      const scope = { accessKeyId, secretAccessKey, region, service: 'ses', now: clock.now() }
      const headers = { 'content-type': 'application/json' }
      return postMail({
        fetch,
        url,
        request: { headers: signAwsRequest({ method: 'POST', url, headers, body }, scope), body },
        readId: (answer) => textOf(fieldsOf(readJson(answer.body)).MessageId),
        secrets: [secretAccessKey],
        readError: (answer) => [errorTypeOf(answer), messageOf(answer)].filter(Boolean).join(': ') || undefined,
        isOfAccount: (answer) => ACCOUNT_ERRORS.test(errorTypeOf(answer)) || NOT_VERIFIED.test(messageOf(answer) ?? ''),
      })
    },
    // The connections belong to the outbound client.
    async close() {},
  }
}

function messageOf({ body }: OutboundAnswer): string | null {
  const { message, Message } = fieldsOf(readJson(body))
  return textOf(message) ?? textOf(Message)
}

/** The name alone: AWS may add an address behind a colon, and a namespace before a `#`. */
function errorTypeOf({ headers, body }: OutboundAnswer): string {
  const type = headers['x-amzn-errortype'] ?? fieldsOf(readJson(body)).__type
  return typeof type === 'string' ? (type.split(':')[0]?.split('#').at(-1) ?? '') : ''
}

async function toMessage(mail: OutgoingMail, configurationSetName: string | undefined) {
  const { to, cc = [], bcc = [] } = mail
  const copies = cc.length + bcc.length
  return {
    Content: { Raw: { Data: (await buildMime(mail)).toString('base64') } },
    // Without it SES takes the recipients of the headers alone.
    ...(copies > 0 && {
      Destination: {
        ToAddresses: [to.address],
        ...listField('CcAddresses', cc, ({ address }) => address),
        ...listField('BccAddresses', bcc, ({ address }) => address),
      },
    }),
    EmailTags: [{ Name: 'messageId', Value: mail.messageId }],
    ...(configurationSetName !== undefined && { ConfigurationSetName: configurationSetName }),
  }
}

async function readCall(
  { body: raw, now }: WebhookCall,
  topicArn: string,
  verifier: SnsVerifier,
): Promise<WebhookVerdict> {
  const verified = await verifier.verify(fieldsOf(readJson(raw.toString('utf8'))), topicArn)
  if ('reason' in verified) return { ok: false, reason: verified.reason }
  const { type, id, message, subscribeUrl } = verified
  if (type === 'SubscriptionConfirmation') {
    return subscribeUrl !== null && isOfSns(subscribeUrl)
      ? { ok: true, confirmUrl: subscribeUrl }
      : { ok: false, reason: 'The address that confirms the subscription is not one of SNS.' }
  }
  const body = type === 'Notification' ? readJson(message) : undefined
  // SES also announces in plain words that it publishes to the topic.
  if (body === undefined) return { ok: true, reports: [], ignored: 1 }
  return readEvents(
    body,
    ({ eventType, notificationType }) => eventType ?? notificationType,
    (event, place) => {
      const kind = kindOf(event)
      return kind && toReport(kind, event, idAt(id, place), now)
    },
  )
}

/** By type: what it means, and where its details are. */
const KINDS: ReadonlyMap<unknown, { kind: ReportKind; details: string }> = new Map([
  ['Open', { kind: 'opened', details: 'open' }],
  ['Click', { kind: 'clicked', details: 'click' }],
  ['Delivery', { kind: 'delivered', details: 'delivery' }],
  ['Bounce', { kind: 'bounced', details: 'bounce' }],
  ['DeliveryDelay', { kind: 'deferred', details: 'deliveryDelay' }],
  ['Complaint', { kind: 'complaint', details: 'complaint' }],
  ['Subscription', { kind: 'unsubscribe', details: 'subscription' }],
  // SES found a virus, or a template without its data: the mail never left.
  ['Reject', { kind: 'dropped', details: 'reject' }],
  ['Rendering Failure', { kind: 'dropped', details: 'failure' }],
  ['RenderingFailure', { kind: 'dropped', details: 'failure' }],
])

/** Events of a configuration set have `eventType`, notifications of an identity `notificationType`. */
const typeOf = ({ eventType, notificationType }: Fields) => KINDS.get(eventType ?? notificationType)

function kindOf(event: Fields): ReportKind | undefined {
  const kind = typeOf(event)?.kind
  if (kind === 'bounced') {
    // A bounce that may pass, such as a full mailbox, leaves the address.
    const { bounceType } = fieldsOf(event.bounce)
    return bounceType === 'Transient' || bounceType === 'Undetermined' ? 'dropped' : 'bounced'
  }
  // A change of preferences that keeps the subscription.
  const { newTopicPreferences } = fieldsOf(event.subscription)
  if (kind === 'unsubscribe' && fieldsOf(newTopicPreferences).unsubscribeAll === false) return undefined
  return kind
}

function toReport(kind: ReportKind, event: Fields, eventId: string, now: number): MailReport {
  const mail = fieldsOf(event.mail)
  const details = fieldsOf(event[typeOf(event)?.details ?? ''])
  const recipients = details.bouncedRecipients ?? details.complainedRecipients ?? details.delayedRecipients
  const recipient = fieldsOf(firstOf(recipients))
  const words = [
    ...[details.bounceType, details.bounceSubType, recipient.diagnosticCode],
    ...[details.reason, details.errorMessage],
  ].map(textOf)
  const reason = words.filter((word) => word !== null).join(': ')
  return {
    kind,
    messageId: textOf(firstOf(fieldsOf(mail.tags).messageId)),
    providerMessageId: textOf(mail.messageId),
    eventId,
    at: timeOf(details.timestamp) ?? now,
    automated: false,
    address: textOf(recipient.emailAddress) ?? textOf(firstOf(details.recipients)) ?? textOf(firstOf(mail.destination)),
    link: kind === 'clicked' ? textOf(details.link) : null,
    reason: (kind === 'bounced' || kind === 'dropped') && reason !== '' ? toWords(reason) : null,
  }
}

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined)
