// Verifies codes of the second factor: one-time codes, and recovery codes.

import type { Core } from '../../domain/core.ts'
import type { FactorProof } from '../../domain/people/second-factor.ts'
import { ApiError } from '../../lib/api-error.ts'
import { hashRecoveryCode } from '../../lib/recovery-code.ts'

export type ProveFactor = ReturnType<typeof createProveFactor>

export function createProveFactor({
  secondFactors,
  findStep,
  open,
  clock,
}: Pick<Core, 'secondFactors' | 'open' | 'clock'> & {
  /** @returns The time step of a code; undefined when it is of none that is accepted now. */
  findStep(secret: string, code: string, now: number): number | undefined
}) {
  async function findConfirmed(personId: number) {
    const totp = await secondFactors.find(personId)
    return totp?.confirmedAt == null ? undefined : totp
  }

  return {
    /** Whether the sign-in of a person asks for a code. */
    isOn: async (personId: number): Promise<boolean> => (await findConfirmed(personId)) !== undefined,

    /**
     * Verifies a code without using it up: the transaction that it permits does that. Attempts in a browser of the person
     * are counted apart (`isKnown`), so that somebody who has the password alone does not make the person wait.
     * @throws ApiError `auth/unauthenticated` for a wrong code, `request/rate-limited`, `request/conflict` without a second factor.
     */
    async prove(personId: number, text: string, isKnown: boolean): Promise<FactorProof> {
      const totp = await findConfirmed(personId)
      if (totp === undefined) throw factorOff()
      const now = clock.now()
      const retryAt = await secondFactors.takeAttempt(personId, now, isKnown)
      if (retryAt !== null) {
        throw new ApiError('request/rate-limited', {
          message: 'Too many wrong codes for this account. Wait and try again.',
          retryAfterSeconds: (retryAt - now) / 1000,
        })
      }
      const codeHash = hashRecoveryCode(personId, text)
      if (codeHash !== undefined) return { kind: 'recovery-code', codeHash }
      const step = findStep(await open(totp.sealed), text.replace(/[\s-]/g, ''), now)
      if (step === undefined || step <= totp.lastStep) throw wrongCode()
      return { kind: 'totp', createdAt: totp.createdAt, step }
    },
  }
}

/** The error of a code that is wrong, or was accepted before. */
export function wrongCode(): ApiError {
  return new ApiError('auth/unauthenticated', {
    message: 'The code is wrong, or was used before. Take the next one of the app, or another recovery code.',
    reason: 'wrong-code',
  })
}

/** The error of a change that needs a second factor. */
export function factorOff(): ApiError {
  return new ApiError('request/conflict', {
    message: 'One-time codes are not switched on.',
    reason: 'second-factor-off',
  })
}
