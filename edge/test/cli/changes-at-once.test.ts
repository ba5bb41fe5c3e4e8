// Tests concurrent changes of one row by a server and command lines: each is applied, or refused as a conflict.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import type { EnvironmentChangeInput } from '../../../contract/resources/environment.ts'
import type { ConfigAnswer } from '../../../contract/resources/notification-config.ts'
import type { SecretRotation } from '../../../contract/resources/secret.ts'
import type { SecretKind } from '../../../contract/tenant.ts'
import type { Routes } from '../../app/operator.ts'
import type { Tools } from '../../cli/command-context.ts'
import type { ChangedBy } from '../../domain/audit.ts'
import { parseId } from '../../lib/id.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { type GivenExternalProcess, givenExternalProcess } from '../support/given-external-process.ts'

const BY: ChangedBy = { actor: 'cli', who: 'test' }
/** Number of concurrent changes: enough that some would be lost without protection. */
const ROUNDS = 12

let given: GivenEdge
let processes: GivenExternalProcess[]
/** Two command lines, each in its own process. */
let first: Tools
let second: Tools
let environmentId: number
let organisationId: number
let key: string
beforeAll(async () => {
  given = await givenEdge()
  processes = [await givenExternalProcess(given.settings), await givenExternalProcess(given.settings)]
  ;[first, second] = processes.map(({ tools }) => tools) as [Tools, Tools]
  environmentId = parseId('environment', given.demo.environments.dev.id) ?? 0
  organisationId = parseId('organisation', given.demo.organisation.id) ?? 0
  key = given.demo.environments.dev.sdkSecretKey
})
afterAll(async () => {
  await Promise.all(processes.map((one) => one.close()))
  await given.stop()
})

type TwoRoutes = [one: Routes, other: Routes]
/** The routes of the environment in each of the two. */
const environments = () =>
  processes.map((process) => process.inEnvironment(given.demo.environments.dev.id)) as TwoRoutes
const rounds = Array.from({ length: ROUNDS }, (_, index) => index)
/** Error codes of the refused changes. */
const refusals = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as Error).message] : []))

test('campaign: concurrent drafts and publications are all applied, and the version numbers have no gap', async () => {
  const definition = (name: string) => inboxCampaign('at-once', 'at.once', { name })
  const id = await given.publish(definition('begun'))
  for (const round of rounds) {
    const name = `draft ${round}`
    const [saved] = await Promise.all([
      given.call('PUT', `/v1/campaigns/${id}`, { key, body: definition(name) }),
      first.changeCampaign.publish(environmentId, id, BY),
      second.changeCampaign.publish(environmentId, id, BY),
    ])
    expect(saved.status).toBe(200)
    const now = await first.changeCampaign.get(environmentId, id)
    expect(now).toMatchObject({ draft: { name }, currentVersion: 1 + 2 * (round + 1) })
  }
  const { data } = await first.changeCampaign.listVersions(environmentId, id, { limit: 100 })
  expect(data.map(({ version }) => version)).toEqual(
    Array.from({ length: 2 * ROUNDS + 1 }, (_, index) => 2 * ROUNDS + 1 - index),
  )
})

test('campaign: a concurrent pause and archive end in archived, with the changed draft', async () => {
  for (const round of rounds) {
    const definition = (name: string) => inboxCampaign(`halted-${round}`, 'at.once', { name })
    const id = await given.publish(definition('begun'))
    const results = await Promise.allSettled([
      first.changeCampaign.pause(environmentId, id, BY),
      second.changeCampaign.archive(environmentId, id, BY),
      first.changeCampaign.putDraft(environmentId, id, definition('changed'), BY),
    ])
    for (const code of refusals(results)) expect(code).toBe('campaign/invalid-transition')
    expect(results.slice(1).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await first.changeCampaign.get(environmentId, id)).toMatchObject({
      status: 'archived',
      draft: { name: 'changed' },
    })
  }
})

test('environment: concurrent changes of different settings are all applied', async () => {
  const [one, other] = environments()
  const change = ({ call }: Routes, body: EnvironmentChangeInput) => call('put', '', { body })
  for (const round of rounds) {
    const isOn = round % 2 === 0
    await Promise.all([
      change(one, { requireExpiringTokens: isOn }),
      change(other, { name: `dev ${round}` }),
      change(other, { allowedOrigins: [`https://shop${round}.example`] }),
      change(one, { rateLimits: { track: 1000 + round } }),
    ])
    expect(await first.stores.environments.find(environmentId)).toMatchObject({
      requireExpiringTokens: isOn,
      name: `dev ${round}`,
      allowedOrigins: [`https://shop${round}.example`],
      rateLimits: { track: 1000 + round },
    })
  }
  await change(one, { allowedOrigins: [], requireExpiringTokens: false, rateLimits: null })
})

