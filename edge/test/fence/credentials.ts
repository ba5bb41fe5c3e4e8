// Credentials that open nothing, or something else: what every route must refuse (contract sections 1 to 5).

import { createHmac } from 'node:crypto'
import { vi } from 'vitest'
import type { AuthAnswer } from '../../../contract/api.ts'
import type { CallOptions, GivenEdge } from '../support/given.ts'
import type { givenNc } from '../support/given-nc.ts'
import type { RouteCaller } from './routes.ts'
import type { Keys } from './world.ts'

export interface Refused {
  what: string
  /** The header `Authorization`; undefined: none. */
  authorization: string | undefined
  /** What of it stands in a body that repeats the key. */
  credential: string
  /** For tracking and other calls with a key, and for calls of the widget. */
  expected: Record<Exclude<RouteCaller, 'none'>, string>
}

export const tokenOf = (keys: Keys, userId: string) =>
  createHmac('sha256', keys.authSecretKey).update(userId, 'utf8').digest('hex')

export async function signedIn(given: GivenEdge, keys: Keys, userId: string): Promise<AuthAnswer> {
  const body = { apiKey: keys.frontApiKey, userId, token: tokenOf(keys, userId) }
  const answer = await given.call<AuthAnswer>('POST', '/v1/users/auth', { body })
  if (answer.status !== 200) throw new Error(`sign-in refused: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const MALFORMED_KEY = '401 auth/tracking-secret-key'
const UNKNOWN_KEY = '403 auth/invalid-authorization'
const NO_SESSION = '401 auth/invalid-session'

/** Of both kinds: `right` ones of the other kind are among them. */
export async function refusedCredentials(
  given: GivenEdge,
  cli: ReturnType<typeof givenNc>,
  createEnv: (name: string) => Promise<Keys>,
): Promise<Refused[]> {
  const malformed = [
    ['no credential', undefined],
    ['an empty header', ''],
    ['a scheme alone', 'Bearer'],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['two credentials', 'Bearer one two'],
    ['a comma list', 'Bearer one, Bearer two'],
  ] as const
  const refused: Refused[] = malformed.map(([what, authorization]) => ({
    what,
    authorization,
    credential: authorization ?? '',
    expected: { key: MALFORMED_KEY, widget: NO_SESSION },
  }))
  const add = (what: string, credential: string, key = UNKNOWN_KEY) =>
    refused.push({ what, authorization: `Bearer ${credential}`, credential, expected: { key, widget: NO_SESSION } })
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
  const standing = await signedIn(given, disabled, 'dora')
  await cli.json(`env disable --env ${disabled.id}`)
  add("a disabled environment's key", disabled.sdkSecretKey, MALFORMED_KEY)
  add("a disabled environment's session", standing.sessionToken)

  // In effect within a second.
  const isRefused = async (path: string, options: CallOptions) => (await given.call('GET', path, options)).status > 400
  for (const session of [ended, standing]) {
    await vi.waitUntil(() => isRefused('/v1/inbox/messages', { session }), { timeout: 20_000 })
  }
  for (const { sdkSecretKey: key } of [retired, disabled]) {
    await vi.waitUntil(() => isRefused('/v1/campaigns', { key }), { timeout: 20_000 })
  }
  return refused
}
