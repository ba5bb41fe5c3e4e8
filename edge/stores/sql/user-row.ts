// Reads the row of a user as the domain type.

import type { User } from '../../domain/user.ts'
import { type RawRow, view } from '../tables/table.ts'
import { APP_USER, USER_FIELDS } from '../tables/user.ts'

const VIEW = view(APP_USER, 'u', USER_FIELDS)

/** The columns of a user, with the table alias `u`. */
export const USER_COLUMNS = VIEW.columns

export function readUser(row: RawRow): User {
  const user = VIEW.read(row)
  return { ...user, externalIds: user.externalIds ?? {} }
}

/** The columns of a user without attributes, which may be large. */
export const BARE = view(
  APP_USER,
  'u',
  USER_FIELDS.filter((name) => name !== 'attributes'),
)

/** The same with short attributes: one query reads all of a user, unless the attributes are long. `bytes`: their size. */
export const SHORT_COLUMNS = `${BARE.columns}, octet_length(u.attributes) AS bytes,
  CASE WHEN octet_length(u.attributes) <= 4096 THEN u.attributes END AS attributes`

/** `attributes`: their JSON text where it was read. */
export type BareRow = RawRow & { attributes?: string | null }

/** A row of SHORT_COLUMNS. */
export type ShortRow = BareRow & { bytes: number }

export function readBare(row: BareRow): User {
  const { externalIds, ...user } = BARE.read(row)
  const attributes = row.attributes == null ? {} : (JSON.parse(row.attributes) as User['attributes'])
  return { ...user, attributes, externalIds: externalIds ?? {} }
}
