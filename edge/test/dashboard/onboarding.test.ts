// Tests organisations from their creation by a person: onboarding, region, settings, notification configs, audit log.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type DashboardPerson, givenDashboard, outcomeOf } from '../support/given-dashboard.ts'

const ORGANISATIONS = '/v1/dashboard/organisations'

let given: GivenEdge
let dashboard: ReturnType<typeof givenDashboard>
let founder: DashboardPerson
beforeAll(async () => {
  given = await givenEdge({ REGION_HOSTS: 'eu=https://eu.example.com,us=https://us.example.com' })
  dashboard = givenDashboard(given)
  founder = await dashboard.join(given.demo.organisation.id, 'founder@example.com', 'viewer')
})
afterAll(() => given.stop())

interface Organisation {
  id: string
  region: string | null
  onboarding: { completed: boolean; steps: object; next: string | null }
}

async function found(name: string): Promise<string> {
  const answer = await founder.call<Organisation>('POST', '/v1/dashboard/auth/organisations', { body: { name } })
  expect(answer.status).toBe(201)
  return answer.body.id
}

describe('onboarding', () => {
  test('goes from the region over the settings to the first environment, which completes it', async () => {
    const org = await found('Acme')
    const path = `${ORGANISATIONS}/${org}`
    const read = async () => (await founder.call<Organisation>('GET', path)).body
    expect(await read()).toMatchObject({
      name: 'Acme',
      role: 'owner',
      region: null,
      host: null,
      settings: null,
      onboarding: { completed: false, steps: { region: false, settings: false, environment: false }, next: 'region' },
      regions: [{ region: 'eu', host: 'https://eu.example.com' }],
    })
    const create = (name: string) => founder.call<{ id: string }>('POST', `${path}/environments`, { body: { name } })
    expect(outcomeOf(await founder.call('GET', `${path}/environments`))).toBe('403 auth/onboarding-not-completed')
    expect(outcomeOf(await create('dev'))).toBe('409 request/conflict onboarding-region')
    const choose = (region: string) => founder.call('POST', `${path}/region`, { body: { region } })
    expect(outcomeOf(await choose('us'))).toBe('400 request/invalid-body')
    expect(await choose('eu')).toMatchObject({ status: 200, body: { region: 'eu', host: 'https://eu.example.com' } })
    expect(outcomeOf(await choose('eu'))).toBe('409 region/already-set')
    // Also for a region that is not served: the organisation has one.
    expect(outcomeOf(await choose('us'))).toBe('409 region/already-set')
    expect(outcomeOf(await create('dev'))).toBe('409 request/conflict onboarding-settings')
    const settings = `${path}/settings`
    expect(outcomeOf(await founder.call('PUT', settings, { body: { locale: 'de' } }))).toBe('404 request/not-found')
    const wrong = await founder.call('POST', settings, { body: { locale: '?', timeZone: 'Mars', retentionDays: 0 } })
    expect(wrong).toMatchObject({ status: 400, body: { details: [{}, {}, {}] } })
    expect(await founder.call('POST', settings, { body: { timeZone: 'Europe/London' } })).toMatchObject({
      status: 201,
      body: { retentionDays: 90, locale: 'en', timeZone: 'Europe/London', contactEmail: null },
    })
    expect(outcomeOf(await founder.call('POST', settings, { body: {} }))).toBe(
      '409 organization-settings/already-exists',
    )
    const changed = await founder.call('PUT', settings, { body: { retentionDays: 30, contactEmail: 'a@example.com' } })
    expect(changed.body).toMatchObject({ retentionDays: 30, timeZone: 'Europe/London', contactEmail: 'a@example.com' })
    expect((await read()).onboarding).toMatchObject({ completed: false, next: 'environment' })

    const made = await create('dev')
    expect(made.status).toBe(201)
    expect((await read()).onboarding).toMatchObject({
      completed: true,
      steps: { region: true, settings: true, environment: true },
      next: null,
    })
    expect((await founder.call('GET', `/v1/dashboard/environments/${made.body.id}/campaigns`)).status).toBe(200)
    const me = await founder.call<{ organisations: object[] }>('GET', '/v1/dashboard/auth/me')
    expect(me.body.organisations).toContainEqual({ id: org, name: 'Acme', role: 'owner', onboardingCompleted: true })
  })

  test('of an organisation of the command line is open until its first environment', async () => {
    const { cli } = dashboard
    const { id } = await cli.json<{ id: string }>('org create --name Ops')
    const steps = () => cli.json<Organisation['onboarding']>(`org onboarding --org ${id}`)
    expect(await steps()).toMatchObject({ completed: false, steps: { region: true }, next: 'settings' })
    await cli.json(`env create --org ${id} --name dev`)
    const all = { region: true, settings: true, environment: true }
    expect(await steps()).toMatchObject({ completed: true, next: null, steps: all })
    expect((await cli.nc(`org onboarding --org ${id}`)).out).toContain('is completed since')
  })

  test('gives a role to the founder alone, and refuses a name without letters', async () => {
    const org = await found('Private')
    const stranger = await dashboard.join(given.demo.organisation.id, 'other@example.com', 'owner')
    expect(outcomeOf(await stranger.call('GET', `${ORGANISATIONS}/${org}`))).toBe(
      '403 authorization/organisation-not-authorized-for-this-user',
    )
    const nameless = await founder.call('POST', '/v1/dashboard/auth/organisations', { body: { name: ' ' } })
    expect(outcomeOf(nameless)).toBe('400 request/invalid-body')
    const anybody = dashboard.personOf('nobody', '')
    expect(outcomeOf(await anybody.call('POST', '/v1/dashboard/auth/organisations', { body: { name: 'No' } }))).toBe(
      '401 auth/unauthenticated',
    )
  })
})

