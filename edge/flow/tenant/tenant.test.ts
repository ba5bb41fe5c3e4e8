// Tests organisations on a real store: the region and settings are set once; who may name a notification config.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../contract/json.ts'
import { notificationConfigContent } from '../../../contract/resources/notification-config.ts'
import { organisationSettingsChange } from '../../../contract/resources/organisation-settings.ts'
import { check } from '../../lib/check-schema.ts'
import { createIdSource, formatId } from '../../lib/id.ts'
import { createCheckLayout } from '../../sandbox/check-layout.ts'
import { type GivenFlow, givenFlow, messageCampaign } from '../../test/support/given-flow.ts'
import { oneSandbox } from '../../test/support/one-sandbox.ts'
import { createChangeOrganisation } from './change-organisation.ts'
import { findConfigFaults, findContactFaults } from './find-address-faults.ts'
import { createManageConfigs } from './notification-configs.ts'

let flow: GivenFlow
let organisations: ReturnType<typeof createChangeOrganisation>
let configs: ReturnType<typeof givenConfigs>
let shop: number
let other: number

const by = { actor: 'api', who: 'anna', correlationId: 'c-9' } as const
const HOME = 1
const ENVIRONMENT = 7

beforeEach(async () => {
  flow = await givenFlow()
  const { clock, stores } = flow
  const ids = { organisation: createIdSource(clock), notificationConfig: createIdSource(clock) }
  organisations = createChangeOrganisation({ ...stores, clock, ids, servedRegions: ['eu'] })
  configs = givenConfigs(createManageConfigs({ ...stores, clock, ids, checkLayout: createCheckLayout(oneSandbox()) }))
  shop = (await organisations.create('Shop', null, by)).id
  other = (await organisations.create('Other', 'eu', by)).id
})
afterEach(async () => flow.close())

/** Checks the content as the routes do. */
function givenConfigs(manage: ReturnType<typeof createManageConfigs>) {
  const parse = async (input: object) =>
    check(notificationConfigContent, input, 'request/invalid-body', findConfigFaults(input as JsonObject))
  return {
    ...manage,
    create: async (organisation: number, input: object, author: typeof by) =>
      manage.create(organisation, await parse(input), author),
    put: async (organisation: number, id: string, input: object, author: typeof by) =>
      manage.put(organisation, id, await parse(input), author),
  }
}

const actions = async () => (await flow.stores.audit.list(null, 100)).map(({ action }) => action)

