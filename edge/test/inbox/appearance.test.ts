// Tests an environment's notification config: its categories and look apply where neither campaign nor page has any.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthAnswer, InboxPreferences } from '../../../contract/api.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'
import { within } from '../support/within.ts'

const SECOND_MS = 1000
const WIDGET = {
  theme: 'dark',
  accentColor: '#0a5fff',
  texts: {
    de: { notifications: 'Neues', bell: { one: '{count} neue', other: '{count} neue' } },
    fr: { empty: 'Rien' },
  },
}
const CATEGORIES = [
  { key: 'alarms', name: 'Alarms', critical: true },
  { key: 'offers', name: 'Offers', channels: { inbox: false } },
]

let given: GivenEdge
let cli: ReturnType<typeof givenNc>
let config: string
let users = 0

beforeAll(async () => {
  given = await givenEdge()
  cli = givenNc(given.settings)
  config = await create('Ours', { categories: CATEGORIES, widget: WIDGET })
  await given.publish(inboxCampaign('offer', 'offer.made', { category: 'offers' }))
})
afterAll(() => given.stop())

const env = () => given.demo.environments.dev.id
const org = () => given.demo.organisation.id

async function fileOf(name: string, content: object): Promise<string> {
  const path = join(given.dataDir, `${name}.json`)
  await writeFile(path, JSON.stringify({ name, ...content }))
  return path
}

async function create(name: string, content: object): Promise<string> {
  const from = await fileOf(name, content)
  return (await cli.json<{ id: string }>(`config create --org ${org()} --from ${from}`)).id
}

async function signIn(locale?: string): Promise<AuthAnswer> {
  const userId = `looker-${++users}`
  const key = given.demo.environments.dev.sdkSecretKey
  await given.call('PUT', `/v1/users/${userId}`, { key, body: locale === undefined ? {} : { locale } })
  return given.signIn(userId)
}

const appearanceIn = async (locale?: string) => (await signIn(locale)).appearance
async function categories(): Promise<InboxPreferences['categories']> {
  const session = await signIn()
  return (await given.call<InboxPreferences>('GET', '/v1/inbox/preferences', { session })).body.categories
}

test('an environment without a config has no look, and the categories of its campaigns', async () => {
  expect(await cli.json(`env show --env ${env()}`)).toMatchObject({ notificationConfigId: null })
  expect(await appearanceIn('de')).toBeNull()
  const found = await categories()
  expect(found.find(({ key }) => key === 'offers')).toMatchObject({ name: 'offers', channels: { inbox: true } })
  expect(found.find(({ key }) => key === 'alarms')).toBeUndefined()
})

test("a config that the environment refers to applies within a second, in the user's locale", async () => {
  const changed = await cli.json(`env change --env ${env()} --config ${config}`)
  expect(changed).toMatchObject({ notificationConfigId: config })
  expect((await cli.nc(`env show --env ${env()}`)).out).toContain(config)
  const { texts, ...look } = WIDGET
  await within(SECOND_MS, async () => expect(await appearanceIn('de-AT')).toEqual({ ...look, texts: texts.de }))
  expect(await appearanceIn('fr')).toEqual({ ...look, texts: texts.fr })
  expect(await appearanceIn()).toEqual({ ...look, texts: {} })
  const [alarms, offers] = await categories()
  expect(alarms).toMatchObject({ key: 'alarms', name: 'Alarms', critical: true, channels: { inbox: true } })
  expect(offers).toMatchObject({ key: 'offers', name: 'Offers', critical: false, channels: { inbox: false } })
  // A campaign without a config uses it.
  const { session, userId } = await signIn().then((session) => ({ session, userId: session.user.userId }))
  await given.track({ name: 'offer.made', userId })
  expect((await given.page(session)).data).toEqual([])
  // Another environment of the organisation does not use it.
  expect((await given.signIn('somebody', 'prod')).appearance).toBeNull()
})

test("a user without a locale gets the texts of the organisation's locale", async () => {
  await cli.json(`settings create --org ${org()} --locale fr`)
  await within(SECOND_MS, async () => expect((await appearanceIn())?.texts).toEqual(WIDGET.texts.fr))
  expect((await appearanceIn('en'))?.texts).toEqual({})
})

test('a change of the config applies within a second, except to a campaign with its own config', async () => {
  const other = await create('Theirs', { categories: [{ key: 'letters', name: 'Their letters' }] })
  await given.publish(inboxCampaign('own', 'own.made', { category: 'letters', notificationConfigId: other }))
  const from = await fileOf('Renewed', { categories: ['letters', 'notes'].map((key) => ({ key, name: `Our ${key}` })) })
  await cli.json(`config change --org ${org()} --config ${config} --from ${from}`)
  await within(SECOND_MS, async () =>
    expect(await appearanceIn('de')).toEqual({ theme: 'auto', accentColor: null, texts: {} }),
  )
  const found = await categories()
  expect(found.slice(0, 2).map(({ name }) => name)).toEqual(['Their letters', 'Our notes'])
  expect(found.find(({ key }) => key === 'offers')).toMatchObject({ name: 'offers', channels: { inbox: true } })
})

test('removing the config removes its look, and is in the audit log', async () => {
  await cli.json(`env change --env ${env()} --config none`)
  await within(SECOND_MS, async () => expect(await appearanceIn('de')).toBeNull())
  const [entry] = await cli.json<{ action: string; detail: object }[]>(`audit list --env ${env()} --action env.change`)
  expect(entry).toMatchObject({ action: 'env.change', detail: { notificationConfigId: null } })
})

test('a config of another organisation and an unknown one are refused, and nothing changes', async () => {
  const elsewhere = await cli.json<{ id: string }>('org create --name Elsewhere')
  const from = await fileOf('Foreign', {})
  const { id: foreign } = await cli.json<{ id: string }>(`config create --org ${elsewhere.id} --from ${from}`)
  for (const [named, message] of [
    [foreign, /organisation/i],
    ['cfg_00000000000', /config/i],
    ['invalid', /config/i],
  ] as const) {
    const refused = { code: 1, err: expect.stringMatching(message) }
    expect(await cli.nc(`env change --env ${env()} --config ${named}`)).toMatchObject(refused)
    expect(await cli.nc(`env create --org ${org()} --name wrong --config ${named}`)).toMatchObject(refused)
  }
  expect(await cli.json(`env show --env ${env()}`)).toMatchObject({ notificationConfigId: null })
  const created = await cli.json<{ id: string }>(`env create --org ${org()} --name dressed --config ${config}`)
  expect(await cli.json(`env show --env ${created.id}`)).toMatchObject({ notificationConfigId: config })
})
