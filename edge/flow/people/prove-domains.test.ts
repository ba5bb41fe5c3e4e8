// Tests the daily check of proved domains on a real store and a real name server.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EngineStores, givenStores } from '../../test/support/engine-stores.ts'
import { type GivenNameServer, givenNameServer } from '../../test/support/given-name-server.ts'
import { createProveDomains, MISSING_MS, type ProveDomains, recordOf } from './prove-domains.ts'

const BY = { actor: 'cli', who: 'test' } as const
const DAY_MS = 24 * 60 * 60 * 1000

let now: number
const clock = { now: () => now }
let given: EngineStores
let names: GivenNameServer
let domains: ProveDomains
beforeEach(async () => {
  now = Date.UTC(2026, 0, 1)
  given = await givenStores(clock)
  const { stores } = given
  names = await givenNameServer(50)
  domains = createProveDomains({ singleSignOns: stores.singleSignOns, findTexts: names.findTexts, clock })
  const organisation = { id: 1, name: 'Test', region: 'eu', onboardedAt: now, retentionDays: 90, createdAt: now }
  await stores.organisations.create(organisation)
  const provider = { issuer: 'https://login.example.com', clientId: 'client', sealed: 'sealed' }
  const listed = { domains: ['dns.example', 'word.example'], newMemberRole: null, revision: 1, updatedAt: now }
  const audit = { at: now, ...BY, action: 'org.set-single-sign-on', environmentId: null, subject: '1', detail: {} }
  await stores.singleSignOns.save({ organisationId: 1, ...provider, ...listed }, null, false, audit)
  const { name, value } = recordOf(1, 'dns.example')
  names.records.set(name, [value])
  await domains.prove(1, 'dns.example', BY)
  await domains.trust(1, 'word.example', BY)
})
afterEach(async () => {
  await given.close()
  await names.stop()
})

/** Moves the clock, and checks. Returns the proofs by domain. */
async function recheckAfter(ms: number) {
  now += ms
  await domains.recheck()
  const proved = await given.stores.singleSignOns.listProved(1)
  return Object.fromEntries(proved.map(({ domain, checkedAt, missingSince }) => [domain, { checkedAt, missingSince }]))
}

test('a record is read once a day; the word of the operator needs none', async () => {
  const provedAt = now
  const word = { checkedAt: provedAt, missingSince: null }
  expect(await recheckAfter(DAY_MS)).toEqual({ 'dns.example': word, 'word.example': word })
  const dns = { checkedAt: now + 1, missingSince: null }
  expect(await recheckAfter(1)).toEqual({ 'dns.example': dns, 'word.example': word })
})

test('a name server that does not answer proves neither that a record is there nor that it is gone', async () => {
  const former = await recheckAfter(0)
  names.failure = 'servfail'
  expect(await recheckAfter(2 * DAY_MS)).toEqual(former)
  names.failure = undefined
  names.records.clear()
  const missingSince = now + 1
  expect((await recheckAfter(1))['dns.example']).toEqual({ checkedAt: missingSince, missingSince })
  names.failure = 'silence'
  expect((await recheckAfter(2 * MISSING_MS))['dns.example']).toEqual({ checkedAt: missingSince, missingSince })
})

test('a proof ends when its record is missing for a week', async () => {
  names.records.clear()
  await recheckAfter(2 * DAY_MS)
  const missingSince = now
  expect((await recheckAfter(MISSING_MS - 1))['dns.example']).toEqual({ checkedAt: now, missingSince })
  expect(Object.keys(await recheckAfter(DAY_MS + 1))).toEqual(['word.example'])
})
