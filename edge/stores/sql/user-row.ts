// Maps the row of a user to the domain type.

import type { User } from '../../domain/user.ts'

/** The columns of `UserRow`, with the table alias `u`. */
export const USER_COLUMNS =
  'u.user_no, u.environment_id, u.user_id, u.email, u.name, u.locale, u.time_zone, u.attributes, u.external_ids, u.created_at, u.updated_at'

export interface UserRow {
  user_no: number
  environment_id: number
  user_id: string
  email: string | null
  name: string | null
  locale: string | null
  time_zone: string | null
  attributes: string
  external_ids: string | null
  created_at: number
  updated_at: number
}

export function toUser(row: UserRow): User {
  return {
    userNo: row.user_no,
    environmentId: row.environment_id,
    userId: row.user_id,
    email: row.email,
    name: row.name,
    locale: row.locale,
    timeZone: row.time_zone,
    attributes: JSON.parse(row.attributes) as Record<string, unknown>,
    externalIds: row.external_ids === null ? {} : (JSON.parse(row.external_ids) as Record<string, string>),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
