// Describes the tables of topics.

import { integer, table, text } from './table.ts'

export const TOPIC = table('topic', {
  environmentId: integer(),
  topicNo: integer(),
  key: text('topic_key'),
  /** The newest place that was reserved. */
  lastPlace: integer(),
  createdAt: integer(),
})

export const TOPIC_SUBSCRIBER = table('topic_subscriber', {
  environmentId: integer(),
  topicNo: integer(),
  /** Rises in the order in which users joined. */
  place: integer(),
  userNo: integer(),
})
