// Tests that secrets of one-time codes survive a rotated master key and an export. SQLite alone: it has the generated key.

import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningEdge, startEdge } from '../../serve.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenDashboard, PASSWORD } from '../support/given-dashboard.ts'
import { givenNc } from '../support/given-nc.ts'
import { joinProtected } from '../support/given-second-factor.ts'

let given: GivenEdge
let dashboard: ReturnType<typeof givenDashboard>
let folder: string
beforeAll(async () => {
  given = await givenEdge()
  dashboard = givenDashboard(given)
  folder = await mkdtemp(join(tmpdir(), 'edge-imported-'))
})
afterAll(async () => {
  await given.stop()
  await rm(folder, { recursive: true, force: true })
})

async function signIn(url: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-nc-request': '1' }
  const path = '/v1/dashboard/auth/sign-in'
  return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status
}

test('a rotated master key seals them again, and the doctor opens them', async () => {
  const { person, nextCode } = await joinProtected(dashboard, given.demo.organisation.id, 'rotated@example.com')
  await given.edge.close()
  const { resealed } = await dashboard.cli.json<{ resealed: number }>('master-key rotate')
  // Two secrets of each environment are sealed, and the one of this person.
  expect(resealed).toBe(10)
  expect((await dashboard.cli.nc('doctor')).out).toContain('All 10 open with the master key')
  await given.restart()
  expect(await signIn(given.url, { email: person.email, password: PASSWORD, code: nextCode() })).toBe(200)
})

test('an export contains them, names their master key, and an import signs in with code and recovery code', async () => {
  const { person, nextCode, recoveryCodes } = await joinProtected(
    dashboard,
    given.demo.organisation.id,
    'exported@example.com',
  )
  const file = join(folder, 'store.export')
  await dashboard.cli.json(`export --to ${file}`)
  const target = join(folder, 'data')
  const settings = { ...given.settings, DATA_DIR: target, PORT: '0', SEED_DEMO: 'false', LOG_LEVEL: 'silent' }
  const other = givenNc(settings)
  expect((await other.nc(`import --from ${file}`)).err).toContain('master key')
  await mkdir(target, { recursive: true })
  await copyFile(join(given.dataDir, 'master.key'), join(target, 'master.key'))
  await other.json(`import --from ${file}`)
  let edge: RunningEdge | undefined
  try {
    edge = await startEdge(settings)
    const account = { email: person.email, password: PASSWORD }
    expect(await signIn(edge.url, { ...account, code: nextCode() })).toBe(200)
    expect(await signIn(edge.url, { ...account, code: recoveryCodes[0] })).toBe(200)
    expect(await signIn(edge.url, { ...account, code: recoveryCodes[0] })).toBe(401)
  } finally {
    await edge?.close()
  }
})
