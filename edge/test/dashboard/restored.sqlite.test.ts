// Tests that a backup that is restored elsewhere has members, their second factor and their sessions. SQLite alone: only it
// has backup files.

import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningEdge, startEdge } from '../../serve.ts'
import { type Answer, type CallOptions, type GivenEdge, givenEdge } from '../support/given.ts'
import { givenDashboard, outcomeOf, PASSWORD } from '../support/given-dashboard.ts'
import { givenNc } from '../support/given-nc.ts'
import { joinProtected } from '../support/given-second-factor.ts'

const AUTH = '/v1/dashboard/auth'
let given: GivenEdge
let folder: string
let restored: RunningEdge | undefined
beforeAll(async () => {
  given = await givenEdge()
  folder = await mkdtemp(join(tmpdir(), 'edge-restored-'))
})
afterAll(async () => {
  await restored?.close()
  await given.stop()
  await rm(folder, { recursive: true, force: true })
})

async function callRestored<T>(method: string, path: string, { body, headers }: CallOptions = {}): Promise<Answer<T>> {
  const url = `${restored?.url}${path}`
  const json = { 'content-type': 'application/json', ...headers }
  const response = await fetch(url, {
    method,
    headers: json,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as T }
}

test('an owner of a restored backup has the session of then, and signs in with password and code', async () => {
  const dashboard = givenDashboard(given)
  const org = given.demo.organisation.id
  const { person, nextCode, recoveryCodes } = await joinProtected(dashboard, org, 'ada@example.com', 'owner')
  const file = join(folder, 'store.backup')
  await dashboard.cli.json(`backup --to ${file}`)
  // Both came after the backup: the restored store knows neither.
  await person.call('POST', `${AUTH}/sign-out`)
  expect((await person.call('GET', `${AUTH}/me`)).status).toBe(401)
  await dashboard.join(org, 'later@example.com', 'viewer')

  const target = join(folder, 'data')
  await mkdir(target)
  const settings = { ...given.settings, DATA_DIR: target, PORT: '0', SEED_DEMO: 'false', LOG_LEVEL: 'silent' }
  await copyFile(join(given.dataDir, 'master.key'), join(target, 'master.key'))
  expect(await givenNc(settings).json(`restore --from ${file} --yes`)).toEqual({ kept: null, missingKeys: [] })
  restored = await startEdge(settings)

  const there = givenDashboard({ settings, call: callRestored })
  const ada = there.personOf(person.email, person.cookie)
  const me = await ada.call<{ organisations: object[] }>('GET', `${AUTH}/me`)
  expect(me.body.organisations).toMatchObject([{ id: org, role: 'owner' }])
  const sessions = await ada.call<{ data: object[] }>('GET', `${AUTH}/sessions`)
  expect(sessions.body.data).toMatchObject([{ isCurrent: true }])
  expect((await ada.call('GET', `/v1/dashboard/environments/${given.demo.environments.prod.id}`)).status).toBe(200)

  const credentials = { email: person.email, password: PASSWORD }
  expect((await there.post('sign-in', credentials)).body).toMatchObject({ secondFactor: {} })
  const signedIn = await there.post('sign-in', { ...credentials, code: nextCode() })
  expect(signedIn.body).toMatchObject({ person: { email: person.email } })
  expect((await there.post('sign-in', { ...credentials, code: recoveryCodes[0] })).status).toBe(200)
  const later = await there.post('sign-in', { email: 'later@example.com', password: PASSWORD })
  expect(outcomeOf(later)).toBe('401 auth/unauthenticated wrong-credentials')
})
