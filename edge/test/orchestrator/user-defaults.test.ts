// Tests that the organisation's locale and time zone apply to users without their own.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'
import { within } from '../support/within.ts'

const SECOND_MS = 1000
/** The next day in Berlin and Tokyo, not in UTC. */
const LATE = '2026-06-01T23:30:00.000Z'
const TITLE = '{{ user.locale }} {{ user.timeZone }} {{ event.occurredAt | date: "%F", user.timeZone }}'

let given: GivenEdge
let cli: ReturnType<typeof givenNc>
let userCount = 0

const campaignOf = (key: string, steps: object[] = []) =>
  inboxCampaign(key, `${key}.done`, {
    steps: [
      ...steps,
      { id: 'tell', type: 'inbox', title: `plain ${TITLE}`, locales: { de: { title: `deutsch ${TITLE}` } } },
    ],
  })

beforeAll(async () => {
  given = await givenEdge()
  cli = givenNc(given.settings)
  await given.publish(campaignOf('plain'))
  await given.publish(campaignOf('waited', [{ id: 'pause', type: 'delay', for: 'PT1S' }]))
  await given.publish({ ...campaignOf('german'), trigger: { event: 'german.done', where: 'user.locale == "de"' } })
})
afterAll(() => given.stop())

async function createUser(profile: object = {}): Promise<string> {
  const userId = `user-${++userCount}`
  await given.call('PUT', `/v1/users/${userId}`, { key: given.demo.environments.dev.sdkSecretKey, body: profile })
  return userId
}

async function titlesOf(userId: string): Promise<string[]> {
  return (await given.page(await given.signIn(userId))).data.map(({ title }) => title)
}

async function titleAfter(name: string, userId: string): Promise<string | undefined> {
  await given.track({ name: `${name}.done`, userId, occurredAt: LATE })
  return (await titlesOf(userId))[0]
}

const setDefaults = (verb: 'create' | 'change', locale: string, zone: string) =>
  cli.json(`settings ${verb} --org ${given.demo.organisation.id} --locale ${locale} --time-zone ${zone}`)

test('without settings a user without locale and zone gets the default text and days of UTC', async () => {
  expect(await titleAfter('plain', await createUser())).toBe('plain 2026-06-01')
})

test('settings that are created or changed while a server runs apply within a second', async () => {
  const userId = await createUser()
  expect(await titleAfter('plain', userId)).toBe('plain 2026-06-01')
  await setDefaults('create', 'de-AT', 'Asia/Tokyo')
  await within(SECOND_MS, async () =>
    expect(await titleAfter('plain', userId)).toBe('deutsch de-AT Asia/Tokyo 2026-06-02'),
  )
  await setDefaults('change', 'de', 'Europe/Berlin')
  await within(SECOND_MS, async () =>
    expect(await titleAfter('plain', userId)).toBe('deutsch de Europe/Berlin 2026-06-02'),
  )
})

test('a profile overrides the settings, and an unknown time zone is ignored', async () => {
  const newYork = await createUser({ locale: 'fr', timeZone: 'America/New_York' })
  expect(await titleAfter('plain', newYork)).toBe('plain fr America/New_York 2026-06-01')
  const unknownZone = await createUser({ locale: '', timeZone: 'Middle/Earth' })
  expect(await titleAfter('plain', unknownZone)).toBe('deutsch de Europe/Berlin 2026-06-02')
  // The defaults are not written to the profile.
  const key = given.demo.environments.dev.sdkSecretKey
  expect((await given.call('GET', `/v1/users/${unknownZone}`, { key })).body).toMatchObject({
    timeZone: 'Middle/Earth',
  })
  const profile = (await given.call('GET', `/v1/users/${await createUser()}`, { key })).body
  expect(profile).toMatchObject({ locale: null, timeZone: null })
})

