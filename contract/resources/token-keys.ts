// Describes what verifies the JWTs of an environment's users: an identity provider, or a public key.

import { z } from 'zod'
import { namesInBraces } from '../in-braces.ts'
import { CLIENT_CLAIMS, JWT_ALGORITHMS } from '../tenant.ts'
import { textUpTo } from './fields.ts'

const MAX_TEXT_CHARS = 1024
const MAX_ADDRESS_CHARS = 2048
const MAX_KEY_CHARS = 16 * 1024
const MAX_ALGORITHMS = 20
/** Texts, because what is stored may be of another release. */
const ALGORITHMS: readonly string[] = JWT_ALGORITHMS
const SOME_OF = `Algorithms must be some of ${ALGORITHMS.join(', ')}.`

const path = z.string().min(1).max(256)
const paths = z.object({ userId: path, email: path.optional(), name: path.optional(), locale: path.optional() })
/** The `sub` names the user unless the body says otherwise. */
const givenPaths = paths.partial({ userId: true }).transform((given) => ({ userId: 'sub', ...given }))
const claims = givenPaths.optional().transform((given) => given ?? { userId: 'sub' })

function findUnfilled(text: string): string | undefined {
  const [name] = namesInBraces(text)
  return name === undefined ? undefined : `Put a value in place of {${name}}.`
}

function findAddressFault(text: string): string | undefined {
  const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  return findUnfilled(text) ?? (isWeb ? undefined : 'The JWKS address must be an https (or http) address.')
}

const filled = (empty: string) =>
  textUpTo(MAX_TEXT_CHARS, (text) => (text === '' ? empty : findUnfilled(text))).meta({ minLength: 1 })

const providerFields = {
  issuer: filled('The issuer is empty.'),
  audience: filled('The audience is empty.').meta({
    description: 'The client that tokens are issued for: the value of `clientClaim`.',
  }),
  jwksUrl: textUpTo(MAX_ADDRESS_CHARS, findAddressFault).meta({ format: 'uri', pattern: '^https?://' }),
  algorithms: z.array(z.enum(ALGORITHMS, SOME_OF)).min(1, SOME_OF).max(MAX_ALGORITHMS),
}
const clientClaim = z.enum(CLIENT_CLAIMS)

export const newIdentityProvider = z.object({ ...providerFields, clientClaim: clientClaim.default('aud'), claims })
/** As it is answered. */
export const identityProvider = z.object({ ...providerFields, clientClaim, claims: paths })

const algorithm = z.enum(ALGORITHMS, `The algorithm must be one of ${ALGORITHMS.join(', ')}.`)
/** Whether the key is one, and of this algorithm, the server tells. */
export const newPublicKey = z.object({
  algorithm,
  key: z.string().max(MAX_KEY_CHARS).meta({ description: 'A PEM text, or a public JWK as JSON text.' }),
  claims,
})
export const publicKey = z.object({ algorithm, key: z.string(), claims: paths })

/** Dotted paths into the claims. */
export type ClaimPaths = z.output<typeof paths>
export type IdentityProvider = z.output<typeof identityProvider>
/** `key` is PEM text or a JWK as JSON text. */
export type PublicKey = z.output<typeof publicKey>
