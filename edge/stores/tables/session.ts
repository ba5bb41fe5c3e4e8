// Describes the table of widget sessions.

import type { WidgetSession } from '../../domain/session.ts'
import { type ColumnsOf, integer, namesOf, orNull, table, text } from './table.ts'

const session = {
  environmentId: integer(),
  id: integer(),
  userNo: integer(),
  userId: text(),
  credential: text(),
  frontKeyId: integer(),
  createdAt: integer(),
  expiresAt: integer(),
} satisfies ColumnsOf<WidgetSession>

export const SESSION = table('session', { ...session, endedAt: orNull(integer()) })

export const SESSION_FIELDS = namesOf(session)
