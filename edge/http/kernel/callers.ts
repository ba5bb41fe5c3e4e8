// Identifies callers by their header: the environment of an sdkSecretKey, the widget session of a token.

import { KEY_MAY_MANAGE } from '../../../contract/tenant.ts'
import type { ChangedBy } from '../../domain/audit.ts'
import type { SignedIn } from '../../domain/people/dashboard-session.ts'
import type { Publisher } from '../../flow/campaigns/publish-right.ts'
import { ApiError } from '../../lib/api-error.ts'
import { formatId } from '../../lib/id.ts'
import type { Callers } from './http.ts'
import { findBearer, requireBearer } from './route.ts'
import type { ManagementCaller } from './route-spec.ts'
import type { Services } from './services.ts'

/** @returns Functions that verify the `Authorization` header of each kind of caller. */
export function createCallers({ resolveKey, verifySession }: Pick<Services, 'resolveKey' | 'verifySession'>): Callers {
  return {
    // Async, so that a refusal is always a rejection.
    key: async (authorization) => resolveKey(requireBearer(authorization)),
    widget: (authorization) => verifySession(findBearer(authorization)),
  }
}

/** @returns The author of a change for the audit log: the person, the command, or the key by its id, never by its value. */
export function changedBy(caller: ManagementCaller & { correlationId: string }): ChangedBy {
  const { correlationId } = caller
  if ('operator' in caller) return caller.operator
  if (caller.secretId === null) return { actor: 'dashboard', who: caller.person.email, correlationId }
  return { actor: 'api', who: formatId('secret', caller.secretId), correlationId }
}

/** @returns Who publishes, with the role of a person. */
export function publisherOf(caller: ManagementCaller & { correlationId: string }): Publisher {
  return { by: changedBy(caller), role: 'role' in caller ? caller.role : null }
}

/** @returns The author of a change outside of an environment: the person, or the command. */
export function changedByPerson(head: { signedIn: SignedIn; operator?: ChangedBy; correlationId: string }): ChangedBy {
  if (head.operator !== undefined) return head.operator
  return { actor: 'dashboard', who: head.signedIn.person.email, correlationId: head.correlationId }
}

/**
 * People may manage by their role, which was checked before.
 * @throws ApiError `authorization/not-allowed` when keys of the environment may not do what `KEY_MAY_MANAGE` lists.
 */
export function requireMayManage(caller: ManagementCaller): void {
  if (caller.secretId !== null && !caller.environment.sdkKeyMayManage) {
    throw new ApiError('authorization/not-allowed', {
      message: `This environment does not let an sdkSecretKey ${KEY_MAY_MANAGE}.`,
    })
  }
}

/**
 * People may by their role, which was checked before; a key never may.
 * @throws ApiError `authorization/not-allowed` for a key
 */
export function requirePerson(caller: ManagementCaller): void {
  if (caller.secretId === null) return
  throw new ApiError('authorization/not-allowed', {
    message: 'Only owners and admins may do this, in the dashboard: never a key.',
  })
}
