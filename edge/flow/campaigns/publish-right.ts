// Decides who may publish in an environment, who must ask a second person, and who may answer that.

import { includesRole, type Role } from '../../../contract/role.ts'
import type { ChangedBy } from '../../domain/audit.ts'
import type { PublishRequest } from '../../domain/campaign.ts'
import type { Environment } from '../../domain/environment.ts'
import { ApiError } from '../../lib/api-error.ts'

/** Who publishes: a person with the role in the organisation; null for a key, and for the command line. */
export interface Publisher {
  by: ChangedBy
  role: Role | null
}

/** `ask`: another person must approve it. `unasked`: nobody is asked, though the environment asks for an approval. */
export type PublishRight = 'publish' | 'ask' | 'unasked'

type Rules = Pick<Environment, 'name' | 'requirePublishApproval' | 'publishRole'>

const isOperator = ({ by }: Publisher): boolean => by.actor === 'cli'

/** The operator of the machine needs no approval. @throws `authorization/not-allowed` */
export function publishRightOf(environment: Rules, publisher: Publisher): PublishRight {
  const { name, requirePublishApproval } = environment
  if (!requirePublishApproval) {
    if (publisher.by.actor === 'dashboard') requirePublishRole(environment, publisher)
    return 'publish'
  }
  if (isOperator(publisher)) return 'unasked'
  if (publisher.by.actor === 'dashboard') return 'ask'
  throw new ApiError('authorization/not-allowed', {
    message: `In ${name} a second person approves what is published: an sdkSecretKey publishes nothing. Publish in the dashboard.`,
    reason: 'approval',
  })
}

/** A test by a key would send to any user what nobody approved; a person answers for theirs. @throws `authorization/not-allowed` */
export function requireKeyMayTest({ name, requirePublishApproval }: Rules): void {
  if (!requirePublishApproval) return
  throw new ApiError('authorization/not-allowed', {
    message: `In ${name} a second person approves what is published: an sdkSecretKey sends no test. Test in the dashboard.`,
    reason: 'approval',
  })
}

/** @throws `authorization/not-allowed` for a role that may not publish, and for whoever asked */
export function requireApprover(environment: Rules, publisher: Publisher, request: PublishRequest): void {
  if (isOperator(publisher)) return
  requirePublishRole(environment, publisher)
  if (!isAsker(publisher, request)) return
  throw new ApiError('authorization/not-allowed', {
    message: environment.requirePublishApproval
      ? 'You asked for it: another person approves or declines it. You can withdraw it.'
      : `In ${environment.name} nobody has to approve any more: publish it, or withdraw it.`,
    reason: 'approval',
  })
}

/** @throws `authorization/not-allowed` for whoever has not asked, unless it is an admin */
export function requireWithdrawer(publisher: Publisher, request: PublishRequest): void {
  if (isOperator(publisher) || isAsker(publisher, request)) return
  if (publisher.role !== null && includesRole(publisher.role, 'admin')) return
  throw new ApiError('authorization/not-allowed', {
    message: `Only ${request.askedBy}, who asked for it, an admin or an owner can withdraw it.`,
    reason: 'role',
  })
}

/** The e-mail address of an account never changes. */
const isAsker = ({ by }: Publisher, { askedBy }: PublishRequest): boolean => by.who === askedBy

function requirePublishRole({ name, publishRole }: Rules, { role }: Publisher): void {
  if (role !== null && includesRole(role, publishRole)) return
  throw new ApiError('authorization/not-allowed', {
    message: `Publishing in ${name} needs the role ${publishRole}.`,
    reason: 'role',
  })
}
