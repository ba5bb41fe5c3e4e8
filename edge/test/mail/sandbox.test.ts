// Tests which mails leave an environment: the sandbox outside of production, and production without a mail server.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import type { DeliveryRecordAnswer } from '../../../contract/resources/delivery.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type DashboardPerson, givenDashboard } from '../support/given-dashboard.ts'
import { givenNc } from '../support/given-nc.ts'
import { type GivenSmtp, givenSmtp } from '../support/given-smtp.ts'

const SOON = { timeout: 60_000, interval: 20 }
const NAME = 'order.paid'
const campaign = (cc: string[] = []) => ({
  key: 'order',
  trigger: { event: NAME },
  steps: [{ id: 'mail', type: 'email', subject: 'Paid', markdown: 'Hello', cc }],
})

let smtp: GivenSmtp
let given: GivenEdge
let owner: DashboardPerson
let environments: string

beforeAll(async () => {
  smtp = await givenSmtp()
  given = await givenEdge({ OUTBOUND_ALLOW: '127.0.0.0/8' })
  owner = await givenDashboard(given).signIn(given.demo.dashboard.email, given.demo.dashboard.password)
  environments = `/v1/dashboard/organisations/${given.demo.organisation.id}/environments`
})
afterAll(async () => {
  await given.stop()
  await smtp.stop()
})

interface Created {
  id: string
  emailSandbox: unknown
  secrets: { sdkSecretKey: string }
}

/** Creates an environment with a campaign of one mail. `hasServer`: with an integration. */
async function create(name: string, options: { hasServer?: boolean; cc?: string[]; isProduction?: boolean } = {}) {
  const { hasServer = true, cc = [], ...fields } = options
  const body = { name, sdkKeyMayManage: true, ...fields }
  const { id, emailSandbox, secrets } = (await owner.call<Created>('POST', environments, { body })).body
  const key = secrets.sdkSecretKey
  const credentials = { host: smtp.host, port: String(smtp.port), tls: 'none' }
  const integration = { name: 'main', provider: 'smtp', credentials, from: { address: 'hello@shop.example' } }
  if (hasServer) await given.call('POST', '/v1/email/integrations', { key, body: integration })
  const made = await given.call<{ id: string }>('POST', '/v1/campaigns', { key, body: campaign(cc) })
  await given.call('POST', `/v1/campaigns/${made.body.id}/publish`, { key })
  return {
    id,
    key,
    emailSandbox,
    change: (sandbox: object) => owner.call('PUT', `/v1/dashboard/environments/${id}`, { body: sandbox }),
  }
}

/** Sends a mail to this address. @returns the status of its record, and its recipients at the server */
async function send(key: string, address: string) {
  const event = { sdkSecretKey: key, name: NAME, userId: address, user: { email: address } }
  const tracked = await given.call<{ eventId: string }>('POST', '/v1/events/track', { key, body: event })
  const { eventId } = tracked.body
  const find = async () =>
    (await given.call<Page<DeliveryRecordAnswer>>('GET', `/v1/deliveries?eventId=${eventId}`, { key })).body.data[0]
  await expect.poll(async () => (await find())?.status, SOON).toMatch(/sent|failed|skipped/)
  const { status, statusReason, messageId } = (await find()) as DeliveryRecordAnswer
  const mail = smtp.mails.find(({ raw }) => raw.includes(messageId))
  return [status, statusReason, mail?.to ?? []]
}

test('outside of production no mail leaves until an address or a domain is listed', async () => {
  const { id, key, emailSandbox, change } = await create('staging', {
    cc: ['boss@shop.example', 'boss@customer.example', 'team@shop.example'],
  })
  expect(emailSandbox).toEqual({ mode: 'allow', addresses: [] })
  expect(await send(key, 'ada@example.org')).toEqual(['skipped', 'sandbox', []])
  const allowed = { mode: 'allow', addresses: ['ada@example.org', 'Shop.example'] }
  expect((await change({ emailSandbox: allowed })).body).toMatchObject({ id, emailSandbox: allowed })
  expect(await send(key, 'ADA@example.org')).toEqual([
    'sent',
    null,
    ['ADA@example.org', 'boss@shop.example', 'team@shop.example'],
  ])
  expect(await send(key, 'bea@example.org')).toEqual(['skipped', 'sandbox', []])
  await change({ emailSandbox: { mode: 'redirect', addresses: ['team@shop.example'] } })
  expect(await send(key, 'cleo@example.org')).toEqual(['sent', null, ['team@shop.example']])
  await change({ emailSandbox: { mode: 'off', addresses: [] } })
  const all = ['dan@example.org', 'boss@shop.example', 'boss@customer.example', 'team@shop.example']
  expect(await send(key, 'dan@example.org')).toEqual(['sent', null, all])
  expect((await change({ emailSandbox: null })).body).toMatchObject({ emailSandbox })
})

