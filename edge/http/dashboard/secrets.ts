// Serves the rotation of an environment's secrets.

import { boundedPageQuery } from '../../../contract/resources/page.ts'
import {
  type RotatedSecret,
  rotatedSecret,
  type SecretValues,
  secretConfirmation,
  secretOverlap,
  secretRotation,
  secretRotationPage,
  secretValues,
} from '../../../contract/resources/secret.ts'
import { SECRET_KINDS, type SecretKind } from '../../../contract/tenant.ts'
import type { RotationAnswer } from '../../flow/tenant/rotate-secret.ts'
import { ApiError } from '../../lib/api-error.ts'
import { cutPage } from '../../lib/cut-page.ts'
import { changedBy } from '../kernel/callers.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute, DASHBOARD_PATH } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

const PATH = `${DASHBOARD_PATH}/secrets`
const BASE = { tag: 'Dashboard secrets', caller: 'environment' } as const
const CHANGE = { ...BASE, method: 'post', role: 'admin', maxBytes: 8 * 1024 } as const
const ERRORS = ['request/not-found', 'request/conflict'] as const

export function addDashboardSecretRoutes(
  http: Http,
  services: Pick<Services, 'rotateSecret' | 'showSecret' | 'settleRetired'>,
): void {
  const { rotateSecret } = services
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: PATH,
      summary: 'List the rotation state of each secret, without a value',
      role: 'viewer',
      query: boundedPageQuery,
      answer: { status: 200, schema: secretRotationPage },
      errors: [],
    },
    async ({ environment: { id }, query }) => {
      const all = await Promise.all(SECRET_KINDS.map((kind) => rotateSecret.read(id, kind)))
      return cutPage({ list: 'secrets', of: id }, all, query)
    },
  )
  addOverlapRoutes(http, services)
  addEndingRoutes(http, services)
}

function addOverlapRoutes(
  http: Http,
  { rotateSecret, showSecret }: Pick<Services, 'rotateSecret' | 'showSecret'>,
): void {
  addRoute(
    http,
    {
      ...CHANGE,
      path: `${PATH}/:kind/rotate`,
      summary: 'Add a new value, shown once; the old one is accepted until the overlap ends',
      body: secretOverlap,
      isBodyOptional: true,
      answer: { status: 200, schema: rotatedSecret },
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
      body: secretOverlap,
      isBodyOptional: true,
      answer: { status: 200, schema: secretRotation },
      errors: ERRORS,
    },
    (call) => rotateSecret.extend(call.environment.id, kindOf(call.params), changedBy(call), call.body.overlap),
  )
  addRoute(
    http,
    {
      ...CHANGE,
      path: `${PATH}/:kind/show`,
      summary: 'Show the live values, which the audit log records; of an `sdkSecretKey` there is only a hash',
      answer: { status: 200, schema: secretValues },
      errors: ERRORS,
    },
    async (call) => {
      const { kind, values } = await showSecret(call.environment.id, kindOf(call.params), changedBy(call))
      return { kind, [kind]: values[0], values } satisfies SecretValues
    },
  )
}

function addEndingRoutes(
  http: Http,
  { rotateSecret, settleRetired }: Pick<Services, 'rotateSecret' | 'settleRetired'>,
): void {
  addRoute(
    http,
    {
      ...CHANGE,
      path: `${PATH}/:kind/retire`,
      summary: 'End the old value of an overlap now: whoever still uses it is refused',
      body: secretConfirmation,
      answer: { status: 200, schema: secretRotation },
      errors: ERRORS,
    },
    async (call) => {
      const kind = kindOf(call.params)
      const rotation = await rotateSecret.retire(call.environment.id, kind, changedBy(call))
      await settleRetired()
      return rotation
    },
  )
  addRoute(
    http,
    {
      ...CHANGE,
      path: `${PATH}/:kind/emergency`,
      summary: 'Add a new value, shown once, and end all others now',
      body: secretConfirmation,
      answer: { status: 200, schema: rotatedSecret },
      errors: ERRORS,
    },
    async (call) => {
      const kind = kindOf(call.params)
      const rotated = await rotateSecret.emergency(call.environment.id, kind, changedBy(call))
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

const toNewValue = ({ value, rotation }: { value: string; rotation: RotationAnswer }): RotatedSecret => ({
  ...rotation,
  [rotation.kind]: value,
  value,
})
