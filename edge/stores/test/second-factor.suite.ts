// Tests of both engines: one-time codes, recovery codes, and challenges of sign-ins in progress.

import { describe, expect, test } from 'vitest'
import type { DashboardSession, SessionProof } from '../../domain/people/dashboard-session.ts'
import type { Account } from '../../domain/people/person.ts'
import { ENROLMENT_MS, type FactorProof, type Totp } from '../../domain/people/second-factor.ts'
import { type Given, givenStore, HOUR, type OpenStores } from './given.ts'
import { AUDIT, givenPeople, proofOf } from './given-people.ts'

const STEP = 1000

export function secondFactorSuite(open: OpenStores): void {
  describe('the second factor', () => {
    const given = givenStore(open)
    codesSuite(given)
    challengesSuite(given)
  })
}

/** Returns functions that make people with a second factor. */
function givenFactors(given: Given) {
  const make = givenPeople(given)
  const draft = ({ id: personId }: Account): Totp => {
    return { personId, sealed: `sealed ${personId}`, lastStep: 0, createdAt: given.now(), confirmedAt: null }
  }
  return {
    ...make,
    draft,
    async protectedMember(): Promise<{ account: Account; session: DashboardSession; codeHashes: string[] }> {
      const account = await make.member(await make.organisation(), 'owner')
      const { session } = await make.session(account)
      const { secondFactors } = given.stores
      const totp = draft(account)
      await secondFactors.begin(totp)
      const codeHashes = ['a', 'b'].map((name) => `${name} of ${account.id}`)
      const confirmation = { step: STEP, codeHashes, keptSessionId: session.id, now: given.now() }
      if (!(await secondFactors.confirm(totp, confirmation, AUDIT))) throw new Error('The secret was not confirmed.')
      return { account, session, codeHashes }
    },
    /** Tries to store a session with a proof. */
    signIn({ id, passwordHash }: Account, factor: FactorProof | null, challengeHash: string | null = null) {
      const proof: SessionProof = { by: 'password', passwordHash, factor, challengeHash }
      const session = make.draftSession(id)
      return given.stores.dashboardSessions.create(session, `session ${session.id}`, proof)
    },
    step: (step: number): FactorProof => ({ kind: 'totp', createdAt: given.now(), step }),
  }
}

function codesSuite(given: Given): void {
  const make = givenFactors(given)

  test('a confirmed secret ends the other sessions, and is not replaced by a new one', async () => {
    const account = await make.member(await make.organisation(), 'owner')
    const [kept, other] = [await make.session(account), await make.session(account)]
    const { secondFactors, dashboardSessions } = given.stores
    const totp = make.draft(account)
    expect(await secondFactors.begin(totp)).toBe(true)
    expect(await secondFactors.begin({ ...totp, sealed: 'second', createdAt: totp.createdAt + 1 })).toBe(true)
    const confirmation = { step: STEP, codeHashes: ['x'], keptSessionId: kept.session.id, now: given.now() }
    expect(await secondFactors.confirm(totp, confirmation, AUDIT)).toBe(false)
    const second = { ...totp, createdAt: totp.createdAt + 1 }
    expect(await secondFactors.confirm(second, confirmation, AUDIT)).toBe(true)
    expect(await secondFactors.confirm(second, confirmation, AUDIT)).toBe(false)
    expect(await secondFactors.begin(totp)).toBe(false)
    expect(await secondFactors.find(account.id)).toEqual({
      ...second,
      sealed: 'second',
      lastStep: STEP,
      confirmedAt: given.now(),
    })
    expect(await secondFactors.countRecoveryCodes(account.id)).toBe(1)
    expect(await dashboardSessions.find(kept.token, given.now())).toBeDefined()
    expect(await dashboardSessions.find(other.token, given.now())).toBeUndefined()
  })

  test('a password alone stores no session any more, also when its sign-in began before', async () => {
    const { account } = await make.protectedMember()
    expect(await make.signIn(account, null)).toBe('factor-missing')
    expect(await make.signIn({ ...account, passwordHash: 'former' }, make.step(STEP + 1))).toBe('changed')
    expect(await make.signIn(account, make.step(STEP + 1))).toBe('created')
  })

  test('no code is accepted twice, not at the same moment, and no earlier one after it', async () => {
    const { account, codeHashes } = await make.protectedMember()
    const results = await Promise.all([1, 2, 3, 4].map(() => make.signIn(account, make.step(STEP + 5))))
    expect(results.sort()).toEqual(['code-used', 'code-used', 'code-used', 'created'])
    expect(await make.signIn(account, make.step(STEP + 4))).toBe('code-used')
    const recovery: FactorProof = { kind: 'recovery-code', codeHash: codeHashes[0] ?? '' }
    const recoveries = await Promise.all([1, 2, 3].map(() => make.signIn(account, recovery)))
    expect(recoveries.sort()).toEqual(['code-used', 'code-used', 'created'])
    const other = await make.protectedMember()
    expect(await make.signIn(account, { kind: 'recovery-code', codeHash: other.codeHashes[0] ?? '' })).toBe('code-used')
    expect(await given.stores.secondFactors.countRecoveryCodes(account.id)).toBe(1)
  })

  test('after five attempts without success each further one waits, and a success ends that', async () => {
    const { account } = await make.protectedMember()
    const { secondFactors } = given.stores
    const now = given.now()
    const take = (at: number, isKnown = false) => secondFactors.takeAttempt(account.id, at, isKnown)
    // Clocks of nodes differ.
    const taken = await Promise.all([0, -1, 400, -2, 0].map((ms) => take(now + ms)))
    expect(taken).toEqual([null, null, null, null, null])
    expect(await take(now + 999)).toBe(now + 1000)
    expect(await take(now + 1000)).toBeNull()
    expect(await take(now + 1001)).toBe(now + 3000)
    // Browsers of the person are counted apart.
    for (let attempt = 0; attempt < 5; attempt++) expect(await take(now, true)).toBeNull()
    expect(await take(now, true)).toBe(now + 1000)
    expect(await make.signIn(account, make.step(STEP + 1))).toBe('created')
    expect(await take(now + 1002)).toBeNull()
    expect(await take(now, true)).toBeNull()
  })

  test('password and code switch it off or renew the recovery codes; the operator needs neither', async () => {
    const { account } = await make.protectedMember()
    const { secondFactors } = given.stores
    const { id, passwordHash } = account
    const change = (step: number, hash = passwordHash) => ({ passwordHash: hash, factor: make.step(step) })
    const codeHashes = ['n1', 'n2', 'n3'].map((name) => `${name} ${id}`)
    const renew = (step: number, hash?: string) =>
      secondFactors.replaceRecoveryCodes(id, { ...change(step, hash), codeHashes }, AUDIT)
    expect(await renew(STEP)).toBe('code-used')
    expect(await renew(STEP + 1, 'former')).toBe('changed')
    expect(await renew(STEP + 1)).toBe('done')
    expect(await secondFactors.countRecoveryCodes(id)).toBe(3)
    expect(await secondFactors.remove(id, change(STEP + 1), AUDIT)).toBe('code-used')
    expect(await secondFactors.remove(id, change(STEP + 2), AUDIT)).toBe('done')
    expect(await secondFactors.find(id)).toBeUndefined()
    expect(await secondFactors.countRecoveryCodes(id)).toBe(0)
    expect(await make.signIn(account, null)).toBe('created')
    const other = await make.protectedMember()
    expect(await secondFactors.reset(other.account.id, AUDIT)).toBe(true)
    expect(await secondFactors.reset(other.account.id, AUDIT)).toBe(false)
    expect(await make.signIn(other.account, null)).toBe('created')
  })

  test('a secret that is not confirmed in time is removed', async () => {
    const account = await make.member(await make.organisation(), 'owner')
    const { secondFactors, dashboardSessions } = given.stores
    await secondFactors.begin(make.draft(account))
    await dashboardSessions.purgeExpired(given.now() + ENROLMENT_MS - 1)
    expect(await secondFactors.find(account.id)).toBeDefined()
    await dashboardSessions.purgeExpired(given.now() + ENROLMENT_MS)
    expect(await secondFactors.find(account.id)).toBeUndefined()
  })

  test('a sealed secret is listed and sealed again with those of environments', async () => {
    const { account } = await make.protectedMember()
    const { rotations, secondFactors } = given.stores
    const listed = await rotations.listSealed({ environmentId: 0, id: account.id - 1 }, 1, 'totp')
    expect(listed).toEqual([{ environmentId: 0, id: account.id, sealed: `sealed ${account.id}` }])
    const [text = { environmentId: 0, id: 0, sealed: '' }] = listed
    expect(await rotations.reseal({ ...text, sealed: 'another' }, 'lost', 'totp')).toBe(false)
    expect(await rotations.reseal(text, 'anew', 'totp')).toBe(true)
    expect(await secondFactors.find(account.id)).toMatchObject({ sealed: 'anew' })
  })
}

