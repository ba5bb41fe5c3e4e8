// The client: one environment's keys, and the five operations that all three SDKs have under the same names (specification 4.8).

import type { DispatchOptions, DispatchResponse } from './enrichers/answer.ts'
import { createDispatch, type Dispatch } from './enrichers/dispatch.ts'
import type { EnricherError } from './enrichers/errors.ts'
import { createRegistry, type EnricherHandler } from './enrichers/registry.ts'
import type { JsonSchema } from './schemas/json-schema.ts'
import type { StandardSchema } from './schemas/standard-schema.ts'
import { parseOptions } from './settings.ts'
import { mintToken, type TokenOptions } from './tokens.ts'
import {
  type BatchAnswer,
  createTracker,
  type EventToTrack,
  type TrackAnswer,
  type TrackOptions,
} from './tracking/events.ts'
import { createSender } from './tracking/send.ts'

export interface NotificationClientOptions {
  /** `nc_auth_…`. Never leaves this process: user tokens are computed with it. */
  authSecretKey: string
  /** `nc_sdk_…`. Sent with each tracked event. */
  sdkSecretKey: string
  /** `whsec_…`. Needed by `dispatch()` alone. */
  webhookSigningSecret?: string | undefined
  /** Where the service is reached. Default `http://127.0.0.1:3000`. */
  baseUrl?: string | undefined
  /** For one attempt of a tracking call, to the last byte of its answer. Default 10,000. */
  timeoutMs?: number | undefined
  /** Pauses before the second and the third attempt. Default 1,000 and 2,000; `[]` for no retry. */
  retryDelaysMs?: readonly number[] | undefined
  /** In place of the platform's own: a proxy, a service binding. */
  fetch?: typeof globalThis.fetch | undefined
  /** In place of `Date.now`, for tests. Epoch milliseconds. */
  now?: (() => number) | undefined
  /** Told of every dispatch that failed, with the cause that is not sent to the service. What it throws is dropped. */
  onEnricherError?: ((error: EnricherError) => void) | undefined
}

/** One environment of the service. Holds no connection and no timer; one for the life of the process is enough. */
export class NotificationClient {
  // Private by the language: no inspection, serialisation or error shows what stands behind them.
  readonly #authSecretKey: string
  readonly #tracker: ReturnType<typeof createTracker>
  readonly #registry = createRegistry()
  readonly #dispatch: Dispatch

  /** Throws a TypeError, without the value, for an option that cannot be meant. */
  constructor(options: NotificationClientOptions) {
    const { authSecretKey, signingKeys, sender, now, onEnricherError } = parseOptions(options)
    this.#authSecretKey = authSecretKey
    this.#tracker = createTracker(createSender(sender))
    this.#dispatch = createDispatch({ signingKeys, registry: this.#registry, now, onError: onEnricherError })
  }

  /**
   * Sends one event. Resolves when the service has it on disk. A failed attempt is repeated after 1 s and 2 s, under one
   * idempotency key, so that the event is there once. Rejects with the last attempt's error: a NotificationRequestError for
   * an answer of the service, else what `fetch` itself threw; or with the reason of `signal`.
   */
  track(event: EventToTrack, options: TrackOptions = {}): Promise<TrackAnswer> {
    return this.#tracker.track(event, options)
  }

  /** Sends 1 to 1,000 events in one request. A fault of one event is its own result, and the others are taken. */
  trackBatch(events: readonly EventToTrack[], options: TrackOptions = {}): Promise<BatchAnswer> {
    return this.#tracker.trackBatch(events, options)
  }

  /** The token that this user's page hands to `<notification-center>`. With `expiresAt` it ends by itself: prefer that. */
  generateHashedToken(userId: string, options: TokenOptions = {}): string {
    return mintToken(this.#authSecretKey, userId, options)
  }

  /**
   * Registers what answers the enricher of that name. Its params are checked by the schema first: any Standard Schema (zod,
   * valibot, arktype, …; the handler gets the schema's output), or JSON Schema. Throws EnricherRegistrationError.
   */
  enricher<Output>(name: string, schema: StandardSchema<unknown, Output>, handler: EnricherHandler<Output>): this
  enricher<Params = Record<string, unknown>>(name: string, schema: JsonSchema, handler: EnricherHandler<Params>): this
  enricher(name: string, schema: unknown, handler: EnricherHandler<never>): this {
    this.#registry.register(name, schema, handler)
    return this
  }

  /**
   * Answers one call of the service: the request's body, parsed or not, or its bytes. Verifies, validates, asks the handler.
   * Never throws and never rejects; `statusOf(response)` is the HTTP status to answer with.
   */
  dispatch(body: unknown, options?: DispatchOptions): Promise<DispatchResponse> {
    return this.#dispatch(body, options)
  }
}
