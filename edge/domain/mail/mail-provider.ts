// Defines the port of a mail provider: it sends a mail, verifies a webhook's call, and reads its events.

import type { IncomingHttpHeaders } from 'node:http'
import type { CredentialField } from '../../../contract/resources/email-integration.ts'
import type { MailProviderName } from '../../../contract/tenant.ts'
import type { MailAttachment } from './attachment.ts'

export interface MailAddress {
  /** Display name; null: none. */
  name: string | null
  address: string
}

/** A composed mail. All texts are free of line breaks where a header takes them. */
export interface OutgoingMail {
  /** Our id of the message (`msg_…`), which the provider gets as metadata and returns in its events. */
  messageId: string
  /** Equal for every attempt of this message. */
  idempotencyKey: string
  from: MailAddress
  to: MailAddress
  /** Copies that all recipients see, and copies that nobody else sees; absent: none. No address twice. */
  cc?: readonly MailAddress[]
  bcc?: readonly MailAddress[]
  replyTo: string | null
  subject: string
  html: string
  text: string
  /** Further headers by name, such as `List-Unsubscribe`. */
  headers: Record<string, string>
  /** Absent: none. */
  attachments?: readonly MailAttachment[]
  /** Whether the provider's own tracking of opens and clicks is on. Own tracking is in `html` already. */
  tracking: { opens: boolean; clicks: boolean }
}

/** `error` is the provider's answer in one line of words for people, without credentials. */
export type SendOutcome =
  /** The provider took the mail. */
  | { outcome: 'accepted'; providerMessageId: string | null; answer?: string }
  /**
   * Refused for reasons of the message (an address, the content): no provider is asked again. `unknownAddress`: the
   * provider says of this recipient that there is no such mailbox, or that it takes no mails.
   */
  | { outcome: 'refused'; error: string; unknownAddress?: string }
  /** The mail cannot be written as it goes over the wire: nobody was asked. */
  | { outcome: 'render-error'; error: string }
  /** Nothing was taken for reasons of the provider: out of reach, quota, credentials, 5xx. */
  | {
      outcome: 'unavailable'
      error: string
      retryAfterMs?: number
      /** It takes no mails of this account until `retryAfterMs`, or for a while. */
      isRateLimited?: true
    }
  /** The provider may have taken it: the connection ended, or the time, after the mail was handed over. */
  | { outcome: 'unknown'; error: string }

/** Sends with the credentials of one integration. */
export interface MailSender {
  /** Never rejects. */
  send(mail: OutgoingMail): Promise<SendOutcome>
  /** Ends idle connections; mails in progress end first. */
  close(): Promise<void>
}

/** A way on which an environment's mails may go: one of its integrations, or the server's own sender. */
export interface MailRoute {
  /** `OWN_SENDER` without one. */
  integrationId: number
  provider: MailProviderName | 'mailbox'
  takesIdempotencyKeys: boolean
  tracksEngagement: boolean
  /** Its mails need permits (`HeldMails`); null: they need none. */
  maxPerSecond: number | null
  /** The sender where the notification config names none. */
  from: MailAddress
  sender: MailSender
}

/** A call of a provider's webhook as it arrived. */
export interface WebhookCall {
  /** By lower-case name, as node has them. */
  headers: IncomingHttpHeaders
  body: Buffer
  contentType: string
  /** Epoch ms. */
  now: number
}

export type ReportKind =
  /** A display without the person, such as a proxy that fetches pictures. */
  | 'read'
  | 'opened'
  | 'clicked'
  | 'delivered'
  /** Refused for good: the address is suppressed. */
  | 'bounced'
  /** Not delivered, for a reason that may pass or that lies in the message: the address stays. */
  | 'dropped'
  | 'deferred'
  | 'complaint'
  | 'unsubscribe'

/** One event of a provider. */
export interface MailReport {
  kind: ReportKind
  /** Ours, from the metadata; null when it is missing. */
  messageId: string | null
  /** The provider's id of the mail. */
  providerMessageId: string | null
  /** Equal when the provider sends the event again. */
  eventId: string
  /** Epoch ms. */
  at: number
  /** The provider says that a machine caused it. */
  automated: boolean
  /** The recipient; null when the event has none. */
  address: string | null
  /** The followed link, of a click. */
  link: string | null
  /** In words, of a bounce. */
  reason: string | null
}

export type WebhookVerdict =
  | {
      ok: true
      reports: MailReport[] /** Events of kinds that mean nothing here. */
      ignored: number /** Must not be taken twice: recorded as an event id. */
      onceOnly?: readonly string[]
    }
  /** The signature is missing, wrong or too old. */
  | { ok: false; reason: string }
  /** The call is signed, and asks to confirm a subscription at this address of the provider. */
  | { ok: true; confirmUrl: string }

export interface WebhookReader {
  /**
   * Verifies the call over its raw bytes, and reads its events.
   * @throws ApiError `request/invalid-body` for a signed body that cannot be read
   */
  read(call: WebhookCall): Promise<WebhookVerdict>
}

export type Credentials = Record<string, string>

/**
 * `address`: OUTBOUND_ALLOW does not contain it. `untried`: the answer does not tell whether mails would be taken. `tests`:
 * mails are taken, and not sent to everybody.
 */
export interface AccountFault {
  kind: 'address' | 'refused' | 'unreached' | 'untried' | 'tests'
  /** The provider's answer in one line, or what its account is for; without credentials. */
  words: string
}

export interface MailProvider {
  name: MailProviderName
  /** For people: `Amazon SES`. */
  title: string
  /** Asked twice with one key, it sends once: a mail of unknown outcome is handed over again. */
  takesIdempotencyKeys: boolean
  /** Its events name opens and clicks; without them the links and a pixel are our own. */
  tracksEngagement: boolean
  fields: readonly CredentialField[]
  /** @returns what is wrong with the credentials, by field; empty when nothing is */
  check(credentials: Credentials): { path: string; message: string }[]
  createSender(credentials: Credentials): MailSender
  /** Reads the account without sending; null: another program tries it (`try-mail-server.ts`). */
  tryAccount: ((credentials: Credentials) => Promise<AccountFault | null>) | null
  /** Null: the provider has no webhook. */
  createWebhookReader: ((credentials: Credentials) => WebhookReader) | null
  /** The user name and password that the webhook's address needs, for providers that sign nothing. */
  usesWebhookPassword: boolean
}

export type MailProviders = ReadonlyMap<MailProviderName, MailProvider>
