// Describes the tables of users.

import type { User } from '../../domain/user.ts'
import { type ColumnsOf, integer, json, namesOf, orNull, table, text } from './table.ts'

const user = {
  userNo: integer(),
  environmentId: integer(),
  userId: text(),
  email: orNull(text()),
  name: orNull(text()),
  locale: orNull(text()),
  timeZone: orNull(text()),
  attributes: json<Record<string, unknown>>(),
  /** As the rows of `external_id`, so that a profile is read with them; null: none. */
  externalIds: orNull(json<Record<string, string>>()),
  createdAt: integer(),
  updatedAt: integer(),
} satisfies ColumnsOf<User>

/** What is searched stands in it a second time, folded (`foldText`). */
export const APP_USER = table('app_user', { ...user, emailSearch: orNull(text()), nameSearch: orNull(text()) })
export const USER_FIELDS = namesOf(user)

/** Each value of a system belongs to one user of the environment. */
export const EXTERNAL_ID = table('external_id', {
  environmentId: integer(),
  system: text(),
  value: text(),
  userNo: integer(),
})

/** Users whose data are being removed: an interrupted erasure continues at the next start. */
export const ERASURE = table('erasure', {
  environmentId: integer(),
  userNo: integer(),
  userId: text(),
  begunAt: integer(),
})
