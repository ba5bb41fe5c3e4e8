// Describes the tables of inbox positions and of the change log.

import type { MessagePatch } from '../../../contract/api.ts'
import { integer, json, orNull, table } from './table.ts'

export const INBOX_HEAD = table('inbox_head', {
  environmentId: integer(),
  userNo: integer(),
  seq: integer(),
  unread: integer(),
  unopened: integer(),
  /** Changes whose seq is at or below this one may be missing from the log. */
  floor: integer(),
})

/** Contains updates, and removes (with null for the patch). */
export const INBOX_CHANGE = table('inbox_change', {
  environmentId: integer(),
  userNo: integer(),
  seq: integer(),
  messageId: integer(),
  patch: orNull(json<MessagePatch>()),
})
