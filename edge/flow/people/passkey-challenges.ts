// Begins and ends the challenges of passkeys, and names the site that passkeys belong to.

import { isIP } from 'node:net'
import type { Core } from '../../domain/core.ts'
import { CHALLENGE_MS, type Challenge } from '../../domain/people/challenge.ts'
import type { PasskeySite } from '../../domain/people/passkey-ceremony.ts'
import { ApiError } from '../../lib/api-error.ts'
import { hmacHex } from '../../lib/hmac.ts'
import { hashToken, newToken } from '../../lib/one-time-token.ts'
import { challengeEnded } from './sign-in-person.ts'

type PasskeyKind = 'passkey' | 'passkey-registration'

/** Begins and ends challenges of passkeys. The bytes that a device signs are derived from the token in the cookie. */
export function createPasskeyChallenges({ challenges, clock }: Pick<Core, 'challenges' | 'clock'>) {
  const bytesOf = (token: string) => new Uint8Array(Buffer.from(hmacHex(token, 'passkey'), 'hex'))
  return {
    async begin(kind: PasskeyKind, personId: number | null): Promise<{ token: string; bytes: Uint8Array }> {
      const { token, hash } = newToken('challenge')
      const expiresAt = clock.now() + CHALLENGE_MS[kind]
      await challenges.create({ kind, personId, organisationId: null, passwordHash: null, expiresAt }, hash)
      return { token, bytes: bytesOf(token) }
    },

    /** Uses the challenge up. @throws ApiError `auth/unauthenticated`. */
    async end(kind: PasskeyKind, token: string | undefined): Promise<{ challenge: Challenge; bytes: Uint8Array }> {
      const hash = hashToken('challenge', token)
      const challenge = hash === undefined ? undefined : await challenges.use(hash, kind, clock.now())
      if (challenge === undefined || token === undefined) throw challengeEnded()
      return { challenge, bytes: bytesOf(token) }
    },
  }
}

export type PasskeyChallenges = ReturnType<typeof createPasskeyChallenges>

/**
 * @returns The site of an address for browsers.
 * @throws ApiError `request/conflict` for an IP address: browsers have passkeys of host names only.
 */
export function passkeySiteOf(publicUrl: string): PasskeySite {
  const { hostname, origin } = new URL(publicUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) === 0) return { rpId: hostname, origin }
  throw new ApiError('request/conflict', {
    message: `Passkeys need a host name, and PUBLIC_URL has the address ${hostname}. Set PUBLIC_URL to a name, such as http://localhost:3000 on this machine.`,
    reason: 'passkeys-need-host-name',
  })
}
