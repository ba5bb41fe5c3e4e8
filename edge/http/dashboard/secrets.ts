// Serves the rotation of an environment's secrets.

import { boundedPageQuery } from '../../../contract/resources/page.ts'
import { pageOf } from '../../../contract/schemas.ts'
import { SECRET_KINDS, type SecretKind } from '../../../contract/tenant.ts'
import type { RotateSecret, RotationAnswer } from '../../flow/tenant/rotate-secret.ts'
import type { ShowSecret } from '../../flow/tenant/show-secret.ts'
import { ApiError } from '../../lib/api-error.ts'
import { cutPage } from '../../lib/cut-page.ts'
import { changedBy } from '../callers.ts'
import type { Http } from '../http.ts'
import { addRoute, DASHBOARD_PATH } from '../route.ts'
import { confirmBody, newValueSchema, overlapBody, rotationSchema, secretValuesSchema } from './secret-schema.ts'

export interface DashboardSecretsDeps {
  rotateSecret: RotateSecret
  showSecret: ShowSecret
  /** Ends the sessions of retired values. */
  settleRetired(): Promise<number>
}

const PATH = `${DASHBOARD_PATH}/secrets`
const BASE = { tag: 'Dashboard secrets', caller: 'environment' } as const
const CHANGE = { ...BASE, method: 'post', role: 'admin', maxBytes: 8 * 1024 } as const
const ERRORS = ['request/not-found', 'request/conflict'] as const

export function addDashboardSecretRoutes(http: Http, deps: DashboardSecretsDeps): void {
  const { rotateSecret } = deps
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: PATH,
      summary: 'List the rotation state of each secret, without a value',
      role: 'viewer',
      query: boundedPageQuery,
      answer: { status: 200, schema: pageOf(rotationSchema).openapi('SecretRotationPage') },
      errors: [],
    },
    async ({ environment: { id }, query }) => {
      const all = await Promise.all(SECRET_KINDS.map((kind) => rotateSecret.read(id, kind)))
      return cutPage({ list: 'secrets', of: id }, all.map(toState), query)
    },
  )
  addOverlapRoutes(http, deps)
  addEndingRoutes(http, deps)
}

function addOverlapRoutes(http: Http, { rotateSecret, showSecret }: DashboardSecretsDeps): void {
  addRoute(
    http,
    {
      ...CHANGE,
      path: `${PATH}/:kind/rotate`,
      summary: 'Add a new value, shown once; the old one is accepted until the overlap ends',
      body: overlapBody,
      isBodyOptional: true,
      answer: { status: 200, schema: newValueSchema },
      errors: ERRORS,
    },
    async (call) => {
      const { environment, body, params } = call
      return toNewValue(await rotateSecret.rotate(environment.id, kindOf(params), changedBy(call), body.overlap))
    },
  )
  addRoute(
    http,
    {
      ...CHANGE,
      path: `${PATH}/:kind/extend`,
      summary: 'Let the old value of an overlap live longer',
      body: overlapBody,
      isBodyOptional: true,
      answer: { status: 200, schema: rotationSchema },
      errors: ERRORS,
    },
    async (call) => {
      const { environment, body, params } = call
      return toState(await rotateSecret.extend(environment.id, kindOf(params), changedBy(call), body.overlap))
    },
  )
  addRoute(
    http,
    {
      ...CHANGE,
      path: `${PATH}/:kind/show`,
      summary: 'Show the live values, which the audit log records; of an `sdkSecretKey` there is only a hash',
      answer: { status: 200, schema: secretValuesSchema },
      errors: ERRORS,
    },
    async (call) => {
      const { kind, values } = await showSecret(call.environment.id, kindOf(call.params), changedBy(call))
      return { kind, [kind]: values[0], values }
    },
  )
}

function addEndingRoutes(http: Http, { rotateSecret, settleRetired }: DashboardSecretsDeps): void {
  addRoute(
    http,
    {
      ...CHANGE,
      path: `${PATH}/:kind/retire`,
      summary: 'End the old value of an overlap now: whoever still uses it is refused',
      body: confirmBody,
      answer: { status: 200, schema: rotationSchema },
      errors: ERRORS,
    },
    async (call) => {
      const kind = kindOf(call.params)
      const rotation = await rotateSecret.retire(call.environment.id, kind, changedBy(call), call.body.confirm)
      await settleRetired()
      return toState(rotation)
    },
  )
  addRoute(
    http,
    {
      ...CHANGE,
      path: `${PATH}/:kind/emergency`,
      summary: 'Add a new value, shown once, and end all others now',
      body: confirmBody,
      answer: { status: 200, schema: newValueSchema },
      errors: ERRORS,
    },
    async (call) => {
      const kind = kindOf(call.params)
      const rotated = await rotateSecret.emergency(call.environment.id, kind, changedBy(call), call.body.confirm)
      await settleRetired()
      return toNewValue(rotated)
    },
  )
}

/** @throws ApiError `request/not-found`. */
function kindOf({ kind }: Record<string, string>): SecretKind {
  const known = SECRET_KINDS.find((one) => one === kind)
  if (known !== undefined) return known
  throw new ApiError('request/not-found', { message: `The kinds of secrets are ${SECRET_KINDS.join(', ')}.` })
}

function toState(rotation: RotationAnswer) {
  const until = rotation.state === 'overlap' ? (rotation.previous?.retiresAt ?? null) : null
  return { ...rotation, until }
}

function toNewValue({ value, rotation }: { value: string; rotation: RotationAnswer }) {
  return { ...toState(rotation), [rotation.kind]: value, value }
}
