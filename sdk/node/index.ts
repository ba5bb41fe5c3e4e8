// Exports the client, the adapters for frameworks, and every class that callers may test by `instanceof`. No side
// effect.

export { type ExpressHandler, type ExpressRequest, type ExpressResponse, expressHandler } from './adapters/express.ts'
export { type FastifyHandler, type FastifyReply, type FastifyRequest, fastifyHandler } from './adapters/fastify.ts'
export { type FetchHandler, fetchHandler } from './adapters/fetch.ts'
export type { Requested } from './api/request.ts'
export type { AnswerOf, BodyOf, HttpMethod } from './api/routes.ts'
export { NotificationClient } from './client.ts'
export {
  type DispatchFailure,
  type DispatchOptions,
  type DispatchResponse,
  type DispatchSuccess,
  statusOf,
} from './enrichers/answer.ts'
export {
  EnricherError,
  type EnricherErrorCode,
  EnricherHandlerError,
  EnricherHmacVerificationError,
  EnricherInputValidationError,
  EnricherNotFoundError,
  EnricherRegistrationError,
  type HmacFailureReason,
} from './enrichers/errors.ts'
export type { EnricherContext, EnricherHandler } from './enrichers/registry.ts'
export { type EnricherCallToSign, type SignedEnricherCall, signEnricherCall } from './enrichers/sign-call.ts'
export type { HeadersLike } from './enrichers/signature.ts'
export type { JsonSchema, JsonSchemaIssue } from './schemas/json-schema.ts'
export type { StandardSchema, StandardSchemaIssue } from './schemas/standard-schema.ts'
export type { NotificationClientOptions } from './settings.ts'
export type { TokenOptions } from './tokens.ts'
export type {
  AnyEvents,
  BatchAnswer,
  BatchResult,
  EventToTrack,
  Recipients,
  TrackAnswer,
  TrackOptions,
  UserProfile,
} from './tracking/events.ts'
export { NotificationRequestError } from './tracking/request-error.ts'
export type { FailedAttempt } from './tracking/send.ts'
export type { UserId } from './user-id.ts'
