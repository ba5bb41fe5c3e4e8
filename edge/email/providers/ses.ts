// Sends by the API v2 of Amazon SES, verifies its notifications through Amazon SNS, and reads their events.

import type { Credentials, MailProvider, OutgoingMail, ReportKind } from '../../domain/mail/mail-provider.ts'
import { signAwsRequest } from './aws-signature.ts'
import { baseUrlField, baseUrlOf, checkFields } from './credential-fields.ts'
import { type Fields, fieldsAt, listAt, parseFields, textAt, toFields, toText } from './fields.ts'
import { listSecrets } from './foreign-text.ts'
import { type ApiAnswer, createHttpSender } from './http-sender.ts'
import { buildMime } from './mime.ts'
import type { ProviderDeps } from './provider-deps.ts'
import { collectReports, decodeBody, fromIso, type RawReport, refuseBody } from './reports.ts'
import { createSnsVerifier, isSnsUrl } from './sns.ts'

const TITLE = 'Amazon SES'
const FIELDS = [
  { name: 'accessKeyId', label: 'Access key id', isSecret: false, isRequired: true },
  { name: 'secretAccessKey', label: 'Secret access key', isSecret: true, isRequired: true },
  { name: 'sessionToken', label: 'Session token of temporary keys', isSecret: true, isRequired: false },
  { name: 'region', label: 'Region, such as eu-central-1', isSecret: false, isRequired: true },
  {
    name: 'configurationSet',
    label: 'Configuration set that publishes the events to SNS',
    isSecret: false,
    isRequired: false,
  },
  { name: 'topicArn', label: 'ARN of the SNS topic that calls the webhook', isSecret: false, isRequired: false },
  baseUrlField('https://email.eu-central-1.amazonaws.com (in place of the region’s)'),
] as const

const REGION = /^[a-z]{2}(?:-[a-z]+)+-\d{1,2}$/
const TOPIC_ARN = /^arn:aws(?:-[a-z]+)*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}$/

/** Creates the provider. Whether SES tracks opens and clicks is a matter of the configuration set, not of a mail. */
export function createSes(deps: ProviderDeps): MailProvider {
  const sns = createSnsVerifier(deps)
  return {
    name: 'ses',
    title: TITLE,
    takesIdempotencyKeys: false,
    tracksEngagement: true,
    usesWebhookPassword: false,
    fields: FIELDS,
    check(credentials) {
      const { region, topicArn } = credentials
      return [
        ...checkFields(FIELDS, credentials),
        ...(region !== undefined && !REGION.test(region) ? [{ path: 'region', message: 'Is no region of AWS.' }] : []),
        ...(topicArn !== undefined && !TOPIC_ARN.test(topicArn)
          ? [{ path: 'topicArn', message: 'Is no ARN of an SNS topic.' }]
          : []),
      ]
    },
    createSender: (credentials) => createHttpSender(deps, toApi(credentials, deps)),
    createWebhookReader: ({ topicArn }) => ({
      async read(call) {
        if (topicArn === undefined) return { ok: false, reason: 'The integration names no SNS topic.' }
        const message = parseFields(decodeBody(call.body) ?? '')
        if (message === undefined) return { ok: false, reason: 'The body is no message of SNS.' }
        const fault = await sns.findFault(message, topicArn)
        if (fault !== undefined) return { ok: false, reason: fault }
        const type = textAt(message, 'Type')
        const confirmUrl = textAt(message, 'SubscribeURL')
        if (type === 'SubscriptionConfirmation') {
          if (confirmUrl === null || !isSnsUrl(confirmUrl)) return refuseBody('SubscribeURL is no address of SNS.')
          return { ok: true, confirmUrl }
        }
        if (type !== 'Notification') return { ok: true, reports: [], ignored: 1 }
        // Other senders may use the topic: a text that is no event of SES is ignored.
        const event = parseFields(textAt(message, 'Message') ?? '')
        return collectReports(call, [event], (fields) => readEvent(fields, message))
      },
    }),
  }
}

