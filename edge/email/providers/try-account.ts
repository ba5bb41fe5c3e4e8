// Tries an account at a provider's HTTP API by a call that only reads: nothing is sent, and nothing is changed.

import type { AccountFault } from '../../domain/mail/mail-provider.ts'
import type { GuardedFetch, OutboundAnswer } from '../../lib/outbound/guarded-fetch.ts'
import { OutboundError } from '../../lib/outbound/outbound-error.ts'
import { type Fields, fieldsOf } from '../../lib/webhook-body.ts'
import { readJson, toWords, USER_AGENT } from './http-answer.ts'

/** A silent provider keeps the doctor no longer. */
const TIMEOUT_MS = 5000

export interface AccountRead {
  fetch: GuardedFetch['fetch']
  url: string
  headers: Record<string, string>
  /** Texts that no words may contain, in every form in which the request has them. */
  secrets: readonly string[]
  readError(answer: OutboundAnswer): string | undefined
  /** What a refusal means where the statuses do not tell; undefined: what they say. */
  judge?(answer: OutboundAnswer): 'valid' | 'refused' | 'untried' | undefined
  /** @returns How an account that is for tests sends; undefined for one that sends to everybody */
  findLimit?(account: Fields): string | undefined
}

/** @returns What keeps mails from the provider; null when the account answers. Never rejects. */
export async function readAccountOf(read: AccountRead): Promise<AccountFault | null> {
  const { fetch, url, secrets, readError, judge, findLimit } = read
  const headers = { 'user-agent': USER_AGENT, accept: 'application/json', ...read.headers }
  try {
    const answer = await fetch(url, { timeoutMs: TIMEOUT_MS, headers })
    const verdict = judge?.(answer) ?? verdictOf(answer.status)
    const limit = verdict === 'valid' ? findLimit?.(fieldsOf(readJson(answer.body))) : undefined
    if (limit !== undefined) return { kind: 'tests', words: limit }
    if (verdict === 'valid') return null
    return { kind: verdict, words: toWords(`${answer.status}: ${readError(answer) ?? answer.body}`, secrets) }
  } catch (error) {
    const isForbidden = error instanceof OutboundError && error.reason === 'forbidden-address'
    const words = error instanceof Error ? error.message : 'The provider was not reached.'
    return { kind: isForbidden ? 'address' : 'unreached', words: toWords(words, secrets) }
  }
}

/** A status that says nothing about the account, such as 404 of a proxy, is no fault of it. */
function verdictOf(status: number): 'valid' | 'refused' | 'unreached' | 'untried' {
  if (status >= 200 && status < 300) return 'valid'
  if (status === 401 || status === 403) return 'refused'
  return status >= 500 ? 'unreached' : 'untried'
}
