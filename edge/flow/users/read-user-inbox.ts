// Reads the inbox of a user for operators: the pages that the user gets, without a session and without a delivery event.

import type { InboxPage } from '../../../contract/api.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Users } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { PageQuery, ReadInbox } from '../inbox/read-inbox.ts'

/** Throws `user/not-found`. */
export type ReadUserInbox = (environment: Environment, userId: string, query: PageQuery) => Promise<InboxPage>

export function createReadUserInbox(deps: {
  users: Pick<Users, 'find'>
  readInbox: Pick<ReadInbox, 'page'>
}): ReadUserInbox {
  return async function readUserInbox(environment, userId, query) {
    const user = await deps.users.find(environment.id, userId)
    if (user === undefined) throw new ApiError('user/not-found')
    return deps.readInbox.page(user.userNo, query)
  }
}
