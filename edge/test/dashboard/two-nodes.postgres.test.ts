// Tests sessions of the dashboard on two nodes of one store. PostgreSQL alone: SQLite has one node.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningEdge, startEdge } from '../../serve.ts'
import { beginExport, countRefused, trackMuch } from '../support/begin-export.ts'
import { type GivenEdge, givenEdge, ON_BUSY_MACHINES } from '../support/given.ts'
import { type DashboardPerson, givenDashboard, PASSWORD } from '../support/given-dashboard.ts'
import { joinProtected } from '../support/given-second-factor.ts'
import { within } from '../support/within.ts'

const ME = '/v1/dashboard/auth/me'

let first: GivenEdge
let second: RunningEdge
let dataDir: string
beforeAll(async () => {
  first = await givenEdge()
  dataDir = await mkdtemp(join(tmpdir(), 'edge-second-'))
  const settings = { ...first.settings, PORT: '0', DATA_DIR: dataDir, SEED_DEMO: 'false', LOG_LEVEL: 'silent' }
  second = await startEdge(settings, ON_BUSY_MACHINES)
})
afterAll(async () => {
  await second?.close()
  await first?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const statusAtSecond = async ({ cookie }: DashboardPerson) =>
  (await fetch(second.url + ME, { headers: { cookie } })).status

test('a session is valid on both nodes, and ends on both within a second of a lost membership', async () => {
  const dashboard = givenDashboard(first)
  const { email, password } = first.demo.dashboard
  const org = first.demo.organisation.id
  const owner = await dashboard.signIn(email, password)
  const person = await dashboard.join(org, 'ada@example.com', 'editor')
  expect(await statusAtSecond(person)).toBe(200)
  const { body } = await person.call<{ person: { id: string } }>('GET', ME)
  const path = `/v1/dashboard/auth/organisations/${org}/members/${body.person.id}`
  expect((await owner.call('DELETE', path)).status).toBe(200)
  await within(1000, async () => expect(await statusAtSecond(person)).toBe(401))
  expect((await person.call('GET', ME)).status).toBe(401)
  expect(await statusAtSecond(owner)).toBe(200)
})

test('an export of the other node is cut within a second of a lost membership', async () => {
  const dashboard = givenDashboard(first)
  const org = first.demo.organisation.id
  await trackMuch(first, 'u_much')
  const owner = await dashboard.signIn(first.demo.dashboard.email, first.demo.dashboard.password)
  const person = await dashboard.join(org, 'exports@example.com', 'admin')
  const { body } = await person.call<{ person: { id: string } }>('GET', ME)
  const path = `/v1/dashboard/environments/${first.demo.environments.dev.id}/users/u_much/export`
  const running = await beginExport(second.url, path, { cookie: person.cookie })
  await owner.call('DELETE', `/v1/dashboard/auth/organisations/${org}/members/${body.person.id}`)
  await within(1000, async () => expect(await countRefused(second.url, 'auth/unauthenticated')).toBeGreaterThan(0))
  expect(await running.readToEnd()).toBe(false)
})

test('a one-time code signs in on one of both nodes', async () => {
  const dashboard = givenDashboard(first)
  const { person, nextCode } = await joinProtected(dashboard, first.demo.organisation.id, 'codes@example.com')
  const body = JSON.stringify({ email: person.email, password: PASSWORD, code: nextCode() })
  const headers = { 'content-type': 'application/json', 'x-nc-request': '1' }
  const signIn = async (url: string) =>
    (await fetch(`${url}/v1/dashboard/auth/sign-in`, { method: 'POST', headers, body })).status
  const statuses = await Promise.all([first.url, second.url, first.url, second.url].map(signIn))
  expect(statuses.sort()).toEqual([200, 401, 401, 401])
})