test('secret: one of two concurrent rotations is refused, and an emergency during a rotation leaves no older value', async () => {
  const [one, other] = environments()
  const kind: SecretKind = 'webhookSigningSecret'
  const rotate = ({ call }: Routes) => call('post', `/secrets/${kind}/rotate`)
  const retire = ({ call }: Routes) => call('post', `/secrets/${kind}/retire`, { body: { confirm: true } })
  const emergency = ({ call }: Routes) => call('post', `/secrets/${kind}/emergency`, { body: { confirm: true } })
  const live = async () => {
    const now = Date.now()
    const values = await first.stores.secrets.list(environmentId, kind)
    return values.filter(({ retiresAt, settledAt }) => settledAt === null && (retiresAt === null || retiresAt > now))
  }
  for (const _ of rounds) {
    const results = await Promise.allSettled([rotate(one), rotate(other)])
    expect(refusals(results)).toEqual(['request/conflict'])
    expect((await live()).map(({ retiresAt }) => retiresAt === null).sort()).toEqual([false, true])
    await retire(one)
    const older = (await live()).map(({ id }) => id)
    const [replacement, rotation] = await Promise.allSettled([emergency(one), rotate(other)])
    expect(replacement.status).toBe('fulfilled')
    // A rotation that began just before it may still use the ended secret.
    for (const code of refusals([rotation])) expect(code).toBe('request/conflict')
    const left = await live()
    expect(left.filter(({ retiresAt }) => retiresAt === null)).toHaveLength(1)
    expect(left.length).toBeLessThanOrEqual(2)
    expect(left.filter(({ id }) => older.includes(id))).toEqual([])
    await emergency(one)
  }
})

test('notification config: two concurrent writes leave one of both, and a name that both request goes to one', async () => {
  const CONFIGS = '/notification-configs'
  const [one, other] = processes.map((process) => process.inOrganisation(given.demo.organisation.id)) as TwoRoutes
  const create = ({ call }: Routes, name: string) => call<ConfigAnswer>('post', CONFIGS, { body: { name } })
  const put = ({ call }: Routes, id: string, name: string, accentColor: string) =>
    call('put', `${CONFIGS}/${id}`, { body: { name, widget: { accentColor } } })
  for (const round of rounds) {
    const a = await create(one, `a ${round}`)
    const b = await create(one, `b ${round}`)
    const results = await Promise.allSettled([
      put(one, a.id, `wanted ${round}`, '#000001'),
      put(other, b.id, `wanted ${round}`, '#000002'),
      create(other, `wanted ${round}`),
    ])
    expect(refusals(results)).toEqual(['request/conflict', 'request/conflict'])
    await Promise.all([put(one, a.id, `x ${round}`, '#000003'), put(other, a.id, `y ${round}`, '#000004')])
    const { name, widget } = await one.call<ConfigAnswer>('get', `${CONFIGS}/${a.id}`)
    expect([`x ${round} #000003`, `y ${round} #000004`]).toContain(`${name} ${widget.accentColor}`)
  }
})

test('organisation settings: they are created once, and concurrent changes of different fields are all applied', async () => {
  const created = await Promise.allSettled(
    [first, second].map(({ changeOrganisation }) => changeOrganisation.createSettings(organisationId, {}, BY)),
  )
  expect(refusals(created)).toEqual(['organization-settings/already-exists'])
  for (const round of rounds) {
    await Promise.all([
      first.changeOrganisation.changeSettings(organisationId, { locale: round % 2 === 0 ? 'de' : 'en' }, BY),
      second.changeOrganisation.changeSettings(organisationId, { contactEmail: `ops${round}@shop.example` }, BY),
      second.stores.retention.setDays(organisationId, 100 + round),
    ])
    expect(await first.changeOrganisation.findSettings(organisationId)).toMatchObject({
      locale: round % 2 === 0 ? 'de' : 'en',
      contactEmail: `ops${round}@shop.example`,
      retentionDays: 100 + round,
    })
  }
})

test('enricher: two concurrent writes leave one of both, and a write during a removal does not fail', async () => {
  const auditOf = (verb: string) =>
    ({ at: Date.now(), ...BY, action: `enricher.${verb}`, environmentId, subject: 'at-once', detail: {} }) as const
  const put = ({ stores }: Tools, timeoutMs: number) => {
    const settings = { url: `https://shop.example/${timeoutMs}`, timeoutMs, cacheSeconds: 0 }
    const row = { environmentId, name: 'at-once', ...settings, createdAt: Date.now(), updatedAt: Date.now() }
    return stores.enrichers.save(row, auditOf('put'))
  }
  const remove = ({ stores }: Tools) => stores.enrichers.remove(environmentId, 'at-once', auditOf('delete'))
  for (const _ of rounds) {
    await Promise.all([put(first, 1000), put(second, 2000)])
    const kept = await first.stores.enrichers.find(environmentId, 'at-once')
    expect(kept?.url).toBe(`https://shop.example/${kept?.timeoutMs}`)
    await Promise.all([put(first, 1500), remove(second)])
    await remove(second)
  }
})

