// Tests GET and PUT /v1/inbox/preferences and their effect on messages of both channels.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuthAnswer } from '../../../contract/api.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'

interface Preferences {
  categories: { key: string; name: string; critical: boolean; channels: { inbox: boolean; email?: boolean } }[]
  quietHours: { start: string; end: string; timeZone: string } | null
}
interface Delivery {
  channel: string
  stepId: string
  status: string
  statusReason: string | null
  lastError: string | null
  attempts: number
}

let given: GivenEdge
let cli: ReturnType<typeof givenNc>
let users = 0

const twoSteps = (key: string, category: string | null, extra = {}) =>
  inboxCampaign(key, `${key}.done`, {
    category,
    steps: [
      { id: 'tell', type: 'inbox', title: 'Hello' },
      { id: 'mail', type: 'email', subject: 'Hello {{ user.name }}', markdown: 'Hello *you*' },
    ],
    ...extra,
  })

beforeAll(async () => {
  given = await givenEdge()
  cli = givenNc(given.settings)
  const file = join(given.dataDir, 'config.json')
  const configCategories = [
    { key: 'security', name: 'Security alerts', critical: true },
    { key: 'tips', name: 'Tips', channels: { email: false } },
  ]
  await writeFile(file, JSON.stringify({ name: 'Standard', categories: configCategories }))
  const { id } = await cli.json<{ id: string }>(`config create --org ${given.demo.organisation.id} --from ${file}`)
  await given.publish(twoSteps('news', 'news'))
  await given.publish(twoSteps('alarm', 'security', { notificationConfigId: id }))
  await given.publish(twoSteps('tip', 'tips', { notificationConfigId: id }))
  await given.publish(twoSteps('plain', null))
})
afterAll(() => given.stop())

async function givenUser(user: object = { email: 'someone@example.org' }) {
  const userId = `chooser-${++users}`
  await given.call('PUT', `/v1/users/${userId}`, { key: given.demo.environments.dev.sdkSecretKey, body: user })
  const session = await given.signIn(userId)
  return { userId, session }
}
const read = async (session: AuthAnswer) =>
  (await given.call<Preferences>('GET', '/v1/inbox/preferences', { session })).body
const put = (session: AuthAnswer, body: unknown) =>
  given.call<Preferences & { code: string; details: object[] }>('PUT', '/v1/inbox/preferences', { session, body })
const ownCategories = ({ categories }: Preferences) =>
  categories.filter(({ key }) => ['news', 'security', 'tips'].includes(key))

/** Returns the deliveries of an event once its mail has gone: `inbox`, then `email`. */
async function outcomeOf(name: string, userId: string, event: object = {}): Promise<Delivery[]> {
  const { eventId } = (await given.track({ name: `${name}.done`, userId, ...event })).body
  const key = given.demo.environments.dev.sdkSecretKey
  const list = async () =>
    (await given.call<{ data: Delivery[] }>('GET', `/v1/deliveries?eventId=${eventId}`, { key })).body.data
  const isOnItsWay = ({ status, statusReason }: Delivery) => /^(queued|sending)$/.test(status) && statusReason === null
  await expect.poll(async () => (await list()).some(isOnItsWay)).toBe(false)
  return (await list()).sort((one, other) => (one.channel < other.channel ? 1 : -1))
}
const summariesOf = (deliveries: Delivery[]) =>
  deliveries.map(({ status, statusReason }) => `${status} ${statusReason}`)
const SENT = ['delivered null', 'sent null']

/** Returns quiet hours in UTC that include now and the next hour. */
function currentQuietHours() {
  const hour = new Date().getUTCHours()
  const text = (at: number) => `${String((at + 24) % 24).padStart(2, '0')}:00`
  return { start: text(hour - 1), end: text(hour + 2), timeZone: 'UTC' }
}