test('conditions, a batch, a fan-out and a waiting run use the same defaults', async () => {
  const expected = 'deutsch de Europe/Berlin 2026-06-02'
  expect(await titleAfter('german', await createUser())).toBe(expected)
  expect(await titleAfter('german', await createUser({ locale: 'fr' }))).toBeUndefined()
  const [single, waiting] = [await createUser(), await createUser()]
  const { sdkSecretKey: key } = given.demo.environments.dev
  const events = [
    { name: 'plain.done', userId: single, occurredAt: LATE },
    { name: 'waited.done', userId: waiting, occurredAt: LATE },
  ]
  await given.call('POST', '/v1/events/track/batch', { key, body: { sdkSecretKey: key, events } })
  expect(await titlesOf(single)).toEqual([expected])
  const userIds = Array.from({ length: 60 }, (_, at) => `crowd-${at}`)
  await given.track({ name: 'plain.done', userIds, occurredAt: LATE })
  const pollOptions = { timeout: 60_000 }
  await expect.poll(() => titlesOf('crowd-59'), pollOptions).toEqual([expected])
  await expect.poll(() => titlesOf(waiting), pollOptions).toEqual([expected])
})

test("quiet hours without a time zone use the organisation's", async () => {
  const hours = { start: '22:00', end: '07:00' }
  const zoneFor = async (profile: object) => {
    const session = await given.signIn(await createUser(profile))
    const put = await given.call('PUT', '/v1/inbox/preferences', { session, body: { quietHours: hours } })
    const read = await given.call('GET', '/v1/inbox/preferences', { session })
    expect(read.body).toEqual(put.body)
    return (put.body.quietHours as { timeZone: string }).timeZone
  }
  expect(await zoneFor({})).toBe('Europe/Berlin')
  expect(await zoneFor({ timeZone: 'Asia/Tokyo' })).toBe('Asia/Tokyo')
})

test("a delay until the end of quiet hours uses the organisation's time zone", async () => {
  await given.publish(campaignOf('night', [{ id: 'morning', type: 'delay', untilQuietHoursEnd: true }]))
  const { sdkSecretKey: key } = given.demo.environments.dev
  const userId = await createUser()
  const session = await given.signIn(userId)
  // The whole day except the minute that begins in twelve hours, by Berlin's time.
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' })
  const end = clock.format(Date.now() + 12 * 60 * 60_000)
  const start = clock.format(Date.now() + 12 * 60 * 60_000 + 60_000)
  await given.call('PUT', '/v1/inbox/preferences', { session, body: { quietHours: { start, end } } })
  const { eventId } = (await given.track({ name: 'night.done', userId })).body
  const event = await given.call<{ runs: { runId: string }[] }>('GET', `/v1/events/${eventId}`, { key })
  const run = await given.call<{ steps: { reason: string }[] }>('GET', `/v1/runs/${event.body.runs[0]?.runId}`, { key })
  const until = new Date(run.body.steps[0]?.reason.replace('until ', '') ?? '')
  expect(clock.format(until)).toBe(end)
})

test('trials of a draft use the same defaults', async () => {
  const { sdkSecretKey: key } = given.demo.environments.dev
  const id = await given.publish(campaignOf('tried'))
  const event = { occurredAt: LATE }
  const preview = (user: object | undefined) =>
    given.call('POST', `/v1/campaigns/${id}/preview`, { key, body: { stepId: 'tell', event, user } })
  expect((await preview(undefined)).body.title).toBe('deutsch de Europe/Berlin 2026-06-02')
  expect((await preview({ locale: 'fr', timeZone: null })).body.title).toBe('plain fr Europe/Berlin 2026-06-02')
  const userId = await createUser()
  await given.call('POST', `/v1/campaigns/${id}/test`, { key, body: { userId, event } })
  expect(await titlesOf(userId)).toEqual(['deutsch de Europe/Berlin 2026-06-02'])
  const draft = { ...campaignOf('dry'), trigger: { event: 'dry.done', where: 'user.timeZone == "Europe/Berlin"' } }
  const dryId = await given.publish(draft)
  const run = await given.call('POST', `/v1/campaigns/${dryId}/dry-run`, { key, body: { user: { id: userId } } })
  expect(run.body).toMatchObject({ matched: true })
})

test('runs are cancelled by a condition on the user, with the defaults that the campaign used', async () => {
  const { sdkSecretKey: key } = given.demo.environments.dev
  await given.publish(campaignOf('long', [{ id: 'pause', type: 'delay', for: 'P1D' }]))
  const userId = await createUser()
  await given.track({ name: 'long.done', userId })
  const cancel = (where: string) =>
    given.call('POST', '/v1/runs/cancel', { key, body: { campaignKey: 'long', userId, where } })
  expect((await cancel('user.locale == "fr"')).body).toMatchObject({ cancelled: 0 })
  expect((await cancel('user.locale == "de"')).body).toMatchObject({ cancelled: 1 })
})
