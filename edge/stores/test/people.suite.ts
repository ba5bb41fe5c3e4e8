// Tests of both engines: people, their roles and sessions, password resets and the first set-up of the dashboard.

import { describe, expect, test } from 'vitest'
import type { DashboardSession } from '../../domain/people/dashboard-session.ts'
import { type Given, givenStore, HOUR, type OpenStores } from './given.ts'
import { AUDIT, givenPeople, proofOf } from './given-people.ts'

export function peopleSuite(open: OpenStores): void {
  describe('people', () => {
    const given = givenStore(open)
    rolesSuite(given)
    sessionsSuite(given)
    passwordsSuite(given)
    setUpSuite(given)
  })
}

function rolesSuite(given: Given): void {
  describe('roles', () => {
    const make = givenPeople(given)
    const former = 'owner' as const

    test('a person has a role in each of several organisations, and each lists its own members', async () => {
      const [first, second] = [await make.organisation(), await make.organisation()]
      const account = await make.member(first, 'owner')
      const { people } = given.stores
      // The same address joins with its stored account, whatever was given.
      await people.addMember(second, { ...make.account(), email: account.email }, 'viewer')
      await people.addMember(second, { ...account, name: 'B' }, 'admin')
      expect(await people.findAccount(account.email)).toEqual(account)
      const { id, email, name } = account
      expect(await people.listMembers(first, null, 10)).toEqual([{ id, email, name, role: 'owner', createdAt: 1 }])
      expect(await people.findMember(second, id)).toMatchObject({ role: 'viewer' })
      const other = await make.member(second, 'editor')
      expect((await people.listMembers(second, null, 1)).map((member) => member.id)).toEqual([other.id])
      expect((await people.listMembers(second, other.id, 1)).map((member) => member.id)).toEqual([id])
      expect(await people.findMember(first, other.id)).toBeUndefined()
      await people.addMember(await make.organisation(), { ...other, createdAt: 2 }, 'admin')
      expect(await people.findFirstOrganisation(other.id)).toBe(second)
      expect(await people.findFirstOrganisation(given.id())).toBeUndefined()
      expect(await people.findAccount('nobody@example.com')).toBeUndefined()
    })

    test('the last owner is neither lowered nor removed; of two at the same moment, one remains', async () => {
      const organisationId = await make.organisation()
      const first = await make.member(organisationId, 'owner')
      const { people } = given.stores
      const lower = { former, role: 'admin' as const }
      expect(await people.changeRole(organisationId, first.id, lower, AUDIT)).toBe('last-owner')
      expect(await people.removeMember(organisationId, first.id, former, AUDIT)).toBe('last-owner')
      expect(await people.changeRole(organisationId, first.id, { former, role: former }, AUDIT)).toBe('changed')
      const second = await make.member(organisationId, 'owner')
      const results = await Promise.all([
        people.removeMember(organisationId, first.id, former, AUDIT),
        people.changeRole(organisationId, second.id, lower, AUDIT),
      ])
      expect(results.sort()).toEqual(['changed', 'last-owner'])
      const members = await people.listMembers(organisationId, null, 10)
      expect(members.filter(({ role }) => role === 'owner')).toHaveLength(1)
    })

    test('a change of a role that has changed since, or of another organisation, does nothing', async () => {
      const [organisationId, other] = [await make.organisation(), await make.organisation()]
      await make.member(organisationId, 'owner')
      const { id } = await make.member(organisationId, 'editor')
      const { people, audit } = given.stores
      const before = (await audit.list(null, 1000)).length
      expect(await people.changeRole(organisationId, id, { former: 'viewer', role: 'owner' }, AUDIT)).toBe('missing')
      expect(await people.changeRole(other, id, { former: 'editor', role: 'owner' }, AUDIT)).toBe('missing')
      expect(await people.removeMember(other, id, 'editor', AUDIT)).toBe('missing')
      expect(await people.findMember(organisationId, id)).toMatchObject({ role: 'editor' })
      expect(await audit.list(null, 1000)).toHaveLength(before)
    })
  })
}

