// Serves /v1/users/:userId: the profile, sign-out and marks as read.

import { z } from '@hono/zod-openapi'
import { LIMITS } from '../../../contract/limits.ts'
import { user as userSchema } from '../../../contract/management-schemas.ts'
import { exactlyOne } from '../../../contract/resources/fields.ts'
import type { MarkRead } from '../../flow/inbox/mark-read.ts'
import type { ManageUsers } from '../../flow/users/manage-users.ts'
import { changedBy, requireMayManage } from '../callers.ts'
import { DELETED } from '../deleted.ts'
import type { Http } from '../http.ts'
import { addRoute } from '../route.ts'
import { profileChangeSchema } from '../track-schema.ts'

export interface UsersDeps {
  manageUsers: ManageUsers
  markRead: MarkRead
}

const PATH = '/v1/users/:userId'
const TAG = 'Users'

const markReadSchema = z
  .object({
    entity: z.string().min(1).max(1024).optional(),
    messageIds: z.array(z.string()).min(1).max(LIMITS.actionIds).optional(),
  })
  .refine(({ entity, messageIds }) => (entity === undefined) !== (messageIds === undefined), {
    message: 'Give exactly one of entity and messageIds.',
  })
  .openapi('MarkReadRequest', { description: 'Exactly one of the two.', ...exactlyOne('entity', 'messageIds') })

export function addUserRoutes(http: Http, deps: UsersDeps): void {
  const { manageUsers } = deps
  addRoute(
    http,
    {
      method: 'get',
      path: PATH,
      summary: 'Read a profile',
      tag: TAG,
      caller: 'key',
      answer: { status: 200, schema: userSchema },
      errors: ['user/not-found'],
    },
    (call) => manageUsers.get(call.environment, userIdOf(call)),
  )
  addRoute(
    http,
    {
      method: 'put',
      path: PATH,
      summary: 'Change fields of a profile (null removes one); creates the user if necessary',
      tag: TAG,
      caller: 'key',
      body: profileChangeSchema,
      answer: { status: 200, schema: userSchema },
      errors: [],
    },
    (call) => manageUsers.change(call.environment, userIdOf(call), call.body, changedBy(call)),
  )
  addRoute(
    http,
    {
      method: 'delete',
      path: PATH,
      summary: 'Erase a user with all data about them; counters stay',
      role: 'admin',
      tag: TAG,
      caller: 'key',
      guards: [requireMayManage],
      answer: DELETED,
      errors: ['authorization/not-allowed', 'user/not-found'],
    },
    (call) => manageUsers.erase(call.environment, userIdOf(call), changedBy(call)),
  )
  addUserActions(http, deps)
}

function addUserActions(http: Http, deps: UsersDeps): void {
  addRoute(
    http,
    {
      method: 'post',
      path: `${PATH}/sign-out`,
      summary: 'End all widget sessions of a user and close their sockets',
      tag: TAG,
      caller: 'key',
      answer: { status: 200, schema: z.object({ ended: z.number().int() }) },
      errors: ['user/not-found'],
    },
    (call) => deps.manageUsers.signOut(call.environment, userIdOf(call)),
  )
  addRoute(
    http,
    {
      method: 'post',
      path: `${PATH}/inbox/mark-read`,
      summary: 'Mark messages as read that the user has seen elsewhere; writes no delivery event',
      tag: TAG,
      caller: 'key',
      body: markReadSchema,
      answer: { status: 200, schema: z.object({ marked: z.number().int() }) },
      errors: ['user/not-found'],
    },
    (call) =>
      deps.markRead(
        call.environment,
        userIdOf(call),
        call.body.entity === undefined ? { messageIds: call.body.messageIds ?? [] } : { entity: call.body.entity },
      ),
  )
}

function userIdOf(call: { params: Record<string, string> }): string {
  return call.params.userId ?? ''
}
