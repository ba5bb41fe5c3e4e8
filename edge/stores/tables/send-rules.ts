// Describes the tables of preferences and suppressions.

import type { Channel } from '../../../contract/delivery.ts'
import type { SuppressionReason } from '../../../contract/resources/suppression.ts'
import type { Preferences } from '../../domain/sending/send-rules.ts'
import { integer, json, table, text, textOf } from './table.ts'

export const USER_PREFERENCE = table('user_preference', {
  environmentId: integer(),
  userNo: integer(),
  content: json<Preferences>(),
  updatedAt: integer(),
})

export const SUPPRESSION = table('suppression', {
  environmentId: integer(),
  /** `user:` with an id, or `address:` with a hash: a suppression list must not be a list of addresses. */
  subject: text(),
  channel: textOf<Channel>(),
  reason: textOf<SuppressionReason>(),
  createdAt: integer(),
})

/** Has a row once an environment has either: before that, no check is made. */
export const SEND_RULES_USED = table('send_rules_used', { environmentId: integer(), since: integer() })