describe('the region', () => {
  test('is set once, also with the same value', async () => {
    expect(await organisations.setRegion(shop, 'eu', by)).toMatchObject({ id: shop, region: 'eu' })
    await expect(organisations.setRegion(shop, 'eu', by)).rejects.toMatchObject({
      code: 'region/already-set',
      status: 409,
    })
    await expect(organisations.setRegion(other, 'eu', by)).rejects.toMatchObject({ code: 'region/already-set' })
    expect((await actions()).filter((action) => action === 'org.set-region')).toHaveLength(1)
  })

  test('is set by one of two concurrent callers', async () => {
    const calls = await Promise.allSettled([1, 2].map(() => organisations.setRegion(shop, 'eu', by)))
    expect(calls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test.each(['us', '', 'EU', 'eu '])('%j is not served here and refused', async (region) => {
    await expect(organisations.setRegion(shop, region, by)).rejects.toMatchObject({
      code: 'request/invalid-body',
      extra: { details: [{ path: 'region' }] },
    })
    expect((await flow.stores.organisations.find(shop))?.region).toBeNull()
  })

  test('of an unknown organisation is not found', async () => {
    await expect(organisations.setRegion(99, 'eu', by)).rejects.toMatchObject({ code: 'request/not-found' })
  })
})

describe('settings', () => {
  test('are created once and changed from then on', async () => {
    await expect(organisations.changeSettings(shop, { retentionDays: 30 }, by)).rejects.toMatchObject({
      code: 'request/not-found',
    })
    const { revision, ...created } = await organisations.createSettings(shop, { timeZone: 'Europe/London' }, by)
    expect(created).toEqual({ retentionDays: 90, locale: 'en', timeZone: 'Europe/London', contactEmail: null })
    await expect(organisations.createSettings(shop, {}, by)).rejects.toMatchObject({
      code: 'organization-settings/already-exists',
      status: 409,
    })
    const change = { retentionDays: 30, contactEmail: 'a@shop.example' }
    const { revision: next, ...changed } = await organisations.changeSettings(shop, change, by)
    expect(next).toBe(revision + 1)
    expect(changed).toEqual({ ...created, retentionDays: 30, contactEmail: 'a@shop.example' })
    expect(await organisations.findSettings(shop)).toEqual(changed)
    // Retention reads this row.
    expect((await flow.stores.organisations.find(shop))?.retentionDays).toBe(30)
    expect((await organisations.changeSettings(shop, { contactEmail: null }, by)).contactEmail).toBeNull()
    expect(await organisations.findSettings(other)).toBeUndefined()
  })

  test.each([
    [{ retentionDays: 0 }, 'retentionDays'],
    [{ retentionDays: 3651 }, 'retentionDays'],
    [{ retentionDays: '30' }, 'retentionDays'],
    [{ locale: 'no locale' }, 'locale'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ contactEmail: 'nobody' }, 'contactEmail'],
  ])('%j is refused and changes nothing', async (input, path) => {
    const parse = () =>
      check(organisationSettingsChange, input, 'request/invalid-body', findContactFaults(input as JsonObject))
    await expect((async () => organisations.createSettings(shop, parse(), by))()).rejects.toMatchObject({
      code: 'request/invalid-body',
      extra: { details: [{ path }] },
    })
    expect(await organisations.findSettings(shop)).toBeUndefined()
  })

  test('have audit entries with the author and the change', async () => {
    await organisations.createSettings(shop, {}, by)
    await organisations.changeSettings(shop, { retentionDays: 30 }, by)
    expect((await flow.stores.audit.list(null, 1))[0]).toMatchObject({
      ...by,
      action: 'settings.change',
      organisationId: shop,
      subject: formatId('organisation', shop),
      detail: { difference: '~ retentionDays: 90 → 30' },
    })
  })
})

const CONFIG = {
  name: 'Shop mails',
  categories: [{ key: 'orders', name: 'Orders', critical: true, channels: { inbox: true, email: false } }],
  widget: { theme: 'dark', accentColor: '#0a5fff', texts: { de: { title: 'Neuigkeiten' } } },
  email: {
    senderName: 'Shop',
    senderAddress: 'news@shop.example',
    replyTo: null,
    layout: '<main>{{ content }}</main>',
    tracking: { opens: false, clicks: true },
  },
}

describe('a notification config', () => {
  test('is stored as it was given, and replaced as a whole', async () => {
    const created = await configs.create(shop, CONFIG, by)
    expect(created).toMatchObject(CONFIG)
    expect(created.id).toMatch(/^cfg_/)
    expect(await configs.get(shop, created.id)).toEqual(created)
    flow.clock.at += 1000
    const put = await configs.put(shop, created.id, { name: 'Plain' }, by)
    expect(put).toMatchObject({ name: 'Plain', categories: [], widget: { theme: 'auto', texts: {} } })
    expect(put.updatedAt > created.updatedAt).toBe(true)
    expect((await flow.stores.audit.list(null, 1))[0]).toMatchObject({
      action: 'config.change',
      organisationId: shop,
      correlationId: 'c-9',
      detail: { difference: expect.stringContaining('~ name: "Shop mails" → "Plain"') },
    })
  })

  test('has a unique name in its organisation', async () => {
    const first = await configs.create(shop, CONFIG, by)
    await expect(configs.create(shop, CONFIG, by)).rejects.toMatchObject({ code: 'request/conflict' })
    const second = await configs.create(shop, { name: 'Second' }, by)
    await expect(configs.put(shop, second.id, CONFIG, by)).rejects.toMatchObject({ code: 'request/conflict' })
    expect(await configs.put(shop, first.id, CONFIG, by)).toMatchObject({ name: 'Shop mails' })
    expect(await configs.create(other, CONFIG, by)).toMatchObject({ name: 'Shop mails' })
    expect((await actions()).filter((action) => action.startsWith('config.'))).toHaveLength(3)
  })

  test('of another organisation and an unknown one have different 404s, in every call', async () => {
    const { id } = await configs.create(other, CONFIG, by)
    const foreign = { code: 'authorization/unauthorizedConfigIdForOrganisation', status: 404 }
    await expect(configs.get(shop, id)).rejects.toMatchObject(foreign)
    await expect(configs.put(shop, id, { name: 'mine' }, by)).rejects.toMatchObject(foreign)
    expect(await configs.get(other, id)).toMatchObject({ name: 'Shop mails' })
    for (const none of ['cfg_00000000001', 'nonsense', '', formatId('campaign', 5)]) {
      await expect(configs.get(shop, none)).rejects.toMatchObject({
        code: 'notification/config-not-found',
        status: 404,
      })
    }
  })

  test('is listed in its organisation only, page by page, and the cursor is refused elsewhere', async () => {
    for (const name of ['a', 'b', 'c']) await configs.create(shop, { name }, by)
    await configs.create(other, { name: 'z' }, by)
    const first = await configs.list(shop, { limit: 2 })
    expect(first.data.map(({ name }) => name)).toEqual(['c', 'b'])
    const cursor = first.nextCursor ?? ''
    expect((await configs.list(shop, { limit: 2, cursor })).data.map(({ name }) => name)).toEqual(['a'])
    await expect(configs.list(other, { limit: 2, cursor })).rejects.toMatchObject({ code: 'request/invalid-query' })
  })

  test.each([
    [{}, 'name'],
    [{ name: 'a\u0007' }, 'name'],
    [{ name: 'a', categories: [{ key: 'x' }, { key: 'x' }] }, 'categories[1].key'],
    [{ name: 'a', categories: [{ key: 'x', critical: 1 }] }, 'categories[0].critical'],
    [{ name: 'a', categories: 'all' }, 'categories'],
    [{ name: 'a', widget: { accentColor: 'red' } }, 'widget.accentColor'],
    [{ name: 'a', widget: { theme: 'neon' } }, 'widget.theme'],
    [{ name: 'a', widget: { texts: { '!': {} } } }, 'widget.texts.!'],
    [{ name: 'a', widget: { texts: { de: { bell: { one: 'x' } } } } }, 'widget.texts.de.bell.other'],
    [{ name: 'a', widget: { texts: { de: { bell: { other: 'x', dual: 'y' } } } } }, 'widget.texts.de.bell.dual'],
    [{ name: 'a', widget: { texts: { de: { bell: ['x'] } } } }, 'widget.texts.de.bell'],
    [{ name: 'a', email: { senderAddress: 'a@b.c\r\nBcc: x@y.z' } }, 'email.senderAddress'],
    [{ name: 'a', email: { senderName: 'a\nBcc: x' } }, 'email.senderName'],
    [{ name: 'a', email: { layout: 'no content' } }, 'email.layout'],
    [{ name: 'a', email: { layout: '{{ content }} {% nonsense' } }, 'email.layout'],
    [{ name: 'a', email: { tracking: { opens: 'yes' } } }, 'email.tracking.opens'],
  ])('%j is refused with its place', async (input, path) => {
    await expect(configs.create(shop, input, by)).rejects.toMatchObject({
      code: 'request/invalid-body',
      extra: { details: expect.arrayContaining([expect.objectContaining({ path })]) },
    })
  })
})

test('texts of the element are texts or plural forms; too many are refused', async () => {
  const texts = { de: { title: 'Neuigkeiten', bell: { one: '{count} neue', other: '{count} neue' } } }
  const { id } = await configs.create(shop, { name: 'Words', widget: { texts } }, by)
  expect((await configs.get(shop, id)).widget.texts).toEqual(texts)
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`t${at}`, 'x']))
  await expect(configs.create(shop, { name: 'Many', widget: { texts: { de: many } } }, by)).rejects.toMatchObject({
    extra: { details: [{ path: 'widget.texts.de' }] },
  })
})

