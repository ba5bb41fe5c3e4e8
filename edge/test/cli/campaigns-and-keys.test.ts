// Tests campaigns copied between environments, and master keys changed while an edge runs.

import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEdge } from '../../serve.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'
import { within } from '../support/within.ts'

let given: GivenEdge
let cli: ReturnType<typeof givenNc>
beforeAll(async () => {
  given = await givenEdge()
  cli = givenNc(given.settings)
  await given.publish(inboxCampaign('welcome', 'user.joined'))
})
afterAll(() => given.stop())

interface CopyResult {
  applied: boolean
  changes: { key: string; action: string; difference: string[] }[]
}
const direction = () => `--from ${given.demo.environments.dev.id} --to ${given.demo.environments.prod.id}`
const countMessages = async (userId: string) => (await given.page(await given.signIn(userId, 'prod'))).data.length

test('a copy shows the changes, then writes them, and the running edge applies them within a second', async () => {
  expect((await given.track({ name: 'user.joined', userId: 'early' }, 'prod')).status).toBe(202)
  const shown = await cli.json<CopyResult>(`campaign copy ${direction()}`)
  expect(shown).toEqual({
    applied: false,
    changes: [{ key: 'welcome', action: 'create', difference: [], missing: [] }],
  })
  expect(await cli.json(`campaign list --env ${given.demo.environments.prod.id}`)).toEqual([])
  await cli.json(`campaign copy ${direction()} --apply --publish`)
  let n = 0
  await within(1000, async () => {
    const userId = `late-${n++}`
    await given.track({ name: 'user.joined', userId }, 'prod')
    expect(await countMessages(userId)).toBe(1)
  })
  expect((await cli.nc(`campaign copy ${direction()}`)).out).toContain('No difference.')
})

test('differences are listed by field, and an import writes only with --apply and only the named key', async () => {
  const file = join(given.dataDir, 'campaigns.json')
  await cli.nc(`campaign export --env ${given.demo.environments.dev.id} --to ${file}`)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const changed = (await readFile(file, 'utf8')).replace('Hello {{', 'Welcome {{')
  await writeFile(file, changed)
  const command = `campaign import --env ${given.demo.environments.prod.id} --from ${file}`
  const { out } = await cli.nc(command)
  expect(out).toContain('welcome: change\n  ~ steps.tell.title: "Hello {{ event.properties.name }}" → "Welcome {{')
  expect(out).toContain('Nothing was written.')
  expect((await cli.json<CopyResult>([...command.split(' '), '--key', 'other'])).changes).toEqual([])
  await cli.json(`${command} --apply`)
  expect((await cli.nc(command)).out).toContain('No difference.')
  await writeFile(file, changed.replace('"inbox"', '"telegraph"'))
  expect(await cli.nc(`${command} --apply`)).toMatchObject({ code: 1 })
})

test('a list of master keys is resealed while a server that has both keys runs, and refused while one has not', async () => {
  const [old, newKey] = [Buffer.alloc(32, 3).toString('base64'), Buffer.alloc(32, 4).toString('base64')]
  const other = await givenEdge({ MASTER_KEY: old })
  try {
    const list = { ...other.settings, MASTER_KEY: `${newKey},${old}` }
    const { nc, json } = givenNc(list)
    expect(await nc('master-key rotate')).toMatchObject({ code: 1, err: expect.stringContaining('Restart') })
    expect((await other.signIn('ann')).environment.name).toBe('dev')
    await other.edge.close()
    const port = new URL(other.url).port
    other.edge = await startEdge({ ...list, PORT: port, LOG_LEVEL: 'silent' })
    // authSecretKey and webhookSigningSecret of dev and prod.
    expect(await json('master-key rotate')).toEqual({ resealed: 9 })
    expect(await json('master-key rotate')).toEqual({ resealed: 0 })
    expect((await other.signIn('ann')).environment.name).toBe('dev')
    const withNewKey = givenNc({ ...list, MASTER_KEY: newKey })
    const shown = await withNewKey.json(`secret show --env ${other.demo.environments.prod.id} --kind authSecretKey`)
    expect(shown.values).toEqual([other.demo.environments.prod.authSecretKey])
  } finally {
    await other.stop()
  }
})