describe('preferences', () => {
  test('a user without preferences gets the categories of the live campaigns, with the defaults of their configs', async () => {
    const { session } = await givenUser()
    const preferences = await read(session)
    expect(ownCategories(preferences)).toEqual([
      { key: 'news', name: 'news', critical: false, channels: { inbox: true } },
      { key: 'security', name: 'Security alerts', critical: true, channels: { inbox: true } },
      { key: 'tips', name: 'Tips', critical: false, channels: { inbox: true } },
    ])
    expect(preferences.quietHours).toBeNull()
  })

  test('a change keeps what it does not contain, null removes quiet hours, and the answer equals the next read', async () => {
    const { session } = await givenUser()
    const first = await put(session, { categories: [{ key: 'news', channels: { inbox: false } }] })
    expect(first.status).toBe(200)
    const hours = { start: '22:00', end: '07:00', timeZone: 'Asia/Tokyo' }
    const second = await put(session, { quietHours: hours })
    expect(ownCategories(second.body)[0]?.channels).toEqual({ inbox: false })
    expect(second.body.quietHours).toEqual(hours)
    // Sent back with names and flags, which users cannot set.
    const complete = { ...second.body, categories: second.body.categories.map((one) => ({ ...one, name: 'x' })) }
    const third = await put(session, complete)
    expect(third.body).toEqual(second.body)
    expect(await read(session)).toEqual(second.body)
    expect((await put(session, { quietHours: null })).body.quietHours).toBeNull()
    expect(ownCategories(await read(session))[0]?.channels).toEqual({ inbox: false })
  })

  test('email is not listed while the environment sends none, but a preference for it applies', async () => {
    const { userId, session } = await givenUser()
    const set = await put(session, { categories: [{ key: 'news', channels: { email: false } }] })
    expect(set.status).toBe(200)
    expect(set.body).toEqual(await read(session))
    expect(JSON.stringify(set.body)).not.toContain('email')
    expect(summariesOf(await outcomeOf('news', userId))).toEqual(['delivered null', 'skipped preference'])
  })

  test("quiet hours without a time zone use the user's time zone, or UTC", async () => {
    const hours = { start: '22:00', end: '07:00' }
    const paris = await givenUser({ timeZone: 'Europe/Paris' })
    expect((await put(paris.session, { quietHours: hours })).body.quietHours?.timeZone).toBe('Europe/Paris')
    const unknownZone = await givenUser({ timeZone: 'Somewhere' })
    expect((await put(unknownZone.session, { quietHours: hours })).body.quietHours?.timeZone).toBe('UTC')
  })

  test.each<[string, unknown, string[]]>([
    ['an empty body', {}, ['']],
    ['an object for the list', { categories: {} }, ['categories']],
    ['a text in the list', { categories: ['news'] }, ['categories[0]']],
    ['a category without key and channels', { categories: [{}] }, ['categories[0].key', 'categories[0].channels']],
    ['an unknown category', { categories: [{ key: 'nope', channels: {} }] }, ['categories[0].key']],
    ['a name of the prototype', { categories: [{ key: 'constructor', channels: {} }] }, ['categories[0].key']],
    [
      'a category twice',
      {
        categories: [
          { key: 'news', channels: {} },
          { key: 'news', channels: {} },
        ],
      },
      ['categories[1].key'],
    ],
    [
      'a text for a flag',
      { categories: [{ key: 'news', channels: { email: 'no' } }] },
      ['categories[0].channels.email'],
    ],
    ['a list for the channels', { categories: [{ key: 'news', channels: [] }] }, ['categories[0].channels']],
    ['a text for the quiet hours', { quietHours: '22-07' }, ['quietHours']],
    ['quiet hours without times', { quietHours: {} }, ['quietHours.start', 'quietHours.end']],
    ['invalid times', { quietHours: { start: '24:00', end: '7:00' } }, ['quietHours.start', 'quietHours.end']],
    ['equal times', { quietHours: { start: '07:00', end: '07:00' } }, ['quietHours.end']],
    [
      'an invalid time zone',
      { quietHours: { start: '22:00', end: '07:00', timeZone: 'Middle/Earth' } },
      ['quietHours.timeZone'],
    ],
  ])('%s is refused with its path, and changes nothing', async (_, body, paths) => {
    const { session } = await givenUser()
    const before = await read(session)
    const refused = await put(session, body)
    expect([refused.status, refused.body.code]).toEqual([400, 'request/invalid-body'])
    expect(refused.body.details.map((one) => (one as { path: string }).path)).toEqual(paths)
    expect(await read(session)).toEqual(before)
  })

  test('a category of another environment and a call without a session are refused', async () => {
    const otherEnvironment = await given.signIn('someone-else', 'prod')
    expect((await read(otherEnvironment)).categories.filter(({ key }) => key === 'news')).toEqual([])
    expect((await put(otherEnvironment, { categories: [{ key: 'news', channels: {} }] })).status).toBe(400)
    expect((await given.call('GET', '/v1/inbox/preferences')).status).toBe(401)
  })
})

