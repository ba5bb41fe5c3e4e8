// Tests copies of campaigns between environments: categories, configs, versions, drafts and existing keys.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'

interface CopyResult {
  applied: boolean
  changes: { key: string; action: string; difference: string[] }[]
}
interface CampaignRow {
  id: string
  key: string
  status: string
  currentVersion: number | null
  category: string | null
  draft: { notificationConfigId: string | null; steps: { title: string }[] }
}

let given: GivenEdge
let cli: ReturnType<typeof givenNc>
let dev: string
let prod: string
/** An environment of another organisation. */
let elsewhere: { org: string; env: string }

beforeAll(async () => {
  given = await givenEdge()
  cli = givenNc(given.settings)
  dev = given.demo.environments.dev.id
  prod = given.demo.environments.prod.id
  const org = (await cli.json<{ id: string }>('org create --name Away')).id
  elsewhere = { org, env: (await cli.json<{ id: string }>(`env create --org ${org} --name dev`)).id }
})
afterAll(() => given.stop())

const list = (env: string) => cli.json<CampaignRow[]>(`campaign list --env ${env}`)
const find = async (env: string, key: string) => (await list(env)).find((one) => one.key === key)
const copy = async (args: string) => (await cli.json<CopyResult>(`campaign copy ${args}`)).changes
const titled = (key: string, title: string, extra = {}) =>
  inboxCampaign(key, `${key}.done`, { ...extra, steps: [{ id: 'tell', type: 'inbox', title }] })
const change = (id: string, definition: object) =>
  given.call('PUT', `/v1/campaigns/${id}`, { key: given.demo.environments.dev.sdkSecretKey, body: definition })

async function createConfig(org: string, content: object): Promise<string> {
  const file = join(given.dataDir, 'config.json')
  await writeFile(file, JSON.stringify(content))
  return (await cli.json<{ id: string }>(`config create --org ${org} --from ${file}`)).id
}

test('a copy contains the live version with its category, not the draft', async () => {
  const id = await given.publish(titled('ship', 'One', { category: 'orders' }))
  await change(id, titled('ship', 'Two', { category: 'orders' }))
  await cli.json(`campaign copy --from ${dev} --to ${prod} --key ship --apply --publish`)
  expect(await find(prod, 'ship')).toMatchObject({ status: 'active', currentVersion: 1, category: 'orders' })
  expect((await find(prod, 'ship'))?.draft.steps[0]?.title).toBe('One')

  await given.call('POST', `/v1/campaigns/${id}/publish`, { key: given.demo.environments.dev.sdkSecretKey })
  const args = `--from ${dev} --to ${prod} --key ship`
  const difference = ['~ steps.tell.title: "One" → "Two"']
  expect(await copy(args)).toEqual([{ key: 'ship', action: 'change', difference, missing: [] }])
  // Written as a draft and not live yet, so it is still a difference.
  expect(await copy(`${args} --apply`)).toEqual([{ key: 'ship', action: 'change', difference, missing: [] }])
  expect(await find(prod, 'ship')).toMatchObject({ currentVersion: 1 })
  expect(await copy(args)).toEqual([{ key: 'ship', action: 'same', difference: [], missing: [] }])
  expect(await copy(`${args} --publish`)).toEqual([{ key: 'ship', action: 'publish', difference, missing: [] }])
  expect(await copy(`${args} --apply --publish`)).toEqual([{ key: 'ship', action: 'publish', difference, missing: [] }])
  expect(await find(prod, 'ship')).toMatchObject({ currentVersion: 2 })
  expect(await copy(`${args} --apply --publish`)).toEqual([
    { key: 'ship', action: 'same', difference: [], missing: [] },
  ])
  expect(await find(prod, 'ship')).toMatchObject({ currentVersion: 2 })
})

test('a campaign that was never published is copied as its draft, and stays a draft without --publish', async () => {
  const key = given.demo.environments.dev.sdkSecretKey
  await given.call('POST', '/v1/campaigns', { key, body: titled('idea', 'Maybe') })
  await cli.json(`campaign copy --from ${dev} --to ${prod} --key idea --apply`)
  expect(await find(prod, 'idea')).toMatchObject({ status: 'draft', currentVersion: null })
})

test('a key that is archived in the target is reported, and nothing is written', async () => {
  await given.publish(titled('gone', 'Here'))
  await cli.json(`campaign copy --from ${dev} --to ${prod} --key gone --apply --publish`)
  await cli.json(`campaign archive --env ${prod} --key gone --yes`)
  const archived = [{ key: 'gone', action: 'archived', difference: [], missing: [] }]
  expect(await copy(`--from ${dev} --to ${prod} --key gone --apply --publish`)).toEqual(archived)
  expect(await find(prod, 'gone')).toMatchObject({ status: 'archived', currentVersion: 1 })
})

