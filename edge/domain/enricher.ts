// The enricher: a customer's endpoint that is asked for data while a run is under way (specification 2.6, 4.6, 7.3, contract section 8).

import { sha256Hex } from '../lib/hmac.ts'
import type { AuditEntry } from './audit.ts'
import type { Json, JsonObject } from './json.ts'

/** What an environment keeps of one of its enrichers. `name` is unique within it. */
export interface Enricher {
  /** Our integer, in the order in which they were made; never on the wire. */
  enricherNo: number
  environmentId: number
  name: string
  /** https, or http to a range of OUTBOUND_ALLOW; without user, password and fragment. */
  url: string
  /** For one attempt, from the name's look-up to the last byte of the answer. */
  timeoutMs: number
  /** How long a good answer is kept for the same params and user; 0: never. */
  cacheSeconds: number
  createdAt: number
  updatedAt: number
}

export type NewEnricher = Omit<Enricher, 'enricherNo'>

/** The rows. What was changed is in the audit log with it, in the same transaction. */
export interface EnricherRegistry {
  find(environmentId: number, name: string): Promise<Enricher | undefined>
  /** Newest first; `before` is the number that the page ends at (exclusive). */
  list(environmentId: number, before: number | null, limit: number): Promise<Enricher[]>
  /** Inserts it, or replaces all but `createdAt` of the one that has its name. Answers what is kept now. */
  save(enricher: NewEnricher, audit: AuditEntry): Promise<Enricher>
  /** False when there is none; then nothing is written. */
  remove(environmentId: number, name: string, audit: AuditEntry): Promise<boolean>
}

/** One question to one enricher. Its parts are sent as they are: plain JSON, already rendered. */
export interface EnricherCall {
  environmentId: number
  name: string
  params: JsonObject
  /** As conditions and templates see it. */
  user: { id: string }
  /** As conditions and templates see it. */
  event: object
  /** `callIdOf(run, step)`: the same for every attempt and after every crash, so that the customer can know a repeat. */
  callId: string
  /** For the log lines. */
  correlationId: string
  /** A person tries it out: the answer is neither taken from the cache nor kept, and an open circuit lets it pass. */
  isTest?: boolean
}

/** What the customer's SDK says (specification 7.3). */
export const ENRICHER_ERRORS = [
  'input-invalid',
  'hmac-invalid',
  'enricher-not-found',
  'handler-error',
  'internal',
] as const

/** What we say of a call that came to no such word. */
export const CALL_ERRORS = [
  /** The environment has no enricher of that name (any more). */
  'unknown-enricher',
  /** No webhookSigningSecret is live, so nothing can be signed. */
  'no-signing-secret',
  /** The envelope would be larger than an event may be. */
  'params-too-large',
  'timeout',
  'unreachable',
  /** The certificate is not valid for that host. */
  'bad-certificate',
  /** The address is not public, or speaks http. */
  'blocked-address',
  'redirect',
  'too-large',
  /** No JSON of the documented form, or one that our limits refuse. */
  'bad-answer',
  /** An HTTP status that says neither yes nor a documented no, such as those of gateways. */
  'bad-status',
  /** 429, also at the last attempt. */
  'rate-limited',
  /** It failed so often lately that it is left alone for a while; nothing was sent. */
  'circuit-open',
  /** As many calls are under way there, and wait, as may; nothing was sent. */
  'busy',
] as const

export type EnricherErrorCode = (typeof ENRICHER_ERRORS)[number] | (typeof CALL_ERRORS)[number]

export interface EnricherSuccess {
  ok: true
  /** The handler's JSON, within the limits of section 1, prototype keys dropped. */
  data: Json
  /** Of the data as JSON text. */
  bytes: number
  /** Kept from an earlier call: nothing was sent. */
  cached: boolean
  /** Requests that were sent for this answer; 0 when it was kept. */
  attempts: number
  durationMs: number
}

export interface EnricherFailure {
  ok: false
  code: EnricherErrorCode
  /** For people, one line, free of secrets, addresses and credentials; may quote what the handler said. */
  message: string
  /** Of `hmac-invalid`: missing-header, bad-signature or stale-timestamp. */
  reason?: string
  attempts: number
  durationMs: number
  /**
   * Only with `busy`: the endpoint has not been asked, and may be after so many milliseconds. The run should go on waiting
   * until then: put its job back, with the same `callId`, and do not count it as an attempt of the job.
   */
  retryAfterMs?: number
}

export type EnricherResult = EnricherSuccess | EnricherFailure

/** No call takes longer, its three attempts and the pauses between them included: shorter than the lease of a job (60 s). */
export const CALL_LIMIT_MS = 45_000

/** What the run engine asks (`edge/enrichers/` answers). */
export interface Enrichers {
  /**
   * Asks the enricher and tells what came of it: at least once, with up to three attempts (network, 429, 5xx). Whatever
   * the customer's endpoint does is a result, never an exception, and comes within CALL_LIMIT_MS. Rejects only for what is
   * ours (the store cannot be read, this process is stopping): then the job is to come back, and with it the call.
   *
   * A caller that has few places must not hold one meanwhile: an endpoint may take all of that time.
   */
  call(call: EnricherCall): Promise<EnricherResult>
  /** The answer that `call` would give from the cache, without waiting for anything: then a run need not wait either. */
  findCached(call: Omit<EnricherCall, 'callId' | 'correlationId'>): EnricherSuccess | undefined
}

/** The `webhook-id` of a step of a run. Without `.`, which parts the fields of what is signed. */
export function callIdOf(runId: number, stepId: string): string {
  return `enr_${sha256Hex(`${runId}\n${stepId}`).slice(0, 32)}`
}

/** What a run's trace says of a failure: code first, so that people and programs can tell them apart. */
export function failureReason({ code, reason, message }: EnricherFailure): string {
  return reason === undefined ? `${code}: ${message}` : `${code} (${reason}): ${message}`
}
