// Serves /v1/users/:userId: the profile, sign-out and marks as read.

import { z } from '@hono/zod-openapi'
import { markRead, profileChange, user } from '../../../contract/resources/user.ts'
import type { MarkRead } from '../../flow/inbox/mark-read.ts'
import type { ManageUsers } from '../../flow/users/manage-users.ts'
import { changedBy, requireMayManage } from '../kernel/callers.ts'
import { DELETED } from '../kernel/deleted.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'

export interface UsersDeps {
  manageUsers: ManageUsers
  markRead: MarkRead
}

const PATH = '/v1/users/:userId'
const TAG = 'Users'

export function addUserRoutes(http: Http, deps: UsersDeps): void {
  const { manageUsers } = deps
  addRoute(
    http,
    {
      method: 'get',
      path: PATH,
      role: 'viewer',
      summary: 'Read a profile',
      tag: TAG,
      caller: 'key',
      answer: { status: 200, schema: user },
      errors: ['user/not-found'],
    },
    (call) => manageUsers.get(call.environment, userIdOf(call)),
  )
  addRoute(
    http,
    {
      method: 'put',
      path: PATH,
      role: 'editor',
      summary: 'Change fields of a profile (null removes one); creates the user if necessary',
      tag: TAG,
      caller: 'key',
      body: profileChange,
      answer: { status: 200, schema: user },
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
      role: 'editor',
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
      role: 'editor',
      summary: 'Mark messages as read that the user has seen elsewhere; writes no delivery event',
      tag: TAG,
      caller: 'key',
      body: markRead,
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
