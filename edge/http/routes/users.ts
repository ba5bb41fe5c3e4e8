// Serves /v1/users/:userId: the profile, sign-out and marks as read.

import { z } from '@hono/zod-openapi'
import { markRead as markReadBody, profileChange, user } from '../../../contract/resources/user.ts'
import { changedBy, requireMayManage } from '../kernel/callers.ts'
import { DELETED } from '../kernel/deleted.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

type Taken = Pick<Services, 'manageUsers' | 'markRead'>

const PATH = '/v1/users/:userId'
const TAG = 'Users'

export function addUserRoutes(http: Http, { manageUsers, markRead }: Taken): void {
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
  addUserActions(http, { manageUsers, markRead })
}

function addUserActions(http: Http, { manageUsers, markRead }: Taken): void {
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
    (call) => manageUsers.signOut(call.environment, userIdOf(call)),
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
      body: markReadBody,
      answer: { status: 200, schema: z.object({ marked: z.number().int() }) },
      errors: ['user/not-found'],
    },
    (call) =>
      markRead(
        call.environment,
        userIdOf(call),
        call.body.entity === undefined ? { messageIds: call.body.messageIds ?? [] } : { entity: call.body.entity },
      ),
  )
}

function userIdOf(call: { params: Record<string, string> }): string {
  return call.params.userId ?? ''
}
