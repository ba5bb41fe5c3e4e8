// Finds which filter a text in the search field means: an id by its prefix, a user by id or e-mail address, else a correlation id.

import type { EnvironmentApi } from '../../api/environment.ts'
import { type Filters, searchOf } from './filters.ts'

/** Users whose id, address or name begins so; the one that is meant is among the first. */
const ASKED_USERS = 5

/** Without case and accents, as the service searches. */
const isSame = (one: string, other: string) =>
  new Intl.Collator('und', { sensitivity: 'base' }).compare(one, other) === 0

/** A failed look at the users is no failure of the search: it then means a correlation id. */
export async function findMeant(api: Pick<EnvironmentApi, 'users'>, text: string): Promise<Filters> {
  const meant = searchOf(text)
  const { correlationId } = meant
  if (correlationId === undefined) return meant
  const users = await api.users({ q: correlationId, limit: ASKED_USERS }).then(
    ({ data }) => data,
    () => [],
  )
  const wanted = correlationId.toLowerCase()
  const user =
    users.find(({ userId }) => userId === correlationId) ??
    users.find(({ email }) => email?.toLowerCase() === wanted) ??
    users.find(({ name }) => name?.toLowerCase() === wanted) ??
    users.find(({ name }) => name !== null && isSame(name, correlationId))
  return user === undefined ? meant : { userId: user.userId }
}
