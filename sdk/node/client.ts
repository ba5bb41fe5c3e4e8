// Implements the client: one environment's keys, and the five operations that all three SDKs share by name.

import { createRequest, type Requested } from './api/request.ts'
import type { AnswerOf, BodyOf, HttpMethod } from './api/routes.ts'
import type { DispatchOptions, DispatchResponse } from './enrichers/answer.ts'
import { createDispatch, type Dispatch } from './enrichers/dispatch.ts'

import { createRegistry, type EnricherHandler } from './enrichers/registry.ts'
import type { JsonSchema } from './schemas/json-schema.ts'
import type { StandardSchema } from './schemas/standard-schema.ts'
import { type NotificationClientOptions, parseOptions } from './settings.ts'
import { mintToken, type TokenOptions } from './tokens.ts'
import {
  type AnyEvents,
  type BatchAnswer,
  createTracker,
  type EventToTrack,
  type TrackAnswer,
  type TrackOptions,
} from './tracking/events.ts'
import { createSender } from './tracking/send.ts'
import type { UserId } from './user-id.ts'

/** Represents one environment of the service. Has no connection and no timer; one client serves the whole process. */
export class NotificationClient<Events extends object = AnyEvents> {
  // Private fields of the language: no inspection, serialisation or error shows their values.
  readonly #authSecretKey: string
  readonly #tracker: ReturnType<typeof createTracker>
  readonly #request: ReturnType<typeof createRequest>
  readonly #registry = createRegistry()
  readonly #dispatch: Dispatch

  /** @throws TypeError, without the value, for an invalid option */
  constructor(options: NotificationClientOptions) {
    const { authSecretKey, signingKeys, sender, now, onEnricherError } = parseOptions(options)
    this.#authSecretKey = authSecretKey
    const send = createSender(sender)
    this.#request = createRequest(send)
    this.#tracker = createTracker(send, sender.sdkSecretKey)
    this.#dispatch = createDispatch({ signingKeys, registry: this.#registry, now, onError: onEnricherError })
  }

  /**
   * Sends one event. Resolves when the service has stored it on disk. A failed attempt is repeated after 1 s and 2 s
   * under one idempotency key, so that the event is stored once.
   * @throws the error of the last attempt: a NotificationRequestError for an answer of the service, else the error of
   * `fetch`; or the reason of `signal`
   */
  track(event: EventToTrack<Events>, options: TrackOptions = {}): Promise<TrackAnswer> {
    return this.#tracker.track(event, options)
  }

  /** Sends 1 to 1,000 events in one request. A fault of one event is its own result; the others are accepted. */
  trackBatch(events: readonly EventToTrack<Events>[], options: TrackOptions = {}): Promise<BatchAnswer> {
    return this.#tracker.trackBatch(events, options)
  }

  /**
   * Calls another route of the API with the `sdkSecretKey`. Retries and fails as `track` does. A list is read page after
   * page by `for await (const one of client.request('GET', path))`.
   */
  request<const Method extends HttpMethod, const Path extends string>(
    method: Method,
    path: Path,
    body?: BodyOf<Method, Path>,
    options: TrackOptions = {},
  ): Requested<AnswerOf<Method, Path>> {
    return this.#request(method, path, body, options)
  }

  /** Computes the token for this user's `<notification-center>`. Prefer one with `expiresAt`, which expires. */
  generateHashedToken(userId: UserId, options: TokenOptions = {}): string {
    return mintToken(this.#authSecretKey, userId, options)
  }

  /**
   * Registers the handler of an enricher. The schema checks the params first: any Standard Schema (zod, valibot,
   * arktype, …; the handler gets its output), or JSON Schema.
   * @throws EnricherRegistrationError
   */
  enricher<Output>(name: string, schema: StandardSchema<unknown, Output>, handler: EnricherHandler<Output>): this
  enricher<Params = Record<string, unknown>>(name: string, schema: JsonSchema, handler: EnricherHandler<Params>): this
  enricher(name: string, schema: unknown, handler: EnricherHandler<never>): this {
    this.#registry.register(name, schema, handler)
    return this
  }

  /**
   * Answers one call of the service: verifies the body (parsed or not, or its bytes), validates the params, and runs
   * the handler. `statusOf(response)` is the HTTP status to answer with. Never throws and never rejects.
   */
  dispatch(body: unknown, options?: DispatchOptions): Promise<DispatchResponse> {
    return this.#dispatch(body, options)
  }
}
