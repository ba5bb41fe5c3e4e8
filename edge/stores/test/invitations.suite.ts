// Tests of both engines: invitations to an organisation of the dashboard, and their acceptance.

import { beforeAll, describe, expect, test } from 'vitest'
import { ROLES, type Role } from '../../../contract/role.ts'
import type { Account } from '../../domain/people/person.ts'
import { givenStore, type OpenStores } from './given.ts'
import { AUDIT, givenPeople } from './given-people.ts'

export function invitationsSuite(open: OpenStores): void {
  describe('invitations', () => {
    const given = givenStore(open)
    const make = givenPeople(given)
    let organisationId: number
    beforeAll(async () => {
      organisationId = await make.organisation()
      await make.member(organisationId, 'owner')
    })

    test('an invitation is replaced by the next one to the address, listed, and revoked in its organisation', async () => {
      const { oneTimeLinks } = given.stores
      const email = make.account().email
      const [first, second] = [make.invitation(organisationId, email), make.invitation(organisationId, email, 'admin')]
      await oneTimeLinks.invite(first, `link ${first.id}`, ROLES, AUDIT)
      await oneTimeLinks.invite(second, `link ${second.id}`, ROLES, AUDIT)
      expect(await oneTimeLinks.findInvitation(`link ${first.id}`, given.now())).toBeUndefined()
      expect(await oneTimeLinks.findInvitation(`link ${second.id}`, given.now())).toEqual(second)
      expect(await oneTimeLinks.findInvitation(`link ${second.id}`, second.expiresAt)).toBeUndefined()
      expect(await oneTimeLinks.listInvitations(organisationId, given.now(), null, 1)).toEqual([second])
      expect(await oneTimeLinks.listInvitations(organisationId, given.now(), second.id, 10)).toEqual([])
      expect(await oneTimeLinks.revokeInvitation(await make.organisation(), second.id, ROLES, AUDIT)).toBe('missing')
      expect(await oneTimeLinks.revokeInvitation(organisationId, second.id, ROLES, AUDIT)).toBe('revoked')
      expect(await oneTimeLinks.listInvitations(organisationId, given.now(), null, 10)).toEqual([])
    })

    test('one with a role that the caller may not take stays, unless it has ended', async () => {
      const { oneTimeLinks } = given.stores
      const email = make.account().email
      const owners = make.invitation(organisationId, email, 'owner')
      const lower = { ...make.invitation(organisationId, email), createdAt: owners.expiresAt - 1 }
      await oneTimeLinks.invite(owners, `link ${owners.id}`, ROLES, AUDIT)
      expect(await oneTimeLinks.invite(lower, `link ${lower.id}`, ['viewer', 'admin'], AUDIT)).toBe(false)
      expect(await oneTimeLinks.revokeInvitation(organisationId, owners.id, ['admin'], AUDIT)).toBe('not-allowed')
      expect(await oneTimeLinks.findInvitation(`link ${owners.id}`, given.now())).toEqual(owners)
      const later = { ...lower, createdAt: owners.expiresAt, expiresAt: owners.expiresAt + 1 }
      expect(await oneTimeLinks.invite(later, `link ${later.id}`, ['viewer'], AUDIT)).toBe(true)
    })

    test('the invitations of a member end with the right to give their roles', async () => {
      const { oneTimeLinks, people } = given.stores
      const owner = await make.member(organisationId, 'owner')
      const other = await make.member(organisationId, 'owner')
      const invite = async (role: Role, invitedBy: string | null) => {
        const one = { ...make.invitation(organisationId, make.account().email, role), invitedBy }
        await oneTimeLinks.invite(one, `link ${one.id}`, ROLES, AUDIT)
        return one
      }
      const [owners, admins, viewers] = [
        await invite('owner', owner.email),
        await invite('admin', owner.email),
        await invite('viewer', owner.email),
      ]
      const kept = [await invite('owner', other.email), await invite('owner', null)]
      const open = async () =>
        (await oneTimeLinks.listInvitations(organisationId, given.now(), null, 100)).map((one) => one.id)
      await people.changeRole(organisationId, owner.id, { former: 'owner', role: 'admin' }, AUDIT)
      expect(await open()).toEqual(expect.arrayContaining([admins.id, viewers.id, ...kept.map((one) => one.id)]))
      expect(await open()).not.toContain(owners.id)
      await people.removeMember(organisationId, owner.id, 'admin', AUDIT)
      expect(await open()).toEqual(expect.arrayContaining(kept.map((one) => one.id)))
      for (const { id } of [admins, viewers]) expect(await open()).not.toContain(id)
      const [entry] = await given.stores.audit.list(null, 1)
      expect(entry?.detail).toEqual({ invitationsRevoked: 2 })
    })

    test('what became of its mail is recorded, and nothing is of an invitation that was replaced', async () => {
      const { oneTimeLinks } = given.stores
      const at = given.now()
      const mail = { state: 'sending' as const, at, error: null }
      const first = { ...make.invitation(organisationId, make.account().email), mail }
      const other = { ...make.invitation(organisationId, make.account().email), mail }
      for (const one of [first, other]) await oneTimeLinks.invite(one, `link ${one.id}`, ROLES, AUDIT)
      const find = ({ id }: { id: number }) => oneTimeLinks.findInvitation(`link ${id}`, at)
      expect(await find(first)).toEqual(first)
      const failed = { state: 'failed' as const, at: at + 1, error: 'The mail server is away.' }
      await oneTimeLinks.recordMail(first.id, failed)
      expect(await find(first)).toEqual({ ...first, mail: failed })
      expect(await find(other)).toEqual(other)
      const again = { ...first, id: given.id(), mail: { ...mail, at: at + 2 } }
      await oneTimeLinks.invite(again, `link ${again.id}`, ROLES, AUDIT)
      await oneTimeLinks.recordMail(first.id, failed)
      expect(await find(again)).toEqual(again)
      await oneTimeLinks.invite({ ...again, id: given.id(), mail: null }, 'link without mail', ROLES, AUDIT)
      expect(await oneTimeLinks.findInvitation('link without mail', at)).toMatchObject({ mail: null })
    })

    test('an invitation is accepted once, also at the same moment, and creates the account', async () => {
      const { oneTimeLinks, people } = given.stores
      const account = make.account()
      const invitation = make.invitation(organisationId, account.email)
      await oneTimeLinks.invite(invitation, `link ${invitation.id}`, ROLES, AUDIT)
      const accept = (of: Account) =>
        oneTimeLinks.acceptInvitation(
          `link ${invitation.id}`,
          { account: of, isNew: true, now: given.now() },
          { ...AUDIT, subject: of.email },
        )
      expect(await accept(make.account())).toBe('missing')
      const results = await Promise.all([accept(account), accept({ ...account, id: given.id() })])
      expect(results.filter((result) => result === 'accepted')).toHaveLength(1)
      expect(await people.findAccount(account.email)).toMatchObject({ email: account.email })
      const members = await people.listMembers(organisationId, null, 100)
      expect(members.filter(({ email }) => email === account.email)).toMatchObject([{ role: 'editor' }])
    })

    test('an account that appeared or changed since it was read keeps the invitation open', async () => {
      const { oneTimeLinks, people } = given.stores
      const account = await make.member(await make.organisation(), 'owner')
      const invitation = make.invitation(organisationId, account.email, 'viewer')
      const link = `link ${invitation.id}`
      await oneTimeLinks.invite(invitation, link, ROLES, AUDIT)
      const now = given.now()
      const accept = (of: Account, isNew: boolean) =>
        oneTimeLinks.acceptInvitation(link, { account: of, isNew, now }, AUDIT)
      expect(await accept({ ...account, id: given.id() }, true)).toBe('account-changed')
      expect(await accept({ ...account, passwordHash: 'former' }, false)).toBe('account-changed')
      expect(await people.findMember(organisationId, account.id)).toBeUndefined()
      expect(await accept(account, false)).toBe('accepted')
      expect(await people.findMember(organisationId, account.id)).toMatchObject({ role: 'viewer' })
    })
  })
}
