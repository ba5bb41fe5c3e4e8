// Tests maintenance by the command line while an edge is under load: campaigns, users, retention, audit, migrate.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { knownTables } from '../../stores/migrate.ts'
import { ENGINE } from '../support/engine.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'
import { within } from '../support/within.ts'

let given: GivenEdge
let cli: ReturnType<typeof givenNc>
let load: Promise<void>
let isOn = true
let sent = 0
const refused: number[] = []
beforeAll(async () => {
  given = await givenEdge()
  cli = givenNc(given.settings)
  await given.publish(inboxCampaign('welcome', 'user.joined'))
  // Tracking continues during every command of this file, and must not fail.
  load = (async () => {
    for (; isOn; sent++) {
      const { status } = await given.track({ name: 'user.joined', userId: `load-${sent % 20}` })
      if (status !== 202) refused.push(status)
    }
  })()
})
afterAll(async () => {
  isOn = false
  await load
  await given.stop()
})

const SECOND_MS = 1000
const env = () => `--env ${given.demo.environments.dev.id}`
const org = () => `--org ${given.demo.organisation.id}`

test('pausing, resuming, publishing and archiving a campaign each take effect within a second', async () => {
  await given.publish(inboxCampaign('states', 'states.seen'))
  let n = 0
  const outcome = async () => {
    const { body } = await given.track({ name: 'states.seen', userId: `state-${n++}` })
    const { data } = await given.page(await given.signIn(`state-${n - 1}`))
    return [body.eventId === undefined, data[0]?.title ?? null]
  }
  const command = (verb: string) => `campaign ${verb} ${env()} --key states`
  expect(await cli.json(command('pause'))).toMatchObject({ status: 'paused' })
  await within(SECOND_MS, async () => expect(await outcome()).toEqual([false, null]))
  expect(await cli.nc(command('pause'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('cannot become paused'),
  })
  expect(await cli.json(command('resume'))).toMatchObject({ status: 'active' })
  await within(SECOND_MS, async () => expect(await outcome()).toEqual([false, 'Hello']))
  const file = join(given.dataDir, 'states.json')
  const definition = inboxCampaign('states', 'states.seen', { steps: [{ id: 'tell', type: 'inbox', title: 'New' }] })
  await writeFile(file, JSON.stringify({ campaigns: [{ definition }] }))
  await cli.json(`campaign import ${env()} --from ${file} --apply`)
  expect(await cli.json(command('publish'))).toMatchObject({ currentVersion: 2 })
  await within(SECOND_MS, async () => expect(await outcome()).toEqual([false, 'New']))
  expect((await cli.nc(command('show'))).out).toContain('"title": "New"')
  expect(await cli.nc(command('archive'))).toMatchObject({ code: 2 })
  expect(await cli.json(`${command('archive')} --yes`)).toMatchObject({ status: 'archived' })
  await within(SECOND_MS, async () => expect(await outcome()).toEqual([false, null]))
  expect(await cli.nc(`campaign show ${env()} --key nothing`)).toMatchObject({ code: 1 })
})

test('a user is created, changed and shown, and the API returns the changed profile at once', async () => {
  const create = ['user', 'create', ...env().split(' '), '--user', 'ada', '--name', 'Ada L', '--email', 'a@example.com']
  expect(await cli.json([...create, '--attribute', 'plan=pro', '--attribute', 'seats=3'])).toMatchObject({
    name: 'Ada L',
    attributes: { plan: 'pro', seats: 3 },
  })
  expect(await cli.nc(create)).toMatchObject({ code: 1, err: expect.stringContaining('already') })
  await cli.json(['user', 'change', ...env().split(' '), '--user', 'ada', '--email', '', '--attribute', 'plan='])
  const { body } = await given.call('GET', '/v1/users/ada', { key: given.demo.environments.dev.sdkSecretKey })
  expect(body).toMatchObject({ name: 'Ada L', email: null, attributes: { seats: 3 } })
  expect(await cli.nc(`user change ${env()} --user nobody --name x`)).toMatchObject({ code: 1 })
  expect(await cli.nc(['user', 'change', ...env().split(' '), '--user', 'ada', '--attribute', 'x'])).toMatchObject({
    code: 2,
  })
})

describe('retention', () => {
  test('is shown, set after a confirmation, run and recorded in the audit log', async () => {
    expect(await cli.json(`retention show ${org()}`)).toContainEqual({
      organisation: given.demo.organisation.id,
      days: 90,
      environment: given.demo.environments.dev.id,
      oldestAt: expect.any(String),
      overdueDays: 0,
    })
    expect(await cli.nc(`retention set ${org()} --days 30`)).toMatchObject({ code: 2 })
    for (const days of ['0', '3651', '1.5', 'x', '-1']) {
      expect((await cli.nc(['retention', 'set', ...org().split(' '), `--days=${days}`])).code).toBe(2)
    }
    expect(await cli.json(`retention set ${org()} --days 30 --yes`)).toMatchObject({ days: 30 })
    expect(await cli.json(`retention set ${org()} --days 400`)).toMatchObject({ days: 400 })
    expect(await cli.json('retention show')).toContainEqual(expect.objectContaining({ days: 400 }))
    expect(await cli.json('retention run')).toEqual({ rows: 0, steps: 0 })
    expect(await cli.nc('retention set --org org_00000000000 --days 9 --yes')).toMatchObject({ code: 1 })
  })
})

describe('the audit log', () => {
  test('is listed newest first, by environment, action, account and time', async () => {
    const list = async (filter = '') =>
      (await cli.json<{ action: string; who: string; at: string }[]>(`audit list ${filter}`)).map(
        ({ action }) => action,
      )
    const other = await cli.json<{ id: string }>('org create --name Other')
    const all = await cli.json<{ action: string; who: string; at: string }[]>('audit list --limit 1000')
    expect(all.length).toBeGreaterThan(5)
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .sort()
        .reverse(),
    )
    expect(await list('--action retention')).toEqual(['retention.set', 'retention.set'])
    expect(await list('--action retention.set --limit 1')).toEqual(['retention.set'])
    expect(await list(`${org()} --action retention`)).toEqual(['retention.set', 'retention.set'])
    expect(await list(`--org ${other.id}`)).toEqual(['org.create'])
    expect(await list(`${org()} --action org.create`)).toEqual(['org.create'])
    expect(await list('--action org.create')).toHaveLength(2)
    expect(await list(`${org()} --limit 1000`)).toContain('campaign.archive')
    expect(await list('--action retent')).toEqual([])
    expect(await list(`${env()} --action campaign.archive`)).toEqual(['campaign.archive'])
    expect(await list(`--env ${given.demo.environments.prod.id} --action campaign`)).toEqual([])
    expect(await list(`--who ${all[0]?.who} --action campaign.pause`)).toEqual(['campaign.pause'])
    expect(await list('--who nobody-of-that-name')).toEqual([])
    expect(await list(`--from ${all[0]?.at}`)).toHaveLength(1)
    expect(await list('--to 2020-01-31')).toEqual([])
    for (const filter of ['--from yesterday', '--limit 0', '--limit 1001', '--env x', '--to 2026-02-30']) {
      expect(await cli.nc(`audit list ${filter}`)).toMatchObject({ code: 2 })
    }
  })
})

test('migrate reports no missing migration, and on SQLite requires that the server has stopped', async () => {
  expect(await cli.json('migrate --check')).toEqual({ version: knownTables(), missing: [] })
  expect(await cli.json('migrate --plan')).toEqual({ version: knownTables(), missing: [], steps: [], seconds: 0 })
  const applied = await cli.nc('migrate')
  if (ENGINE === 'sqlite') expect(applied).toMatchObject({ code: 1, err: expect.stringContaining('Another process') })
  else expect(applied).toMatchObject({ code: 0 })
})

test('every tracked event during these commands was accepted', async () => {
  await expect.poll(() => sent).toBeGreaterThan(100)
  expect(refused).toEqual([])
  isOn = false
  await load
  expect(await cli.json('stats rebuild')).toMatchObject({ differed: 0 })
})
