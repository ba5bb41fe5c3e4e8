// Sends mails through a provider's HTTP API, and decides from its answer what became of a mail.

import type { MailSender, OutgoingMail, SendOutcome } from '../../domain/mail/mail-provider.ts'
import type { OutboundAnswer } from '../../lib/outbound/guarded-fetch.ts'
import { OutboundError } from '../../lib/outbound/outbound-error.ts'
import { parseRetryAfter } from '../../lib/outbound/retry-after.ts'
import { type Fields, parseFields } from './fields.ts'
import { toOneLine } from './foreign-text.ts'
import type { ProviderDeps } from './provider-deps.ts'
import { toSafeMail } from './safe-mail.ts'

const TIMEOUT_MS = 15_000
/** Resend refuses calls without a name of the caller. */
const USER_AGENT = 'notification-center'

export interface ApiRequest {
  url: string
  /** By lower-case name. */
  headers: Record<string, string>
  body: string
}

export interface ApiAnswer extends OutboundAnswer {
  /** The body, when it is a JSON object. */
  json: Fields | undefined
}

/** An API in the words of its provider. */
export interface MailApi {
  title: string
  /** Texts that no error may contain. */
  secrets: readonly string[]
  toRequest(mail: OutgoingMail): ApiRequest | Promise<ApiRequest>
  /** Reads an answer of status 2xx. @returns undefined when it is none of this API */
  findAccepted(answer: ApiAnswer): { id: string | null } | undefined
  /** @returns the provider's own words about a failure */
  findWords(answer: ApiAnswer): string | undefined
  /** Whether the mail is at fault, not the account. Default: status 400, 413 and 422. */
  isRefusal?(answer: ApiAnswer): boolean
  /** Whether an earlier call with the same idempotency key may have succeeded. */
  isRepeat?(answer: ApiAnswer): boolean
}

const REFUSALS = [400, 413, 422]

export function isRefusalStatus({ status }: { status: number }): boolean {
  return REFUSALS.includes(status)
}

/** Sends one mail a call. */
export function createHttpSender({ fetch, clock, timeoutMs = TIMEOUT_MS }: ProviderDeps, api: MailApi): MailSender {
  const inProgress = new Set<Promise<SendOutcome>>()

  async function handOver(mail: OutgoingMail): Promise<SendOutcome> {
    const safe = toSafeMail(mail)
    if ('refused' in safe) return { outcome: 'refused', error: safe.refused }
    const { url, headers, body } = await api.toRequest(safe.mail)
    try {
      const options = { method: 'POST' as const, headers: { 'user-agent': USER_AGENT, ...headers }, body, timeoutMs }
      return readAnswer(await fetch(url, options))
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      return readOutboundError(error)
    }
  }

  function readAnswer(raw: OutboundAnswer): SendOutcome {
    const answer = { ...raw, json: raw.isUtf8 ? parseFields(raw.body) : undefined }
    const isSuccess = answer.status >= 200 && answer.status < 300
    const accepted = isSuccess ? api.findAccepted(answer) : undefined
    if (accepted !== undefined) return { outcome: 'accepted', providerMessageId: accepted.id }
    const words = api.findWords(answer) ?? (isSuccess ? 'an answer that cannot be read' : 'no reason')
    const error = toOneLine(`${api.title} answered ${answer.status}: ${words}`, api.secrets)
    if (isSuccess || api.isRepeat?.(answer) === true) return { outcome: 'unknown', error }
    if ((api.isRefusal ?? isRefusalStatus)(answer)) return { outcome: 'refused', error }
    const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], clock.now())
    return { outcome: 'unavailable', error, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  }

  function readOutboundError({ reason, message, wasSent }: OutboundError): SendOutcome {
    // A redirect is an answer: nothing was taken.
    const isUnknown = wasSent && reason !== 'redirect'
    return { outcome: isUnknown ? 'unknown' : 'unavailable', error: `${api.title}: ${message}` }
  }

  return {
    async send(mail) {
      const sending = handOver(mail).catch((error: unknown): SendOutcome => {
        const words = error instanceof Error ? error.message : String(error)
        return { outcome: 'refused', error: toOneLine(`The mail could not be built: ${words}`, api.secrets) }
      })
      inProgress.add(sending)
      return sending.finally(() => inProgress.delete(sending))
    },
    close: async () => void (await Promise.all(inProgress)),
  }
}

/** @returns the header `Authorization` of HTTP Basic */
export function basicAuth(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
