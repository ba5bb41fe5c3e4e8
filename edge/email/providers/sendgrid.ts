// Sends by the Mail Send API of SendGrid, verifies its signed Event Webhook (ECDSA), and reads its events.

import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { Credentials, MailAddress, MailProvider, OutgoingMail } from '../../domain/mail/mail-provider.ts'
import { baseUrlField, baseUrlOf, checkFields } from './credential-fields.ts'
import { type Fields, listAt, parseJson, textAt, toFields, valueAt } from './fields.ts'
import { listSecrets } from './foreign-text.ts'
import { type ApiAnswer, createHttpSender } from './http-sender.ts'
import type { ProviderDeps } from './provider-deps.ts'
import { collectReports, decodeBody, fromSeconds, type RawReport, refuseBody } from './reports.ts'

const TITLE = 'SendGrid'
const BASE_URL = 'https://api.sendgrid.com'
const FIELDS = [
  { name: 'apiKey', label: 'API key with the permission "Mail Send"', isSecret: true, isRequired: true },
  {
    name: 'webhookPublicKey',
    label: 'Verification key of the signed Event Webhook',
    isSecret: false,
    isRequired: false,
  },
  baseUrlField(`${BASE_URL} or https://api.eu.sendgrid.com`),
] as const

/** Creates the provider. Signatures have no end, since SendGrid retries for a day: a repeated event has its `sg_event_id`. */
export function createSendgrid(deps: ProviderDeps): MailProvider {
  return {
    name: 'sendgrid',
    title: TITLE,
    takesIdempotencyKeys: false,
    tracksEngagement: true,
    usesWebhookPassword: false,
    fields: FIELDS,
    check(credentials) {
      const faults = checkFields(FIELDS, credentials)
      if (credentials.webhookPublicKey === undefined || toPublicKey(credentials.webhookPublicKey) !== undefined) {
        return faults
      }
      return [...faults, { path: 'webhookPublicKey', message: 'Is no public key in base64.' }]
    },
    createSender: (credentials) => createHttpSender(deps, toApi(credentials)),
    createWebhookReader(credentials) {
      const key = toPublicKey(credentials.webhookPublicKey ?? '')
      return {
        async read(call) {
          if (key === undefined) return { ok: false, reason: 'The integration has no verification key.' }
          const signature = call.headers['x-twilio-email-event-webhook-signature']
          const timestamp = call.headers['x-twilio-email-event-webhook-timestamp']
          if (typeof signature !== 'string' || typeof timestamp !== 'string') {
            return { ok: false, reason: 'A header of the signature is missing.' }
          }
          const signed = Buffer.concat([Buffer.from(timestamp), call.body])
          if (!verify('sha256', signed, key, Buffer.from(signature, 'base64'))) {
            return { ok: false, reason: 'The signature is wrong.' }
          }
          const events = parseJson(decodeBody(call.body) ?? '')
          if (!Array.isArray(events)) return refuseBody('The body is not a JSON array of events.')
          return collectReports(call, events, readEvent)
        },
      }
    },
  }
}

function toApi(credentials: Credentials) {
  const { apiKey = '' } = credentials
  return {
    title: TITLE,
    secrets: listSecrets(FIELDS, credentials),
    toRequest: (mail: OutgoingMail) => ({
      url: `${baseUrlOf(credentials, BASE_URL)}/v3/mail/send`,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(toBody(mail)),
    }),
    findAccepted: ({ headers }: ApiAnswer) => {
      const id = headers['x-message-id']
      return { id: typeof id === 'string' ? id : null }
    },
    findWords: ({ json }: ApiAnswer) => {
      const words = listAt(json, 'errors').flatMap((error) => textAt(toFields(error), 'message') ?? [])
      return words.length > 0 ? words.join(' ') : undefined
    },
    isRefusal: ({ status }: ApiAnswer) => status === 400 || status === 413,
  }
}

function toBody(mail: OutgoingMail): Record<string, unknown> {
  const parts = [
    { type: 'text/plain', value: mail.text },
    { type: 'text/html', value: mail.html },
  ]
  return {
    personalizations: [{ to: [toParty(mail.to)], custom_args: { messageId: mail.messageId } }],
    from: toParty(mail.from),
    ...(mail.replyTo !== null && { reply_to: { email: mail.replyTo } }),
    subject: mail.subject,
    content: parts.filter(({ value }) => value !== ''),
    headers: mail.headers,
    tracking_settings: {
      open_tracking: { enable: mail.tracking.opens },
      click_tracking: { enable: mail.tracking.clicks, enable_text: false },
    },
  }
}

function toParty({ name, address }: MailAddress): Record<string, string> {
  return { email: address, ...(name !== null && { name }) }
}

function toPublicKey(text: string): KeyObject | undefined {
  try {
    const key = createPublicKey({
      key: Buffer.from(text.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64'),
      format: 'der',
      type: 'spki',
    })
    return key.asymmetricKeyType === 'ec' ? key : undefined
  } catch {
    return undefined
  }
}

const KINDS = new Map<string, RawReport['kind']>([
  ['open', 'opened'],
  ['click', 'clicked'],
  ['delivered', 'delivered'],
  ['bounce', 'bounced'],
  ['dropped', 'dropped'],
  ['deferred', 'deferred'],
  ['spamreport', 'complaint'],
  ['unsubscribe', 'unsubscribe'],
  ['group_unsubscribe', 'unsubscribe'],
])

/**
 * Reads one event. A `bounce` of type `blocked` is about this mail, and a `dropped` one is SendGrid's own decision
 * ("Bounced Address", "Unsubscribed Address"): both are `dropped`. An open by a machine is a `read`.
 */
function readEvent(event: Fields): RawReport | null {
  const name = textAt(event, 'event') ?? ''
  const kind = KINDS.get(name)
  if (kind === undefined) return null
  const isMachine = name === 'open' && valueAt(event, 'sg_machine_open') === true
  const isBlocked = name === 'bounce' && textAt(event, 'type') === 'blocked'
  const isFailure = kind === 'bounced' || kind === 'dropped'
  return {
    kind: isMachine ? 'read' : isBlocked ? 'dropped' : kind,
    messageId: textAt(event, 'messageId'),
    // The event's id continues after the one that the acceptance had.
    providerMessageId: textAt(event, 'sg_message_id')?.replace(/\.(?:filter|recvd).*$/s, '') ?? null,
    eventKey: [textAt(event, 'sg_event_id')],
    at: fromSeconds(textAt(event, 'timestamp')),
    address: textAt(event, 'email'),
    link: name === 'click' ? textAt(event, 'url') : null,
    reason: isFailure ? (textAt(event, 'reason') ?? textAt(event, 'response')) : null,
  }
}
