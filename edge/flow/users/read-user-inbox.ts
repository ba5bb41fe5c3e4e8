// Reads the inbox and the preferences of a user for operators: as the user gets them, without a session and without a
// delivery event.

import type { InboxPage, InboxPreferences } from '../../../contract/api.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import type { User } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { ManagePreferences } from '../inbox/manage-preferences.ts'
import type { PageQuery, ReadInbox } from '../inbox/read-inbox.ts'

/** Both throw `user/not-found`. */
export interface ReadUserInbox {
  page(environment: Environment, userId: string, query: PageQuery): Promise<InboxPage>
  preferences(environment: Environment, userId: string): Promise<InboxPreferences>
}

export function createReadUserInbox(
  deps: Pick<Core, 'users'> & {
    readInbox: Pick<ReadInbox, 'page'>
    managePreferences: Pick<ManagePreferences, 'get'>
  },
): ReadUserInbox {
  async function getUser(environmentId: number, userId: string): Promise<User> {
    const user = await deps.users.find(environmentId, userId)
    if (user === undefined) throw new ApiError('user/not-found')
    return user
  }

  return {
    page: async ({ id }, userId, query) => deps.readInbox.page(await getUser(id, userId), query),
    async preferences({ id: environmentId }, userId) {
      const { userNo } = await getUser(environmentId, userId)
      return deps.managePreferences.get({ environmentId, userId, userNo })
    },
  }
}
