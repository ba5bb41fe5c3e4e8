// Serves GET /v1/topics, and GET and PUT /v1/topics/:key/subscribers.

import { z } from '@hono/zod-openapi'
import { LIMITS } from '../../../contract/limits.ts'
import { cursorParam, limitParam, pageQuery } from '../../../contract/resources/page.ts'
import { pageOf } from '../../../contract/schemas.ts'
import { COUNTED_SUBSCRIBERS } from '../../domain/topic.ts'
import type { ManageTopics } from '../../flow/users/manage-topics.ts'
import type { SearchUsers } from '../../flow/users/search-users.ts'
import { changedBy } from '../callers.ts'
import type { Http } from '../http.ts'
import { addRoute } from '../route.ts'
import { userIdSchema } from '../track-schema.ts'
import { beginningParam } from './user-records.ts'

const PATH = '/v1/topics/:key/subscribers'
const TAG = 'Topics'

const topicSchema = z
  .object({
    key: z.string(),
    subscribers: z
      .number()
      .int()
      .openapi({ description: `At most ${COUNTED_SUBSCRIBERS} are counted.` }),
    subscribersCapped: z.boolean().openapi({ description: 'There may be more.' }),
    createdAt: z.iso.datetime(),
  })
  .openapi('Topic')

const changeSchema = z
  .object({
    add: z.array(userIdSchema).max(LIMITS.subscriberChanges).default([]),
    remove: z.array(userIdSchema).max(LIMITS.subscriberChanges).default([]),
  })
  .refine(
    ({ add, remove }) => add.length + remove.length <= LIMITS.subscriberChanges,
    `At most ${LIMITS.subscriberChanges} changes per call.`,
  )
  .openapi('SubscriberChange', { description: 'A user may be in only one of the two lists.' })

/** Allows 1,000 ids of 256 characters of up to 4 bytes. */
const CHANGE_BYTES = 2 * 1024 * 1024

export interface TopicsDeps {
  manageTopics: ManageTopics
  searchUsers: Pick<SearchUsers, 'topics'>
}

export function addTopicRoutes(http: Http, deps: TopicsDeps): void {
  const { manageTopics } = deps
  addRoute(
    http,
    {
      method: 'get',
      path: '/v1/topics',
      summary: 'List topics, newest first; with `q` those whose key begins with it, in the order of their keys',
      tag: TAG,
      caller: 'key',
      query: z.object({ q: beginningParam, limit: limitParam, cursor: cursorParam }),
      answer: { status: 200, schema: pageOf(topicSchema).openapi('TopicPage') },
      errors: [],
    },
    (call) => deps.searchUsers.topics(call.environment.id, call.query),
  )
  addRoute(
    http,
    {
      method: 'get',
      path: PATH,
      summary: 'List the subscribers of a topic, newest first; an unknown topic has none',
      tag: TAG,
      caller: 'key',
      query: pageQuery,
      answer: { status: 200, schema: pageOf(z.string()).openapi('SubscriberPage') },
      errors: [],
    },
    (call) => manageTopics.list(call.environment, call.params.key ?? '', call.query.cursor, call.query.limit),
  )
  addRoute(
    http,
    {
      method: 'put',
      path: PATH,
      summary: 'Add and remove subscribers, up to 1,000 per call',
      tag: TAG,
      caller: 'key',
      body: changeSchema,
      maxBytes: CHANGE_BYTES,
      answer: { status: 200, schema: z.object({ key: z.string() }) },
      errors: [],
    },
    (call) => manageTopics.change(call.environment, call.params.key ?? '', call.body, changedBy(call)),
  )
}