function sessionsSuite(given: Given): void {
  describe('sessions', () => {
    const make = givenPeople(given)

    test('a session is found by its token with the person and the current roles, until it expires', async () => {
      const [first, second] = [await make.organisation(), await make.organisation(null)]
      const account = await make.member(first, 'editor')
      const { people, dashboardSessions } = given.stores
      await people.addMember(second, account, 'owner')
      const { session, token } = await make.session(account)
      const found = await dashboardSessions.find(token, given.now())
      const { id, email, name } = account
      expect(found).toEqual({
        session,
        person: { id, email, name },
        memberships: [
          { organisationId: first, organisationName: `Organisation ${first}`, role: 'editor', isOnboarded: true },
          { organisationId: second, organisationName: `Organisation ${second}`, role: 'owner', isOnboarded: false },
        ],
      })
      await dashboardSessions.touch(session.id, given.now() + 5)
      await dashboardSessions.touch(session.id, given.now() + 3)
      expect((await dashboardSessions.list(id, given.now()))[0]?.lastUsedAt).toBe(given.now() + 5)
      expect(await dashboardSessions.find(token, session.expiresAt)).toBeUndefined()
      expect(await dashboardSessions.list(id, session.expiresAt)).toEqual([])
      await dashboardSessions.purgeExpired(session.expiresAt)
      expect(await dashboardSessions.find(token, given.now())).toBeUndefined()
    })

    test('a person ends only own sessions; a person without a role has none', async () => {
      const account = await make.member(await make.organisation(), 'viewer')
      const [one, other] = [await make.session(account), await make.session(account)]
      const { dashboardSessions } = given.stores
      expect(await dashboardSessions.end(given.id(), one.session.id)).toBe(false)
      expect(await dashboardSessions.end(account.id, one.session.id)).toBe(true)
      expect(await dashboardSessions.end(account.id, one.session.id)).toBe(false)
      expect(await dashboardSessions.list(account.id, given.now())).toEqual([other.session])
    })

    test('a session loses the organisation that removes its person, and ends with the last one', async () => {
      const [first, second] = [await make.organisation(), await make.organisation()]
      const account = await make.member(first, 'viewer')
      const { people, dashboardSessions } = given.stores
      await people.addMember(second, account, 'editor')
      const { token } = await make.session(account)
      const reached = async () =>
        (await dashboardSessions.find(token, given.now()))?.memberships.map(({ organisationId }) => organisationId)
      expect(await reached()).toEqual([first, second])
      expect(await people.removeMember(first, account.id, 'viewer', AUDIT)).toBe('changed')
      expect(await reached()).toEqual([second])
      expect(await people.removeMember(second, account.id, 'editor', AUDIT)).toBe('changed')
      expect(await reached()).toBeUndefined()
    })
  })
}