test('a config is kept by id within the organisation, and found by its name in another one', async () => {
  const org = (given.demo.organisation as { id: string }).id
  const ours = await createConfig(org, { name: 'Mails', categories: [{ key: 'orders' }] })
  await given.publish(titled('mailed', 'Mail', { notificationConfigId: ours }))
  await given.publish(titled('plain', 'Plain'))
  await cli.json(`campaign copy --from ${dev} --to ${prod} --key mailed --apply`)
  expect((await find(prod, 'mailed'))?.draft.notificationConfigId).toBe(ours)

  const args = `campaign copy --from ${dev} --to ${elsewhere.env} --key mailed --key plain --apply`
  expect(await cli.nc(args)).toMatchObject({ code: 1, err: expect.stringContaining('"Mails", which this') })
  expect(await list(elsewhere.env)).toEqual([])
  const theirs = await createConfig(elsewhere.org, { name: 'Mails' })
  await cli.json(args)
  expect((await find(elsewhere.env, 'mailed'))?.draft.notificationConfigId).toBe(theirs)
  expect(await copy(`--from ${dev} --to ${elsewhere.env} --key mailed`)).toMatchObject([{ action: 'same' }])
})

test('a file with invalid definitions is refused with the place of each error, and one that is not JSON with its name', async () => {
  const file = join(given.dataDir, 'faults.json')
  const wrong = titled('wrong', '{{ oops')
  await writeFile(file, JSON.stringify({ campaigns: [{ definition: titled('fine', 'Fine') }, { definition: wrong }] }))
  const { code, err } = await cli.nc(`campaign import --env ${prod} --from ${file} --apply`)
  expect(code).toBe(1)
  expect(err.split('\n')).toEqual([
    'The campaign definition has faults.',
    '  campaigns[1].definition.steps[0].title: output "{{ oops" not closed',
    '',
  ])
  expect(await find(prod, 'fine')).toBeUndefined()
  await writeFile(file, '{"campaigns":')
  expect((await cli.nc(`campaign import --env ${prod} --from ${file}`)).err).toContain(`${file} is no JSON: `)
  expect((await cli.nc(`campaign import --env ${prod} --from ${file}x`)).err).toContain(`${file}x cannot be read: `)
})

test('the audit log of the changed environment lists each change with its account', async () => {
  const entries = await cli.json<{ action: string; actor: string; subject: string; detail: { difference?: string } }[]>(
    `audit list --env ${prod} --action campaign`,
  )
  const shipEntries = entries.filter(({ subject }) => subject === 'ship').reverse()
  expect(shipEntries).toMatchObject([
    { action: 'campaign.create', actor: 'cli' },
    { action: 'campaign.publish', actor: 'cli', detail: { version: 1 } },
    { action: 'campaign.change', actor: 'cli', detail: { difference: '~ steps[0].title: "One" → "Two"' } },
    { action: 'campaign.publish', actor: 'cli', detail: { fromVersion: 1, version: 2 } },
  ])
  const devEntries = await cli.json<{ actor: string; who: string; correlationId: string }[]>(
    `audit list --env ${dev} --action campaign.publish`,
  )
  expect(devEntries[0]).toMatchObject({
    actor: 'api',
    who: expect.stringMatching(/^sec_/),
    correlationId: expect.any(String),
  })
})

test("an organisation's region is set once, and its settings are created once and changed", async () => {
  const { id } = await cli.json<{ id: string }>('org create --name Late --no-region')
  expect(await cli.nc(`org set-region --org ${id} --region moon`)).toMatchObject({ code: 1 })
  await cli.json(`org set-region --org ${id} --region eu`)
  expect((await cli.nc(`org set-region --org ${id} --region eu`)).err).toContain('already chosen')
  expect(await cli.nc(`settings show --org ${id}`)).toMatchObject({ code: 1 })
  expect(await cli.nc(`settings create --org ${id} --retention-days 60`)).toMatchObject({ code: 2 })
  await cli.json(`settings create --org ${id} --retention-days 60 --yes`)
  expect((await cli.nc(`settings create --org ${id}`)).err).toContain('already has settings')
  expect(await cli.nc(`settings change --org ${id} --retention-days 30`)).toMatchObject({ code: 2 })
  await cli.json(`settings change --org ${id} --retention-days 30 --yes`)
  expect(await cli.json(`settings show --org ${id}`)).toMatchObject({ retentionDays: 30, locale: 'en' })
})