test('user: concurrent changes of profile, preferences and topics by a server and two command lines are all applied', async () => {
  for (const round of rounds) {
    const userId = `at-once-${round}`
    const path = `/v1/users/${userId}`
    const change = (name: string) => ({ attributes: { [name]: round } })
    await Promise.all([
      given.call('PUT', path, { key, body: change('a') }),
      first.stores.users.upsert(environmentId, userId, change('b'), Date.now()),
      second.stores.users.upsert(environmentId, userId, change('c'), Date.now()),
    ])
    const user = await second.stores.users.find(environmentId, userId)
    expect(Object.keys(user?.attributes ?? {}).sort()).toEqual(['a', 'b', 'c'])
    const prefer = ({ stores }: Tools, category: string) =>
      stores.sendRules.changePreferences(
        environmentId,
        user?.userNo ?? 0,
        { choices: { [category]: { inbox: false } } },
        Date.now(),
      )
    await Promise.all([prefer(first, 'one'), prefer(second, 'two')])
    const preferences = await first.stores.sendRules.findPreferences(environmentId, user?.userNo ?? 0)
    expect(Object.keys(preferences?.choices ?? {}).sort()).toEqual(['one', 'two'])
    const topic = `topic-${round}`
    await Promise.all([
      given.call('PUT', `/v1/topics/${topic}/subscribers`, { key, body: { add: [userId, 'x'], remove: [] } }),
      first.stores.topics.change(environmentId, topic, [userId, 'y'], ['z'], Date.now()),
      second.stores.topics.change(environmentId, topic, ['z'], [], Date.now()),
    ])
    const subscribers = await first.stores.topics.listSubscribers(environmentId, topic, 0, 10)
    expect(subscribers.map((one) => one.userId)).toEqual(expect.arrayContaining([userId, 'x', 'y']))
  }
})

test('secret: a concurrent extension and retirement of the old value end in its retirement', async () => {
  const [one, other] = environments()
  const kind: SecretKind = 'webhookSigningSecret'
  const path = `/secrets/${kind}`
  for (const _ of rounds) {
    await one.call('post', `${path}/rotate`)
    const [retirement, extension] = await Promise.allSettled([
      one.call('post', `${path}/retire`, { body: { confirm: true } }),
      other.call('post', `${path}/extend`, { body: { overlap: 'P7D' } }),
    ])
    expect(retirement.status).toBe('fulfilled')
    for (const code of refusals([extension])) expect(code).toBe('request/conflict')
    const { data } = await other.call<Page<SecretRotation>>('get', '/secrets')
    expect(data.find((secret) => secret.kind === kind)).toMatchObject({ state: 'single' })
  }
})

test('organisation: its region is chosen once, and retention and settings that are set at once are both applied', async () => {
  const actions = async (organisation: number) => {
    const entries = await first.stores.audit.search({ organisationId: organisation }, 100)
    return entries.map(({ action }) => action)
  }
  for (const round of rounds) {
    const { id } = await first.changeOrganisation.create(`at once ${round}`, null, BY)
    const chosen = await Promise.allSettled(
      [first, second].map(({ changeOrganisation }) => changeOrganisation.setRegion(id, 'eu', BY)),
    )
    expect(refusals(chosen)).toEqual(['region/already-set'])
    expect((await actions(id)).filter((action) => action === 'org.set-region')).toHaveLength(1)
    await Promise.all([
      first.changeOrganisation.createSettings(id, { locale: 'de' }, BY),
      second.stores.retention.setDays(id, 100 + round),
    ])
    expect(await second.changeOrganisation.findSettings(id)).toMatchObject({ locale: 'de', retentionDays: 100 + round })
    expect(await second.stores.organisations.find(id)).toMatchObject({ retentionDays: 100 + round })
  }
})

test('suppression: a concurrent addition and removal end in one of both, and the answers agree with it', async () => {
  for (const round of rounds) {
    const subject = { environmentId, channel: 'email' as const, userId: `suppressed-${round}` }
    const [{ added }, removed] = await Promise.all([
      first.stores.sendRules.suppress(subject, 'manual', Date.now()),
      second.stores.sendRules.release(subject),
    ])
    expect(added).toBe(true)
    expect(await first.stores.sendRules.listOf(subject)).toHaveLength(removed ? 0 : 1)
    const repeated = await Promise.all([
      first.stores.sendRules.suppress(subject, 'bounce', Date.now()),
      second.stores.sendRules.suppress(subject, 'complaint', Date.now()),
    ])
    expect(repeated.filter((one) => one.added)).toHaveLength(removed ? 1 : 0)
    const releases = await Promise.all([first, second].map(({ stores }) => stores.sendRules.release(subject)))
    expect(releases.sort()).toEqual([false, true])
  }
})