function passwordsSuite(given: Given): void {
  describe('passwords', () => {
    const make = givenPeople(given)

    test('a session that was being created while the password changed does not outlive the change', async () => {
      const account = await make.member(await make.organisation(), 'owner')
      const { people, dashboardSessions } = given.stores
      const now = given.now()
      const change = { former: account.passwordHash, passwordHash: 'next', keptSessionId: null }
      const times = { createdAt: now, lastUsedAt: now, expiresAt: now + HOUR }
      const sessions = Array.from({ length: 8 }, () => ({
        id: given.id(),
        personId: account.id,
        userAgent: '',
        organisationId: null,
        ...times,
      }))
      const create = (session: DashboardSession) =>
        dashboardSessions.create(session, `racing ${session.id}`, proofOf(account.passwordHash))
      await Promise.all([
        ...sessions.slice(0, 4).map(create),
        people.changePassword(account.id, change, AUDIT),
        ...sessions.slice(4).map(create),
      ])
      expect(await dashboardSessions.list(account.id, now)).toEqual([])
      expect(await create({ ...sessions[0], id: given.id() } as DashboardSession)).toBe('changed')
    })

    test('a new password ends all other sessions and open resets, unless it was changed meanwhile', async () => {
      const account = await make.member(await make.organisation(), 'owner')
      const [kept, other] = [await make.session(account), await make.session(account)]
      const { people, dashboardSessions, oneTimeLinks } = given.stores
      const now = given.now()
      await oneTimeLinks.createReset({ personId: account.id, createdAt: now, expiresAt: now + HOUR }, `r ${account.id}`)
      const change = { former: account.passwordHash, passwordHash: 'next', keptSessionId: kept.session.id }
      expect(await people.changePassword(account.id, { ...change, former: 'x' }, AUDIT)).toBe(false)
      expect(await dashboardSessions.find(other.token, now)).toBeDefined()
      expect(await people.changePassword(account.id, change, AUDIT)).toBe(true)
      expect(await dashboardSessions.find(kept.token, now)).toBeDefined()
      expect(await dashboardSessions.find(other.token, now)).toBeUndefined()
      expect(await oneTimeLinks.findReset(`r ${account.id}`, now)).toBeUndefined()
      expect(await people.findAccount(account.email)).toMatchObject({ passwordHash: 'next' })
    })

    test('a reset works once until it expires, is replaced by the next one, and ends all sessions', async () => {
      const account = await make.member(await make.organisation(), 'owner')
      const { token } = await make.session(account)
      const { dashboardSessions, oneTimeLinks, people } = given.stores
      const now = given.now()
      const reset = { personId: account.id, createdAt: now, expiresAt: now + HOUR }
      await oneTimeLinks.createReset(reset, `first ${account.id}`)
      await oneTimeLinks.createReset(reset, `second ${account.id}`)
      const apply = (link: string, at: number) =>
        oneTimeLinks.applyReset(link, { passwordHash: 'reset', removePasskeys: false, now: at }, AUDIT)
      expect(await oneTimeLinks.findReset(`second ${account.id}`, now)).toEqual({ ...reset, email: account.email })
      expect(await apply(`first ${account.id}`, now)).toBeUndefined()
      expect(await apply(`second ${account.id}`, now + HOUR)).toBeUndefined()
      const results = await Promise.all([apply(`second ${account.id}`, now), apply(`second ${account.id}`, now)])
      expect(results).toContain(undefined)
      expect(results).toContainEqual({ passkeysRemoved: 0 })
      expect(await dashboardSessions.find(token, now)).toBeUndefined()
      expect(await people.findAccount(account.email)).toMatchObject({ passwordHash: 'reset' })
    })

    test('a reset is kept against a newer one for the wanted time; of two at the same moment, one is created', async () => {
      const account = await make.member(await make.organisation(), 'owner')
      const { oneTimeLinks } = given.stores
      const now = given.now()
      const create = (link: string, createdAt: number, keptAfter?: number) =>
        oneTimeLinks.createReset(
          { personId: account.id, createdAt, expiresAt: createdAt + HOUR },
          `${link} ${account.id}`,
          keptAfter,
        )
      const results = await Promise.all([create('a', now, now - 1000), create('b', now, now - 1000)])
      expect(results.sort()).toEqual([false, true])
      expect(await create('c', now + 1000, now - 1)).toBe(false)
      expect(await oneTimeLinks.findReset(`c ${account.id}`, now)).toBeUndefined()
      expect(await create('d', now + 1000, now)).toBe(true)
      expect(await oneTimeLinks.findReset(`d ${account.id}`, now)).toMatchObject({ createdAt: now + 1000 })
      // The clock was set back.
      expect(await create('e', now, now - 1000)).toBe(true)
      expect(await create('f', now)).toBe(true)
    })
  })
}

function setUpSuite(given: Given): void {
  describe('the first set-up', () => {
    const make = givenPeople(given)
    const plan = () => ({
      id: given.id(),
      name: 'First',
      region: null,
      onboardedAt: null,
      retentionDays: 90,
      createdAt: 1,
    })

    test('is refused where there is a member, and leaves no organisation', async () => {
      await make.member(await make.organisation(), 'owner')
      const { setUps, organisations } = given.stores
      expect(await setUps.hasMembers()).toBe(true)
      const organisation = plan()
      expect(await setUps.setUp(organisation, make.account(), [AUDIT])).toBe(false)
      expect(await organisations.find(organisation.id)).toBeUndefined()
    })
  })
}
