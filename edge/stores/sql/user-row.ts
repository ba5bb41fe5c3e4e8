// Reads the row of a user as the domain type.

import type { User } from '../../domain/user.ts'
import { namesOf, type RawRow, view } from '../tables/table.ts'
import { APP_USER } from '../tables/user.ts'

const VIEW = view(APP_USER, 'u', namesOf(APP_USER.columns))

/** The columns of a user, with the table alias `u`. */
export const USER_COLUMNS = VIEW.columns

export function readUser(row: RawRow): User {
  const user = VIEW.read(row)
  return { ...user, externalIds: user.externalIds ?? {} }
}
