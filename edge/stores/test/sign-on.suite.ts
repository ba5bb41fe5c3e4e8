// Tests of both engines: single sign-on of organisations.

import { beforeAll, describe, expect, test } from 'vitest'
import { ROLES } from '../../../contract/role.ts'
import { domainOf } from '../../domain/people/sign-on-domains.ts'
import type { DomainCheck, ProvedDomain, SignOnAttempt, SingleSignOn } from '../../domain/people/single-sign-on.ts'
import { givenStore, type OpenStores } from './given.ts'
import { AUDIT, givenPeople } from './given-people.ts'

export function signOnSuite(open: OpenStores): void {
  describe('single sign-on', () => {
    const given = givenStore(open)
    const make = givenPeople(given)
    let organisationId: number
    let settings: SingleSignOn
    beforeAll(async () => {
      organisationId = await make.organisation()
      await make.member(organisationId, 'owner')
      settings = settingsOf(organisationId)
      await given.stores.singleSignOns.save(settings, null, false, AUDIT)
      expect(await given.stores.singleSignOns.proveDomain(proofOf(organisationId), AUDIT)).toBe('proved')
    })

    const proofOf = (organisationId: number, more: Partial<ProvedDomain> = {}): ProvedDomain => {
      const now = given.now()
      const times = { provedAt: now, checkedAt: now, missingSince: null }
      return { domain: domainOf(make.account().email), organisationId, by: 'dns', ...times, ...more }
    }

    const settingsOf = (organisationId: number, revision = 1): SingleSignOn => ({
      organisationId,
      issuer: 'https://login.example.com',
      clientId: 'client',
      sealed: `sealed ${organisationId}`,
      domains: ['example.com'],
      newMemberRole: null,
      revision,
      updatedAt: given.now(),
    })
    const attemptOf = (email: string | null, subject: string, more: Partial<SignOnAttempt> = {}): SignOnAttempt => {
      const { personId: _, ...session } = make.draftSession(0, organisationId)
      const newAccount = { ...make.account(), email: email ?? '' }
      const asked = { consent: 'none', signedInId: null, beganElsewhere: false } as const
      const base = {
        organisationId,
        revision: 1,
        issuer: settings.issuer,
        subject,
        email,
        newMemberRole: null,
        ...asked,
      }
      const audit = { link: AUDIT, join: AUDIT }
      return { ...base, newAccount, session, tokenHash: `sign-on ${session.id}`, audit, ...more }
    }
    const signIn = (attempt: SignOnAttempt) => given.stores.singleSignOns.signIn(attempt)

    test('settings are saved and removed at the revision that was read', async () => {
      const id = await make.organisation()
      const { singleSignOns, rotations } = given.stores
      expect(await singleSignOns.find(id)).toBeUndefined()
      expect(await singleSignOns.save(settingsOf(id), null, false, AUDIT)).toBe(true)
      expect(await singleSignOns.save(settingsOf(id), null, false, AUDIT)).toBe(false)
      const next: SingleSignOn = { ...settingsOf(id, 2), domains: ['a.example', 'b.example'], newMemberRole: 'viewer' }
      expect(await singleSignOns.save(next, 5, false, AUDIT)).toBe(false)
      expect(await singleSignOns.save(next, 1, false, AUDIT)).toBe(true)
      expect(await singleSignOns.find(id)).toEqual(next)
      const text = { environmentId: 0, id, sealed: `sealed ${id}` }
      expect(await rotations.listSealed({ ...text, id: id - 1 }, 1, 'single_sign_on')).toEqual([text])
      expect(await rotations.reseal(text, 'anew', 'single_sign_on')).toBe(true)
      expect(await singleSignOns.remove(id, 1, AUDIT)).toBe(false)
      expect(await singleSignOns.remove(id, 2, AUDIT)).toBe(true)
      expect(await singleSignOns.find(id)).toBeUndefined()
    })

    test('a member is linked once, also by sign-ins at the same moment, and found by the subject', async () => {
      const person = await make.member(organisationId, 'editor')
      const attempts = Array.from({ length: 4 }, () => attemptOf(person.email, `subject ${person.id}`))
      expect(await Promise.all(attempts.map(signIn))).toEqual(Array(4).fill('signed-in'))
      const later = attemptOf(null, `subject ${person.id}`)
      expect(await signIn(later)).toBe('signed-in')
      const found = await given.stores.dashboardSessions.find(later.tokenHash, given.now())
      expect(found).toMatchObject({ person: { id: person.id }, session: { organisationId } })
      expect(await signIn(attemptOf(person.email, 'another subject'))).toBe('linked-otherwise')
      expect(await signIn(attemptOf(null, 'another subject'))).toBe('not-linked')
    })

    test('without a proof of the domain nobody is linked or created, unless the person accepts', async () => {
      const { people, oneTimeLinks, dashboardSessions, singleSignOns } = given.stores
      const id = await make.organisation()
      await singleSignOns.save(settingsOf(id), null, false, AUDIT)
      const ofOther = (email: string, more: Partial<SignOnAttempt> = {}) =>
        attemptOf(email, `unproved ${email}`, { organisationId: id, newMemberRole: 'viewer', ...more })
      const member = await make.member(id, 'editor')
      const attempt = ofOther(member.email)
      expect(await signIn(attempt)).toBe('accept')
      expect(await dashboardSessions.find(attempt.tokenHash, given.now())).toBeUndefined()
      expect(await singleSignOns.findLinkedEmail(id, settings.issuer, attempt.subject)).toBeUndefined()
      const unknown = make.account().email
      await oneTimeLinks.invite(make.invitation(id, unknown), `unproved ${unknown}`, ROLES, AUDIT)
      expect(await signIn(ofOther(unknown))).toBe('accept')
      expect(await people.findAccount(unknown)).toBeUndefined()
      // Somebody else accepts, or nobody does.
      const stranger = await make.member(await make.organisation(), 'owner')
      for (const signedInId of [stranger.id, null]) {
        expect(await signIn(ofOther(member.email, { consent: 'accept', signedInId }))).toBe('changed')
        expect(await signIn(ofOther(unknown, { consent: 'accept', signedInId }))).toBe('changed')
        expect(await signIn(ofOther(member.email, { consent: 'continue', signedInId }))).toBe('accept')
      }
      const accepting = ofOther(member.email, { consent: 'accept', signedInId: member.id })
      expect(await signIn(accepting)).toBe('accepted')
      expect(await dashboardSessions.find(accepting.tokenHash, given.now())).toBeUndefined()
      expect(await signIn(ofOther(member.email))).toBe('signed-in')
    })

    test('another person who is signed in, or a beginning elsewhere, is asked about before anything is stored', async () => {
      const person = await make.member(organisationId, 'editor')
      const other = await make.member(organisationId, 'editor')
      const subject = `asked ${person.id}`
      const { dashboardSessions, singleSignOns } = given.stores
      for (const more of [{ signedInId: other.id }, { beganElsewhere: true }]) {
        const attempt = attemptOf(person.email, subject, more)
        expect(await signIn(attempt)).toBe('continue')
        expect(await dashboardSessions.find(attempt.tokenHash, given.now())).toBeUndefined()
        expect(await singleSignOns.findLinkedEmail(organisationId, settings.issuer, subject)).toBeUndefined()
      }
      const unknown = make.account().email
      const invited = { signedInId: other.id, newMemberRole: 'viewer' } as const
      expect(await signIn(attemptOf(unknown, unknown, invited))).toBe('continue')
      expect(await given.stores.people.findAccount(unknown)).toBeUndefined()
      expect(await signIn(attemptOf(person.email, subject, { signedInId: other.id, consent: 'continue' }))).toBe(
        'signed-in',
      )
      expect(await signIn(attemptOf(null, subject, { signedInId: person.id }))).toBe('signed-in')
      expect(await signIn(attemptOf(null, subject, { signedInId: other.id }))).toBe('continue')
      expect(await singleSignOns.findLinkedEmail(organisationId, settings.issuer, subject)).toBe(person.email)
    })

    test('a domain is proved by one organisation, also of several at the same moment, while its settings list it', async () => {
      const { singleSignOns } = given.stores
      const domain = `proved${given.id()}.example`
      const ids = [await make.organisation(), await make.organisation(), await make.organisation()]
      const prove = (id: number) => singleSignOns.proveDomain(proofOf(id, { domain }), AUDIT)
      expect(await prove(ids[0] ?? 0)).toBe('not-listed')
      for (const id of ids) await singleSignOns.save({ ...settingsOf(id), domains: [domain] }, null, false, AUDIT)
      const results = await Promise.all(ids.map(prove))
      expect(results.toSorted()).toEqual(['proved', 'taken', 'taken'])
      const winner = ids[results.indexOf('proved')] ?? 0
      const loser = ids[results.indexOf('taken')] ?? 0
      expect(await prove(winner)).toBe('proved')
      expect(await singleSignOns.listProved(winner)).toMatchObject([{ domain, organisationId: winner, by: 'dns' }])
      expect(await singleSignOns.listProved(loser)).toEqual([])
      const others = { ...settingsOf(winner, 2), domains: ['other.example'] }
      expect(await singleSignOns.save(others, 1, false, AUDIT)).toBe(true)
      expect(await prove(loser)).toBe('proved')
      expect(await singleSignOns.remove(loser, 1, AUDIT)).toBe(true)
      expect(await singleSignOns.listProved(loser)).toEqual([])
    })

    test('a check is recorded once, by the node whose reading is the stored one', async () => {
      const { singleSignOns, audit } = given.stores
      const id = await make.organisation()
      const domain = `checked${given.id()}.example`
      await singleSignOns.save({ ...settingsOf(id), domains: [domain] }, null, false, AUDIT)
      await singleSignOns.proveDomain(proofOf(id, { domain, checkedAt: 10 }), AUDIT)
      const read = async () => (await singleSignOns.listProved(id))[0] as ProvedDomain
      const due = async (before: number) =>
        (await singleSignOns.listUnchecked(before, 1000)).filter((one) => one.domain === domain).length
      expect([await due(10), await due(11)]).toEqual([0, 1])
      const entry = { ...AUDIT, organisationId: id, action: 'org.miss-domain-record' }
      const entries = async () => (await audit.search({ organisationId: id, action: entry.action }, 10)).length
      const first = await read()
      const record = (proof: ProvedDomain, check: DomainCheck, now: number) =>
        singleSignOns.recordCheck(proof, check, now, entry)
      await Promise.all([record(first, 'missing', 20), record(first, 'missing', 20)])
      expect([await read(), await entries()]).toEqual([{ ...first, checkedAt: 20, missingSince: 20 }, 1])
      await record(await read(), 'missing', 30)
      expect([(await read()).missingSince, await entries()]).toEqual([20, 1])
      await record(await read(), 'found', 40)
      expect([(await read()).missingSince, await entries()]).toEqual([null, 2])
      await record(first, 'lost', 50)
      expect(await read()).toMatchObject({ checkedAt: 40 })
      await record(await read(), 'lost', 50)
      expect([await singleSignOns.listProved(id), await entries()]).toEqual([[], 3])
    })

    test('a session reaches its organisation alone', async () => {
      const person = await make.member(organisationId, 'viewer')
      const other = await make.organisation()
      await given.stores.people.addMember(other, person, 'owner')
      const attempt = attemptOf(person.email, `alone ${person.id}`)
      expect(await signIn(attempt)).toBe('signed-in')
      const found = await given.stores.dashboardSessions.find(attempt.tokenHash, given.now())
      expect(found?.memberships).toMatchObject([{ organisationId, role: 'viewer' }])
    })

    test('a stranger joins by an invitation of the organisation, or by the role of new members', async () => {
      const { oneTimeLinks, people } = given.stores
      const email = make.account().email
      expect(await signIn(attemptOf(email, email))).toBe('not-member')
      expect(await people.findAccount(email)).toBeUndefined()
      const invitation = make.invitation(organisationId, email, 'admin')
      await oneTimeLinks.invite(invitation, `sso ${invitation.id}`, ROLES, AUDIT)
      const results = await Promise.all([signIn(attemptOf(email, email)), signIn(attemptOf(email, email))])
      expect(results).toEqual(['signed-in', 'signed-in'])
      expect(await oneTimeLinks.findInvitation(`sso ${invitation.id}`, given.now())).toBeUndefined()
      const account = await people.findAccount(email)
      expect(await people.findMember(organisationId, account?.id ?? 0)).toMatchObject({ role: 'admin' })
      const welcome = make.account().email
      expect(await signIn(attemptOf(welcome, welcome, { newMemberRole: 'viewer' }))).toBe('signed-in')
      const joined = await people.findAccount(welcome)
      expect(await people.findMember(organisationId, joined?.id ?? 0)).toMatchObject({ role: 'viewer' })
    })

    test('a removed member, changed settings and another provider leave no session and no link', async () => {
      const person = await make.member(organisationId, 'viewer')
      const subject = `removed ${person.id}`
      const { people, dashboardSessions, singleSignOns } = given.stores
      await signIn(attemptOf(person.email, subject))
      await people.removeMember(organisationId, person.id, 'viewer', AUDIT)
      expect(await signIn(attemptOf(person.email, subject))).toBe('not-member')
      await people.addMember(organisationId, person, 'viewer')
      expect(await signIn(attemptOf(person.email, subject, { revision: 7 }))).toBe('changed')
      const attempt = attemptOf(person.email, subject)
      expect(await signIn(attempt)).toBe('signed-in')
      expect(await singleSignOns.save({ ...settings, revision: 2 }, 1, true, AUDIT)).toBe(true)
      expect(await dashboardSessions.find(attempt.tokenHash, given.now())).toBeUndefined()
      expect(await signIn(attemptOf(null, subject, { revision: 2 }))).toBe('not-linked')
    })
  })
}