function toApi(credentials: Credentials, { clock }: ProviderDeps) {
  const { accessKeyId = '', secretAccessKey = '', sessionToken, region = '', configurationSet } = credentials
  const keys = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
  const baseUrl = baseUrlOf(credentials, `https://email.${region}.amazonaws.com`)
  return {
    title: TITLE,
    secrets: listSecrets(FIELDS, credentials),
    async toRequest(mail: OutgoingMail) {
      const url = `${baseUrl}/v2/email/outbound-emails`
      const body = JSON.stringify({
        FromEmailAddress: mail.from.address,
        Destination: { ToAddresses: [mail.to.address] },
        Content: { Raw: { Data: (await buildMime(mail)).toString('base64') } },
        EmailTags: [{ Name: 'messageId', Value: mail.messageId }],
        ...(configurationSet !== undefined && { ConfigurationSetName: configurationSet }),
      })
      const unsigned = { method: 'POST', url, headers: { 'content-type': 'application/json' }, body }
      return { url, headers: signAwsRequest(unsigned, keys, { region, service: 'ses', now: clock.now() }), body }
    },
    findAccepted: ({ json }: ApiAnswer) => {
      const id = textAt(json, 'MessageId')
      return id === null ? undefined : { id }
    },
    findWords: ({ json }: ApiAnswer) => textAt(json, 'message') ?? textAt(json, 'Message') ?? undefined,
    isRefusal,
  }
}

/** Of the errors of status 400 these are about the mail; an identity that is not verified is about the account. */
const MAIL_ERRORS = ['BadRequestException', 'MessageRejected', 'ValidationException']

function isRefusal({ status, headers, json }: ApiAnswer): boolean {
  if (status === 413) return true
  const header = headers['x-amzn-errortype']
  const type = (typeof header === 'string' ? header : (textAt(json, '__type') ?? ''))
    .replace(/:.*$/s, '')
    .replace(/^.*#/s, '')
  return status === 400 && MAIL_ERRORS.includes(type) && !/not verified/i.test(textAt(json, 'message') ?? '')
}

/** Events of a configuration set, which have `eventType`, and notifications of an identity, which have the other name. */
const KINDS = new Map<string, { kind: ReportKind; at: string }>([
  ['Open', { kind: 'opened', at: 'open' }],
  ['Click', { kind: 'clicked', at: 'click' }],
  ['Delivery', { kind: 'delivered', at: 'delivery' }],
  ['Bounce', { kind: 'bounced', at: 'bounce' }],
  ['Reject', { kind: 'dropped', at: 'reject' }],
  ['Rendering Failure', { kind: 'dropped', at: 'failure' }],
  ['DeliveryDelay', { kind: 'deferred', at: 'deliveryDelay' }],
  ['Complaint', { kind: 'complaint', at: 'complaint' }],
  ['Subscription', { kind: 'unsubscribe', at: 'subscription' }],
])

/** Where the kinds of events name the recipient. */
const RECIPIENTS = ['bouncedRecipients', 'complainedRecipients', 'delayedRecipients']

/**
 * Reads one event. SES has given up a mail that bounced `Transient` or `Undetermined`, and refuses addresses of its own
 * suppression list as permanent: both are `dropped`, so that the address stays.
 */
function readEvent(event: Fields, message: Fields): RawReport | null {
  const found = KINDS.get(textAt(event, 'eventType') ?? textAt(event, 'notificationType') ?? '')
  if (found === undefined) return null
  const mail = fieldsAt(event, 'mail')
  const details = fieldsAt(event, found.at)
  const recipient = RECIPIENTS.map((name) => toFields(listAt(details, name)[0])).find((one) => one !== undefined)
  const delivered = toText(listAt(details, 'recipients')[0])
  return {
    kind: found.kind === 'bounced' && !isHard(details) ? 'dropped' : found.kind,
    messageId: toText(listAt(fieldsAt(mail, 'tags'), 'messageId')[0]),
    providerMessageId: textAt(mail, 'messageId'),
    eventKey: [textAt(message, 'MessageId')],
    at: fromIso(textAt(details, 'timestamp') ?? textAt(message, 'Timestamp')),
    address: textAt(recipient, 'emailAddress') ?? delivered ?? toText(listAt(mail, 'destination')[0]),
    link: found.kind === 'clicked' ? textAt(details, 'link') : null,
    reason: textAt(recipient, 'diagnosticCode') ?? textAt(details, 'reason') ?? textAt(details, 'errorMessage'),
  }
}

function isHard(bounce: Fields | undefined): boolean {
  return textAt(bounce, 'bounceType') === 'Permanent' && !/Suppress/.test(textAt(bounce, 'bounceSubType') ?? '')
}
