// Tests what becomes of a proved domain whose record is removed: a warning, and after a week the end of the proof.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type DashboardPerson, givenDashboard, outcomeOf } from '../support/given-dashboard.ts'
import { type GivenNameServer, givenNameServer } from '../support/given-name-server.ts'
import { CLIENT, type GivenProvider, givenProvider } from '../support/given-provider.ts'

const AUTH = '/v1/dashboard/auth'
const DAY_MS = 24 * 60 * 60 * 1000
const DOMAIN = 'tenant.example'
const RECORD = `_nc-single-sign-on.${DOMAIN}`

/** Moves the clock of the service between two starts. */
let laterMs = 0
let given: GivenEdge
let dashboard: ReturnType<typeof givenDashboard>
let names: GivenNameServer
let provider: GivenProvider
let org: string
let owner: DashboardPerson
beforeAll(async () => {
  names = await givenNameServer()
  provider = await givenProvider()
  given = await givenEdge({}, { findTexts: names.findTexts, clock: { now: () => Date.now() + laterMs } })
  dashboard = givenDashboard(given)
  org = given.demo.organisation.id
  owner = await dashboard.signIn(given.demo.dashboard.email, given.demo.dashboard.password)
})
afterAll(async () => {
  await given.stop()
  await provider.stop()
  await names.stop()
})

const published = () => [`nc-organisation=${org}`]

/** Signs somebody in by the provider. Returns where the browser is in the end. */
async function signOn(name: string): Promise<string> {
  provider.identity = { sub: name, email: `${name}@${DOMAIN}`, email_verified: true }
  const begun = await fetch(`${given.url}${AUTH}/oidc/${org}/start`, { redirect: 'manual' })
  const headers = { cookie: begun.headers.get('set-cookie')?.split(';')[0] ?? '' }
  const callback = provider.authorize(begun.headers.get('location') ?? '')
  const ended = await fetch(callback, { redirect: 'manual', headers })
  return new URL(ended.headers.get('location') ?? '').pathname
}

interface Proof {
  provedBy: string | null
  missingSince: string | null
}
async function readProof(): Promise<Proof | undefined> {
  const { domainProofs } = await dashboard.cli.json<{ domainProofs: Proof[] }>(`org show-single-sign-on --org ${org}`)
  return domainProofs[0]
}
async function serverActions(): Promise<string[]> {
  const entries = await dashboard.cli.json<{ action: string; actor: string }[]>(`audit list --org ${org} --action org`)
  return entries.flatMap(({ action, actor }) => (actor === 'server' ? [action] : []))
}

/** The task runs at each start, for what was not checked for a day. */
async function restart(days: number, until: object): Promise<void> {
  laterMs += days * DAY_MS
  await given.restart()
  await expect.poll(readProof).toMatchObject(until)
}

test('a lost record is reported after a day and ends the proof after a week; links of people stay', async () => {
  const path = `${AUTH}/organisations/${org}/single-sign-on`
  const body = { issuer: provider.issuer, ...CLIENT, domains: [DOMAIN], newMemberRole: 'viewer' }
  expect((await owner.call('PUT', path, { body })).status).toBe(200)
  names.records.set(RECORD, published())
  const proved = await owner.call('POST', `${path}/prove-domain`, { body: { domain: DOMAIN } })
  expect(outcomeOf(proved)).toBe('200')
  expect(await signOn('linked')).toBe(`/org/${org}/app/home`)

  names.records.delete(RECORD)
  await restart(2, { provedBy: 'dns', missingSince: expect.any(String) })
  expect(await serverActions()).toEqual(['org.miss-domain-record'])
  expect((await dashboard.cli.nc('doctor')).out).toContain(`The record of ${DOMAIN} is missing`)
  expect(await signOn('meanwhile')).toBe(`/org/${org}/app/home`)
  names.records.set(RECORD, published())
  await restart(2, { provedBy: 'dns', missingSince: null })

  names.records.set(RECORD, [])
  await restart(2, { missingSince: expect.any(String) })
  await restart(8, { provedBy: null, missingSince: null })
  expect(await serverActions()).toEqual([
    'org.lose-domain',
    'org.miss-domain-record',
    'org.find-domain-record',
    'org.miss-domain-record',
  ])
  expect(await signOn('linked')).toBe(`/org/${org}/app/home`)
  expect(await signOn('later')).toBe('/dashboard/continue-sign-in')
})
