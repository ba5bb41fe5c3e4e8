// Declares the specification of a route: its caller, schemas and codes. `route.ts` serves it, `reference.ts` documents it.

import type { ZodObject, ZodType } from 'zod'
import type { ErrorCode, ErrorDetail } from '../../../contract/errors.ts'
import type { JsonObject } from '../../../contract/json.ts'
import { LARGE_BODIES } from '../../../contract/limits.ts'
import type { Role } from '../../../contract/role.ts'
import type { ChangedBy } from '../../domain/audit.ts'
import type { Environment } from '../../domain/environment.ts'
import type { SignedIn } from '../../domain/people/dashboard-session.ts'
import type { Membership, Person } from '../../domain/people/person.ts'
import type { WidgetSession } from '../../domain/session.ts'
import type { GuardOptions } from '../../lib/json-guard.ts'
import type { Listed } from '../../lib/json-parts.ts'
import type { AnswerHeaders } from './answer.ts'
import type { RequestContext } from './context.ts'

/** The environment of a key, and the id of the key. */
export interface KeyCaller {
  environment: Environment
  secretId: number
}

/** A person with the role that the route asks for, in the organisation of the environment. */
export interface DashboardCaller {
  environment: Environment
  secretId: null
  person: Person
  role: Role
}

/** The command line on the machine of the server, which may do everything. */
export interface OperatorCaller {
  environment: Environment
  secretId: null
  operator: ChangedBy
}

/** The caller of a route of kind `key`, which is also served for the dashboard and the command line. */
export type ManagementCaller = KeyCaller | DashboardCaller | OperatorCaller

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/**
 * The required credential: none, an sdkSecretKey (`key`), or a widget session (`widget`). With `bearer` only the form of
 * the key is checked, because tracking compares it with the body before the lookup. `person`: a session of the dashboard;
 * `member`: also a role in the organisation `:org` of the path; `environment`: in that of the environment `:envId`, whose
 * onboarding is completed.
 */
export type CallerKind = 'none' | 'bearer' | 'key' | 'widget' | 'person' | 'member' | 'environment'

export interface CallerFields {
  none: object
  bearer: { credential: string }
  key: ManagementCaller
  widget: { session: WidgetSession }
  person: { signedIn: SignedIn }
  member: { signedIn: SignedIn; membership: Membership; operator?: ChangedBy }
  environment: DashboardCaller | OperatorCaller
}

/**
 * The part of a call that is known before the body is read. `headers` are sent with every answer, also with errors, and so
 * is each of `cookies` as a `Set-Cookie`.
 */
export type CallHead<K extends CallerKind = CallerKind> = {
  c: RequestContext
  correlationId: string
  /** Percent-decoded path parameters: a user id may contain a `/`. */
  params: Record<string, string>
  headers: AnswerHeaders
  cookies: string[]
} & CallerFields[K]

/** One request as its handler receives it. */
export type Call<K extends CallerKind, B, Q> = CallHead<K> & { body: B; query: Q }

/** Runs after the caller is known and before the body is read (rate limits). @throws ApiError that refuses the call. */
export type Guard<K extends CallerKind> = (head: CallHead<K>) => void | Promise<void>

export interface RouteSpec<K extends CallerKind, B, Q> {
  method: Method
  /** The path as in docs/api.md: `/v1/runs/:runId`; `:id{evt_[^/]*}` where only such segments are ids. */
  path: string
  summary: string
  tag: string
  caller: K
  /** The least role of a caller from the dashboard (`RouteOf`). */
  role?: Role
  /** Validates the body; errors are `request/invalid-body` with details. Without it the body is not read. */
  body?: ZodType<B>
  /** Finds further faults of the body, or of the parameters of the path that name what it describes. They stand before those of the schema. */
  faults?: (body: JsonObject, params: Record<string, string>) => ErrorDetail[]
  /** Whether a request without a body counts as `{}`. */
  isBodyOptional?: true
  /** Validates the query; errors are `request/invalid-query`. An object, whose fields are the known parameters. */
  query?: ZodType<Q>
  /** Whether it is served while its environment is closed: for whoever opens, shows or removes it. */
  servesClosed?: true
  /** Whether unknown parameters are taken: others write the addresses of this route, or add to them. */
  takesAnyQuery?: true
  /**
   * `contentType` is set for an answer other than JSON, whose handler returns a Response. `unchanged` describes its 304, and
   * `missing` its 404 of that type.
   */
  answer: {
    status: number
    schema: ZodType
    description?: string
    contentType?: string
    unchanged?: string
    missing?: string
  }
  /** Whether a replica may have answered: `X-Data-Age` says how old the answer may be (`Http.reportAgeMs`). */
  isReport?: true
  /** Headers that the handler itself reads; only for the reference. */
  headers?: ZodObject
  /** Codes of this route; the reference adds those of the caller kind, of bodies and of queries. */
  errors: readonly ErrorCode[]
  /** Largest body in bytes. Default: the limit of one event. */
  maxBytes?: number
  guards?: readonly Guard<K>[]
  /** Documents the body in place of `body`. The handler gets a JsonObject and validates it itself. */
  ownBody?: ZodType
  /** Media types of a body that the handler reads itself, as bytes. */
  rawTypes?: readonly string[]
  /** Checks that the guard of parsed bodies omits, because the handler or the schema does them; `by-handler`: all. */
  bodyGuard?: GuardOptions | 'by-handler'
  /** The list of a large body whose items are parsed one by one (`body.ts`). */
  listed?: Listed
  /**
   * Also served by `node/fast-path.ts`. The path must have no parameters and no middleware.
   * The handler must not return a Response.
   */
  isFastPath?: true
}

/** A route whose callers may be people in an organisation names the least role. */
export type RouteOf<K extends CallerKind, B, Q> = RouteSpec<K, B, Q> &
  (K extends 'key' | 'member' | 'environment' ? { role: Role } : unknown)

/** For bodies with templates of whole mails. */
export const DOCUMENTS = {
  maxBytes: LARGE_BODIES.documentsBytes,
  bodyGuard: { stringBytes: LARGE_BODIES.documentBytes },
} as const
