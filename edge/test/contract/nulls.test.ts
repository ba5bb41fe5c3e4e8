// Tests that null is refused where a value cannot be null, by the path of the field, and that nothing is changed.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type DashboardPerson, givenDashboard } from '../support/given-dashboard.ts'

let given: GivenEdge
let owner: DashboardPerson
/** Paths by the resource. */
const paths: Record<string, string> = {}
beforeAll(async () => {
  given = await givenEdge()
  const { dashboard, organisation, environments } = given.demo
  owner = await givenDashboard(given).signIn(dashboard.email, dashboard.password)
  const org = `/v1/dashboard/organisations/${organisation.id}`
  const env = `/v1/dashboard/environments/${environments.dev.id}`
  const create = async (path: string, body: object) =>
    (await owner.call<{ id: string }>('POST', path, { body })).body.id
  const source = await create(`${env}/sources`, { name: 'nulls', provider: 'segment' })
  const credentials = { serverToken: 'nulls' }
  const mail = await create(`${env}/email/integrations`, { name: 'nulls', provider: 'postmark', credentials })
  const config = await create(`${org}/notification-configs`, { name: 'nulls' })
  await owner.call('POST', `${org}/settings`, { body: {} })
  Object.assign(paths, {
    source: `${env}/sources/${source}`,
    integration: `${env}/email/integrations/${mail}`,
    config: `${org}/notification-configs/${config}`,
    settings: `${org}/settings`,
    environment: env,
    enricher: `${env}/enrichers/nulls`,
  })
  await owner.call('PUT', paths.enricher as string, { body: { url: 'https://192.0.2.1/' } })
})
afterAll(() => given.stop())

test.each([
  ['source', 'name'],
  ['source', 'mappings'],
  ['source', 'requireV3'],
  ['source', 'allowUnsignedBatchTail'],
  ['integration', 'priority'],
  ['integration', 'credentials'],
  ['integration', 'rotateWebhookPassword'],
  ['config', 'name'],
  ['config', 'categories'],
  ['config', 'widget'],
  ['config', 'email'],
  ['config', 'email.tracking'],
  ['config', 'email.tracking.opens'],
  ['config', 'email.layoutFormat'],
  ['config', 'widget.theme'],
  ['config', 'widget.texts'],
  ['settings', 'retentionDays'],
  ['settings', 'locale'],
  ['settings', 'timeZone'],
  ['environment', 'name'],
  ['environment', 'isProduction'],
  ['environment', 'allowedOrigins'],
  ['environment', 'appSchemes'],
  ['environment', 'requireExpiringTokens'],
  ['environment', 'sdkKeyMayManage'],
  ['environment', 'requirePublishApproval'],
  ['environment', 'publishRole'],
  ['environment', 'disabled'],
  ['enricher', 'url'],
  ['enricher', 'timeoutMs'],
  ['enricher', 'cacheSeconds'],
])('%s: %s', async (resource, field) => {
  const path = paths[resource] as string
  // The settings of an organisation are read with it.
  const read = async () => (await owner.call('GET', path.replace(/\/settings$/, ''))).body
  const before = await read()
  const BASE: Record<string, object> = {
    integration: { name: 'nulls', provider: 'postmark' },
    config: { name: 'nulls' },
    enricher: { url: 'https://192.0.2.1/' },
  }
  const value = field.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), null)
  const { status, body } = await owner.call('PUT', path, { body: { ...BASE[resource], ...(value as object) } })
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { code: 'request/invalid-body', details: [expect.objectContaining({ path: field })] },
  })
  expect(await read()).toEqual(before)
})

test.each([
  ['integration', { name: 'nulls', provider: 'postmark', from: null, maxPerSecond: null }],
  ['config', { name: 'nulls', siteUrl: null, email: { layout: null, senderName: null, replyTo: null } }],
  ['environment', { notificationConfigId: null, rateLimits: null, siteUrl: null, publicKey: null }],
  ['settings', { contactEmail: null }],
])('%s takes null where a value can be null', async (resource, body) => {
  expect((await owner.call('PUT', paths[resource] as string, { body })).status).toBe(200)
})
