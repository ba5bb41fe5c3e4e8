// Lists every error code of the service with its HTTP status and its text.

/** The only table of codes. Clients branch on the code; the text is for people and may change. */
export const ERRORS = {
  'auth/tracking-secret-key': {
    status: 401,
    message: 'The sdkSecretKey is missing, malformed or not usable. Send it as the Bearer credential and in the body.',
  },
  'auth/invalid-authorization': { status: 403, message: 'The sdkSecretKey matches no environment.' },
  'auth/invalid-token-signature': { status: 401, message: 'The user token could not be verified.' },
  'auth/invalid-api-key': { status: 401, message: 'The Front API Key is unknown.' },
  'auth/no-public-key-registered': {
    status: 401,
    message: 'The environment has no public key or identity provider registered for this sign-in.',
  },
  'auth/invalid-inputs': { status: 400, message: 'A field or claim that this sign-in needs is missing.' },
  'auth/onboarding-not-completed': { status: 403, message: 'The organisation has not finished onboarding.' },
  'auth/invalid-session': { status: 401, message: 'The session is missing, expired or revoked.' },
  'auth/unauthenticated': { status: 401, message: 'Sign in to the dashboard first.' },
  'authorization/organisation-not-authorized-for-this-user': {
    status: 403,
    message: 'You have no role on this organisation or environment, or it does not exist.',
  },
  'authorization/unauthorizedConfigIdForOrganisation': {
    status: 404,
    message: 'This notification config belongs to another organisation.',
  },
  'authorization/not-allowed': { status: 403, message: 'This caller may not do that.' },
  'other/unknown': { status: 500, message: 'Something went wrong on our side. Try again.' },
  'notification/config-not-found': { status: 404, message: 'There is no such notification config.' },
  'event/not-found': { status: 404, message: 'There is no such event.' },
  'event/invalid-name': { status: 400, message: 'The event name breaks the grammar.' },
  'region/already-set': { status: 409, message: 'The region of this organisation is already chosen.' },
  'organization-settings/already-exists': { status: 409, message: 'This organisation already has settings.' },
  'request/invalid-body': { status: 400, message: 'The body is not what this call takes.' },
  'request/invalid-query': { status: 400, message: 'A query parameter is not what this call takes.' },
  'request/not-found': { status: 404, message: 'There is no such path.' },
  'request/method-not-allowed': { status: 405, message: 'This path does not take that method.' },
  'request/timeout': { status: 408, message: 'The request came too slowly.' },
  'request/payload-too-large': { status: 413, message: 'The body is too large.' },
  'request/headers-too-large': { status: 431, message: 'The headers are too large.' },
  'request/unsupported-media-type': { status: 415, message: 'Send the body as application/json.' },
  'request/unknown-transfer-coding': {
    status: 501,
    message: 'Send the body as it is or in chunks, with no other coding.',
  },
  'request/rate-limited': { status: 429, message: 'Too many requests. Wait and try again.' },
  'request/conflict': { status: 409, message: 'This conflicts with an earlier request.' },
  'environment/closed': { status: 503, message: 'This environment is closed for a while. Try again later.' },
  'service/unavailable': { status: 503, message: 'The service cannot take this right now. Try again shortly.' },
  'webhook/invalid-signature': { status: 401, message: 'The signature of this delivery could not be verified.' },
  'message/not-found': { status: 404, message: 'There is no such message.' },
  'campaign/not-found': { status: 404, message: 'There is no such campaign or version.' },
  'run/not-found': { status: 404, message: 'There is no such run.' },
  'user/not-found': { status: 404, message: 'There is no such user.' },
  'source/not-found': { status: 404, message: 'There is no such source.' },
  'text/not-found': { status: 404, message: 'There is no such translation or snippet.' },
  'enricher/not-found': { status: 404, message: 'There is no such enricher.' },
  'email-integration/not-found': { status: 404, message: 'There is no such integration of e-mail.' },
  'campaign/invalid-definition': { status: 400, message: 'The campaign definition has faults.' },
  'campaign/key-taken': { status: 409, message: 'Another campaign of this environment has that key.' },
  'campaign/invalid-transition': { status: 409, message: 'A campaign in this status cannot do that.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof ERRORS

/** One fault of an input: `path` is a JSON path such as `steps[2].when`, `position` a 0-based offset in that string. */
export interface ErrorDetail {
  path: string
  message: string
  position?: number
}

/** Body of every error answer. */
export interface ErrorBody {
  code: ErrorCode
  message: string
  correlationId: string
  reason?: string
  position?: number
  details?: ErrorDetail[]
  from?: string
  to?: string
  /** Of a revision that `If-Match` does not name: who made it; null where the audit log does not know. */
  changedBy?: string | null
  changedAt?: string
}
