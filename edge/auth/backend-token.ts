// Verifies tokens of authType `backendToken`, which the backend of a customer computes from the authSecretKey.

import { hmacHex, isEqualInConstantTime } from '../lib/hmac.ts'

const PLAIN = /^[0-9a-f]{64}$/
const EXPIRING = /^v2\.(0|[1-9]\d{0,11})\.([0-9a-f]{64})$/

/** A live `authSecretKey`; the session stores its `hash`. */
export interface AuthSecret {
  value: string
  hash: string
}

/** @returns HMAC-SHA256 of the user id, in lower-case hex. */
export function plainToken(authSecretKey: string, userId: string): string {
  return hmacHex(authSecretKey, userId)
}

/** @returns `v2.<unix seconds>.<hex>`; refused from that second on. */
export function expiringToken(authSecretKey: string, userId: string, expiresAtSeconds: number): string {
  return `v2.${expiresAtSeconds}.${hmacHex(authSecretKey, `v2\n${expiresAtSeconds}\n${userId}`)}`
}

export interface BackendTokenCheck {
  token: string
  userId: string
  /** All live values: two during an overlap. */
  secrets: readonly AuthSecret[]
  /** True when the environment accepts expiring tokens only. */
  requireExpiring: boolean
  /** Epoch milliseconds. */
  now: number
}

/** @returns The hash of the secret that signed the token; undefined when none did, or when the token has expired. */
export function findSigningKey(check: BackendTokenCheck): string | undefined {
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

/** Tries every secret, also after a match, so that the time does not reveal which one matched. */
function findMatch(secrets: readonly AuthSecret[], token: string, mint: (secret: string) => string) {
  let hash: string | undefined
  for (const secret of secrets) {
    if (isEqualInConstantTime(mint(secret.value), token)) hash ??= secret.hash
  }
  return hash
}
