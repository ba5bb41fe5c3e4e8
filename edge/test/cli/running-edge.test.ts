// Tests that changes by the command line take effect on a running edge within a second.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SecretRotation } from '../../../contract/resources/secret.ts'
import { buildEdge } from '../support/edge-process.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { BUILT_NC, givenNc } from '../support/given-nc.ts'
import { within } from '../support/within.ts'

let given: GivenEdge
let cli: ReturnType<typeof givenNc>
beforeAll(async () => {
  given = await givenEdge()
  cli = givenNc(given.settings)
})
afterAll(() => given.stop())

const SECOND_MS = 1000
const dev = () => given.demo.environments.dev
const env = () => `--env ${dev().id}`
const trackStatus = async (key: string) =>
  (await given.call('POST', '/v1/events/track', { key, body: { sdkSecretKey: key, name: 'cli.works', userId: 'u' } }))
    .status

test('the process prints help and answers, and its exit code is 1 for a failure and 2 for wrong usage', async () => {
  await buildEdge()
  const start = (program: string[], args: string[]) =>
    promisify(execFile)(process.execPath, [...program, ...args], {
      env: { ...process.env, ...given.settings },
    }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
    )
  const run = (...args: string[]) => start([BUILT_NC], args)
  const [help, listed, failed, misused] = await Promise.all([
    // The same program as `npm run nc`; the other calls use the built one.
    start(['--import', 'tsx', 'edge/cli/nc.ts'], ['--help']),
    run('org', 'list', '--json'),
    run('env', 'show', '--env', 'env_00000000000'),
    run('env', 'show', '--environment', 'x'),
  ])
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('secret rotate') })
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id: given.demo.organisation.id, name: 'Demo' }])
  expect([failed.code, misused.code]).toEqual([1, 2])
})

/** Runs the built command line with its standard output to that file, or to a pipe without a reader. */
async function runUnread(args: string, file?: string): Promise<{ code: number | null; err: string }> {
  const output = file === undefined ? undefined : openSync(file, 'w')
  const child = spawn(process.execPath, [BUILT_NC, ...args.split(' ')], {
    env: { ...process.env, ...given.settings },
    stdio: ['ignore', output ?? 'pipe', 'pipe'],
  })
  child.stdout?.destroy()
  let err = ''
  child.stderr?.on('data', (chunk) => {
    err += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (output !== undefined) closeSync(output)
  return { code, err }
}

test('output that nobody reads is no error, and output that cannot be written is reported in one line', async () => {
  await buildEdge()
  expect(await runUnread('org list --json')).toEqual({ code: 0, err: '' })
  const org = given.demo.organisation.id
  const { code, err } = await runUnread(`env create --org ${org} --name lost`, '/dev/full')
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(/^The answer cannot be written: ENOSPC[^\n]+ The command itself was carried out\.\n$/),
  })
})

test('a name that is empty, too long or has control characters is refused', async () => {
  const org = given.demo.organisation.id
  for (const name of ['', '  ', 'two\nlines', 'a\u001b[31mb', 'x'.repeat(101)]) {
    const refused = { code: 1, err: expect.stringContaining('1 to 100 characters on one line') }
    expect(await cli.nc(['org', 'create', '--name', name]), name).toMatchObject(refused)
    expect(await cli.nc(['env', 'create', '--org', org, '--name', name]), name).toMatchObject(refused)
  }
})

test('limits are shown and in the audit log, and a removal is shown', async () => {
  const { out } = await cli.nc(`env set-limits ${env()} --limit track=6000 --limit management=off`)
  expect(out).toMatch(/Calls a minute +track=6000 management=off/)
  expect((await cli.nc(`audit list ${env()} --action env.set-limits`)).out).toContain('track=6000 management=off')
  expect((await cli.nc(`env set-limits ${env()}`)).out).toMatch(/Calls a minute +-/)
})

test('a new environment is served within a second; it is refused while it is disabled', async () => {
  const org = given.demo.organisation.id
  const created = await cli.json<{ id: string; secrets: { sdkSecretKey: string } }>(
    `env create --org ${org} --name staging --origin https://shop.example`,
  )
  const { sdkSecretKey } = created.secrets
  await within(SECOND_MS, async () => expect(await trackStatus(sdkSecretKey)).toBe(202))
  await cli.json(`env disable --env ${created.id}`)
  await within(SECOND_MS, async () => expect(await trackStatus(sdkSecretKey)).toBe(401))
  await cli.json(`env enable --env ${created.id}`)
  await within(SECOND_MS, async () => expect(await trackStatus(sdkSecretKey)).toBe(202))
  const origins = await cli.json(`env set-origins --env ${created.id} --origin https://*.shop.example`)
  expect(origins).toMatchObject({ allowedOrigins: ['https://*.shop.example'] })
  for (const origin of ['shop.example', 'null', 'https://shop.example/page', 'https://shop.*.example']) {
    const wanted = `"${origin}" is no origin such as https://shop.example`
    for (const call of [`set-origins --env ${created.id}`, `create --org ${org} --name other`]) {
      expect(await cli.nc(`env ${call} --origin ${origin}`)).toMatchObject({
        code: 1,
        err: expect.stringContaining(wanted),
      })
    }
  }
  expect((await cli.nc(`env list --org ${org}`)).out).toMatch(/staging/)
  expect((await cli.nc(`env list --org ${org}`)).out).not.toMatch(/other/)
})