describe('a campaign that names a config', () => {
  test('is accepted when the config belongs to its organisation, and refused with the right 404 otherwise', async () => {
    const own = await configs.create(HOME, CONFIG, by)
    const foreign = await configs.create(other, CONFIG, by)
    const naming = (key: string, notificationConfigId: string) => messageCampaign(key, 'e', { notificationConfigId })
    const { id, draft } = await flow.change.create(ENVIRONMENT, naming('a', own.id))
    expect(draft.notificationConfigId).toBe(own.id)
    expect(await flow.change.publish(ENVIRONMENT, id)).toMatchObject({ currentVersion: 1 })

    const notOurs = { code: 'authorization/unauthorizedConfigIdForOrganisation', status: 404 }
    const none = { code: 'notification/config-not-found', status: 404 }
    await expect(flow.change.create(ENVIRONMENT, naming('b', foreign.id))).rejects.toMatchObject(notOurs)
    await expect(flow.change.putDraft(ENVIRONMENT, id, naming('a', foreign.id))).rejects.toMatchObject(notOurs)
    await expect(flow.change.create(ENVIRONMENT, naming('b', 'cfg_00000000001'))).rejects.toMatchObject(none)
    await expect(flow.change.putDraft(ENVIRONMENT, id, naming('a', 'default'))).rejects.toMatchObject(none)
    expect((await flow.change.list(ENVIRONMENT, { limit: 10 })).data).toMatchObject([{ key: 'a', draft }])
  })
})
