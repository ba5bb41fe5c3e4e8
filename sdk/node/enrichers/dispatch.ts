// Answers an enricher call in every case: verifies, finds, validates and runs the handler.

import { type DispatchOptions, type DispatchResponse, type DispatchSuccess, toFailure } from './answer.ts'
import { openEnvelope } from './envelope.ts'
import { EnricherError, EnricherHandlerError, EnricherInputValidationError, EnricherNotFoundError } from './errors.ts'
import type { Registered, Registry } from './registry.ts'

export interface DispatchDeps {
  /** Undefined when the client has no `webhookSigningSecret`. */
  signingKeys: readonly Uint8Array[] | undefined
  registry: Registry
  /** Epoch milliseconds. */
  now(): number
  onError(error: EnricherError): void
}

export type Dispatch = (body: unknown, options?: DispatchOptions) => Promise<DispatchResponse>

/** The service refuses a longer answer; a check here can report the reason. */
const MAX_DATA_BYTES = 1024 * 1024 - 1024

export function createDispatch(deps: DispatchDeps): Dispatch {
  return async function dispatch(body, options) {
    try {
      return await answer(deps, body, options ?? {})
    } catch (error) {
      const failure = toEnricherError(error)
      report(deps, failure)
      return toFailure(failure)
    }
  }
}

async function answer(deps: DispatchDeps, body: unknown, options: DispatchOptions): Promise<DispatchSuccess> {
  const begun = performance.now()
  if (deps.signingKeys === undefined) throw new EnricherError('This client has no webhookSigningSecret.')
  const { params, ...call } = openEnvelope(deps.signingKeys, body, options, deps.now())
  const enricher = deps.registry.find(call.name)
  if (enricher === undefined) throw new EnricherNotFoundError(call.name)

  const checked = await enricher.validate(params)
  if ('issues' in checked) throw new EnricherInputValidationError(call.name, checked.issues)
  const { id, name, user, event } = call
  const context = { name, id, user, event, sentAt: new Date(call.sentAt), signal: options.signal }
  const data = await ask(enricher, checked.value, context)
  return { ok: true, data, name, durationMs: Math.round(performance.now() - begun) }
}

/** Runs the handler and returns its result as the service will parse it. */
async function ask(
  ...[{ handle }, params, context]: [Registered, ...Parameters<Registered['handle']>]
): Promise<unknown> {
  let text: string | undefined
  try {
    text = JSON.stringify(await handle(params, context))
  } catch (cause) {
    throw new EnricherHandlerError(`The enricher "${context.name}" failed.`, { cause })
  }
  if (text !== undefined && new TextEncoder().encode(text).byteLength > MAX_DATA_BYTES) {
    const cause = new RangeError('The answer is longer than 1 MiB.')
    throw new EnricherHandlerError(`The enricher "${context.name}" answered more than 1 MiB.`, { cause })
  }
  return text === undefined ? null : JSON.parse(text)
}

// The thrown value may be anything, even a proxy that throws again.
function toEnricherError(error: unknown): EnricherError {
  try {
    if (error instanceof EnricherError) return error
  } catch {
    // The value becomes the cause without another look.
  }
  return new EnricherError('The dispatch failed.', { cause: error })
}

/** Reports a failure. The listener's own failure does not change the answer. */
function report({ onError }: DispatchDeps, error: EnricherError): void {
  try {
    const handled: unknown = onError(error)
    Promise.resolve(handled).catch(() => {})
  } catch {
    // The listener failed.
  }
}
