// Switches one-time codes of a person on and off, and makes recovery codes.

import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { NotifyPerson } from '../../domain/people/account-change.ts'
import type { SignedIn } from '../../domain/people/dashboard-session.ts'
import type { Account, Person } from '../../domain/people/person.ts'
import { ENROLMENT_MS, type FactorResult, RECOVERY_CODES } from '../../domain/people/second-factor.ts'
import { ApiError } from '../../lib/api-error.ts'
import { formatId } from '../../lib/id.ts'
import { hashRecoveryCode, newRecoveryCode } from '../../lib/recovery-code.ts'
import { type createProveFactor, type ProveFactor, wrongCode } from './prove-factor.ts'

export type ManageFactor = ReturnType<typeof createManageFactor>

export interface FactorState {
  totp: { isOn: boolean; confirmedAt: number | null }
  recoveryCodesLeft: number
}

export function createManageFactor(
  deps: Pick<Core, 'secondFactors' | 'seal' | 'open' | 'clock'> &
    Pick<Parameters<typeof createProveFactor>[0], 'findStep'> & {
      prove: ProveFactor['prove']
      /** @throws ApiError `auth/unauthenticated`. */
      getAccount(email: string, password: string): Promise<Account>
      newSecret(label: string): { secret: string; url: string }
      notify: NotifyPerson
    },
) {
  const { secondFactors, clock } = deps

  function auditOf({ id }: Person, verb: string, by: ChangedBy, detail: AuditEntry['detail']): AuditEntry {
    const subject = formatId('person', id)
    return { at: clock.now(), ...by, action: `person.${verb}`, environmentId: null, subject, detail }
  }

  /** @returns New recovery codes, and their hashes for the store. */
  function newCodes({ id }: Person): { codes: string[]; codeHashes: string[] } {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
    return { codes, codeHashes: codes.map((code) => hashRecoveryCode(id, code) as string) }
  }

  /** Verifies password and code for a change. */
  async function proveChange({ person }: SignedIn, password: string, code: string) {
    const { passwordHash } = await deps.getAccount(person.email, password)
    return { passwordHash, factor: await deps.prove(person.id, code, true) }
  }

  return {
    async read(personId: number): Promise<FactorState> {
      const totp = await secondFactors.find(personId)
      const confirmedAt = totp?.confirmedAt ?? null
      return {
        totp: { isOn: confirmedAt !== null, confirmedAt },
        recoveryCodesLeft: await secondFactors.countRecoveryCodes(personId),
      }
    },

    /**
     * Makes a secret, which is in this answer alone and counts after `confirm`.
     * @throws ApiError `auth/unauthenticated` for a wrong password, `request/conflict` when codes are on.
     */
    async begin({ person }: SignedIn, password: string): Promise<{ secret: string; url: string; expiresAt: number }> {
      await deps.getAccount(person.email, password)
      const { secret, url } = deps.newSecret(person.email)
      const createdAt = clock.now()
      const draft = { personId: person.id, sealed: await deps.seal(secret), lastStep: 0, createdAt, confirmedAt: null }
      if (!(await secondFactors.begin(draft))) {
        throw new ApiError('request/conflict', {
          message: 'One-time codes are switched on already. Switch them off first.',
          reason: 'second-factor-on',
        })
      }
      return { secret, url, expiresAt: createdAt + ENROLMENT_MS }
    },

    /**
     * Switches codes on by the first code, and ends all other sessions.
     * @returns The recovery codes, which are in this answer alone.
     * @throws ApiError `auth/unauthenticated` for a wrong code, `request/conflict` without an open secret.
     */
    async confirm({ person, session }: SignedIn, code: string, by: ChangedBy): Promise<string[]> {
      const now = clock.now()
      const totp = await secondFactors.find(person.id)
      if (totp === undefined || totp.confirmedAt !== null || totp.createdAt + ENROLMENT_MS <= now) throw notBegun()
      const step = deps.findStep(await deps.open(totp.sealed), code.replace(/[\s-]/g, ''), now)
      if (step === undefined) throw wrongCode()
      const { codes, codeHashes } = newCodes(person)
      const confirmation = { step, codeHashes, keptSessionId: session.id, now }
      if (
        !(await secondFactors.confirm(
          totp,
          confirmation,
          auditOf(person, 'enable-totp', by, { before: 'off', after: 'on' }),
        ))
      )
        throw notBegun()
      deps.notify(person, 'totp-on', by.correlationId)
      return codes
    },

    /** @throws ApiError `auth/unauthenticated`, `request/conflict`, `request/rate-limited`. */
    async switchOff(signedIn: SignedIn, proof: { password: string; code: string }, by: ChangedBy): Promise<void> {
      const change = await proveChange(signedIn, proof.password, proof.code)
      const { person } = signedIn
      const entry = auditOf(person, 'disable-totp', by, { before: 'on', after: 'off', proof: change.factor.kind })
      requireDone(await secondFactors.remove(person.id, change, entry))
      deps.notify(person, 'totp-off', by.correlationId)
    },

    /** Replaces all recovery codes. @returns The new ones, which are in this answer alone. Throws as `switchOff`. */
    async renewCodes(signedIn: SignedIn, proof: { password: string; code: string }, by: ChangedBy): Promise<string[]> {
      const change = await proveChange(signedIn, proof.password, proof.code)
      const { person } = signedIn
      const { codes, codeHashes } = newCodes(person)
      const before = await secondFactors.countRecoveryCodes(person.id)
      const entry = auditOf(person, 'renew-recovery-codes', by, { before, after: codes.length })
      requireDone(await secondFactors.replaceRecoveryCodes(person.id, { ...change, codeHashes }, entry))
      return codes
    },
  }
}

function requireDone(result: FactorResult): void {
  if (result === 'code-used') throw wrongCode()
  if (result === 'changed') {
    throw new ApiError('request/conflict', { message: 'The account was changed meanwhile. Try again.' })
  }
}

function notBegun(): ApiError {
  return new ApiError('request/conflict', {
    message: 'There is no secret to confirm, or it is expired. Begin again.',
    reason: 'second-factor-not-begun',
  })
}
