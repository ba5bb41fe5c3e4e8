// authType `backendToken`: a token that the customer's backend computed from the authSecretKey (contract section 4).

import { hmacHex, isEqualInConstantTime } from '../lib/hmac.ts'

const PLAIN = /^[0-9a-f]{64}$/
const EXPIRING = /^v2\.(0|[1-9]\d{0,11})\.([0-9a-f]{64})$/

/** One live `authSecretKey`; `hash` names it in the session (contract section 2). */
export interface AuthSecret {
  value: string
  hash: string
}

/** Lower-case hex HMAC-SHA256 of the user id. */
export function plainToken(authSecretKey: string, userId: string): string {
  return hmacHex(authSecretKey, userId)
}

/** `v2.<unix seconds>.<hex>`: refused from that second on. */
export function expiringToken(authSecretKey: string, userId: string, expiresAtSeconds: number): string {
  return `v2.${expiresAtSeconds}.${hmacHex(authSecretKey, `v2\n${expiresAtSeconds}\n${userId}`)}`
}

export interface BackendTokenCheck {
  token: string
  userId: string
  /** Every value that is live, both of an overlap. */
  secrets: readonly AuthSecret[]
  /** The environment takes the expiring form only. */
  requireExpiring: boolean
  /** Epoch milliseconds. */
  now: number
}

/** The hash of the secret that vouched for the token; undefined when none did, or when it has expired. */
export function findVouchingSecret(check: BackendTokenCheck): string | undefined {
  const { token, userId, secrets } = check
  const expiring = EXPIRING.exec(token)
  if (expiring !== null) {
    const expiresAtSeconds = Number(expiring[1])
    if (check.now >= expiresAtSeconds * 1000) return undefined
    return findMatch(secrets, token, (secret) => expiringToken(secret, userId, expiresAtSeconds))
  }
  if (check.requireExpiring || !PLAIN.test(token)) return undefined
  return findMatch(secrets, token, (secret) => plainToken(secret, userId))
}

/** Tries every secret, also behind a match: the time does not tell which one it was. */
function findMatch(secrets: readonly AuthSecret[], token: string, mint: (secret: string) => string) {
  let hash: string | undefined
  for (const secret of secrets) {
    if (isEqualInConstantTime(mint(secret.value), token)) hash ??= secret.hash
  }
  return hash
}