describe('what is sent', () => {
  test('a preference applies at once, to its channel alone, with the reason "preference" in the record', async () => {
    const { userId, session } = await givenUser()
    expect(summariesOf(await outcomeOf('news', userId))).toEqual(SENT)
    await put(session, { categories: [{ key: 'news', channels: { inbox: false } }] })
    expect(summariesOf(await outcomeOf('news', userId))).toEqual(['skipped preference', 'sent null'])
    await put(session, { categories: [{ key: 'news', channels: { inbox: true, email: false } }] })
    expect(summariesOf(await outcomeOf('news', userId))).toEqual(['delivered null', 'skipped preference'])
    expect((await given.page(session)).data).toHaveLength(2)
    expect(summariesOf(await outcomeOf('plain', userId))).toEqual(SENT)
  })

  test('a category that its config turns off is sent to users who turn it on', async () => {
    const { userId, session } = await givenUser()
    expect(summariesOf(await outcomeOf('tip', userId))).toEqual(['delivered null', 'skipped preference'])
    await put(session, { categories: [{ key: 'tips', channels: { email: true } }] })
    expect(summariesOf(await outcomeOf('tip', userId))).toEqual(SENT)
  })

  test('a critical category is sent despite preferences and quiet hours', async () => {
    const { userId, session } = await givenUser()
    const allOff = { key: 'security', channels: { inbox: false, email: false } }
    const set = await put(session, { categories: [allOff], quietHours: currentQuietHours() })
    expect(ownCategories(set.body)[1]).toEqual({
      key: 'security',
      name: 'Security alerts',
      critical: true,
      channels: { inbox: true },
    })
    expect(summariesOf(await outcomeOf('alarm', userId))).toEqual(SENT)
    expect(summariesOf(await outcomeOf('news', userId))).toEqual(['delivered null', 'queued quiet-hours'])
  })

  test('the preferences of each user apply within one batch', async () => {
    const [one, other] = [await givenUser(), await givenUser()]
    await put(one.session, { categories: [{ key: 'news', channels: { inbox: false } }] })
    const sdkSecretKey = given.demo.environments.dev.sdkSecretKey
    const events = [one, other, one].map(({ userId }) => ({ name: 'news.done', userId }))
    await given.call('POST', '/v1/events/track/batch', { key: sdkSecretKey, body: { sdkSecretKey, events } })
    expect((await given.page(one.session)).data).toHaveLength(0)
    expect((await given.page(other.session)).data).toHaveLength(1)
  })

  test('the preferences of each user apply in a fan-out job', async () => {
    const { userId, session } = await givenUser()
    const lastUser = await givenUser()
    await put(session, { categories: [{ key: 'news', channels: { inbox: false } }] })
    const otherUsers = Array.from({ length: 50 }, (_, at) => `crowd-${users}-${at}`)
    await given.track({ name: 'news.done', userIds: [userId, ...otherUsers, lastUser.userId] })
    await expect.poll(async () => (await given.page(lastUser.session)).data.length).toBe(1)
    expect((await given.page(session)).data).toHaveLength(0)
  })

  test('a suppressed user or address receives nothing on that channel, until the suppression is removed', async () => {
    const env = given.demo.environments.dev.id
    const { userId } = await givenUser({ email: 'gone@example.org' })
    await cli.json(`suppression add --env ${env} --address GONE@example.org --reason bounce`)
    await expect.poll(async () => summariesOf(await outcomeOf('news', userId))[1]).toBe('skipped suppressed')
    // A critical message is not sent to a suppressed address either.
    expect(summariesOf(await outcomeOf('alarm', userId))[1]).toBe('skipped suppressed')
    // The same user with another address, which the event contains.
    const newAddress = { user: { email: 'new@example.org' } }
    expect(summariesOf(await outcomeOf('news', userId, newAddress))[1]).toBe('sent null')
    await cli.json(`suppression add --env ${env} --user ${userId} --channel inbox --reason unsubscribe`)
    expect(summariesOf(await outcomeOf('news', userId))[0]).toBe('skipped suppressed')
    expect(summariesOf(await outcomeOf('alarm', userId))[0]).toBe('delivered null')
    expect(await cli.json(`suppression show --env ${env} --user ${userId}`)).toMatchObject([
      { channel: 'inbox', reason: 'unsubscribe' },
    ])
    await cli.json(`suppression remove --env ${env} --user ${userId} --channel inbox`)
    expect(summariesOf(await outcomeOf('news', userId))[0]).toBe('delivered null')
  })
})
