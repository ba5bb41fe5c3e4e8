// Tells whether a person may publish in the shown environment, must ask somebody else, or may do neither.

import type { PendingPublish } from '../../contract/resources/campaign.ts'
import type { ListedEnvironment } from '../../contract/resources/environment.ts'
import type { Role } from '../../contract/role.ts'

/** `ask`: another person must approve it. */
export type PublishRight = 'publish' | 'ask' | 'none'

interface Asker {
  environment: Pick<ListedEnvironment, 'requirePublishApproval' | 'publishRole'>
  may(role: Role): boolean
  me: { person: { email: string } }
}

export function publishRightOf({ environment, may }: Pick<Asker, 'environment' | 'may'>): PublishRight {
  if (!may('editor')) return 'none'
  if (environment.requirePublishApproval) return 'ask'
  return may(environment.publishRole) ? 'publish' : 'none'
}

/** @returns whoever may publish in an environment, or approve it there, such as "an admin or an owner" */
export const publishersOf = ({ publishRole }: Asker['environment']): string =>
  publishRole === 'admin' ? 'an admin or an owner' : 'an editor, an admin or an owner'

/** What a person may do with a request to publish. */
export interface RequestRights {
  /** Approve or decline it. */
  mayAnswer: boolean
  mayWithdraw: boolean
  isOwn: boolean
}

export function requestRightsOf({ environment, may, me }: Asker, { state, askedBy }: PendingPublish): RequestRights {
  const isOwn = me.person.email === askedBy
  return {
    isOwn,
    mayAnswer: state === 'waiting' && !isOwn && may(environment.publishRole),
    mayWithdraw: (isOwn && may('editor')) || may('admin'),
  }
}
