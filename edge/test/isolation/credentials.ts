// Lists credentials that every route must refuse: invalid ones and those of other kinds.

import { createHmac } from 'node:crypto'
import { vi } from 'vitest'
import type { AuthAnswer } from '../../../contract/api.ts'
import type { CallOptions, GivenEdge } from '../support/given.ts'
import type { givenNc } from '../support/given-nc.ts'
import type { RouteCaller } from './routes.ts'

export interface Keys {
  id: string
  sdkSecretKey: string
  frontApiKey: string
  authSecretKey: string
}

export interface RefusedCredential {
  description: string
  /** Header `Authorization`; undefined for none. */
  authorization: string | undefined
  /** The key in a body that repeats it. */
  credential: string
  /** Expected answers to calls with a key, and to calls of the widget. */
  expected: Record<Exclude<RouteCaller, 'none' | 'dashboard'>, string>
}

export const tokenOf = (keys: Keys, userId: string) =>
  createHmac('sha256', keys.authSecretKey).update(userId, 'utf8').digest('hex')

/** Signs a user in with a backend token. @throws when the edge refuses the token */
export async function signedIn(given: GivenEdge, keys: Keys, userId: string): Promise<AuthAnswer> {
  const body = { apiKey: keys.frontApiKey, userId, token: tokenOf(keys, userId) }
  const answer = await given.call<AuthAnswer>('POST', '/v1/users/auth', { body })
  if (answer.status !== 200) throw new Error(`sign-in refused: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const MALFORMED_KEY = '401 auth/tracking-secret-key'
const UNKNOWN_KEY = '403 auth/invalid-authorization'
const NO_SESSION = '401 auth/invalid-session'

/**
 * Returns credentials that are refused as a key and as a session.
 * Each has the status and code that it must get.
 */
export async function refusedCredentials(
  given: GivenEdge,
  cli: ReturnType<typeof givenNc>,
  createEnv: (name: string) => Promise<Keys>,
): Promise<RefusedCredential[]> {
  const malformed = [
    ['no credential', undefined],
    ['an empty header', ''],
    ['a scheme alone', 'Bearer'],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['two credentials', 'Bearer one two'],
    ['a comma list', 'Bearer one, Bearer two'],
  ] as const
  const refused: RefusedCredential[] = malformed.map(([description, authorization]) => ({
    description,
    authorization,
    credential: authorization ?? '',
    expected: { key: MALFORMED_KEY, widget: NO_SESSION },
  }))
  const add = (description: string, credential: string, key = UNKNOWN_KEY) =>
    refused.push({
      description,
      authorization: `Bearer ${credential}`,
      credential,
      expected: { key, widget: NO_SESSION },
    })
  add('an unknown credential', `nc_sdk_eu_${'0'.repeat(48)}`)
  add('a key of another region', `nc_sdk_us_${'0'.repeat(48)}`)
  add('a token that nobody signed', `eyJhbGciOiJub25lIn0.eyJzdWIiOiJ2ZXJhIn0.`)

  const retired = await createEnv('retired')
  const ended = await signedIn(given, retired, 'rita')
  await cli.json(`secret emergency --env ${retired.id} --kind sdkSecretKey --yes`)
  await cli.json(`secret emergency --env ${retired.id} --kind authSecretKey --yes`)
  add('a retired key', retired.sdkSecretKey)
  add('a session of a retired credential', ended.sessionToken)

  const disabled = await createEnv('disabled')
  const disabledSession = await signedIn(given, disabled, 'dora')
  await cli.json(`env disable --env ${disabled.id}`)
  add("a disabled environment's key", disabled.sdkSecretKey, MALFORMED_KEY)
  add("a disabled environment's session", disabledSession.sessionToken)

  // Takes effect within a second.
  const isRefused = async (path: string, options: CallOptions) => (await given.call('GET', path, options)).status > 400
  for (const session of [ended, disabledSession]) {
    await vi.waitUntil(() => isRefused('/v1/inbox/messages', { session }), { timeout: 60_000 })
  }
  for (const { sdkSecretKey: key } of [retired, disabled]) {
    await vi.waitUntil(() => isRefused('/v1/campaigns', { key }), { timeout: 60_000 })
  }
  return refused
}
