// Tests the single sign-on of an organisation as the command line sets, shows and removes it beside a running edge.

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildEdge } from '../support/edge-process.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenDashboard } from '../support/given-dashboard.ts'
import { BUILT_NC } from '../support/given-nc.ts'
import { CLIENT, type GivenProvider, givenProvider } from '../support/given-provider.ts'

const AUTH = '/v1/dashboard/auth'
let given: GivenEdge
let dashboard: ReturnType<typeof givenDashboard>
let provider: GivenProvider
let org: string
let file: string
beforeAll(async () => {
  await buildEdge()
  given = await givenEdge()
  dashboard = givenDashboard(given)
  provider = await givenProvider()
  org = given.demo.organisation.id
  file = join(given.dataDir, 'client-secret')
  // As an editor writes it.
  await writeFile(file, `${CLIENT.clientSecret}\n`)
})
afterAll(async () => {
  await provider.stop()
  await given.stop()
})

const flags = () => `--org ${org} --issuer ${provider.issuer} --client-id ${CLIENT.clientId} --domain example.com`
const set = (more = '') => dashboard.cli.nc(`org set-single-sign-on ${flags()} ${more}`)

/** Signs a member in by the provider. Returns the address to which the browser is sent at the end. */
async function signIn(email: string): Promise<string> {
  provider.identity = { sub: email, email, email_verified: true, name: 'Ada' }
  const begun = await fetch(`${given.url}${AUTH}/oidc/${org}/start`, { redirect: 'manual' })
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
  const callback = provider.authorize(begun.headers.get('location') ?? '')
  const ended = await fetch(callback, { redirect: 'manual', headers: { cookie } })
  return new URL(ended.headers.get('location') ?? '').pathname
}

test('people sign in by what the command line set, with the secret of a file, until it is removed', async () => {
  expect(await dashboard.cli.nc(`org show-single-sign-on --org ${org}`)).toMatchObject({
    code: 1,
    err: expect.stringContaining('has no single sign-on'),
  })
  expect(await set()).toMatchObject({ code: 1, err: expect.stringContaining('clientSecret: This is missing') })
  expect(await set(`--client-secret-file ${file} --new-member-role boss`)).toMatchObject({ code: 2 })
  expect(await set(`--client-secret-file ${file}`)).toMatchObject({ code: 0, err: '' })

  const owner = await dashboard.join(org, 'owner2@example.com', 'owner')
  const { body } = await owner.call('GET', `${AUTH}/organisations/${org}/single-sign-on`)
  expect(body).toMatchObject({ issuer: provider.issuer, domains: ['example.com'], newMemberRole: null })
  const shown = await dashboard.cli.nc(`org show-single-sign-on --org ${org} --json`)
  expect(JSON.parse(shown.out)).toEqual(body)
  expect(shown.out).not.toContain(CLIENT.clientSecret)
  // The member has not accepted the provider, and the domain is not proved.
  expect(await signIn(owner.email)).toBe('/dashboard/continue-sign-in')
  const trust = (domain: string) => dashboard.cli.nc(`org trust-domain --org ${org} --domain ${domain}`)
  expect(await trust('example.org')).toMatchObject({ code: 1, err: expect.stringContaining('does not list') })
  const trusted = await trust('Example.com')
  expect(trusted).toMatchObject({ code: 0, out: expect.stringContaining('proved by the operator') })
  expect(await signIn(owner.email)).toBe(`/org/${org}/app/home`)

  // The stored secret stays.
  expect(await set('--new-member-role editor')).toMatchObject({ code: 0 })
  expect(await signIn('new@example.com')).toBe(`/org/${org}/app/home`)
  const entries = await dashboard.cli.json<object[]>(`audit list --org ${org} --action org.set-single-sign-on`)
  expect(entries).toMatchObject([
    { actor: 'cli', detail: { newClientSecret: false } },
    { actor: 'cli', detail: { newClientSecret: true } },
  ])

  expect(await dashboard.cli.nc(`org remove-single-sign-on --org ${org}`)).toMatchObject({ code: 2 })
  expect(await dashboard.cli.nc(`org remove-single-sign-on --org ${org} --yes`)).toMatchObject({ code: 0 })
  expect(await dashboard.cli.nc(`org remove-single-sign-on --org ${org} --yes`)).toMatchObject({ code: 1 })
})

test('the secret is also read from standard input, and the process ends', async () => {
  const args = [BUILT_NC, 'org', 'set-single-sign-on', ...flags().split(' '), '--client-secret-file', '-', '--json']
  const options = { cwd: resolve(import.meta.dirname, '../../..'), env: { ...process.env, ...given.settings } }
  const running = promisify(execFile)(process.execPath, args, options)
  running.child.stdin?.end(CLIENT.clientSecret)
  expect(JSON.parse((await running).stdout)).toMatchObject({ clientId: CLIENT.clientId })
  await dashboard.cli.json(`org trust-domain --org ${org} --domain example.com`)
  const owner = await dashboard.join(org, 'owner3@example.com', 'owner')
  expect(await signIn(owner.email)).toBe(`/org/${org}/app/home`)
})
