// Tests the deletion of environments: what ends at once, what is removed after it, and who may do it.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCommandContext } from '../../cli/command-context.ts'
import { parseId } from '../../lib/id.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type DashboardPerson, givenDashboard, outcomeOf } from '../support/given-dashboard.ts'
import { givenNc } from '../support/given-nc.ts'
import { type GivenSmtp, givenSmtp } from '../support/given-smtp.ts'
import { openSandbox } from '../support/open-sandbox.ts'
import { watchInbox } from '../support/watcher.ts'
import { within } from '../support/within.ts'

const SECOND_MS = 1000
/** As for an environment that never was. */
const UNKNOWN = '403 authorization/organisation-not-authorized-for-this-user'

let smtp: GivenSmtp
let given: GivenEdge
let admin: DashboardPerson
let editor: DashboardPerson
let environments: string
beforeAll(async () => {
  smtp = await givenSmtp()
  given = await givenEdge({ SMTP_URL: `smtp://127.0.0.1:${smtp.port}?tls=none`, OUTBOUND_ALLOW: '127.0.0.0/8' })
  await openSandbox(given)
  const dashboard = givenDashboard(given)
  const org = given.demo.organisation.id
  admin = await dashboard.join(org, 'admin@example.com', 'admin')
  editor = await dashboard.join(org, 'editor@example.com', 'editor')
  environments = `/v1/dashboard/organisations/${org}/environments`
})
afterAll(async () => {
  await given.stop()
  await smtp.stop()
})

/** Mails two seconds after the event. */
const LATER = {
  key: 'later',
  name: 'Later',
  trigger: { event: 'order.paid' },
  steps: [
    { id: 'wait', type: 'delay', for: 'PT2S' },
    { id: 'mail', type: 'email', subject: 'Later', markdown: 'Hello' },
  ],
}

async function create(name: string) {
  const body = { name, emailSandbox: { mode: 'off', addresses: [] } }
  const made = await admin.call<{ id: string; secrets: { sdkSecretKey: string } }>('POST', environments, { body })
  expect(made.status).toBe(201)
  return { id: made.body.id, key: made.body.secrets.sdkSecretKey }
}

const pathOf = (id: string) => `/v1/dashboard/environments/${id}`
const listed = async () =>
  (await admin.call<{ data: { id: string }[] }>('GET', environments)).body.data.map(({ id }) => id)

const track = (key: string, userId: string) =>
  given.call('POST', '/v1/events/track', {
    key,
    body: { sdkSecretKey: key, name: 'order.paid', userId, user: { email: `${userId}@example.com` } },
  })

test('a deleted environment is refused at once, sends no more, and leaves nothing', async () => {
  const { id, sdkSecretKey } = given.demo.environments.dev
  const named = (name: string) => `${pathOf(id)}?confirm=${name}`
  const control = await create('control')
  await given.publish(LATER)
  const other = await given.call<{ id: string }>('POST', '/v1/campaigns', { key: control.key, body: LATER })
  await given.call('POST', `/v1/campaigns/${other.body.id}/publish`, { key: control.key })
  const body = { name: 'Shop', provider: 'segment' }
  const source = await given.call<{ url: string }>('POST', '/v1/sources', { key: sdkSecretKey, body })
  const deliver = async () =>
    (await fetch(new URL(new URL(source.body.url).pathname, given.url), { method: 'POST', body: '{}' })).status
  expect(await deliver()).toBe(401)
  const session = await given.signIn('u_open')
  const watcher = watchInbox(given.url, 'u_open', session)
  await expect.poll(() => watcher.isConnected()).toBe(true)
  expect((await track(sdkSecretKey, 'deleted')).status).toBe(202)

  const contents = await admin.call<{ users: number }>('GET', `${pathOf(id)}/contents`)
  expect(contents).toMatchObject({ status: 200, body: { users: expect.any(Number), messages: 0, campaigns: 1 } })
  expect(contents.body.users).toBeGreaterThanOrEqual(2)
  expect(outcomeOf(await editor.call('GET', `${pathOf(id)}/contents`))).toBe('403 authorization/not-allowed role')
  expect(outcomeOf(await editor.call('DELETE', named('dev')))).toBe('403 authorization/not-allowed role')
  expect(outcomeOf(await admin.call('DELETE', pathOf(id)))).toBe('400 request/invalid-query')
  expect(outcomeOf(await admin.call('DELETE', named('prod')))).toBe('400 request/invalid-query')
  expect(await admin.call('DELETE', named('dev'))).toMatchObject({ status: 200, body: { deleted: true } })

  const key = sdkSecretKey
  expect(outcomeOf(await given.call('GET', '/v1/campaigns', { key }))).toBe('403 auth/invalid-authorization')
  expect((await track(key, 'late')).status).toBe(403)
  expect((await given.call('GET', '/v1/inbox/messages', { session })).status).toBe(401)
  expect(await deliver()).toBe(404)
  await within(SECOND_MS, async () => expect(watcher.isConnected()).toBe(false))
  watcher.close()
  expect(outcomeOf(await admin.call('GET', pathOf(id)))).toBe(UNKNOWN)
  expect(outcomeOf(await admin.call('DELETE', named('dev')))).toBe(UNKNOWN)
  expect(await listed()).not.toContain(id)

  // This mail is due after the one of the deleted environment.
  await track(control.key, 'kept')
  const recipients = () => smtp.mails.flatMap(({ to }) => to)
  await expect.poll(recipients).toContain('kept@example.com')
  expect(recipients()).not.toContain('deleted@example.com')
  const context = createCommandContext(given.settings)
  const { stores } = await context.tools()
  const number = parseId('environment', id) ?? 0
  await expect.poll(() => stores.environments.countContents(number)).toEqual({ users: 0, messages: 0, campaigns: 0 })
  await context.close()

  const log = await admin.call<{ data: object[] }>(
    'GET',
    `/v1/dashboard/organisations/${given.demo.organisation.id}/audit-log?action=env.delete`,
  )
  const detail = { environment: id, users: contents.body.users, messages: 0, campaigns: 1 }
  expect(log.body.data).toMatchObject([{ action: 'env.delete', subject: 'dev', who: 'admin@example.com', detail }])
  // The demo starts without its environment, and the name is free.
  await given.restart()
  expect(await listed()).not.toContain(id)
  await create('dev')
})

test('a command deletes one by its typed name, and the last one of an organisation stays', async () => {
  const cli = givenNc(given.settings)
  const { id, key } = await create('short lived')
  const refused = await cli.nc(`env delete --env ${id}`)
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('0 users, 0 messages and 0 campaigns') })
  expect((await cli.nc(`env delete --env ${id} --confirm dev`)).code).toBe(2)
  const deleted = await cli.nc(['env', 'delete', '--env', id, '--confirm', 'short lived'])
  expect(deleted).toMatchObject({ code: 0, out: expect.stringContaining('Deleted short lived') })
  await within(SECOND_MS, async () => expect((await track(key, 'u_1')).status).toBe(403))
  const all = (await admin.call<{ data: { id: string; name: string }[] }>('GET', environments)).body.data
  const results: string[] = []
  for (const one of all) {
    results.push(outcomeOf(await admin.call('DELETE', `${pathOf(one.id)}?confirm=${one.name}`)))
  }
  expect(results).toEqual([...all.slice(1).map(() => '200'), '409 request/conflict last-environment'])
})
