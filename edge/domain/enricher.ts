// Defines the enricher: a customer's endpoint that is called for data during a run.

import type { Json, JsonObject } from '../../contract/json.ts'
import type { EnricherErrorCode } from '../../contract/resources/enricher.ts'
import { sha256Hex } from '../lib/hmac.ts'
import type { AuditEntry } from './audit.ts'

/** The stored settings of an enricher. `name` is unique within the environment. */
export interface Enricher {
  /** Our integer, in the order of creation; never on the wire. */
  enricherNo: number
  environmentId: number
  name: string
  /** https, or http to a range of OUTBOUND_ALLOW; without user, password and fragment. */
  url: string
  /** Limit for one attempt in milliseconds, from the name resolution to the last byte of the answer. */
  timeoutMs: number
  /** Lifetime of a successful answer for the same params and user; 0: not cached. */
  cacheSeconds: number
  createdAt: number
  updatedAt: number
}

export type NewEnricher = Omit<Enricher, 'enricherNo'>

/** Stores enrichers, each change with its audit entry in the same transaction. */
export interface EnricherRegistry {
  find(environmentId: number, name: string): Promise<Enricher | undefined>
  /** @returns those of these names that the environment has */
  findNames(environmentId: number, names: readonly string[]): Promise<string[]>
  /** Lists newest first; `before` is the number at which the page ends (exclusive). */
  list(environmentId: number, before: number | null, limit: number): Promise<Enricher[]>
  /** Inserts it, or replaces all but `createdAt` of the one with its name. @returns the stored enricher */
  save(enricher: NewEnricher, audit: AuditEntry): Promise<Enricher>
  /** False when there is none; then nothing is written. */
  remove(environmentId: number, name: string, audit: AuditEntry): Promise<boolean>
}

/** One call of one enricher. Its parts are sent unchanged: plain JSON, already rendered. */
export interface EnricherCall {
  environmentId: number
  name: string
  params: JsonObject
  /** The user as conditions and templates see it. */
  user: { id: string }
  /** The event as conditions and templates see it. */
  event: object
  /**
   * `callIdOf(run, step)`: equal for every attempt, also after a crash, so that the customer can recognise a repeat.
   */
  callId: string
  /** Correlation id for the log. */
  correlationId: string
  /** True for a trial: the cache is neither read nor written, and an open circuit lets the call pass. */
  isTest?: boolean
}

export interface EnricherSuccess {
  ok: true
  /** The handler's JSON within the limits, without the key `__proto__`. */
  data: Json
  /** Bytes of the data as JSON text. */
  bytes: number
  /** Cached from an earlier call: nothing was sent. */
  cached: boolean
  /** Requests sent for this answer; 0 when it was cached. */
  attempts: number
  durationMs: number
}

export interface EnricherFailure {
  ok: false
  code: EnricherErrorCode
  /** One line for people, without secrets, addresses and credentials; may quote the handler. */
  message: string
  /** Only with `hmac-invalid`: missing-header, bad-signature or stale-timestamp. */
  reason?: string
  attempts: number
  durationMs: number
  /**
   * Only with `busy`: milliseconds after which the endpoint may be called. The run should wait until then: postpone its
   * job, with the same `callId`, without counting an attempt.
   */
  retryAfterMs?: number
}

export type EnricherResult = EnricherSuccess | EnricherFailure

/** Limits a call with its three attempts and pauses (ms). The claim of its run is renewed meanwhile. */
export const CALL_LIMIT_MS = 45_000

/** The port of the run engine; `edge/enrichers/` implements it. */
export interface Enrichers {
  /**
   * Calls the enricher at least once, with up to three attempts (network, 429, 5xx). Every behaviour of the endpoint is
   * a result, never an exception, within CALL_LIMIT_MS.
   * Rejects only for faults of this service (unreadable store, stopping process): the job must be repeated, and the
   * call with it.
   * A caller with few slots must not hold one meanwhile, because an endpoint may take all of that time.
   */
  call(call: EnricherCall): Promise<EnricherResult>
  /**
   * Returns the cached answer of `call` without waiting, so that the run need not wait either; undefined without one.
   */
  findCached(call: Omit<EnricherCall, 'callId' | 'correlationId'>): EnricherSuccess | undefined
}

/** Returns the `webhook-id` of a step of a run. Without `.`, which separates the signed fields. */
export function callIdOf(runId: number, stepId: string): string {
  return `enr_${sha256Hex(`${runId}\n${stepId}`).slice(0, 32)}`
}

/** Formats a failure for a run's trace: code first, for people and programs. */
export function failureReason({ code, reason, message }: EnricherFailure): string {
  return reason === undefined ? `${code}: ${message}` : `${code} (${reason}): ${message}`
}
