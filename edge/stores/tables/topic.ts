// Describes the tables of topics.

import { integer, table, text } from './table.ts'

export const TOPIC = table('topic', {
  topicNo: integer(),
  environmentId: integer(),
  key: text('topic_key'),
  /** The newest place that was reserved. */
  lastPlace: integer(),
  createdAt: integer(),
})

export const TOPIC_SUBSCRIBER = table('topic_subscriber', {
  topicNo: integer(),
  /** Rises in the order in which users joined. */
  place: integer(),
  userNo: integer(),
})
