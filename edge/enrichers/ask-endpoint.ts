// Calls an endpoint in up to three attempts; a failure has a code and a message of this service.

import type { EnricherErrorCode } from '../../contract/resources/enricher.ts'
import type { Enricher } from '../domain/enricher.ts'
import type { Clock } from '../lib/clock.ts'
import type { GuardedFetch } from '../lib/outbound/guarded-fetch.ts'
import { OutboundError, type OutboundReason } from '../lib/outbound/outbound-error.ts'
import type { Circuits } from './circuit.ts'
import { addressOf, type Envelope, signRequest } from './envelope.ts'
import { type Attempt, type AttemptFailure, type AttemptSuccess, readAnswer } from './read-answer.ts'

export interface AskDeps {
  fetch: GuardedFetch['fetch']
  /** @returns the valid values of `webhookSigningSecret`, newest first
   * @throws when they cannot be confirmed */
  listSigningSecrets(environmentId: number): Promise<readonly string[]>
  circuits: Circuits
  clock: Clock
  /** Resolves after `ms`, or as soon as the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>
  onAttempt(tookMs: number): void
  onCircuit(enricher: Enricher, change: { openedForMs: number } | 'closed', code: EnricherErrorCode | null): void
}

export interface Question {
  enricher: Enricher
  envelope: Envelope
  /** The key of its circuit. */
  endpoint: string
  isTest: boolean
  /** No attempt begins or lasts beyond it (epoch ms). */
  deadlineAt: number
  /** Aborts when this process stops. */
  signal: AbortSignal
}

export type Asked = (AttemptSuccess | AttemptFailure) & { attempts: number }

/** Between the attempts. */
const PAUSES_MS = [1000, 2000]
/** A `Retry-After` above it ends the attempts. */
const MAX_PAUSE_MS = 5000
/** An attempt with less time left is not begun. */
const MIN_ATTEMPT_MS = 100

/**
 * Calls an endpoint until an attempt succeeds, may not be repeated, or time is over.
 *
 * @returns The result of the last attempt, and the number of attempts.
 * @throws When the process stops, and when the secrets cannot be read.
 */
export async function askEndpoint(deps: AskDeps, question: Question): Promise<Asked> {
  let last: AttemptFailure = circuitOpen()
  for (let attempts = 0; ; attempts++) {
    const state = deps.circuits.enter(question.endpoint, question.isTest && attempts === 0)
    if (state === 'open') return { ...last, attempts }
    const outcome = await attempt(deps, question).catch((error: unknown) => {
      deps.circuits.cancel(question.endpoint, state)
      throw error
    })
    if (outcome === 'no-secret') {
      deps.circuits.cancel(question.endpoint, state)
      return { ...noSecret(), attempts }
    }
    question.signal.throwIfAborted()
    reportCircuit(deps, question, state, outcome)
    if (outcome.ok) return { ...outcome, attempts: attempts + 1 }
    last = outcome
    const pauseMs = pauseAfter(outcome, attempts)
    const isOutOfTime = deps.clock.now() + (pauseMs ?? 0) + MIN_ATTEMPT_MS > question.deadlineAt
    if (pauseMs === undefined || isOutOfTime) return { ...last, attempts: attempts + 1 }
    await deps.pause(pauseMs, question.signal)
    question.signal.throwIfAborted()
  }
}

async function attempt(deps: AskDeps, question: Question): Promise<Attempt | 'no-secret'> {
  const { clock } = deps
  const { enricher, envelope, signal } = question
  const secrets = await deps.listSigningSecrets(enricher.environmentId)
  if (secrets.length === 0) return 'no-secret'
  const startedAt = clock.now()
  const timeoutMs = Math.max(1, Math.min(enricher.timeoutMs, question.deadlineAt - startedAt))
  const { headers, body } = signRequest(envelope, secrets, startedAt)
  try {
    const url = addressOf(enricher.url, enricher.name)
    const answer = await deps.fetch(url, { method: 'POST', headers, body, timeoutMs, signal })
    return readAnswer(answer, clock.now())
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return outboundFailure(error)
  } finally {
    deps.onAttempt(clock.now() - startedAt)
  }
}

/** @returns milliseconds until the next attempt; undefined when there is none */
function pauseAfter({ canRetry, retryAfterMs = 0 }: AttemptFailure, attempts: number): number | undefined {
  const pauseMs = PAUSES_MS[attempts]
  if (!canRetry || pauseMs === undefined || retryAfterMs > MAX_PAUSE_MS) return undefined
  return Math.max(pauseMs, retryAfterMs)
}

function reportCircuit(
  deps: AskDeps,
  { enricher, endpoint }: Question,
  state: 'closed' | 'probe',
  outcome: Attempt,
): void {
  const change = deps.circuits.report(endpoint, state, !outcome.ok && outcome.isDown)
  if (change !== undefined) deps.onCircuit(enricher, change, outcome.ok ? null : outcome.code)
}

type Outbound = Pick<AttemptFailure, 'code' | 'canRetry' | 'isDown'>

const OUTBOUND: Record<OutboundReason, Outbound> = {
  'invalid-url': { code: 'blocked-address', canRetry: false, isDown: false },
  'forbidden-scheme': { code: 'blocked-address', canRetry: false, isDown: false },
  'forbidden-address': { code: 'blocked-address', canRetry: false, isDown: false },
  redirect: { code: 'redirect', canRetry: false, isDown: false },
  'too-large': { code: 'too-large', canRetry: false, isDown: true },
  timeout: { code: 'timeout', canRetry: true, isDown: true },
  'bad-certificate': { code: 'bad-certificate', canRetry: false, isDown: true },
  unreachable: { code: 'unreachable', canRetry: true, isDown: true },
}

/** Keeps the message of the guard, which contains no address. */
function outboundFailure({ reason, message }: OutboundError): AttemptFailure {
  return { ok: false, message, ...OUTBOUND[reason] }
}

function circuitOpen(): AttemptFailure {
  const message = 'The endpoint failed so often lately that no call is sent for a while.'
  return { ok: false, code: 'circuit-open', message, canRetry: false, isDown: false }
}

function noSecret(): AttemptFailure {
  const message = 'The environment has no webhookSigningSecret to sign with.'
  return { ok: false, code: 'no-signing-secret', message, canRetry: false, isDown: false }
}
