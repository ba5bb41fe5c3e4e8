// Describes the table of secrets.

import type { KeptSecret, StoredSecretKind } from '../../domain/secret.ts'
import { type ColumnsOf, integer, namesOf, orNull, table, text, textOf } from './table.ts'

const secret = {
  id: integer(),
  environmentId: integer(),
  kind: textOf<StoredSecretKind>(),
  hash: text(),
  plain: orNull(text()),
  sealed: orNull(text()),
  createdAt: integer(),
  retiresAt: orNull(integer()),
  lastUsedAt: orNull(integer()),
  settledAt: orNull(integer()),
} satisfies ColumnsOf<KeptSecret>

export const SECRET = table('secret', {
  ...secret,
  /** When people were told that it ends. */
  warnedAt: orNull(integer()),
})

export const SECRET_FIELDS = namesOf(secret)