test('notification configs are created, replaced and listed; both 404s differ', async () => {
  const [org, other] = [await found('Configs'), await found('Other')]
  const path = `${ORGANISATIONS}/${org}/notification-configs`
  const create = (body: object) => founder.call<{ id: string; categories: object[] }>('POST', path, { body })
  const main = await create({ name: 'Main', categories: [{ key: 'orders', critical: true }] })
  expect(main).toMatchObject({
    status: 201,
    body: { categories: [{ key: 'orders', name: 'orders', critical: true }], widget: { theme: 'auto' } },
  })
  expect(outcomeOf(await create({ name: 'Main' }))).toBe('409 request/conflict')
  const faulty = await create({ name: '', categories: [{ key: '!' }], widget: { accentColor: 'red' } })
  expect(faulty).toMatchObject({ status: 400, body: { details: [{}, {}, {}] } })
  const { id } = main.body
  const put = await founder.call('PUT', `${path}/${id}`, { body: { name: 'Renamed' } })
  expect(put).toMatchObject({ status: 200, body: { id, name: 'Renamed', categories: [] } })
  const { warnings, ...saved } = put.body as Record<string, unknown>
  expect(warnings).toEqual([])
  expect((await founder.call('GET', `${path}/${id}`)).body).toEqual(saved)
  const second = (await create({ name: 'Second' })).body.id
  const first = await founder.call<{ data: { id: string }[]; nextCursor: string }>('GET', `${path}?limit=1`)
  expect(first.body.data).toMatchObject([{ id: second }])
  const rest = await founder.call('GET', `${path}?limit=1&cursor=${first.body.nextCursor}`)
  expect(rest.body).toMatchObject({ data: [{ id }], nextCursor: null })

  const foreign = `${ORGANISATIONS}/${other}/notification-configs`
  expect(outcomeOf(await founder.call('GET', `${foreign}/${id}`))).toBe(
    '404 authorization/unauthorizedConfigIdForOrganisation',
  )
  expect(outcomeOf(await founder.call('PUT', `${foreign}/${id}`, { body: { name: 'X' } }))).toBe(
    '404 authorization/unauthorizedConfigIdForOrganisation',
  )
  expect(outcomeOf(await founder.call('GET', `${path}/cfg_00000000000`))).toBe('404 notification/config-not-found')
  expect(outcomeOf(await founder.call('GET', `${path}/nothing`))).toBe('404 notification/config-not-found')
})

