// Serves the search of users, inbox and preferences of one as the user has them, and the export of all that is stored about the user.

import { z } from 'zod'
import { boundedPageQuery } from '../../../contract/resources/page.ts'
import { user, userExport, userInboxQuery, usersQuery } from '../../../contract/resources/user.ts'
import { inboxPage, inboxPreferences, pageOf } from '../../../contract/schemas.ts'
import { changedBy, requireMayManage } from '../kernel/callers.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'
import { openText } from './text-stream.ts'

const BASE = { method: 'get', tag: 'Users', caller: 'key' } as const

export function addUserRecordRoutes(
  http: Http,
  { searchUsers, readUserInbox, exportUser }: Pick<Services, 'searchUsers' | 'readUserInbox' | 'exportUser'>,
): void {
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/users',
      role: 'viewer',
      summary:
        'List users, newest first; with `q` those whose id, e-mail or name begins with it (e-mail and name in any case, with or without accents), in that order; with `externalId` the one who has it',
      isReport: true,
      query: usersQuery,
      answer: { status: 200, schema: pageOf(user).openapi('UserPage') },
      errors: [],
    },
    (call) => searchUsers.users(call.environment.id, call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/users/:userId/inbox',
      role: 'viewer',
      summary: 'Read the inbox as the user has it; records no delivery event',
      query: userInboxQuery,
      answer: { status: 200, schema: inboxPage },
      errors: ['user/not-found'],
    },
    (call) => readUserInbox.page(call.environment, call.params.userId ?? '', call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/users/:userId/preferences',
      role: 'viewer',
      summary: 'Read the preferences as the user has them: categories, channels and quiet hours',
      answer: { status: 200, schema: inboxPreferences },
      errors: ['user/not-found'],
    },
    (call) => readUserInbox.preferences(call.environment, call.params.userId ?? ''),
  )
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/users/:userId/topics',
      role: 'viewer',
      summary: 'List the keys of the topics that a user joined',
      query: boundedPageQuery,
      answer: { status: 200, schema: pageOf(z.string()).openapi('UserTopicPage') },
      errors: ['user/not-found'],
    },
    (call) => searchUsers.topicsOf(call.environment.id, call.params.userId ?? '', call.query),
  )
  addExportRoute(http, { exportUser })
}

function addExportRoute(http: Http, { exportUser }: Pick<Services, 'exportUser'>): void {
  addRoute(
    http,
    {
      ...BASE,
      path: '/v1/users/:userId/export',
      summary: 'Export all data of a user as one JSON document, streamed; the audit log records it',
      role: 'admin',
      guards: [requireMayManage],
      answer: { status: 200, schema: userExport },
      errors: ['authorization/not-allowed', 'user/not-found'],
    },
    async (call) => {
      const answer = { headers: JSON_HEADERS }
      // HEAD is no export.
      if (call.c.req.method === 'HEAD') return new Response(null, answer)
      const { outgoing } = call.c.env
      const body = await openText({
        portions: await exportUser(call.environment, call.params.userId ?? '', changedBy(call)),
        onFailure: (error) => http.onDefect(error, call.correlationId),
        destroyConnection: outgoing && (() => void outgoing.destroy()),
      })
      return new Response(body, answer)
    },
  )
}

const JSON_HEADERS = {
  'content-type': 'application/json',
  'content-disposition': 'attachment; filename="user.json"',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}
