// Lets a person try the inbox: makes the person's test user, and a token by which the element signs it in.

import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Person } from '../../domain/people/person.ts'
import { testUserId } from '../../domain/people/test-user.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'

/** The element signs in at once; it asks for another token before its session ends. */
const TOKEN_SECONDS = 5 * 60

type Taken = Pick<Core, 'users' | 'secrets' | 'clock'> & {
  /** Lists the values of the live authSecretKeys, newest first. */
  listAuthSecrets(environmentId: number): Promise<{ value: string }[]>
  mintToken(authSecretKey: string, userId: string, expiresAtSeconds: number): string
}

interface Trial {
  apiKey: string
  userId: string
  token: string
  expiresAt: string
}

/** @throws ApiError `request/conflict` in production, where a test user would be among real ones */
export type BeginTrial = (environment: Environment, person: Pick<Person, 'id' | 'name' | 'email'>) => Promise<Trial>

export function createBeginTrial({ users, secrets, clock, listAuthSecrets, mintToken }: Taken): BeginTrial {
  return async function beginTrial({ id, isProduction }, person) {
    if (isProduction) {
      const message = 'Production has no test users. Try the inbox in another environment.'
      throw new ApiError('request/conflict', { message, reason: 'production' })
    }
    const [[front], [signing]] = await Promise.all([secrets.list(id, 'frontApiKey'), listAuthSecrets(id)])
    if (front?.plain == null || signing === undefined) throw new Error('environment without its keys')
    const userId = testUserId(person.id)
    const now = clock.now()
    await users.upsert(id, userId, { name: person.name || null, email: person.email }, now)
    const expiresAtSeconds = Math.floor(now / 1000) + TOKEN_SECONDS
    return {
      apiKey: front.plain,
      userId,
      token: mintToken(signing.value, userId, expiresAtSeconds),
      expiresAt: toIso(expiresAtSeconds * 1000),
    }
  }
}