test('the audit log has who changed what, before and after, in pages and by filters', async () => {
  const org = await found('Audited')
  const path = `${ORGANISATIONS}/${org}`
  await founder.call('POST', `${path}/region`, { body: { region: 'eu' } })
  await founder.call('POST', `${path}/settings`, { body: { locale: 'fr' } })
  await founder.call('PUT', `${path}/settings`, {
    body: { locale: 'de' },
    headers: { 'x-correlation-id': 'settings-1' },
  })
  const { body: environment } = await founder.call<{ id: string }>('POST', `${path}/environments`, {
    body: { name: 'dev' },
  })
  await dashboard.cli.json(`secret rotate --env ${environment.id} --kind sdkSecretKey`)
  interface Log {
    data: { at: string; action: string; actor: string; who: string; environment: string | null; detail: object }[]
    nextCursor: string | null
  }
  const read = async (query = '') => (await founder.call<Log>('GET', `${path}/audit-log${query}`)).body
  const all = await read()
  expect(all.data.map(({ action }) => action)).toEqual([
    'secret.rotate',
    'org.complete-onboarding',
    'env.create',
    'settings.change',
    'settings.create',
    'org.set-region',
    'member.add',
    'org.create',
  ])
  expect(all.data[3]).toMatchObject({
    actor: 'dashboard',
    who: founder.email,
    subject: org,
    correlationId: 'settings-1',
    detail: { difference: '~ locale: "fr" → "de"' },
  })
  expect(all.data[0]).toMatchObject({ actor: 'cli', environment: environment.id })
  const first = await read('?limit=3')
  expect(first.data.map(({ action }) => action)).toEqual(all.data.slice(0, 3).map(({ action }) => action))
  expect((await read(`?limit=5&cursor=${first.nextCursor}`)).data).toEqual(all.data.slice(3))
  const actionsOf = async (query: string) => (await read(query)).data.map(({ action }) => action)
  expect(await actionsOf('?actor=cli')).toEqual(['secret.rotate'])
  const at = all.data[3]?.at ?? ''
  expect(await actionsOf(`?from=${at}`)).toContain('settings.change')
  const before = new Date(Date.parse(at) - 1).toISOString()
  expect(await actionsOf(`?to=${before}`)).not.toContain('settings.change')
  expect(await actionsOf(`?from=${at}&to=${before}`)).toEqual([])
  expect(await actionsOf(`?actor=${founder.email}&action=settings`)).toEqual(['settings.change', 'settings.create'])
  expect(await actionsOf(`?environment=${environment.id}`)).toEqual(['secret.rotate', 'env.create'])
  expect(await actionsOf(`?environment=${given.demo.environments.dev.id}`)).toEqual([])
  const elsewhere = `${ORGANISATIONS}/${await found('Elsewhere')}/audit-log?cursor=${first.nextCursor}`
  expect(outcomeOf(await founder.call('GET', elsewhere))).toBe('400 request/invalid-query')
})

test('a person with several organisations invites no more people than one with a single organisation', async () => {
  const loud = await dashboard.join(given.demo.organisation.id, 'loud@example.com', 'viewer')
  const organisations: string[] = []
  for (const name of ['One', 'Two', 'Three']) {
    const answer = await loud.call<Organisation>('POST', '/v1/dashboard/auth/organisations', { body: { name } })
    organisations.push(answer.body.id)
  }
  const outcomes: string[] = []
  for (let at = 0; at <= 60; at++) {
    const path = `/v1/dashboard/auth/organisations/${organisations[at % 3]}/invitations`
    outcomes.push(outcomeOf(await loud.call('POST', path, { body: { email: `p${at}@example.com`, role: 'viewer' } })))
  }
  expect(outcomes).toEqual([...Array(60).fill('201'), '429 request/rate-limited'])
})
