// Tests of both engines: passkeys.

import { describe, expect, test } from 'vitest'
import { MAX_PASSKEYS, type StoredPasskey } from '../../domain/people/passkey.ts'
import type { Account } from '../../domain/people/person.ts'
import { formatId } from '../../lib/id.ts'
import { givenStore, HOUR, type OpenStores } from './given.ts'
import { AUDIT, givenPeople } from './given-people.ts'

export function passkeysSuite(open: OpenStores): void {
  describe('passkeys', () => {
    const given = givenStore(open)
    const make = givenPeople(given)
    const passkeyOf = ({ id: personId }: Account, more: Partial<StoredPasskey> = {}): StoredPasskey => {
      const id = given.id()
      const keys = { credentialId: `credential ${id}`, publicKey: 'key', counter: 4, transports: ['usb', 'nfc'] }
      return { id, personId, name: 'Key', ...keys, createdAt: given.now(), lastUsedAt: null, ...more }
    }

    /** Adds it in a new session of the person. */
    async function add(person: Account, passkey: StoredPasskey) {
      return given.stores.passkeys.add(passkey, (await make.session(person)).session.id, AUDIT)
    }

    test('a passkey belongs to one person, and only that person lists, renames and removes it', async () => {
      const organisationId = await make.organisation()
      const [person, other] = [await make.member(organisationId, 'owner'), await make.member(organisationId, 'viewer')]
      const { passkeys } = given.stores
      const [first, second] = [passkeyOf(person), passkeyOf(person)]
      expect(await add(person, first)).toBe('added')
      expect(await add(other, passkeyOf(other, { credentialId: first.credentialId }))).toBe('known')
      expect(await add(person, second)).toBe('added')
      expect(await passkeys.list(person.id)).toEqual([second, first])
      expect(await passkeys.findByCredential(first.credentialId)).toEqual(first)
      const names = { from: 'Key', to: 'Desk' }
      expect(await passkeys.rename(other.id, first.id, names, AUDIT)).toBe(false)
      expect(await passkeys.rename(person.id, first.id, { ...names, from: 'Phone' }, AUDIT)).toBe(false)
      expect(await passkeys.rename(person.id, first.id, names, AUDIT)).toBe(true)
      expect(await passkeys.remove(other.id, second.id, AUDIT)).toBe(false)
      expect(await passkeys.remove(person.id, second.id, AUDIT)).toBe(true)
      expect(await passkeys.list(person.id)).toEqual([{ ...first, name: 'Desk' }])
    })

    test('a person has no more than the allowed number, also when several are added at the same moment', async () => {
      const person = await make.member(await make.organisation(), 'owner')
      const added = Array.from({ length: MAX_PASSKEYS + 3 }, () => add(person, passkeyOf(person)))
      const results = await Promise.all(added)
      expect(results.filter((result) => result === 'full')).toHaveLength(3)
    })

    test('a reset removes the passkeys of its person where wanted, and none is added by a session that it ended', async () => {
      const organisationId = await make.organisation()
      const [person, other] = [await make.member(organisationId, 'owner'), await make.member(organisationId, 'owner')]
      const { passkeys, oneTimeLinks, audit } = given.stores
      for (const owner of [person, person, other]) await add(owner, passkeyOf(owner))
      const { session } = await make.session(person)
      const kept = (await passkeys.list(person.id)).map(({ id }) => id)
      async function reset(removePasskeys: boolean) {
        const now = given.now()
        await oneTimeLinks.createReset({ personId: person.id, createdAt: now, expiresAt: now + HOUR }, `p ${person.id}`)
        const entry = { ...AUDIT, action: 'person.reset-password', subject: `person ${person.id}` }
        return oneTimeLinks.applyReset(`p ${person.id}`, { passwordHash: 'reset', removePasskeys, now }, entry)
      }
      expect(await reset(false)).toEqual({ passkeysRemoved: 0 })
      expect((await passkeys.list(person.id)).map(({ id }) => id)).toEqual(kept)
      expect(await reset(true)).toEqual({ passkeysRemoved: 2 })
      expect(await passkeys.list(person.id)).toEqual([])
      expect(await passkeys.list(other.id)).toHaveLength(1)
      const subjects = kept.map((id) => formatId('passkey', id))
      const entries = await audit.search({ action: 'passkey.remove' }, 10)
      expect(entries.filter(({ subject }) => subjects.includes(subject))).toHaveLength(2)
      // The thief's registration was under way.
      expect(await passkeys.add(passkeyOf(person), session.id, AUDIT)).toBe('session-ended')
      expect(await passkeys.list(person.id)).toEqual([])
    })

    test('a session by passkey needs the counter that was read, so that of two copies one signs in', async () => {
      const person = await make.member(await make.organisation(), 'owner')
      const { passkeys, dashboardSessions } = given.stores
      const passkey = passkeyOf(person)
      await add(person, passkey)
      const signIn = (formerCounter: number, counter: number) => {
        const session = make.draftSession(person.id)
        const proof = { by: 'passkey', passkeyId: passkey.id, formerCounter, counter } as const
        return dashboardSessions.create(session, `passkey ${session.id}`, proof)
      }
      const results = await Promise.all([signIn(4, 5), signIn(4, 5), signIn(4, 6)])
      expect(results.sort()).toEqual(['changed', 'changed', 'created'])
      expect((await passkeys.list(person.id))[0]?.counter).toBeGreaterThan(4)
      const other = await make.member(await make.organisation(), 'owner')
      const stolen = { by: 'passkey', passkeyId: passkey.id, formerCounter: 5, counter: 9 } as const
      expect(await dashboardSessions.create(make.draftSession(other.id), 'stolen passkey', stolen)).toBe('changed')
    })
  })
}