function challengesSuite(given: Given): void {
  const make = givenFactors(given)
  const challengeOf = ({ id, passwordHash }: Account) => ({
    kind: 'second-factor' as const,
    personId: id,
    organisationId: null,
    passwordHash,
    expiresAt: given.now() + HOUR,
  })

  test('a challenge permits five attempts, of its kind and until it expires', async () => {
    const { account } = await make.protectedMember()
    const { challenges, dashboardSessions } = given.stores
    const challenge = challengeOf(account)
    const hash = `challenge ${account.id}`
    await challenges.create(challenge, hash)
    const attempt = (at = given.now()) => challenges.attempt(hash, 'second-factor', at)
    expect(await challenges.attempt(hash, 'passkey', given.now())).toBeUndefined()
    expect(await attempt(challenge.expiresAt)).toBeUndefined()
    const attempts = await Promise.all([1, 2, 3, 4, 5, 6].map(() => attempt()))
    expect(attempts.filter((one) => one !== undefined)).toEqual(Array(5).fill(challenge))
    await dashboardSessions.purgeExpired(challenge.expiresAt)
    expect(await challenges.use(hash, 'second-factor', given.now())).toBeUndefined()
  })

  test('a challenge is used up once', async () => {
    const { account } = await make.protectedMember()
    const { challenges } = given.stores
    const hash = `once ${account.id}`
    await challenges.create(challengeOf(account), hash)
    expect(await make.signIn(account, make.step(STEP + 1), 'another')).toBe('challenge-ended')
    expect(await make.signIn(account, make.step(STEP + 2), hash)).toBe('created')
    expect(await make.signIn(account, make.step(STEP + 3), hash)).toBe('challenge-ended')
    await challenges.create({ ...challengeOf(account), kind: 'passkey' }, `use ${hash}`)
    const uses = await Promise.all([1, 2, 3].map(() => challenges.use(`use ${hash}`, 'passkey', given.now())))
    expect(uses.filter((one) => one !== undefined)).toHaveLength(1)
  })

  test('a proof of another person’s password stores nothing', async () => {
    const [one, other] = [await make.protectedMember(), await make.member(await make.organisation(), 'viewer')]
    const session = make.draftSession(one.account.id)
    const { dashboardSessions } = given.stores
    expect(await dashboardSessions.create(session, 'stolen', proofOf(other.passwordHash))).toBe('changed')
  })
}