test('a rotation prints the new value once, and secrets are shown only on request', async () => {
  const rotated = await cli.json<{ value: string; rotation: SecretRotation }>(
    `secret rotate ${env()} --kind authSecretKey --overlap P2D`,
  )
  expect(rotated.rotation.state).toBe('overlap')
  const listed = await cli.nc(`secret list ${env()}`)
  expect(listed.out).toContain('overlap')
  for (const value of [rotated.value, dev().authSecretKey, dev().sdkSecretKey]) expect(listed.out).not.toContain(value)
  expect(await cli.json(`secret show ${env()} --kind authSecretKey`)).toEqual({
    kind: 'authSecretKey',
    values: [rotated.value, dev().authSecretKey],
  })
  expect(await cli.nc(`secret show ${env()} --kind sdkSecretKey`)).toMatchObject({ code: 1 })
  expect(await cli.nc(`secret rotate ${env()} --kind authSecretKey`)).toMatchObject({ code: 1 })
  expect(await cli.nc(`secret retire ${env()} --kind authSecretKey`)).toMatchObject({ code: 2 })
  expect(await cli.json(`secret extend ${env()} --kind authSecretKey --overlap P7D`)).toMatchObject({
    state: 'overlap',
  })
  const session = await given.signIn('ann')
  expect(await cli.json(`secret retire ${env()} --kind authSecretKey --yes`)).toMatchObject({ state: 'single' })
  const read = async () => (await given.call('GET', '/v1/inbox/messages', { session })).status
  await within(SECOND_MS, async () => expect(await read()).toBe(401))
  expect(await cli.json(`secret show ${env()} --kind authSecretKey`)).toMatchObject({ values: [rotated.value] })
  dev().authSecretKey = rotated.value
})

test('an emergency ends the tracking key within a second', async () => {
  const before = dev().sdkSecretKey
  const { value } = await cli.json<{ value: string }>(`secret emergency ${env()} --kind sdkSecretKey --yes`)
  await within(SECOND_MS, async () => expect(await trackStatus(before)).toBe(403))
  await within(SECOND_MS, async () => expect(await trackStatus(value)).toBe(202))
  dev().sdkSecretKey = value
})

test('a sign-out or erasure by the command line applies to the edge within a second, and the id can be used again', async () => {
  await given.publish(inboxCampaign('erased', 'cli.erased'))
  const trackEvent = () => given.track({ name: 'cli.erased', userId: 'gone', user: { name: 'Old' } })
  await trackEvent()
  const session = await given.signIn('gone')
  expect((await given.page(session)).data).toHaveLength(1)
  expect(await cli.json(`user sign-out ${env()} --user gone`)).toEqual({ ended: 1 })
  await within(SECOND_MS, async () =>
    expect((await given.call('GET', '/v1/inbox/messages', { session })).status).toBe(401),
  )
  expect(await cli.json(`user show ${env()} --user gone`)).toMatchObject({ name: 'Old' })
  expect(await cli.nc(`user erase ${env()} --user gone`)).toMatchObject({ code: 2 })
  expect(await cli.json(`user erase ${env()} --user gone --yes`)).toEqual({ deleted: true })
  expect(await cli.nc(`user show ${env()} --user gone`)).toMatchObject({ code: 1 })
  // The edge's writer had cached the id of the erased user: the next event must not use it.
  await given.track({ name: 'cli.erased', userId: 'gone' })
  expect((await given.page(await given.signIn('gone'))).data).toHaveLength(1)
  expect(await cli.json('stats rebuild')).toMatchObject({ differed: 0 })
})

test('a public key that cannot be read and an unsupported algorithm are refused', async () => {
  const file = join(given.dataDir, 'key.pem')
  await writeFile(file, 'no key')
  expect(await cli.nc(`env set-public-key ${env()} --algorithm ES256 --file ${file}`)).toMatchObject({ code: 1 })
  expect(await cli.nc(`env set-public-key ${env()} --none --file ${file}`)).toMatchObject({ code: 2 })
  expect(await cli.json(`env set-public-key ${env()} --none`)).toMatchObject({ publicKey: null })
  const provider = '--issuer https://i --audience a --jwks-url https://i/jwks'
  expect(await cli.nc(`env set-identity-provider ${env()} ${provider} --algorithm HS256`)).toMatchObject({ code: 1 })
  expect(await cli.nc(`env set-identity-provider ${env()} --none ${provider}`)).toMatchObject({ code: 2 })
  expect(
    await cli.json(`env set-identity-provider ${env()} ${provider} --algorithm RS256 --claim email=mail`),
  ).toMatchObject({ identityProvider: { clientClaim: 'aud', claims: { userId: 'sub', email: 'mail' } } })
  const cognito = '--preset cognito --value region=eu-west-1 --value userPoolId=p_1'
  expect(await cli.nc(`env set-identity-provider ${env()} ${cognito}`)).toMatchObject({
    code: 1,
    err: expect.stringContaining('{clientId}'),
  })
  expect(await cli.json(`env set-identity-provider ${env()} ${cognito} --value clientId=c`)).toMatchObject({
    identityProvider: {
      issuer: 'https://cognito-idp.eu-west-1.amazonaws.com/p_1',
      audience: 'c',
      clientClaim: 'client_id',
      jwksUrl: 'https://cognito-idp.eu-west-1.amazonaws.com/p_1/.well-known/jwks.json',
    },
  })
  expect(await cli.nc(`env set-identity-provider ${env()} --preset okta`)).toMatchObject({ code: 2 })
  expect(await cli.nc(`env set-identity-provider ${env()} ${cognito} --client-claim sub`)).toMatchObject({ code: 2 })
})
