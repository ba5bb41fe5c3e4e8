// Registers, lists, renames and removes the passkeys of a person.

import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { NotifyPerson } from '../../domain/people/account-change.ts'
import type { SignedIn } from '../../domain/people/dashboard-session.ts'
import { MAX_PASSKEYS, type Passkey, type PasskeyResult } from '../../domain/people/passkey.ts'
import type { PasskeyCeremonies, PasskeySite } from '../../domain/people/passkey-ceremony.ts'
import type { Account } from '../../domain/people/person.ts'
import { parseName } from '../../domain/tenant/parse-name.ts'
import { ApiError } from '../../lib/api-error.ts'
import { formatId, parseId } from '../../lib/id.ts'
import { changeStored } from '../tenant/change-stored.ts'
import type { PasskeyChallenges } from './passkey-challenges.ts'
import { challengeEnded } from './sign-in-person.ts'

export type ManagePasskeys = ReturnType<typeof createManagePasskeys>

export function createManagePasskeys(
  deps: Pick<Core, 'passkeys' | 'ids' | 'clock'> & {
    passkeyChallenges: PasskeyChallenges
    ceremonies: Pick<PasskeyCeremonies, 'registrationOptions' | 'verifyRegistration'>
    /** @throws ApiError `request/conflict` where the site can have no passkeys. */
    site(): PasskeySite
    /** @throws ApiError `auth/unauthenticated`. */
    getAccount(email: string, password: string): Promise<Account>
    notify: NotifyPerson
  },
) {
  const { passkeys, passkeyChallenges, ceremonies, clock } = deps

  function auditOf(verb: string, passkeyId: number, by: ChangedBy, detail: AuditEntry['detail']): AuditEntry {
    const subject = formatId('passkey', passkeyId)
    return { at: clock.now(), ...by, action: `passkey.${verb}`, environmentId: null, subject, detail }
  }

  async function get(personId: number, passkeyId: string): Promise<Passkey> {
    const id = parseId('passkey', passkeyId)
    const found = (await passkeys.list(personId)).find((passkey) => passkey.id === id)
    if (found === undefined) throw missing()
    return found
  }

  return {
    list: (personId: number): Promise<Passkey[]> => passkeys.list(personId),

    /**
     * Begins a registration.
     * @returns The options for the browser, and the token of the challenge for its cookie.
     * @throws ApiError `auth/unauthenticated` for a wrong password, `request/conflict` where the site can have no passkeys.
     */
    async begin({ person }: SignedIn, password: string): Promise<{ options: object; token: string }> {
      const site = deps.site()
      await deps.getAccount(person.email, password)
      const { token, bytes } = await passkeyChallenges.begin('passkey-registration', person.id)
      const owner = { handle: formatId('person', person.id), email: person.email, name: person.name }
      const known = await passkeys.list(person.id)
      return { options: await ceremonies.registrationOptions(site, owner, bytes, known), token }
    },

    /** @throws ApiError `auth/unauthenticated` for an ended challenge, `request/invalid-body`, `request/conflict`. */
    async add(
      { person, session }: SignedIn,
      token: string | undefined,
      { name, response }: { name: string; response: object },
      by: ChangedBy,
    ): Promise<Passkey> {
      parseName(name)
      const site = deps.site()
      const { challenge, bytes } = await passkeyChallenges.end('passkey-registration', token)
      if (challenge.personId !== person.id) throw challengeEnded()
      const credential = await ceremonies.verifyRegistration(site, bytes, response)
      if (credential === undefined) throw invalidResponse()
      const added = await changeStored('passkey', async () => {
        const id = deps.ids.passkey.next()
        const passkey = { ...credential, id, personId: person.id, name, createdAt: clock.now(), lastUsedAt: null }
        requireAdded(await passkeys.add(passkey, session.id, auditOf('add', id, by, { name })))
        return passkey
      })
      deps.notify(person, 'passkey-added', by.correlationId)
      return added
    },

    /** @throws ApiError `request/not-found`, `request/invalid-body`. */
    async rename({ person }: SignedIn, passkeyId: string, name: string, by: ChangedBy): Promise<Passkey> {
      parseName(name)
      return changeStored('passkey', async () => {
        const passkey = await get(person.id, passkeyId)
        if (passkey.name === name) return passkey
        const names = { from: passkey.name, to: name }
        const isRenamed = await passkeys.rename(person.id, passkey.id, names, auditOf('rename', passkey.id, by, names))
        return isRenamed ? { ...passkey, name } : undefined
      })
    },

    /** @throws ApiError `request/not-found`. */
    async remove({ person }: SignedIn, passkeyId: string, by: ChangedBy): Promise<void> {
      const { id, name } = await get(person.id, passkeyId)
      if (!(await passkeys.remove(person.id, id, auditOf('remove', id, by, { name })))) throw missing()
      deps.notify(person, 'passkey-removed', by.correlationId)
    },
  }
}

function missing(): ApiError {
  return new ApiError('request/not-found', { message: 'You have no such passkey.' })
}

/** The error of a response that no device made for this challenge and this site. */
function invalidResponse(): ApiError {
  const message = 'This is no answer of a device to the challenge. Begin again, at the address of PUBLIC_URL.'
  return new ApiError('request/invalid-body', { message, details: [{ path: 'response', message }] })
}

function requireAdded(result: PasskeyResult): void {
  if (result === 'session-ended') throw challengeEnded()
  if (result === 'known') {
    throw new ApiError('request/conflict', { message: 'This passkey is registered already.', reason: 'passkey-known' })
  }
  if (result === 'full') {
    throw new ApiError('request/conflict', {
      message: `A person may have ${MAX_PASSKEYS} passkeys. Remove one first.`,
      reason: 'passkeys-full',
    })
  }
}
