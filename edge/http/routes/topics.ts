// Serves GET /v1/topics, and GET and PUT /v1/topics/:key/subscribers.

import { z } from 'zod'
import {
  subscriberChange,
  subscriberPage,
  subscribersQuery,
  topic,
  topicsQuery,
} from '../../../contract/resources/topic.ts'
import { pageOf } from '../../../contract/schemas.ts'
import { changedBy } from '../kernel/callers.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

const PATH = '/v1/topics/:key/subscribers'
const TAG = 'Topics'

/** Allows 1,000 ids of 256 characters of up to 4 bytes. */
const CHANGE_BYTES = 2 * 1024 * 1024

export function addTopicRoutes(
  http: Http,
  { manageTopics, searchUsers }: Pick<Services, 'manageTopics' | 'searchUsers'>,
): void {
  addRoute(
    http,
    {
      method: 'get',
      path: '/v1/topics',
      role: 'viewer',
      summary: 'List topics, newest first; with `q` those whose key begins with it, in the order of their keys',
      tag: TAG,
      caller: 'key',
      query: topicsQuery,
      answer: { status: 200, schema: pageOf(topic).openapi('TopicPage') },
      errors: [],
    },
    (call) => searchUsers.topics(call.environment.id, call.query),
  )
  addRoute(
    http,
    {
      method: 'get',
      path: PATH,
      role: 'viewer',
      summary: 'List the subscribers of a topic, newest first; an unknown topic has none',
      tag: TAG,
      caller: 'key',
      query: subscribersQuery,
      answer: { status: 200, schema: subscriberPage },
      errors: [],
    },
    (call) => manageTopics.list(call.environment, call.params.key ?? '', call.query),
  )
  addRoute(
    http,
    {
      method: 'put',
      path: PATH,
      role: 'editor',
      summary: 'Add and remove subscribers, up to 1,000 per call',
      tag: TAG,
      caller: 'key',
      body: subscriberChange,
      maxBytes: CHANGE_BYTES,
      answer: { status: 200, schema: z.object({ key: z.string() }) },
      errors: [],
    },
    (call) => manageTopics.change(call.environment, call.params.key ?? '', call.body, changedBy(call)),
  )
}
