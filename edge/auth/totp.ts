// Generates secrets of one-time codes (TOTP, RFC 6238) and finds the time step of a code.

import { Secret, TOTP } from 'otpauth'

/** The settings that all authenticator apps know. */
const STEP_SECONDS = 30
const DIGITS = 6
const SECRET_BYTES = 20
/** Steps before and after the present one whose codes are accepted, because clocks differ. */
const TOLERATED_STEPS = 1

export interface TotpCodes {
  /** @returns A new secret as base32, and the address that authenticator apps read from a QR code. */
  newSecret(label: string): { secret: string; url: string }
  /** @returns The time step whose code this is; undefined when it is of none that is accepted at `now` (epoch ms). */
  findStep(secret: string, code: string, now: number): number | undefined
}

/** @param issuer The name of the service in authenticator apps. */
export function createTotpCodes({ issuer }: { issuer: string }): TotpCodes {
  const totpOf = (secret: Secret, label: string) =>
    new TOTP({ issuer, label, secret, algorithm: 'SHA1', digits: DIGITS, period: STEP_SECONDS })
  return {
    newSecret(label) {
      const secret = new Secret({ size: SECRET_BYTES })
      return { secret: secret.base32, url: totpOf(secret, label).toString() }
    },
    findStep(secret, code, now) {
      if (code.length !== DIGITS) return undefined
      const totp = totpOf(Secret.fromBase32(secret), '')
      const delta = totp.validate({ token: code, timestamp: now, window: TOLERATED_STEPS })
      return delta === null ? undefined : Math.floor(now / 1000 / STEP_SECONDS) + delta
    },
  }
}