test('production has no sandbox, unless one is set', async () => {
  const { key, emailSandbox, change } = await create('live', { isProduction: true })
  expect(emailSandbox).toEqual({ mode: 'off', addresses: [] })
  expect(await send(key, 'ada@example.org')).toEqual(['sent', null, ['ada@example.org']])
  await change({ emailSandbox: { mode: 'allow', addresses: [] } })
  expect(await send(key, 'bea@example.org')).toEqual(['skipped', 'sandbox', []])
})

test('production without a mail server sends nothing; the mailbox is for others and for the demo', async () => {
  const live = await create('bare', { isProduction: true, hasServer: false })
  expect(await send(live.key, 'ada@example.org')).toEqual(['skipped', 'no-provider', []])
  const staging = await create('trial', { hasServer: false })
  expect(await send(staging.key, 'ada@example.org')).toEqual(['sent', null, []])
  const ways = await Promise.all(
    [live, staging].map(async ({ key }) => (await given.call('GET', '/v1/email/integrations', { key })).body.way),
  )
  expect(ways).toEqual(['none', 'mailbox'])
  const { SEED_DEMO: _demo, ...withoutDemo } = given.settings
  // The server has told whether it serves the demo.
  for (const settings of [given.settings, withoutDemo]) {
    const { out } = await givenNc(settings).nc('doctor')
    expect(out.match(/.*no-provider.*/g)).toEqual([expect.stringContaining(`bare ${live.id}`)])
  }
  const demo = given.demo.environments.prod
  const path = `/v1/dashboard/environments/${demo.id}/campaigns`
  const made = await owner.call<{ id: string }>('POST', path, { body: campaign() })
  await owner.call('POST', `${path}/${made.body.id}/publish`)
  expect(await send(demo.sdkSecretKey, 'ada@example.org')).toEqual(['sent', null, []])
})

test('a sandbox that cannot be meant is refused with its path', async () => {
  const { change } = await create('strict', { hasServer: false })
  const pathsOf = async (emailSandbox: object) =>
    (await change({ emailSandbox })).body.details as { path: string }[] | undefined
  const wrong: [object, string][] = [
    [{ mode: 'redirect', addresses: [] }, 'emailSandbox.addresses'],
    [{ mode: 'redirect', addresses: ['a@b.example', 'c@d.example'] }, 'emailSandbox.addresses'],
    [{ mode: 'redirect', addresses: ['shop.example'] }, 'emailSandbox.addresses[0]'],
    [{ mode: 'allow', addresses: ['a b'] }, 'emailSandbox.addresses[0]'],
    [{ mode: 'allow', addresses: ['*'] }, 'emailSandbox.addresses[0]'],
    [{ mode: 'none', addresses: [] }, 'emailSandbox.mode'],
    [{ mode: 'allow' }, 'emailSandbox.addresses'],
  ]
  for (const [sandbox, path] of wrong) expect(await pathsOf(sandbox)).toMatchObject([{ path }])
})

test('the command line sets and shows the sandbox', async () => {
  const { id, key } = await create('cli')
  const { json, nc } = givenNc(given.settings)
  const set = await json(`env set-sandbox --env ${id} --mode allow --address ada@example.org --address shop.example`)
  expect(set).toMatchObject({ emailSandbox: { mode: 'allow', addresses: ['ada@example.org', 'shop.example'] } })
  await expect.poll(async () => (await send(key, 'ada@example.org'))[0], SOON).toBe('sent')
  expect((await nc(`env show --env ${id}`)).out).toMatch(/E-mail sandbox\s+allow ada@example.org shop.example/)
  expect(await json(`env set-sandbox --env ${id}`)).toMatchObject({ emailSandbox: { mode: 'allow', addresses: [] } })
})
