// Sends by the Send API v3.1 of Mailjet, and reads the events of its webhooks, which it does not sign.

import type {
  Credentials,
  MailAddress,
  MailProvider,
  OutgoingMail,
  ReportKind,
} from '../../domain/mail/mail-provider.ts'
import { baseUrlField, baseUrlOf, checkFields } from './credential-fields.ts'
import { type Fields, listAt, parseFields, parseJson, textAt, toFields, valueAt } from './fields.ts'
import { listSecrets } from './foreign-text.ts'
import { type ApiAnswer, basicAuth, createHttpSender, isRefusalStatus } from './http-sender.ts'
import type { ProviderDeps } from './provider-deps.ts'
import { collectReports, decodeBody, fromSeconds, type RawReport, refuseBody } from './reports.ts'

const TITLE = 'Mailjet'
const BASE_URL = 'https://api.mailjet.com'
const FIELDS = [
  { name: 'apiKey', label: 'API key', isSecret: false, isRequired: true },
  { name: 'secretKey', label: 'Secret key', isSecret: true, isRequired: true },
  baseUrlField(`${BASE_URL} or https://api.us.mailjet.com`),
] as const

/** Creates the provider; `usesWebhookPassword`: the route checks the password of the webhook's address. */
export function createMailjet(deps: ProviderDeps): MailProvider {
  return {
    name: 'mailjet',
    title: TITLE,
    takesIdempotencyKeys: false,
    tracksEngagement: true,
    usesWebhookPassword: true,
    fields: FIELDS,
    check: (credentials) => checkFields(FIELDS, credentials),
    createSender: (credentials) => createHttpSender(deps, toApi(credentials)),
    createWebhookReader: () => ({
      async read(call) {
        const body = parseJson(keepLongIds(decodeBody(call.body) ?? ''))
        // Grouped events are an array, single ones an object.
        const events = Array.isArray(body) ? body : toFields(body) === undefined ? undefined : [body]
        if (events === undefined) return refuseBody('The body is neither a JSON object nor an array.')
        return collectReports(call, events, readEvent)
      },
    }),
  }
}

/**
 * Turns the integers of `MessageID` into texts: they are larger than a double holds. The pattern cannot match inside a
 * text, where each quote follows a backslash.
 */
function keepLongIds(json: string): string {
  return json.replace(/"MessageID"\s*:\s*(\d{1,20})(?=\s*[,}])/g, '"MessageID":"$1"')
}

function toApi(credentials: Credentials) {
  const { apiKey = '', secretKey = '' } = credentials
  return {
    title: TITLE,
    secrets: listSecrets(FIELDS, credentials),
    toRequest: (mail: OutgoingMail) => ({
      url: `${baseUrlOf(credentials, BASE_URL)}/v3.1/send`,
      headers: { authorization: basicAuth(apiKey, secretKey), 'content-type': 'application/json' },
      body: JSON.stringify({ Messages: [toMessage(mail)] }),
    }),
    findAccepted: ({ body }: ApiAnswer) => {
      const message = firstMessage(parseFields(keepLongIds(body)))
      if (textAt(message, 'Status') !== 'success') return undefined
      return { id: textAt(toFields(listAt(message, 'To')[0]), 'MessageID') }
    },
    findWords: ({ json }: ApiAnswer) => {
      const words = listErrors(json).flatMap((error) => textAt(error, 'ErrorMessage') ?? [])
      return words.length > 0 ? words.join(' ') : (textAt(json, 'ErrorMessage') ?? undefined)
    },
    // Each error of a message has its own status: 401 and 403 are about the account, such as a sender to be confirmed.
    isRefusal: (answer: ApiAnswer) =>
      isRefusalStatus(answer) &&
      !listErrors(answer.json).some((error) => ['401', '403'].includes(textAt(error, 'StatusCode') ?? '')),
  }
}

function firstMessage(json: Fields | undefined): Fields | undefined {
  return toFields(listAt(json, 'Messages')[0])
}

function listErrors(json: Fields | undefined): Fields[] {
  return listAt(firstMessage(json), 'Errors').flatMap((error): Fields[] => {
    const fields = toFields(error)
    return fields === undefined ? [] : [fields]
  })
}

function toMessage(mail: OutgoingMail): Record<string, unknown> {
  return {
    From: toParty(mail.from),
    To: [toParty(mail.to)],
    ...(mail.replyTo !== null && { ReplyTo: { Email: mail.replyTo } }),
    Subject: mail.subject,
    TextPart: mail.text,
    HTMLPart: mail.html,
    CustomID: mail.messageId,
    Headers: mail.headers,
    TrackOpens: mail.tracking.opens ? 'enabled' : 'disabled',
    TrackClicks: mail.tracking.clicks ? 'enabled' : 'disabled',
  }
}

function toParty({ name, address }: MailAddress): Record<string, string> {
  return { Email: address, ...(name !== null && { Name: name }) }
}

const KINDS = new Map<string, ReportKind>([
  ['open', 'opened'],
  ['click', 'clicked'],
  ['sent', 'delivered'],
  ['bounce', 'bounced'],
  ['blocked', 'dropped'],
  ['spam', 'complaint'],
  ['unsub', 'unsubscribe'],
])

/**
 * Reads one event. `blocked` is Mailjet's own decision, and a bounce that is not hard may pass: both are `dropped`.
 * The error `greylisted` is no end: Mailjet tries again.
 */
function readEvent(event: Fields): RawReport | null {
  const name = textAt(event, 'event') ?? ''
  const found = KINDS.get(name)
  if (found === undefined) return null
  const kind = found === 'bounced' || found === 'dropped' ? findFailure(event, found) : found
  const id = textAt(event, 'MessageID')
  const time = textAt(event, 'time')
  return {
    kind,
    messageId: textAt(event, 'CustomID') ?? textAt(event, 'Payload'),
    providerMessageId: id,
    eventKey: [name, id, time],
    at: fromSeconds(time),
    address: textAt(event, 'email'),
    link: kind === 'clicked' ? textAt(event, 'url') : null,
    reason: kind === found ? findReason(event, kind) : findReason(event, 'bounced'),
  }
}

function findFailure(event: Fields, kind: ReportKind): ReportKind {
  const isHard = valueAt(event, 'hard_bounce') === true
  if (textAt(event, 'error') === 'greylisted' && !isHard) return 'deferred'
  return kind === 'bounced' && !isHard ? 'dropped' : kind
}

function findReason(event: Fields, kind: ReportKind): string | null {
  if (kind !== 'bounced' && kind !== 'dropped') return null
  const parts = [textAt(event, 'error'), textAt(event, 'comment')].filter((part) => part !== null)
  return parts.length > 0 ? parts.join(': ') : null
}
