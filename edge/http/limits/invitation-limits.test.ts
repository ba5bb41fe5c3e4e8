// Tests the limits of invitations: whoever has many organisations, or many accounts, cannot send mail to the world.

import { expect, test } from 'vitest'
import { createInvitationLimits } from './invitation-limits.ts'
import { createMemoryCounter } from './memory-counter.ts'

const MINUTE_MS = 60_000

function givenLimits() {
  const clock = { at: 1_000_000, now: () => clock.at }
  const limit = createInvitationLimits(createMemoryCounter(clock))
  let sent = 0
  const newAddress = () => `p${sent++}@example.com`
  /** Returns how many of these invitations are allowed. */
  async function invite(times: number, by: (at: number) => { personId: number; organisationId: number }, to?: string) {
    let allowed = 0
    for (let at = 0; at < times; at++) {
      if (await limit(by(at), to ?? newAddress()).then(() => true, refusedOf)) allowed++
    }
    return allowed
  }
  return { clock, limit, invite }
}

function refusedOf(error: unknown): false {
  expect(error).toMatchObject({ code: 'request/rate-limited' })
  return false
}

test('a person may invite 60 times a minute and 300 times a day, in however many organisations', async () => {
  const { clock, invite } = givenLimits()
  const ofManyOrganisations = (at: number) => ({ personId: 1, organisationId: at })
  expect(await invite(100, ofManyOrganisations)).toBe(60)
  let allowed = 60
  for (let minute = 0; minute < 10; minute++) {
    clock.at += MINUTE_MS
    allowed += await invite(100, ofManyOrganisations)
  }
  expect(allowed).toBe(300)
  clock.at += 24 * 60 * MINUTE_MS
  expect(await invite(100, ofManyOrganisations)).toBe(60)
})

test('an organisation may invite 60 times a minute, by however many people', async () => {
  const { invite } = givenLimits()
  expect(await invite(100, (at) => ({ personId: at, organisationId: 1 }))).toBe(60)
  expect(await invite(1, () => ({ personId: 1000, organisationId: 2 }))).toBe(1)
})

test('one address gets ten invitations a day, of however many people and organisations, in any spelling', async () => {
  const { clock, limit, invite } = givenLimits()
  expect(await invite(40, (at) => ({ personId: at, organisationId: at }), 'victim@example.com')).toBe(10)
  const other = { personId: 99, organisationId: 99 }
  await expect(limit(other, ' Victim@Example.COM')).rejects.toMatchObject({ code: 'request/rate-limited' })
  clock.at += 24 * 60 * MINUTE_MS
  await limit(other, 'victim@example.com')
})

test('a deployment sends 5,000 invitations a day, and refused calls use up nothing of them', async () => {
  const { clock, invite } = givenLimits()
  const loud = () => ({ personId: 0, organisationId: 0 })
  expect(await invite(6000, loud)).toBe(60)
  const byEverybody = (at: number) => ({ personId: 1 + at, organisationId: 1 + at })
  expect(await invite(6000, byEverybody)).toBe(4940)
  clock.at += 24 * 60 * MINUTE_MS
  expect(await invite(1, byEverybody)).toBe(1)
})
