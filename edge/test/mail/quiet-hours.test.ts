// Tests that mails wait for the end of their users' quiet hours, that a category may drop them, and that neither time zones
// nor restarts lose or double one.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'

const HOUR_MS = 3_600_000

/** The clock begins with an hour, so that none begins between the steps of a test. */
let laterMs = HOUR_MS - (Date.now() % HOUR_MS)
let given: GivenEdge
let key: string
let users = 0

const now = () => Date.now() + laterMs
/** The full hour of the clock, so many hours away. */
const hourIn = (hours: number) => new Date(Math.floor(now() / HOUR_MS) * HOUR_MS + hours * HOUR_MS)
const textOf = (at: Date) => at.toISOString().slice(11, 16)

interface Detail {
  messageId: string
  runId: string
  status: string
  statusReason: string | null
  nextAttemptAt: string | null
  attemptLog: { outcome: string }[]
}

const twoSteps = (name: string, category: string | null, extra = {}) =>
  inboxCampaign(name, `${name}.done`, {
    category,
    steps: [
      { id: 'tell', type: 'inbox', title: 'Hello' },
      { id: 'mail', type: 'email', subject: 'Hello', markdown: 'Hello' },
    ],
    ...extra,
  })

beforeAll(async () => {
  given = await givenEdge({}, { clock: { now } })
  key = given.demo.environments.dev.sdkSecretKey
  const categories = [
    { key: 'security', name: 'Security', critical: true },
    { key: 'offers', name: 'Offers', quietHours: 'drop' },
  ]
  const file = join(given.dataDir, 'config.json')
  await writeFile(file, JSON.stringify({ name: 'Standard', categories }))
  const { id } = await givenNc(given.settings).json<{ id: string }>(
    `config create --org ${given.demo.organisation.id} --from ${file}`,
  )
  await given.publish(twoSteps('news', 'news'))
  await given.publish(twoSteps('plain', null))
  await given.publish(twoSteps('alarm', 'security', { notificationConfigId: id }))
  await given.publish(twoSteps('offer', 'offers', { notificationConfigId: id }))
})
afterAll(() => given.stop())

/** Creates a user whose quiet hours began an hour ago, and end in two. */
async function givenUser(zones: { profile?: string; hours?: string } = { hours: 'UTC' }) {
  const userId = `sleeper-${++users}`
  const body = { email: `${userId}@example.org`, ...(zones.profile && { timeZone: zones.profile }) }
  await given.call('PUT', `/v1/users/${userId}`, { key, body })
  const endsAt = hourIn(2)
  const quietHours = { start: textOf(hourIn(-1)), end: textOf(endsAt), ...(zones.hours && { timeZone: zones.hours }) }
  await prefer(userId, { quietHours })
  return { userId, endsAt: endsAt.toISOString() }
}

async function prefer(userId: string, body: object): Promise<void> {
  const session = await given.signIn(userId)
  expect((await given.call('PUT', '/v1/inbox/preferences', { session, body })).status).toBe(200)
}

/** Tracks an event. @returns a reader of the record of its mail */
async function send(name: string, userId: string): Promise<() => Promise<Detail>> {
  const { eventId } = (await given.track({ name: `${name}.done`, userId })).body
  return async () => {
    const path = `/v1/deliveries?eventId=${eventId}&channel=email`
    const { data } = (await given.call<{ data: Detail[] }>('GET', path, { key })).body
    return (await given.call<Detail>('GET', `/v1/deliveries/${data[0]?.messageId}`, { key })).body
  }
}

const outcomeOf = ({ status, statusReason }: Detail) => `${status} ${statusReason}`
const comesTo = (read: () => Promise<Detail>, outcome: string) =>
  expect.poll(async () => outcomeOf(await read())).toBe(outcome)

async function mailsTo(userId: string): Promise<number> {
  const path = '/v1/email/mailbox?limit=100'
  const { data } = (await given.call<{ data: { to: { address: string } }[] }>('GET', path, { key })).body
  return data.filter(({ to }) => to.address === `${userId}@example.org`).length
}

test.each(['news', 'plain'])('a mail (%s) waits for the end, over a restart, and is sent once', async (name) => {
  const { userId, endsAt } = await givenUser()
  const read = await send(name, userId)
  await comesTo(read, 'queued quiet-hours')
  const { runId, ...waiting } = await read()
  expect(waiting).toMatchObject({ nextAttemptAt: endsAt, attemptLog: [] })
  const { steps } = (await given.call<{ steps: object[] }>('GET', `/v1/runs/${runId}`, { key })).body
  expect(steps.at(-1)).toMatchObject({
    stepId: 'mail',
    outcome: 'done',
    reason: `quiet hours of the user until ${endsAt}`,
    inputs: { verdict: 'delay', until: endsAt },
  })
  expect((await given.page(await given.signIn(userId))).data).toHaveLength(1)
  await given.restart()
  expect(outcomeOf(await read())).toBe('queued quiet-hours')
  expect(await mailsTo(userId)).toBe(0)
  laterMs += 3 * HOUR_MS
  await given.restart()
  await comesTo(read, 'sent null')
  expect(await read()).toMatchObject({ nextAttemptAt: null, attemptLog: [{ outcome: 'accepted' }] })
  expect(await mailsTo(userId)).toBe(1)
})

test('a category drops mails in quiet hours, and a critical one sends them', async () => {
  const { userId } = await givenUser()
  await comesTo(await send('offer', userId), 'skipped quiet-hours')
  await comesTo(await send('alarm', userId), 'sent null')
  expect(await mailsTo(userId)).toBe(1)
})

test('a user without a time zone has that of UTC, and a new zone moves the end', async () => {
  const { userId, endsAt } = await givenUser({})
  const read = await send('news', userId)
  await comesTo(read, 'queued quiet-hours')
  expect((await read()).nextAttemptAt).toBe(endsAt)
  const moveTo = (timeZone: string) => given.call('PUT', `/v1/users/${userId}`, { key, body: { timeZone } })
  // An hour behind UTC, where they have just begun.
  await moveTo('Etc/GMT+1')
  const later = new Date(Date.parse(endsAt) + HOUR_MS).toISOString()
  await expect.poll(async () => (await read()).nextAttemptAt).toBe(later)
  // Two hours behind they have not begun.
  await moveTo('Etc/GMT+2')
  await comesTo(read, 'sent null')
  expect(await mailsTo(userId)).toBe(1)
})

test('the rules are asked again at the end: a mail that is not wanted any more is skipped', async () => {
  const { userId } = await givenUser()
  const read = await send('news', userId)
  await comesTo(read, 'queued quiet-hours')
  await prefer(userId, { categories: [{ key: 'news', channels: { email: false } }] })
  expect(outcomeOf(await read())).toBe('queued quiet-hours')
  await prefer(userId, { quietHours: null })
  await comesTo(read, 'skipped preference')
  expect(await mailsTo(userId)).toBe(0)
})
